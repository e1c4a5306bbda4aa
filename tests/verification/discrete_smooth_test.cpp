// The Discrete-Smooth Integrator: generalized-variational while the set of closed contacts stays the same. It must be
// the constrained variational integrator, with its order and its structure.

#include <gtest/gtest.h>

#include <cmath>

#include "support/flight.hpp"
#include "support/models.hpp"

namespace ricochet::discrete_smooth_test {
namespace {

using Eigen::MatrixXd;

IntegratorOptions discrete_smooth(double h, const char* rule) {
  return {
      .method = "generalized-variational", .discretization = rule, .step = h, .parameters = {{"reflections", false}}};
}

// The same in the two angles.
Model angles() {
  Model m;
  const Expr a = m.coordinate("a"), b = m.coordinate("b");
  m.lagrangian = 12.5 * (square(dot(a)) + square(dot(b))) -
                 square(5 * sqrt(square(cos(a) - cos(b)) + square(sin(a) - sin(b))) - 2 * std::sqrt(2)) / 2;
  return m;
}

const std::vector<double> start_q{4, -3, 3, -4}, start_v{0.6, 0.8, 0.8, 0.6};

TEST(DiscreteSmooth, OrderTwoAgainstTheReducedMotion) {
  const double end = 4;
  IntegratorOptions best{.method = "variational", .discretization = "galerkin", .step = end / 100, .parameters = {}};
  best.parameters["degree"] = 5.0;  // error below 1e-13
  Flight exact(angles(), best, {std::atan2(-3, 4), std::atan2(-4, 3)}, {0.2, 0.2});
  for (int k = 0; k < 100; ++k) exact.step();
  for (const char* rule : {"midpoint", "trapezoidal"}) {
    double error[2];
    for (int level = 0; level < 2; ++level) {
      const int steps = level == 0 ? 40 : 320;
      Flight run(models::spring_and_sphere(), discrete_smooth(end / steps, rule), start_q, start_v);
      for (int k = 0; k < steps; ++k) run.step();
      error[level] = 0;
      for (int i = 0; i < 2; ++i)
        error[level] += std::hypot(run.state.q[2 * i] - 5 * std::cos(exact.state.q[i]),
                                   run.state.q[2 * i + 1] - 5 * std::sin(exact.state.q[i]));
    }
    EXPECT_NEAR(std::log(error[0] / error[1]) / std::log(8.0), 2, 0.1) << rule;
  }
}

// Vectors tangent to {g = 0, ∇g·p = 0} for both particles.
MatrixXd tangents(const State& s) {
  MatrixXd constraint = MatrixXd::Zero(4, 8);
  for (int i = 0; i < 2; ++i) {
    const double x = s.q[2 * i], y = s.q[2 * i + 1], u = s.p[2 * i], v = s.p[2 * i + 1];
    constraint.block(2 * i, 2 * i, 1, 2) << x, y;
    constraint.block(2 * i + 1, 2 * i, 1, 2) << u, v;  // d(q·p) = p·dq + q·dp: g and ∇g·p differ by factors of |q|
    constraint.block(2 * i + 1, 4 + 2 * i, 1, 2) << x, y;
  }
  return constraint.fullPivLu().kernel();
}

TEST(DiscreteSmooth, SymplecticOnTheBoundary) {
  MatrixXd omega = MatrixXd::Zero(8, 8);
  omega.topRightCorner(4, 4).setIdentity();
  omega.bottomLeftCorner(4, 4) = -MatrixXd::Identity(4, 4);
  for (const char* rule : {"midpoint", "trapezoidal"}) {
    Flight run(models::spring_and_sphere(), discrete_smooth(0.1, rule), start_q, start_v);
    for (int k = 0; k < 200; ++k) {
      const MatrixXd T = tangents(run.state);
      ASSERT_EQ(T.cols(), 4);
      StepJacobian J;
      run.step(&J);
      ASSERT_EQ(J.matrix.rows(), 8) << "the set of contacts changed in step " << k;
      const MatrixXd defect = T.transpose() * (J.matrix.transpose() * omega * J.matrix - omega) * T;
      ASSERT_LE(defect.cwiseAbs().maxCoeff(), 1e-11) << rule << " step " << k;
      const MatrixXd image = J.matrix * T, basis = tangents(run.state);  // tangent vectors stay tangent
      ASSERT_LE((basis * basis.colPivHouseholderQr().solve(image) - image).norm(), 1e-11 * image.norm());
    }
  }
}

TEST(DiscreteSmooth, DerivativeAgainstDifferences) {
  // Central differences along the boundary: the error h_d² and round-off/h_d give about 1e-8.
  Flight base(models::spring_and_sphere(), discrete_smooth(0.2, "midpoint"), start_q, start_v);
  StepJacobian J;
  const State at = base.state;
  base.step(&J);
  // turn both particles by the same angle: a curve in the boundary
  const double d = 1e-5;
  Eigen::VectorXd ends[2];
  for (int side = 0; side < 2; ++side) {
    const double a = side == 0 ? -d : d, c = std::cos(a), s = std::sin(a);
    Flight run(models::spring_and_sphere(), discrete_smooth(0.2, "midpoint"), start_q, start_v);
    for (int i = 0; i < 2; ++i)
      for (auto* z : {&run.state.q, &run.state.p}) {
        const double x = (*z)[2 * i], y = (*z)[2 * i + 1];
        (*z)[2 * i] = c * x - s * y, (*z)[2 * i + 1] = s * x + c * y;
      }
    run.step();
    ends[side].resize(8);
    for (int i = 0; i < 4; ++i) ends[side][i] = run.state.q[i], ends[side][4 + i] = run.state.p[i];
  }
  Eigen::VectorXd rotation(8);
  for (int i = 0; i < 2; ++i) {
    rotation[2 * i] = -at.q[2 * i + 1], rotation[2 * i + 1] = at.q[2 * i];
    rotation[4 + 2 * i] = -at.p[2 * i + 1], rotation[4 + 2 * i + 1] = at.p[2 * i];
  }
  EXPECT_LE(((ends[1] - ends[0]) / (2 * d) - J.matrix * rotation).norm(), 1e-7);
}

}  // namespace
}  // namespace ricochet::discrete_smooth_test
