#include "ricochet/simulation/method_stepper.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ricochet/error.hpp"
#include "support/models.hpp"

namespace ricochet::method_stepper_test {
namespace {

// A number as a user writes it, with so many significant digits.
double written(double x, int digits) { return std::stod(fmt::format("{:.{}e}", x, digits - 1)); }

// A body inside a ring, or on a rod, of a radius; the mass is a mass of any size.
Model ring(double radius, double mass, bool rod) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = mass / 2 * (square(dot(x)) + square(dot(y))) - 9.81 * mass * radius * y;
  const Expr gap = radius - sqrt(square(x) + square(y));
  if (rod)
    m.holonomic = {{"rod", gap}};
  else
    m.contacts = {{.name = "ring", .gap = gap}};
  return m;
}

// The message of the refusal; empty: accepted.
std::string refusal(const Model& model, const InitialState& initial, double h) {
  const IntegratorOptions options{.method = model.contacts.empty() ? "variational" : "direct-endpoint",
                                  .discretization = "",
                                  .step = h,
                                  .parameters = {}};
  std::vector<std::string> warnings;
  try {
    make_stepper(model, options, initial, warnings);
  } catch (const ModelError& error) {
    return error.key + ": " + error.what();
  }
  return "";
}

TEST(MethodStepper, StartsMayBeWrittenWithTwelveDigits) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> angle(-3, 3);
  for (const double radius : {1e-9, 1.0, 1e9}) {
    int inside = 0, eight = 0;
    for (int k = 0; k < 200; ++k) {
      const double a = angle(random), mass = std::exp(10 * std::sin(k)), speed = radius;
      const auto start = [&](int digits) {
        return InitialState{.t = 0,
                            .position = {written(radius * std::cos(a), digits), written(radius * std::sin(a), digits)},
                            .velocity = {written(-speed * std::sin(a), digits), written(speed * std::cos(a), digits)}};
      };
      EXPECT_EQ(refusal(ring(radius, mass, false), start(12), 0.01), "") << radius << " " << a;
      EXPECT_EQ(refusal(ring(radius, mass, true), start(12), 0.01), "") << radius << " " << a;
      const InitialState rough = start(8);
      const double gap = radius - std::hypot(rough.position[0], rough.position[1]);
      if (std::abs(gap) < 1e-10 * radius) continue;  // eight digits may be good ones
      const std::string of_ring = refusal(ring(radius, mass, false), rough, 0.01),
                        of_rod = refusal(ring(radius, mass, true), rough, 0.01);
      EXPECT_EQ(of_ring.find("initial.position: the start is inside contact 'ring'") == 0, gap < 0) << of_ring;
      EXPECT_EQ(of_rod.find("initial.position: the start is off the constraint 'rod'"), 0u) << of_rod;
      inside += gap < 0;
      ++eight;
    }
    EXPECT_GT(inside, 20);
    EXPECT_GT(eight, 100);
  }
}

TEST(MethodStepper, VelocitiesOffTheConstraintsAreRefusedInAllUnits) {
  for (const double radius : {1e-9, 1.0, 1e9}) {
    InitialState start{.t = 0, .position = {radius, 0}, .velocity = {1e-9 * radius, radius}};
    EXPECT_EQ(refusal(ring(radius, 1, true), start, 0.01).find("initial.velocity: the velocity breaks the constraint"),
              0u);
    start.project = true;
    EXPECT_EQ(refusal(ring(radius, 1, true), start, 0.01), "");
    start.project = false;
    start.velocity[0] = 1e-13 * radius;
    EXPECT_EQ(refusal(ring(radius, 1, true), start, 0.01), "");
  }
}

TEST(MethodStepper, TheShiftThatMendsIsShortInTheMetricOfTheMasses) {
  // a heavy and a light body overlap by 1: the light one goes ¾ of it
  Model m;
  const Expr x = m.coordinate("x"), X = m.coordinate("X");
  m.lagrangian = square(dot(x)) / 2 + 3 * square(dot(X)) / 2;
  m.contacts = {{.name = "pair", .gap = X - x - 2}};
  const std::string message = refusal(m, {.t = 0, .position = {0, 1}, .velocity = {0, 0}}, 0.01);
  EXPECT_NE(message.find("gap = -1"), std::string::npos) << message;
  EXPECT_NE(message.find("x = -0.75, X = 1.25"), std::string::npos) << message;
}

TEST(MethodStepper, AtTheOriginAGapOfZeroIsAdmissible) {
  EXPECT_EQ(refusal(models::particle(9.81), {.t = 0, .position = {0, 0}, .velocity = {0, 0}}, 0.01), "");
  EXPECT_NE(refusal(models::particle(9.81), {.t = 0, .position = {0, -1e-12}, .velocity = {0, 0}}, 0.01), "");
}

// A method that the library does not know: symplectic Euler for a unit mass on a unit spring. It keeps
// ½(p² + q² − h p q), to round-off.
class Euler : public Method {
 public:
  const Descriptor& descriptor() const override {
    static const Descriptor d{.name = "euler", .doc = "", .order = "1", .preserves = "", .not_preserved = ""};
    return d;
  }
  std::unique_ptr<Workspace> workspace() const override { return std::make_unique<Workspace>(); }
  void step(State& state, double h, Workspace&, StepJacobian*) const override {
    state.p[0] -= h * state.q[0];
    state.q[0] += h * state.p[0];
  }
};

TEST(MethodStepper, RunsAMethodOfOnesOwn) {
  Model m;
  const Expr q = m.coordinate("q");
  m.lagrangian = (square(dot(q)) - square(q)) / 2.0;
  const auto stepper = make_stepper(std::make_shared<const System>(m), std::make_unique<Euler>(),
                                    {.t = 0, .position = {1}, .velocity = {0.5}}, 0.1);
  const double kept = (0.25 + 1 - 0.1 * 0.5) / 2;
  Observables o;
  for (int k = 0; k < 1000; ++k) {
    stepper->advance(0.1 * k, 0.1);
    stepper->observe(o);
    EXPECT_NEAR((o.p[0] * o.p[0] + o.q[0] * o.q[0] - 0.1 * o.p[0] * o.q[0]) / 2, kept, 1e-12) << k;
  }
}

}  // namespace
}  // namespace ricochet::method_stepper_test
