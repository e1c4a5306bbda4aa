#include "ricochet/numerics/newton.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace ricochet::newton_test {
namespace {

// f(x) = 0 for one unknown, its terms of a given size.
struct Equation {
  std::function<double(double)> f, slope, size;
  double value = 0, derivative = 0, terms = 0;
  int jacobians = 0;
  void residual(const double* x) { value = f(*x), terms = size(*x); }
  void residual_and_jacobian(const double* x) { residual(x), derivative = slope(*x), ++jacobians; }
  double norm() const { return std::isfinite(value) ? std::abs(value) : INFINITY; }
  double scale() const { return terms; }
  bool direction(double* dx) const { return *dx = -value / derivative, derivative != 0; }
};

NewtonResult solve(Equation& e, double& x, NewtonSettings settings = {}) {
  double dx = 0, best = 0;
  return newton(e, &x, &dx, &best, 1, settings);
}

TEST(Newton, ToRoundOff) {
  Equation e{[](double x) { return x * x - 2; }, [](double x) { return 2 * x; }, [](double x) { return x * x + 2; }};
  double x = 1;
  const NewtonResult result = solve(e, x);
  EXPECT_TRUE(result.converged);
  EXPECT_NEAR(x, std::sqrt(2.0), 1e-15);
  EXPECT_LE(result.iterations, 6);
}

TEST(Newton, TheLineSearchBacksOff) {
  // the full step of atan from far diverges; that of log leaves the domain
  Equation e{[](double x) { return std::atan(x); }, [](double x) { return 1 / (1 + x * x); },
             [](double) { return 1.0; }};
  double x = 20;
  EXPECT_TRUE(solve(e, x).converged);
  EXPECT_NEAR(x, 0, 1e-15);
  Equation log{[](double y) { return std::log(y); }, [](double y) { return 1 / y; }, [](double) { return 1.0; }};
  x = 10;
  EXPECT_TRUE(solve(log, x).converged);
  EXPECT_NEAR(x, 1, 1e-15);
}

TEST(Newton, FailuresHaveReasons) {
  Equation none{[](double x) { return x * x + 1; }, [](double x) { return 2 * x; }, [](double x) { return x * x + 1; }};
  double x = 3;
  EXPECT_FALSE(solve(none, x).converged);
  Equation flat{[](double) { return 1.0; }, [](double) { return 0.0; }, [](double) { return 1.0; }};
  EXPECT_STREQ(solve(flat, x).reason, "singular Jacobian");
  Equation empty{[](double) { return std::nan(""); }, [](double) { return 1.0; }, [](double) { return 1.0; }};
  EXPECT_STREQ(solve(empty, x).reason, "the equations have no finite value at the start");
}

// Where round-off of the equation is 1e-12 and no step along a wrong direction is better, the point is the solution as
// far as the tolerance asks; above it, it is none.
TEST(Newton, NoDescentBelowTheToleranceIsStagnation) {
  for (const double level : {1e-12, 1e-8}) {
    Equation e{[&](double x) { return level + std::abs(x); }, [](double) { return 1e-6; }, [](double) { return 1.0; }};
    double x = 0;
    const NewtonResult result = solve(e, x);
    EXPECT_EQ(result.converged, level < 1e-10);
    if (!result.converged) {
      EXPECT_STREQ(result.reason, "no descent");
      continue;
    }
    EXPECT_EQ(x, 0);
    EXPECT_EQ(e.value, level);  // the last evaluation is that of the solution
    EXPECT_EQ(result.residual, level);
  }
}

TEST(Newton, StagnationAtTheToleranceCounts) {
  // a staircase: no value below 1e-12, but the tolerance is 1e-10
  Equation e{[](double x) { return std::floor((x - 1) * 1e12) * 1e-12 + 5e-13; }, [](double) { return 1.0; },
             [](double) { return 1.0; }};
  double x = 3;
  EXPECT_TRUE(solve(e, x).converged);
  EXPECT_NEAR(x, 1, 2e-12);
  x = 3;
  EXPECT_FALSE(solve(e, x, {.tolerance = 1e-14}).converged);
}

TEST(Newton, UnitsChangeNoDigitAndNothingIsNothing) {
  for (const int e : {-200, -30, 0, 30, 200}) {  // x in units of 2^e, f in units of 2^2e
    const double two = std::ldexp(2.0, 2 * e);
    Equation scaled{[&](double x) { return x * x - two; }, [](double x) { return 2 * x; },
                    [&](double x) { return x * x + two; }};
    double x = std::ldexp(3.0, e);
    EXPECT_TRUE(solve(scaled, x).converged);
    Equation one{[](double y) { return y * y - 2; }, [](double y) { return 2 * y; },
                 [](double y) { return y * y + 2; }};
    double y = 3;
    solve(one, y);
    EXPECT_EQ(x, std::ldexp(y, e));
  }
  Equation nothing{[](double) { return 0.0; }, [](double) { return 1.0; }, [](double) { return 0.0; }};
  double x = 0;
  const NewtonResult result = solve(nothing, x);
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.residual, 0);
}

}  // namespace
}  // namespace ricochet::newton_test
