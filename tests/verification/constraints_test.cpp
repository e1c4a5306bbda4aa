// Holonomic constraints: the constrained system must be the reduced one, to the order of the method, with its
// structure.

#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/discrete/constrained_step.hpp"
#include "ricochet/error.hpp"
#include "ricochet/simulation/method_stepper.hpp"
#include "support/flight.hpp"
#include "support/models.hpp"

namespace ricochet::constraints_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Spherical-free plane pendulum of length 1 in Cartesian coordinates; `twice` states the rod a second time (redundant).
Model rod(bool twice = false) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - y;
  m.holonomic = {{"rod", square(x) + square(y) - 1}};
  if (twice) m.holonomic.push_back({"rod again", 2 * square(x) + 2 * square(y) - 2});
  return m;
}

// The same with a wall that the bob hits.
Model rod_and_wall() {
  Model m = rod();
  m.contacts = {{.name = "wall", .gap = 0.5 - m.q()[0]}};
  return m;
}

IntegratorOptions smooth(double h, const char* rule) {
  return {.method = "variational", .discretization = rule, .step = h, .parameters = {}};
}

TEST(Constraints, HeldAtPositionAndVelocityLevelToRoundOff) {
  for (const bool twice : {false, true})
    for (const char* rule : {"trapezoidal", "midpoint", "rectangle", "galerkin"}) {
      Flight run(rod(twice), smooth(0.05, rule), {1, 0}, {0, 0.3});
      for (int k = 0; k < 2000; ++k) {
        run.step();
        const double *q = run.state.q.data(), *p = run.state.p.data();
        ASSERT_NEAR(q[0] * q[0] + q[1] * q[1], 1, 2e-14) << rule;  // a few ε
        ASSERT_NEAR(q[0] * p[0] + q[1] * p[1], 0, 1e-14) << rule;
      }
      // no drift of the energy: it stays within the O(h²) (O(h) for the rectangle) oscillation
      EXPECT_NEAR(run.energy(), 0.045, std::string(rule) == "rectangle" ? 0.1 : 5e-3) << rule;
    }
}

TEST(Constraints, OrderAgainstTheReducedPendulum) {
  // The angle form solved by galerkin 5 is the truth (error below 1e-13).
  Model angle;
  const Expr a = angle.coordinate("a");
  angle.lagrangian = square(dot(a)) / 2 + cos(a);
  const double end = 2;
  IntegratorOptions best = smooth(end / 100, "galerkin");
  best.parameters["degree"] = 5.0;
  Flight exact(angle, best, {1.2}, {0.4});
  for (int k = 0; k < 100; ++k) exact.step();
  const double X = std::sin(exact.state.q[0]), Y = -std::cos(exact.state.q[0]);
  struct Case {
    const char* rule;
    double order;
    int first;
  };
  for (const Case& c : {Case{"trapezoidal", 2, 40}, Case{"midpoint", 2, 40}, Case{"rectangle", 1, 100}}) {
    double previous = 0, sum = 0;
    int count = 0;
    for (int steps = c.first; steps <= 8 * c.first; steps *= 2) {
      Flight run(rod(), smooth(end / steps, c.rule), {std::sin(1.2), -std::cos(1.2)},
                 {0.4 * std::cos(1.2), 0.4 * std::sin(1.2)});
      for (int k = 0; k < steps; ++k) run.step();
      const double error = std::hypot(run.state.q[0] - X, run.state.q[1] - Y);
      if (previous > 0) sum += std::log2(previous / error), ++count;
      previous = error;
    }
    EXPECT_NEAR(sum / count, c.order, 0.1) << c.rule;
  }
}

// Tangent vectors of {f = 0, F·v = 0} at a state of the rod.
MatrixXd tangents(const State& s) {
  const double x = s.q[0], y = s.q[1], vx = s.p[0], vy = s.p[1];
  MatrixXd constraint(2, 4);
  constraint << x, y, 0, 0, vx, vy, x, y;
  return constraint.fullPivLu().kernel();
}

TEST(Constraints, StepDerivativeIsSymplecticOnTheManifold) {
  // uᵀ(JᵀΩJ − Ω)v for tangent u, v: round-off of entries of size 1 to 10.
  MatrixXd omega = MatrixXd::Zero(4, 4);
  omega.topRightCorner(2, 2).setIdentity();
  omega.bottomLeftCorner(2, 2) = -MatrixXd::Identity(2, 2);
  for (const char* rule : {"trapezoidal", "midpoint", "rectangle", "galerkin"})
    for (const bool wall : {false, true}) {
      Flight run(wall ? rod_and_wall() : rod(), wall ? collision(0.05, rule) : smooth(0.05, rule),
                 {std::sin(-1.0), -std::cos(-1.0)}, {0, 0});
      int impacts = 0;
      for (int k = 0; k < 400; ++k) {
        const MatrixXd T = tangents(run.state);
        StepJacobian J;
        run.step(&J);
        impacts += static_cast<int>(run.work->impacts.size());
        const MatrixXd defect = T.transpose() * (J.matrix.transpose() * omega * J.matrix - omega) * T;
        ASSERT_LE(defect.cwiseAbs().maxCoeff(), 1e-11) << rule << " " << wall << " step " << k;
        // tangent vectors stay tangent
        MatrixXd image = J.matrix * T;
        const double x = run.state.q[0], y = run.state.q[1];
        for (int c = 0; c < image.cols(); ++c) ASSERT_NEAR(x * image(0, c) + y * image(1, c), 0, 1e-11);
      }
      if (wall) {
        EXPECT_GT(impacts, 3);
      }
    }
}

TEST(Constraints, CollisionOnTheManifoldHasOrderTwo) {
  // Truth: the reduced pendulum with the gap ½ − sin a, galerkin 4 and the exact momentum reflection.
  Model angle;
  const Expr a = angle.coordinate("a");
  angle.lagrangian = square(dot(a)) / 2 + cos(a);
  angle.contacts = {{.name = "wall", .gap = 0.5 - sin(a)}};
  const double end = 3;
  IntegratorOptions best = collision(end / 300, "galerkin", "continuous");
  best.parameters["degree"] = 4.0;
  Flight exact(angle, best, {-1.0}, {0});
  int impacts = 0;
  for (int k = 0; k < 300; ++k) exact.step(), impacts += static_cast<int>(exact.work->impacts.size());
  ASSERT_EQ(impacts, 1);
  const double X = std::sin(exact.state.q[0]), Y = -std::cos(exact.state.q[0]);
  for (const char* energy : {"discrete", "continuous"})
    for (const char* rule : {"trapezoidal", "midpoint"}) {
      // root mean square over ten neighbouring steps, at two levels a factor of 6 apart
      double rms[2] = {0, 0};
      for (int level = 0; level < 2; ++level)
        for (int k = 0; k < 10; ++k) {
          const int steps = (level == 0 ? 60 : 360) + k;
          Flight run(rod_and_wall(), collision(end / steps, rule, energy), {std::sin(-1.0), -std::cos(-1.0)}, {0, 0});
          for (int i = 0; i < steps; ++i) run.step();
          rms[level] += std::pow(run.state.q[0] - X, 2) + std::pow(run.state.q[1] - Y, 2);
        }
      EXPECT_NEAR(std::log(rms[0] / rms[1]) / 2 / std::log(364.5 / 64.5), 2, 0.25) << rule << " " << energy;
    }
}

TEST(Constraints, BadStartsAreRefusedByName) {
  std::vector<std::string> warnings;
  const auto refuse = [&](const Model& model, InitialState initial, const char* key, const char* fragment) {
    try {
      make_stepper(model, smooth(0.01, "midpoint"), initial, warnings);
      ADD_FAILURE() << "accepted: " << fragment;
    } catch (const ModelError& error) {
      EXPECT_EQ(error.key, key);
      EXPECT_NE(std::string(error.what()).find(fragment), std::string::npos) << error.what();
    }
  };
  refuse(rod(), {.t = 0, .position = {1.1, 0}, .velocity = {0, 1}}, "initial.position", "'rod': residual 0.21");
  refuse(rod(), {.t = 0, .position = {1, 0}, .velocity = {0.5, 1}}, "initial.velocity", "'rod': rate 1");
  Model contradictory = rod();
  contradictory.holonomic.push_back({"other", square(contradictory.q()[0]) + square(contradictory.q()[1]) - 4});
  refuse(contradictory, {.t = 0, .position = {1, 0}, .velocity = {0, 1}, .momentum_given = false, .project = true},
         "initial.position", "contradict");
  const auto stepper = make_stepper(
      rod(), smooth(0.01, "midpoint"),
      {.t = 0, .position = {1.1, 0}, .velocity = {0.5, 1}, .momentum_given = false, .project = true}, warnings);
  Observables o;
  stepper->observe(o);
  EXPECT_NEAR(o.q[0], 1, 1e-14);
  EXPECT_NEAR(o.v[0], 0, 1e-14);
}

}  // namespace
}  // namespace ricochet::constraints_test
