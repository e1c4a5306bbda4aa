// The plastic law: the contact point stops,
//
//   Λ = −Δ⁻¹c,   c⁺ = 0,   ΔE = −½ cᵀΔ⁻¹c,
//
// if Λ_n ≥ 0. Otherwise, where the obstacle would have to pull, or where no impulse stops the point (Δ is singular and
// a moving obstacle asks for a speed out of its range): coulomb with e = 0 and the law's friction. Without tangents
// only the normal velocity stops.

#include "law_registry.hpp"

namespace ricochet {

namespace {

const LawDescriptor about_plastic{
    .name = "plastic",
    .doc = "the contact point stops (without point or tangent: its normal velocity alone)",
    .equation = "Λ = -Δ^-1 c if Λ_n >= 0, else coulomb with e = 0",
    .preserves = "c+ = 0: the contact point is at rest on the obstacle",
    .not_preserved = "energy, which never increases; the symplectic form",
    .keys = {{"friction", "μ while contact lasts, and where the point cannot stop without being pulled (default 1)"},
             {"point", "the contact point, 2 or 3 formulas; or tangent"},
             {"tangent", "1 or 2 rows, lengths as the gap is; or point"}},
};

template <class T>
void resolve_plastic(OneContact<T>& contact) {
  const int rows = 1 + contact.tangents;
  ScaledSolver<T>& solver = contact.routh.solver();
  solver.resize(rows);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < rows; ++j) solver.a(i, j) = contact.delta[i * rows + j];
    solver.b(i) = -contact.c[i];
    solver.row_scale(i) = solver.column_scale(i) = value(contact.delta[0]);
  }
  solver.solve();
  bool stops = value(solver.x(0)) >= 0;
  for (int i = 0; i < rows && stops; ++i) {
    double after = value(contact.c[i]), terms = std::fabs(after);
    for (int j = 0; j < rows; ++j) {
      const double term = value(contact.delta[i * rows + j]) * value(solver.x(j));
      after += term;
      terms += std::fabs(term);
    }
    stops = std::fabs(after) <= std::fmax(1e-10 * terms, contact.still);
  }
  if (!stops) return routh_impulse(contact, T(0.0));
  for (int i = 0; i < rows; ++i) contact.impulse[i] = solver.x(i);
}

}  // namespace

LawEntry plastic_law() {
  return {&about_plastic, ImpactLaw::plastic, Tangential::stop, resolve_plastic<double>, resolve_plastic<Dual>};
}

}  // namespace ricochet
