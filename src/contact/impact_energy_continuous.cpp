// F(λ) = H(q̃, p̃⁻ + λd) − H(q̃, p̃⁻) + λ d_t. Where L is quadratic in the velocities the root is λ = 1 by the scaling of
// d; otherwise Newton with F' = d·v(q̃, p̃⁻ + λd) + d_t, positive at the reflected root. The standard collision
// integrator: not symplectic, but with far smaller energy noise than the discrete rule.

#include <cmath>

#include "ricochet/contact/impact_energy.hpp"

namespace ricochet {

namespace {

class ContinuousEnergy : public ImpactEnergy {
 public:
  bool depends_on_length() const override { return false; }

  bool solve(SubStep& step, const ImpactPoint& at, double length, Outgoing& out, double* q1,
             double* p1) const override {
    Lagrangian& L = step.lagrangian();
    const int n = step.n();
    Eigen::VectorXd v(n), p = at.p_minus;
    L.velocity(at.q.data(), p.data(), at.t, v.data());
    const double before = L.energy(at.q.data(), v.data(), at.t);
    out = {.lambda = 1, .energy = before};
    double smallest = INFINITY;
    for (int k = 0; k < 50; ++k) {
      p = at.p_minus + out.lambda * at.d;
      L.velocity(at.q.data(), p.data(), at.t, v.data());
      out.energy = L.energy(at.q.data(), v.data(), at.t);
      const double F = out.energy - before + out.lambda * at.d_t, slope = at.d.dot(v) + at.d_t;
      out.iterations = k + 1;
      out.residual = std::abs(F) / (std::abs(before) + std::abs(slope) + 1e-300);
      if (L.system().quadratic()) break;
      if (!(slope > 0)) return false;
      if (!(std::abs(F) < smallest / 2) && out.residual < 1e-12) break;
      smallest = std::fmin(smallest, std::abs(F));
      out.lambda -= F / slope;
    }
    step.solve(at.t, at.q.data(), p.data(), length, q1, p1);
    return out.residual < 1e-9;
  }

  // dH = −L_q·dq + v·dp − L_t dt
  EnergyRow linearize(SubStep& step, const ImpactPoint& at, double lambda, const SubStepDerivative&) const override {
    Lagrangian& L = step.lagrangian();
    const int n = step.n();
    Eigen::VectorXd v(n);
    const auto gradient = [&](const Eigen::VectorXd& p, Eigen::RowVectorXd& H_q, Eigen::RowVectorXd& H_p, double& H_t) {
      L.velocity(at.q.data(), p.data(), at.t, v.data());
      L.evaluate(1, at.q.data(), v.data(), at.t);
      H_q = -Eigen::Map<const Eigen::RowVectorXd>(L.Lq(), n);
      H_p = v.transpose();
      H_t = -L.Lt();
    };
    EnergyRow row;
    Eigen::RowVectorXd q_minus, p_minus;
    double t_minus = 0;
    gradient(at.p_minus, q_minus, p_minus, t_minus);
    gradient(at.p_minus + lambda * at.d, row.q, row.p_plus, row.t);
    row.q -= q_minus;
    row.p_minus = -p_minus;
    row.t -= t_minus;
    return row;
  }
};

}  // namespace

std::unique_ptr<ImpactEnergy> continuous_energy() { return std::make_unique<ContinuousEnergy>(); }

}  // namespace ricochet
