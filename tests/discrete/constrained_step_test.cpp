// The complementarity problem of a step with closed contacts against brute force over the sets of contacts that push.

#include "ricochet/discrete/constrained_step.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace ricochet::constrained_step_test {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// A unit mass in space at the origin with force f and stiffness k, and m surfaces through the origin:
// g_i = a_i·q + b_i |q|²/2.
struct Problem {
  Vector3d f, p;
  double k, h;
  std::vector<Vector3d> a;
  std::vector<double> b;

  Model model() const {
    Model m;
    const Expr x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z");
    const Expr r2 = square(x) + square(y) + square(z);
    m.lagrangian = (square(dot(x)) + square(dot(y)) + square(dot(z))) / 2 - k / 2 * r2 + f[0] * x + f[1] * y + f[2] * z;
    for (std::size_t i = 0; i < a.size(); ++i)
      m.contacts.push_back({.name = std::to_string(i), .gap = a[i][0] * x + a[i][1] * y + a[i][2] * z + b[i] / 2 * r2});
    return m;
  }
  double gap(int i, const Vector3d& q) const { return a[i].dot(q) + b[i] / 2 * q.squaredNorm(); }

  // Midpoint from q0 = 0: (1 + kh²/4) w − p − (h/2) f = Σ λ_i a_i,  g_i(hw) = 0 for i in the set. Newton; false if it
  // fails or some λ or gap is negative.
  bool solve(const std::vector<int>& set, Vector3d& q, VectorXd& lambda) const {
    const int m = static_cast<int>(set.size());
    const double mass = 1 + k * h * h / 4;
    VectorXd x = VectorXd::Zero(3 + m);
    for (int iteration = 0; iteration < 50; ++iteration) {
      MatrixXd J = MatrixXd::Zero(3 + m, 3 + m);
      VectorXd r(3 + m);
      const Vector3d w = x.head(3);
      r.head(3) = mass * w - p - h / 2 * f;
      J.topLeftCorner(3, 3) = mass * MatrixXd::Identity(3, 3);
      for (int j = 0; j < m; ++j) {
        r.head(3) -= x[3 + j] * a[set[j]];
        r[3 + j] = gap(set[j], h * w) / h;
        J.block(0, 3 + j, 3, 1) = -a[set[j]];
        J.block(3 + j, 0, 1, 3) = (a[set[j]] + b[set[j]] * h * w).transpose();
      }
      const VectorXd dx = J.fullPivLu().solve(r);
      x -= dx;
      if (dx.norm() < 1e-12 * (1 + x.norm())) break;  // quadratic: the next would be round-off
      if (iteration == 49) return false;
    }
    q = h * x.head(3);
    lambda = VectorXd::Zero(static_cast<int>(a.size()));
    for (int j = 0; j < m; ++j) lambda[set[j]] = x[3 + j];
    for (std::size_t i = 0; i < a.size(); ++i)
      if (gap(static_cast<int>(i), q) < -1e-12 || lambda[static_cast<int>(i)] < -1e-12) return false;
    return true;
  }
};

TEST(ConstrainedStep, ComplementarityAgreesWithBruteForce) {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  int pushing[4] = {0, 0, 0, 0};
  for (int k = 0; k < 600; ++k) {
    Problem problem;
    problem.h = 0.1;
    problem.k = 2;
    for (int i = 0; i < 3; ++i) problem.f[i] = 5 * normal(random), problem.p[i] = normal(random);
    for (int c = 0; c < 3; ++c) {
      Vector3d a(normal(random), normal(random), 1.5);  // some direction leads away from all of them
      problem.a.push_back(a.normalized());
      problem.b.push_back(0.5 * normal(random));
    }
    // by brute force: every set of contacts
    std::vector<Vector3d> solutions;
    std::vector<VectorXd> multipliers;
    for (int set = 0; set < 8; ++set) {
      std::vector<int> members;
      for (int i = 0; i < 3; ++i)
        if ((set >> i) & 1) members.push_back(i);
      Vector3d q;
      VectorXd lambda;
      if (problem.solve(members, q, lambda)) solutions.push_back(q), multipliers.push_back(lambda);
    }
    ASSERT_GE(solutions.size(), 1u) << k;
    // by the step
    const System system(problem.model());
    SubStep step(system, make_tableau("midpoint", {}), {});
    const std::vector<int> pieces{0, 1, 2};
    const Vector3d q0 = Vector3d::Zero();
    Vector3d q1, p1;
    step.constrained().solve_with_contacts(0, q0.data(), problem.p.data(), problem.h, pieces, q1.data(), p1.data());
    double nearest = 1e300;
    int which = -1;
    for (std::size_t s = 0; s < solutions.size(); ++s)
      if ((solutions[s] - q1).norm() < nearest) nearest = (solutions[s] - q1).norm(), which = static_cast<int>(s);
    ASSERT_LE(nearest, 1e-11) << k << ": " << solutions.size() << " solutions";
    int count = 0;
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(step.constrained().multipliers()[i], multipliers[which][i], 1e-8) << k;
      count += multipliers[which][i] > 1e-10;
    }
    ++pushing[count];
  }
  for (const int count : pushing) EXPECT_GT(count, 10);  // none, one, two and three contacts push
}

TEST(ConstrainedStep, DerivativeWithForcesAgreesWithFiniteDifferences) {
  // A pendulum on its rod with drag, a drive and a force that couples one way: ∂F/∂v makes the block of the step
  // unsymmetric. Central differences along states on the constraint: δ² + ε/δ ~ 1e-9 for δ = 1e-5, times ~30.
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z");
  m.lagrangian = (square(dot(x)) + square(dot(y)) + square(dot(z))) / 2 - 9.81 * y;
  m.holonomic = {{"rod", sqrt(square(x) + square(y)) - 1}};
  m.forces = {{"drag", {-0.3 * dot(x) + 0.5 * y * dot(z), -0.3 * dot(y), -dot(z) * abs(dot(z))}},
              {"drive", {cos(3 * m.time()), x * dot(x), m.graph->constant(0)}}};
  const System system(m);
  for (const char* rule : {"midpoint", "trapezoidal"}) {
    SubStep step(system, make_tableau(rule, {}), {});
    // (angle, z, angular momentum, p_z, h, t) -> (q, p)
    const auto outputs = [&](const std::vector<double>& u, std::vector<double>* start) {
      const std::vector<double> q{std::sin(u[0]), -std::cos(u[0]), u[1]};
      const std::vector<double> p{u[2] * std::cos(u[0]), u[2] * std::sin(u[0]), u[3]};
      if (start != nullptr) *start = {q[0], q[1], q[2], p[0], p[1], p[2], u[4], u[5]};
      std::vector<double> out(6);
      step.solve(u[5], q.data(), p.data(), u[4], out.data(), out.data() + 3);
      return out;
    };
    const std::vector<double> u{0.7, 0.2, 0.9, -0.6, 0.1, 0.4};
    outputs(u, nullptr);
    SubStepDerivative derivative;
    step.derivative(derivative);
    for (int k = 0; k < 6; ++k) {
      auto up = u, down = u;
      up[k] += 1e-5, down[k] -= 1e-5;
      std::vector<double> x_up, x_down;
      const auto y_up = outputs(up, &x_up), y_down = outputs(down, &x_down);
      VectorXd dx(8);
      for (int i = 0; i < 8; ++i) dx[i] = (x_up[i] - x_down[i]) / 2e-5;
      const VectorXd dy = derivative.matrix.topRows(6) * dx;
      for (int i = 0; i < 6; ++i) EXPECT_NEAR(dy[i], (y_up[i] - y_down[i]) / 2e-5, 3e-7) << rule << " " << i << k;
    }
  }
}

TEST(ConstrainedStep, ShortStepsKeepTheirDigits) {
  // A pendulum with a rod at (0.6, −0.8), p = (0.8, 0.6)·1.3 along the circle. Between two impacts a step may be as
  // short as round-off of the time; its discrete energy tends to H = p²/2 − 0.8 g linearly in h, with the energy of the
  // rod's force O(h²), and no 1/h of round-off beyond ε/1e-8 where the form of the constraint changes.
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - 9.8 * y;
  m.holonomic = {{"rod", sqrt(square(x) + square(y)) - 1}};
  const System system(m);
  for (const char* rule : {"midpoint", "trapezoidal", "galerkin"}) {
    SubStep step(system, make_tableau(rule, {}), {});
    const double q[2] = {0.6, -0.8}, p[2] = {0.8 * 1.3, 0.6 * 1.3}, H = 1.3 * 1.3 / 2 - 9.8 * 0.8;
    for (const double h : {0.0, 1e-17, 1e-15, 1e-13, 1e-11, 1e-9, 1e-8, 1e-7, 1e-6}) {
      double q1[2], p1[2], before = 0, after = 0;
      step.solve(0, q, p, h, q1, p1);
      step.energies(before, after);
      EXPECT_NEAR(before, H, 1e-7 + 20 * h) << rule << " " << h;
      EXPECT_NEAR(after, H, 1e-7 + 20 * h) << rule << " " << h;
      EXPECT_NEAR(std::hypot(q1[0], q1[1]), 1, 4e-16) << rule << " " << h;
      EXPECT_NEAR(q1[0] * p1[0] + q1[1] * p1[1], 0, 1e-14) << rule << " " << h;
    }
  }
}

}  // namespace
}  // namespace ricochet::constrained_step_test
