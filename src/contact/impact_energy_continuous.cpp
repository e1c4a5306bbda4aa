// F(λ) = H(q̃, p̃ + λd) − H(q̃, p̃⁻) + w + λ d_t. Where L is quadratic in the velocities the root is λ = 1 by the scaling
// of d; otherwise Newton with F' = d·v(q̃, p̃ + λd) + d_t, positive at the reflected root. The standard collision
// integrator: not symplectic, but with far smaller energy noise than the discrete rule.

#include <cmath>

#include "ricochet/contact/impact_energy.hpp"

namespace ricochet {

bool solve_continuous(Lagrangian& L, const ImpactLine& line, Outgoing& out) {
  out = {.lambda = 1, .residual = 0, .iterations = 1};
  if (L.system().quadratic()) return true;
  const int n = L.n();
  Eigen::VectorXd v(n), p = line.p_minus;
  L.velocity(line.q.data(), p.data(), line.t, v.data());
  const double before = L.energy(line.q.data(), v.data(), line.t);
  double smallest = INFINITY;
  for (int k = 0; k < 50; ++k) {
    p = line.p + out.lambda * line.d;
    L.velocity(line.q.data(), p.data(), line.t, v.data());
    const double F = L.energy(line.q.data(), v.data(), line.t) - before + line.w + out.lambda * line.d_t;
    const double slope = line.d.dot(v) + line.d_t;
    out.iterations = k + 1;
    out.residual = std::abs(F) / (std::abs(before) + std::abs(slope));
    if (!(slope > 0)) return false;
    if (!(std::abs(F) < smallest / 2) && out.residual < 1e-12) break;
    smallest = std::fmin(smallest, std::abs(F));
    out.lambda -= F / slope;
  }
  return out.residual < 1e-9;
}

// dH = −L_q·dq + v·dp − L_t dt − L_θ dθ
EnergyRow linearize_continuous(Lagrangian& L, const ImpactLine& line, double lambda) {
  const int n = L.n();
  Eigen::VectorXd v(n);
  Eigen::VectorXd unused(2 * n + 1);
  const auto gradient = [&](const Eigen::VectorXd& p, Eigen::RowVectorXd& H_q, Eigen::RowVectorXd& H_p, double& H_t,
                            Eigen::RowVectorXd& H_theta) {
    L.velocity(line.q.data(), p.data(), line.t, v.data());
    L.evaluate(1, line.q.data(), v.data(), line.t);
    H_q = -Eigen::Map<const Eigen::RowVectorXd>(L.Lq(), n);
    H_p = v.transpose();
    H_t = -L.Lt();
    H_theta.resize(L.system().parameters());
    for (int k = 0; k < L.system().parameters(); ++k)
      H_theta[k] = -L.parameter_derivative(k, line.q.data(), v.data(), line.t, unused.data());
  };
  EnergyRow row;
  Eigen::RowVectorXd q_minus, p_minus, theta_minus;
  double t_minus = 0;
  gradient(line.p_minus, q_minus, p_minus, t_minus, theta_minus);
  gradient(line.p + lambda * line.d, row.q, row.p_plus, row.t, row.theta);
  row.q -= q_minus;
  row.p_minus = -p_minus;
  row.t -= t_minus;
  row.theta -= theta_minus;
  return row;
}

}  // namespace ricochet
