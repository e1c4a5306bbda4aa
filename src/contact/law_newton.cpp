// Newton's law: the contact speed is returned e times,
//
//   Λ_n = −(1 + e)c_n/Δ_nn,   c_n⁺ = −e c_n,   ΔE = −(1 − e²)c_n²/(2Δ_nn).
//
// It has no friction: with Coulomb's friction beside it Newton's e gains energy (up to +114 %). That is the law
// coulomb.

#include "law_registry.hpp"

namespace ricochet {

namespace {

const LawDescriptor about_newton{
    .name = "newton",
    .doc = "the normal speed is returned e times, without friction",
    .equation = "Λ_n = -(1 + e) c_n/Δ_nn",
    .preserves = "the requested restitution, -c_n+/c_n- = e; the tangential velocity",
    .not_preserved = "energy: -(1 - e^2) c_n^2/(2 Δ_nn) an impact; the symplectic form",
    .keys = {{"restitution", "e in [0,1]: a number, or a formula of speed = -c_n", true}},
};

template <class T>
void resolve_newton(OneContact<T>& contact) {
  contact.impulse[0] = scaled(-1, (T(1.0) + contact.e) * contact.c[0] / contact.delta[0]);
}

}  // namespace

LawEntry newton_law() {
  return {&about_newton, ImpactLaw::newton, Tangential::free, resolve_newton<double>, resolve_newton<Dual>};
}

}  // namespace ricochet
