// The generalized variational integrator against numbers of independent programs.

#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/error.hpp"
#include "ricochet/mechanics/gaps.hpp"
#include "support/flight.hpp"
#include "support/models.hpp"

namespace ricochet::generalized_variational_test {
namespace {

using Parameters = std::map<std::string, OptionValue>;
IntegratorOptions gvi(double h, const char* rule, Parameters parameters = {}) {
  return {.method = "generalized-variational", .discretization = rule, .step = h, .parameters = std::move(parameters)};
}

double norm2(double x, double y) { return x * x + y * y; }
Expr distance(Expr x, Expr y) { return sqrt(square(x) + square(y)); }

Model pogo() {
  Model m;
  const Expr a = m.coordinate("q1"), b = m.coordinate("q2");
  m.lagrangian = (square(dot(a)) + square(dot(b))) / 2 - 5 * square(a - b - 5) - 9.8 * (a + b);
  m.contacts = {{.name = "floor", .gap = b}};
  return m;
}

Model nonlinear_oscillator() {
  Model m;
  const Expr x = m.coordinate("x1"), y = m.coordinate("y1"), X = m.coordinate("x2"), Y = m.coordinate("y2");
  const Expr r = square(x) + square(y), R = square(X) + square(Y);
  m.lagrangian =
      (square(dot(x)) + square(dot(y)) + square(dot(X)) + square(dot(Y))) / 2 - r * square(r - 1) - R * square(R - 1);
  m.contacts = {{.name = "pair", .gap = distance(x - X, y - Y) - 2}};
  m.symmetries = {{"angular momentum", {-y, x, -Y, X}}};
  return m;
}

struct Range {
  double low = 1e300, high = -1e300;
  void add(double x) { low = std::fmin(low, x), high = std::fmax(high, x); }
};

double angular(const Flight& run) {
  const auto &q = run.state.q, &p = run.state.p;
  return q[0] * p[1] - q[1] * p[0] + q[2] * p[3] - q[3] * p[2];
}

TEST(GeneralizedVariational, PogoKeepsItsQuadraticInvariant) {
  // V is quadratic, so I = H − h²/8 ∇VᵀM⁻¹∇V is kept by Störmer–Verlet, and by reflections that keep H at fixed q: 1e5
  // steps of round-off.
  Flight run(pogo(), gvi(0.1, "trapezoidal"), {7, 2}, {0, 0});
  const double h = 0.1;
  const auto invariant = [&] {
    const double s = 10 * (run.state.q[0] - run.state.q[1] - 5), a = s + 9.8, b = -s + 9.8;
    return run.energy() - h * h / 8 * (a * a + b * b);
  };
  const double start = invariant();
  Range energy, change;
  for (int k = 0; k < 100000; ++k) {
    run.step();
    change.add(invariant() - start);
    energy.add(run.energy());
  }
  EXPECT_LE(std::fmax(-change.low, change.high), 1e-10);
  EXPECT_NEAR(energy.low, 88.2, 0.2);  // the envelope to t = 1e5 is [88.2, 92.147]
  EXPECT_LE(energy.high, 92.15);
  EXPECT_GE(energy.low, 88.199);
}

TEST(GeneralizedVariational, SpringAndSphereSlidesOnTheBoundary) {
  for (const bool reflections : {false, true}) {  // no bounce: both are the Discrete-Smooth Integrator here
    Flight run(models::spring_and_sphere(), gvi(0.5, "midpoint", {{"reflections", reflections}}), {4, -3, 3, -4},
               {0.6, 0.8, 0.8, 0.6});
    Range energy;
    double momentum = 0;
    for (int k = 0; k < 2000; ++k) {
      run.step();
      energy.add(run.energy());
      momentum = std::fmax(momentum, std::abs(angular(run) - 10));
      EXPECT_NEAR(norm2(run.state.q[0], run.state.q[1]), 25, 1e-11);
    }
    EXPECT_NEAR(energy.low, 5.983821, 1e-6);
    EXPECT_NEAR(energy.high, 6.003911, 1e-6);
    EXPECT_LE(momentum, 1e-12);
  }
}

TEST(GeneralizedVariational, NonlinearOscillator) {
  Flight run(nonlinear_oscillator(), gvi(0.1, "midpoint"), {0, -1.4, 0, 1.4}, {1, 0, -1, 0});
  Range energy;
  double momentum = 0;
  const double start = angular(run);
  for (int k = 0; k < 20000; ++k) {
    run.step();
    energy.add(run.energy());
    momentum = std::fmax(momentum, std::abs(angular(run) - start));
  }
  EXPECT_NEAR(energy.low, 4.501643, 1e-6);
  EXPECT_NEAR(energy.high, 4.612672, 1e-6);
  EXPECT_LE(momentum, 1e-12);
  // Normals taken at the predicted position are not those of the symmetric constraint: angular momentum is lost
  // (Fig. 8.2d).
  Flight linear(nonlinear_oscillator(), gvi(0.1, "midpoint", {{"linearized", true}}), {0, -1.4, 0, 1.4}, {1, 0, -1, 0});
  double lost = 0;
  for (int k = 0; k < 2000; ++k) linear.step(), lost = std::fmax(lost, std::abs(angular(linear) - start));
  EXPECT_GT(lost, 1e-3);
}

TEST(GeneralizedVariational, SmoothAndNonsmoothTogether) {
  const double s = std::sqrt(17.0);
  Flight run(models::spring_and_sphere(), gvi(0.5, "midpoint"), {4, -1, 3, -4}, {1 / s, 4 / s, 0.8, 0.6});
  Range energy;
  double momentum = 0, off = 0;
  const double start = angular(run);
  int impacts = 0;
  for (int k = 0; k < 2000; ++k) {
    run.step();
    energy.add(run.energy());
    impacts += static_cast<int>(run.work->impacts.size());
    momentum = std::fmax(momentum, std::abs(angular(run) - start));
    off = std::fmax(off, std::abs(5 - std::sqrt(norm2(run.state.q[2], run.state.q[3]))));
  }
  EXPECT_NEAR(energy.low, 5.881, 1e-3);
  EXPECT_NEAR(energy.high, 6.851, 1e-3);
  EXPECT_LE(momentum, 1e-12);
  EXPECT_LE(off, 1e-9);
  EXPECT_GT(impacts, 10);
}

TEST(GeneralizedVariational, NewtonsCradleTwoInTwoOut) {
  const double E0 = 2 * 9.8 * (1 - std::cos(M_PI / 5));
  EXPECT_NEAR(E0, 3.743267, 1e-6);
  struct Case {
    double h, drop;  // energy bounded, its lowest value below E0 in per cent
  };
  for (const Case& c : {Case{3e-2, 0.25}, Case{2e-2, 0.13}, Case{1e-2, 0.033}, Case{5e-3, 0.007}}) {
    Flight run(models::cradle(5), gvi(c.h, "midpoint"), models::cradle_start(5, 2), std::vector<double>(10, 0.0));
    const double rest = -9.8 * 5, start = run.energy() - rest;
    EXPECT_NEAR(start, E0, 1e-12);
    Range energy;
    bool seen = false;
    for (int k = 0; k < static_cast<int>(20 / c.h); ++k) {
      run.step();
      energy.add(run.energy() - rest);
      if (!seen && !run.work->impacts.empty()) {
        seen = true;
        const auto& p = run.state.p;
        EXPECT_NEAR(p[0], 0, 0.02 + 10 * c.h * c.h);  // two stop …
        EXPECT_NEAR(p[2], 0, 0.02 + 10 * c.h * c.h);
        EXPECT_GT(p[6], 1.5);  // … two leave
        EXPECT_GT(p[8], 1.5);
      }
    }
    EXPECT_TRUE(seen);
    EXPECT_NEAR((energy.low / E0 - 1) * 100, -c.drop, 0.3 * c.drop + 0.005) << c.h;
    EXPECT_LE(energy.high / E0 - 1, 0.01 * c.drop + 1e-4);
    EXPECT_LE(run.work->holonomic_max, 1e-12);
  }
}

TEST(GeneralizedVariational, ThinSlotEndsWithAClearFailure) {
  Model m;
  const Expr x = m.coordinate("x");
  m.lagrangian = square(dot(x)) / 2;
  m.contacts = {{.name = "left", .gap = x}, {.name = "right", .gap = 1e-3 - x}};
  Flight run(m, gvi(0.1, "midpoint"), {0}, {1});
  try {
    for (int k = 0; k < 10; ++k) run.step();
    FAIL() << "expected a failure";
  } catch (const SolverError& error) {
    EXPECT_NE(std::string(error.what()).find("did not end"), std::string::npos);
  }
}

}  // namespace
}  // namespace ricochet::generalized_variational_test
