#pragma once
// Symplecticity defect ‖JᵀΩJ − Ω‖ / max(1, ‖J‖²) (largest entries) of the exact step derivatives J along a run, apart
// for steps without and with impacts. Steps in which the method fell back from its rule (grazing) are counted, not
// measured.

#include <optional>

#include "ricochet/audit/subject.hpp"

namespace ricochet {

struct SymplecticityMeasurement {
  std::optional<double> smooth, impact;  // none: no such step, or the method has no step derivative
  std::int64_t smooth_steps = 0, impact_steps = 0, fallbacks = 0;
  std::string note;  // why there is none
};

double symplecticity_defect(const Eigen::MatrixXd& J);
SymplecticityMeasurement measure_symplecticity(const Subject& subject, std::int64_t steps);

}  // namespace ricochet
