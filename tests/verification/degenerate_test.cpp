// Degenerate Lagrangians under the nonholonomic methods: a direction without kinetic energy is integrated implicitly
// where the discrete equations determine the step, and refused by name where they do not.

#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/error.hpp"
#include "ricochet/simulation/method_stepper.hpp"

namespace ricochet::degenerate_test {
namespace {

IntegratorOptions options(const char* rule, double h, const char* method = "nonholonomic-collision") {
  return {.method = method, .discretization = rule, .step = h, .parameters = {}};
}

// x' has inertia, y none: V = x²/2 + 5(y − x²)² ties y to x², and x is a harmonic oscillator.
Model tied(double stiffness = 5) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = square(dot(x)) / 2 - square(x) / 2 - stiffness * square(y - square(x));
  return m;
}

struct Journey {
  Observables end;
  std::vector<Impact> impacts;
};

Journey travel(const Model& model, const IntegratorOptions& o, std::vector<double> q, std::vector<double> v,
               int steps) {
  std::vector<std::string> warnings;
  auto stepper = make_stepper(model, o, {.t = 0, .position = std::move(q), .velocity = std::move(v)}, warnings);
  Journey result;
  for (int k = 0; k < steps; ++k) {
    stepper->advance(k * o.step, o.step);
    result.impacts.insert(result.impacts.end(), stepper->impacts().begin(), stepper->impacts().end());
  }
  stepper->observe(result.end);
  return result;
}

void refused(const Model& model, const IntegratorOptions& o, const std::string& fragment) {
  const std::vector<double> q(model.coordinates.size(), 0.25), v(q.size(), 0.0);
  std::vector<std::string> warnings;
  try {
    make_stepper(model, o, {.t = 0, .position = q, .velocity = v}, warnings);
    ADD_FAILURE() << "accepted: " << fragment;
  } catch (const ModelError& error) {
    EXPECT_EQ(error.key, "system.lagrangian");
    EXPECT_NE(std::string(error.what()).find(fragment), std::string::npos) << error.what();
  }
}

TEST(Degenerate, AlgebraicCoordinateFollowsThePotential) {
  for (const char* method : {"nonholonomic-collision", "nonholonomic-symmetric"}) {
    double error[2];
    for (int level = 0; level < 2; ++level) {
      const int steps = level == 0 ? 200 : 400;
      const double h = 4.0 / steps;
      const Journey r = travel(tied(), options("midpoint", h, method), {1, 1}, {0, 0}, steps);
      error[level] = std::abs(r.end.q[0] - std::cos(4.0));
      EXPECT_NEAR(r.end.q[1], r.end.q[0] * r.end.q[0], h * h) << method;  // y is placed at the middles of the steps
      EXPECT_EQ(r.end.v[1], 0);                                           // the shortest velocity
      EXPECT_NEAR(r.end.energy, 0.5, h * h);
    }
    EXPECT_NEAR(error[0] / error[1], 4, 0.2) << method;  // second order
  }
}

TEST(Degenerate, RulesThatPlaceNothingInsideTheStepAreRefused) {
  refused(tied(), options("rectangle", 0.01), "no kinetic energy in the direction of y");
  refused(tied(), options("trapezoidal", 0.01), "no kinetic energy in the direction of y");
  refused(tied(), options("rectangle", 0.01, "nonholonomic-symmetric"), "no kinetic energy in the direction of y");
  refused(tied(0), options("midpoint", 0.01), "no kinetic energy in the direction of y");  // nothing depends on y
  refused(tied(), options("midpoint", 0.01, "variational-collision"), "the mass matrix is singular");
  IntegratorOptions inside = options("rectangle", 0.01);
  inside.parameters["gamma"] = 0.3;
  // Determined, but errors grow by (1 − γ)/γ a step, so that γ = ½ alone is of use.
  const Journey r = travel(tied(), inside, {1, 1}, {0, 0}, 3);
  EXPECT_NEAR(r.end.q[0], std::cos(0.03), 1e-3);
  EXPECT_NEAR(r.end.q[1], r.end.q[0] * r.end.q[0], 5e-3);
}

TEST(Degenerate, AnyDirectionIsNamed) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = square(dot(x) + dot(y)) / 2;
  refused(m, options("midpoint", 0.01), "direction of x - y");
  m.lagrangian = m.lagrangian - square(x - y);
  const Journey r = travel(m, options("midpoint", 0.01), {0, 0}, {0.5, 0.5}, 100);
  // free motion with x = y; the step's matrix has the condition 4/h² = 4e4, so each step costs 1e-11
  EXPECT_NEAR(r.end.q[0], 0.5, 1e-10);
  EXPECT_NEAR(r.end.q[1], 0.5, 1e-10);
}

TEST(Degenerate, ConstraintsMayDetermineTheStep) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2;
  m.nonholonomic = {{"rolling", dot(z) - y * dot(x)}};
  const Journey r = travel(m, options("rectangle", 1e-3), {0, 1, 0}, {1, 0.5, 1}, 1000);
  EXPECT_NEAR(r.end.q[2], 1.25, 1e-3);  // z = ∫ y dx, first order
  m.nonholonomic = {{"straight", dot(y) - dot(x)}};
  refused(m, options("rectangle", 1e-3), "direction of z");
  m.nonholonomic = {
      {"straight", dot(y) - dot(x)}, {"twice", 2 * dot(x) - 2 * dot(y)}, {"rolling", dot(z) - y * dot(x)}};
  const Journey redundant = travel(m, options("rectangle", 1e-3), {0, 0, 0}, {1, 1, 0}, 1000);
  EXPECT_NEAR(redundant.end.q[2], 0.5, 1e-3);  // a multiplier is free, the motion is not
}

TEST(Degenerate, LagrangianLinearInTheVelocities) {
  // L = y x' − (x² + y²)/2: no mass at all, the canonical equations of an oscillator.
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = y * dot(x) - (square(x) + square(y)) / 2;
  double error[2];
  for (int level = 0; level < 2; ++level) {
    const int steps = level == 0 ? 100 : 200;
    const Journey r = travel(m, options("midpoint", 2.0 / steps), {1, 0}, {0, 0}, steps);
    error[level] = std::hypot(r.end.q[0] - std::cos(2.0), r.end.q[1] + std::sin(2.0));
  }
  EXPECT_NEAR(error[0] / error[1], 4, 0.3);
}

TEST(Degenerate, BouncesWhereThereIsInertia) {
  Model m = tied();
  const Expr x = m.q()[0], y = m.q()[1];
  m.contacts = {{.name = "wall", .gap = x + 0.5}};
  const double h = 0.01;
  const Journey r = travel(m, options("midpoint", h), {1, 1}, {0, 0}, 1000);
  // cos t = −1/2 at 2π/3; then back and forth with the period 4π/3
  ASSERT_EQ(r.impacts.size(), 2u);
  EXPECT_NEAR(r.impacts[0].time, 2 * M_PI / 3, 2 * h * h);
  EXPECT_NEAR(r.impacts[1].time, 6 * M_PI / 3, 10 * h * h);
  EXPECT_NEAR(r.end.energy, 0.5, 5 * h * h);
  m.contacts = {{.name = "floor", .gap = y - 0.25}};
  try {
    travel(m, options("midpoint", h), {1, 1}, {0, 0}, 1000);
    FAIL();
  } catch (const SolverError& error) {
    EXPECT_NE(std::string(error.what()).find("no inertia"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace ricochet::degenerate_test
