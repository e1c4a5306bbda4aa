// Coulomb's friction in an impact: Routh's process with Stronge's energetic restitution. While the normal impulse
// grows,
//
//   slip    dΛ_t = −μσ dΛ_n, σ = c_t/|c_t|                    until c_t = 0,
//   stick   dΛ_t = −Δ_tt⁻¹Δ_tn dΛ_n                           if |Δ_tt⁻¹Δ_tn| ≤ μ,
//   slip on dΛ_t = −μσ dΛ_n, (μΔ_tt + κ)σ = Δ_tn, κ > 0       otherwise.
//
// Compression ends at c_n = 0; restitution when its normal work is −e² of compression's. Where Δ_nn < μσ·Δ_nt
// (Painlevé) compression first drives the contact in, until slip ends; it always does, because Δ is positive definite.
// law_routh.hpp has the process.

#include "law_registry.hpp"

namespace ricochet {

namespace {

const LawDescriptor about_coulomb{
    .name = "coulomb",
    .doc = "friction in the impact: Routh's process with Stronge's energetic restitution",
    .equation = "dΛ_t = -μ σ dΛ_n while it slips; restitution does -e^2 of the normal work of compression",
    .preserves = "the requested restitution, sqrt(-W_restitution/W_compression) = e; |Λ_t| <= μ Λ_n",
    .not_preserved = "energy, which never increases; the tangential velocity; the symplectic form",
    .keys = {{"restitution", "e in [0,1]: a number, or a formula of speed = -c_n", true},
             {"friction", "μ, at least 0", true},
             {"point", "the contact point, 2 or 3 formulas; or tangent"},
             {"tangent", "1 or 2 rows, lengths as the gap is; or point"}},
    .needs_frame = true,
};

template <class T>
void resolve_coulomb(OneContact<T>& contact) {
  routh_impulse(contact, contact.e);
}

}  // namespace

template <class T>
void routh_impulse(OneContact<T>& contact, const T& e) {
  const RouthContact<T> process{0, contact.tangents, contact.friction, e, false, contact.still};
  contact.routh.run({&process, 1}, 1 + contact.tangents, contact.delta, contact.c);
  for (int a = 0; a <= contact.tangents; ++a) contact.impulse[a] = contact.routh.impulse()[a];
  contact.compression_work = contact.routh.compression(0);
  contact.restitution_work = contact.routh.restitution(0);
}
template void routh_impulse(OneContact<double>&, const double&);
template void routh_impulse(OneContact<Dual>&, const Dual&);

LawEntry coulomb_law() {
  return {&about_coulomb, ImpactLaw::coulomb, Tangential::friction, resolve_coulomb<double>, resolve_coulomb<Dual>};
}

}  // namespace ricochet
