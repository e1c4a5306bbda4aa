// The elastic law: the contact speed changes its sign,
//
//   Λ_n = −2c_n/Δ_nn,   c_n⁺ = −c_n,   ΔE = 0.

#include "law_registry.hpp"

namespace ricochet {

namespace {

const LawDescriptor about_elastic{
    .name = "elastic",
    .doc = "reflection without friction",
    .equation = "Λ_n = -2 c_n/Δ_nn",
    .preserves = "energy (fixed obstacles); the tangential velocity",
    .not_preserved = "",
};

template <class T>
void resolve_elastic(OneContact<T>& contact) {
  contact.impulse[0] = scaled(-1, (T(1.0) + contact.e) * contact.c[0] / contact.delta[0]);  // e = 1 unless captured
}

}  // namespace

LawEntry elastic_law() {
  return {&about_elastic, ImpactLaw::elastic, Tangential::free, resolve_elastic<double>, resolve_elastic<Dual>};
}

}  // namespace ricochet
