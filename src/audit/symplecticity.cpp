#include "ricochet/audit/symplecticity.hpp"

#include <cmath>

namespace ricochet {

double symplecticity_defect(const Eigen::MatrixXd& J) {
  // JᵀΩJ = AᵀB − BᵀA with the halves A = ∂q1, B = ∂p1
  const Eigen::Index n = J.rows() / 2;
  Eigen::MatrixXd form = J.topRows(n).transpose() * J.bottomRows(n);
  form -= Eigen::MatrixXd(form.transpose());
  for (Eigen::Index i = 0; i < n; ++i) form(i, n + i) -= 1, form(n + i, i) += 1;
  const double size = J.cwiseAbs().maxCoeff();
  return form.cwiseAbs().maxCoeff() / std::fmax(1, size * size);
}

SymplecticityMeasurement measure_symplecticity(const Subject& subject, std::int64_t steps) {
  SymplecticityMeasurement m;
  if (!subject.model.holonomic.empty() || !subject.model.nonholonomic.empty())
    return m.note = "with constraints the form lives on their manifold, not on all (q, p)", m;
  Walk walk(subject, subject.options.step);
  StepJacobian J;
  while (walk.steps() < steps) {
    const std::int64_t fallbacks = walk.counter("grazing_fallbacks");
    walk.step(&J);
    if (J.matrix.size() == 0) return m.note = "the method has no step derivative", m;
    if (walk.counter("grazing_fallbacks") != fallbacks) {
      ++m.fallbacks;
      continue;
    }
    std::optional<double>& worst = walk.impacts().empty() ? m.smooth : m.impact;
    ++(walk.impacts().empty() ? m.smooth_steps : m.impact_steps);
    worst = std::fmax(worst.value_or(0), symplecticity_defect(J.matrix));
  }
  return m;
}

}  // namespace ricochet
