#pragma once
// The impulses of the contacts that take part in one impact: Λ = LAW(Δ, c), a pure function.
//
// All elastic: one of three rules.
//   moreau       one pass over the contacts that do not separate,  min_{y≥0} ½ yᵀΔy + 2 cᵀy; another one only if a
//                contact that separated approaches now
//   generalized  passes of the same over those that approach [KP12 Algorithm 2]: two balls in, two balls out
//   sequential   the fastest alone, until none approaches
// Otherwise passes: the fastest approaching contact gets its own law on the current speeds; those as fast (1e-9) are
// one process of Routh with it (law_routh.hpp), unless that would pull. After 100 passes e = 0 for all; after 200 the
// normals are stopped together, min_{y≥0} ½ yᵀΔy + cᵀy, which ends it. Energy never increases in a pass.
//
// Fast is |c_n| where all speeds are lengths in time, else c_n²/Δ_nn: rows may have different units. Nothing here has a
// unit: with c_i → a_i c_i, Δ_ij → a_i a_j b Δ_ij and powers of two a, b (a_i one for a contact's rows) Λ_i changes to
// Λ_i/(a_i b) to the bit.
//
// T is double or Dual<double>. Branches are decided by values, so the dual parts are the derivative of the branch
// taken, and the values have the same bits; only a spatial slip is followed until its derivative too has settled, and
// its value then agrees to round-off. After the first call of a size nothing is allocated.

#include <memory>
#include <span>

#include "ricochet/contact/law.hpp"

namespace ricochet {

template <class T>
class ImpactResolver {
 public:
  ImpactResolver();
  ~ImpactResolver();
  ImpactResolver(ImpactResolver&&) noexcept;
  ImpactResolver& operator=(ImpactResolver&&) noexcept;

  // delta: rows × rows, row-major; still[i]: speeds of contact i up to this are zero, ρ_v. Throws SolverError.
  void resolve(std::span<const LawContact<T>> contacts, int rows, const T* delta, const T* c,
               std::span<const double> still, Simultaneous rule = Simultaneous::moreau);

  std::span<const T> impulse() const;  // Λ, one for each row
  std::span<const T> c_plus() const;   // c + ΔΛ
  // Of contact i: e as asked for when it was first struck, and −c_n⁺/c_n⁻, for coulomb √(−W_restitution/W_compression),
  // for plastic 0. A contact that did not approach has obtained 0.
  double requested(int i) const;
  double obtained(int i) const;
  int hardest() const;  // the contact that approached fastest; −1 if none did
  int passes() const;
  bool has_kink() const;  // of the last impact: neighbours have another derivative (dual numbers only)
  int curves() const;     // spatial slips integrated, since the beginning: for tests and counters

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

extern template class ImpactResolver<double>;
extern template class ImpactResolver<formula::Dual<double>>;

}  // namespace ricochet
