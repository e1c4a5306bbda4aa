#pragma once
// Symplecticity defect ‖Tᵀ(JᵀΩJ − Ω)T‖ / max(1, ‖JT‖²) (largest entries) of the exact step derivatives J along a run,
// apart for steps without and with impacts. With holonomic constraints, and contacts that stay closed, the columns of T
// are an orthonormal basis of the tangent space of {f(q) = 0, ∇f·v(q,p) = 0} at the start of the step; without, T is
// the identity. Counted, not measured: steps in which the method fell back from its rule (grazing), in which several
// gaps closed at once (the map has a kink there), in which closed contacts leave nothing free to move (T has no
// columns), and those of which the method has no derivative.

#include <Eigen/Dense>
#include <optional>

#include "ricochet/audit/subject.hpp"
#include "ricochet/mechanics/constraints.hpp"
#include "ricochet/mechanics/gaps.hpp"
#include "ricochet/mechanics/lagrangian.hpp"

namespace ricochet {

struct SymplecticityMeasurement {
  std::optional<double> smooth, impact;  // none: no such step, or the method has no step derivative
  std::int64_t smooth_steps = 0, impact_steps = 0, fallbacks = 0, simultaneous = 0, without_derivative = 0, held = 0;
  std::string note;  // why there is none
};

double symplecticity_defect(const Eigen::MatrixXd& J);
double symplecticity_defect(const Eigen::MatrixXd& J, const Eigen::MatrixXd& T);
Eigen::MatrixXd tangent_space(Lagrangian& L, Constraints& constraints, Gaps& gaps, const State& state);  // T
SymplecticityMeasurement measure_symplecticity(const Subject& subject, std::int64_t steps);

}  // namespace ricochet
