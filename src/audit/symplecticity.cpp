#include "ricochet/audit/symplecticity.hpp"

#include <cmath>

namespace ricochet {

namespace {

constexpr double closed_gap = 1e-7;              // of gap and rate
constexpr std::int64_t no_derivative_ever = 20;  // steps without one: then the method has none

Eigen::MatrixXd form_of(const Eigen::MatrixXd& X) {  // XᵀΩX = AᵀB − BᵀA with the halves A, B of X
  const Eigen::Index n = X.rows() / 2;
  const Eigen::MatrixXd form = X.topRows(n).transpose() * X.bottomRows(n);
  return form - form.transpose();
}

}  // namespace

double symplecticity_defect(const Eigen::MatrixXd& J, const Eigen::MatrixXd& T) {
  const Eigen::MatrixXd JT = J * T;
  const double size = JT.cwiseAbs().maxCoeff();
  return (form_of(JT) - form_of(T)).cwiseAbs().maxCoeff() / std::fmax(1, size * size);
}

double symplecticity_defect(const Eigen::MatrixXd& J) {
  return symplecticity_defect(J, Eigen::MatrixXd::Identity(J.rows(), J.rows()));
}

// Rows (∇f, 0) and those of the rate r = ∇f(q)·v(q,p): ∂r/∂q = f''v + ∇f·∂v/∂q with ∂v/∂q = −M⁻¹L_vq, ∂r/∂p = ∇fᵀM⁻¹.
// A contact stays closed if gap and rate vanish.
Eigen::MatrixXd tangent_space(Lagrangian& L, Constraints& constraints, Gaps& gaps, const State& state) {
  const int n = L.n(), m = constraints.count();
  const double* q = state.q.data();
  Eigen::VectorXd v(n), x(2 * n + 1), y(2 * n + 1), w(n), r(m), normal(n);
  L.velocity(q, state.p.data(), state.t, v.data());
  std::vector<int> closed;
  gaps.evaluate(q, state.t);
  for (int k = 0; k < gaps.pieces(); ++k) {
    double g_t = 0;
    if (!(std::abs(gaps.piece(k)) <= closed_gap)) continue;
    gaps.gradient(k, q, state.t, normal.data(), g_t);
    if (std::abs(normal.dot(v) + g_t) <= closed_gap * (1 + v.norm())) closed.push_back(k);
  }
  const int count = m + static_cast<int>(closed.size());
  if (count == 0) return Eigen::MatrixXd::Identity(2 * n, 2 * n);
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(2 * count, 2 * n);
  constraints.evaluate(q);
  for (const Constraints::Entry& e : constraints.entries()) rows(e.constraint, e.coordinate) = e.value;
  for (int k = m; k < count; ++k) {
    double g_t = 0;
    gaps.gradient(closed[k - m], q, state.t, normal.data(), g_t);
    rows.row(k).head(n) = normal.transpose();
  }
  const Eigen::MatrixXd F = rows.topLeftCorner(count, n);
  L.evaluate(2, q, v.data(), state.t);
  for (int j = 0; j < n; ++j) {
    x.setZero();
    x[j] = 1;
    L.apply_hessian(x.data(), y.data());
    L.apply_inverse_mass(y.data() + n, w.data());
    rows.col(j).tail(count) = -F * w;
    constraints.rate_derivative(q, v.data(), x.data(), r.data());
    rows.col(j).segment(count, m) += r;
    for (int k = m; k < count; ++k) {
      gaps.hessian_times(closed[k - m], q, state.t, x.data(), y.data());
      rows(count + k, j) += y.head(n).dot(v) + y[n];
    }
    L.apply_inverse_mass(x.data(), w.data());
    rows.col(n + j).tail(count) = F * w;
  }
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(rows.transpose());
  const Eigen::MatrixXd Q = qr.householderQ();
  return Q.rightCols(2 * n - qr.rank());
}

SymplecticityMeasurement measure_symplecticity(const Subject& subject, std::int64_t steps) {
  SymplecticityMeasurement m;
  if (!subject.model.nonholonomic.empty()) return m.note = "nonholonomic motion keeps no symplectic form", m;
  Walk walk(subject, subject.options.step);
  Lagrangian L(*subject.system);
  Constraints constraints(*subject.system);
  Gaps gaps(*subject.system);
  StepJacobian J;
  while (walk.steps() < steps) {
    const std::int64_t fallbacks = walk.counter("grazing_fallbacks"), together = walk.counter("simultaneous_impacts");
    const Eigen::MatrixXd T = tangent_space(L, constraints, gaps, walk.state());
    walk.step(&J);
    if (J.matrix.size() == 0) {
      if (++m.without_derivative == walk.steps() && m.without_derivative == no_derivative_ever) break;
    } else if (walk.counter("grazing_fallbacks") != fallbacks) {
      ++m.fallbacks;
    } else if (walk.counter("simultaneous_impacts") != together) {
      ++m.simultaneous;
    } else if (T.cols() == 0) {
      ++m.held;
    } else {
      std::optional<double>& worst = walk.impacts().empty() ? m.smooth : m.impact;
      ++(walk.impacts().empty() ? m.smooth_steps : m.impact_steps);
      worst = std::fmax(worst.value_or(0), symplecticity_defect(J.matrix, T));
    }
  }
  if (m.without_derivative == walk.steps())
    m.note = "the method has no step derivative";
  else if (m.held == walk.steps())
    m.note = "the contacts hold everything: there is no motion whose form could be kept";
  return m;
}

}  // namespace ricochet
