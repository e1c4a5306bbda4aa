#pragma once
// A law is a file law_NAME.cpp: a descriptor and the impulse of one contact; and one line in the list below.

#include "law_routh.hpp"
#include "ricochet/contact/law.hpp"

namespace ricochet {

// One contact alone: Δ (row-major) and c of its 1 + tangents rows, normal first; c_n < 0.
template <class T>
struct OneContact {
  int tangents;
  const T* delta;
  const T* c;
  T e, friction;
  double still;
  Routh<T>& routh;
  T impulse[3];                                       // out: Λ
  double compression_work = 0, restitution_work = 0;  // out: of the normal impulse, of a law that has them
};

// What a law does along the tangents; enough for several contacts in one process of Routh.
enum class Tangential { free, friction, stop };

struct LawEntry {
  const LawDescriptor* descriptor;
  ImpactLaw law;
  Tangential tangential;
  void (*resolve)(OneContact<double>&);
  void (*resolve_dual)(OneContact<Dual>&);
};

// The list of laws: one line each, in the order that `ricochet laws` shows.
// clang-format off
#define RICOCHET_LAWS(LAW) \
  LAW(elastic) \
  LAW(newton) \
  LAW(coulomb) \
  LAW(plastic)
// clang-format on

#define RICOCHET_DECLARE_LAW(name) LawEntry name##_law();
RICOCHET_LAWS(RICOCHET_DECLARE_LAW)
#undef RICOCHET_DECLARE_LAW

const LawEntry& law_entry(ImpactLaw law);

// The process of Routh for one contact (law_coulomb.cpp).
template <class T>
void routh_impulse(OneContact<T>& contact, const T& e);

}  // namespace ricochet
