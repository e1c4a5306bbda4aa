// The four ways of meeting a boundary [KP12 Fig. 1.2] with their analytic trajectories: along it, against it, leaving
// it, approaching it tangentially. No bounce where there should be none, no capture.

#include <gtest/gtest.h>

#include <cmath>

#include "support/flight.hpp"

namespace ricochet::boundary_motion_test {
namespace {

IntegratorOptions gvi(double h, const char* rule = "midpoint") {
  return {.method = "generalized-variational", .discretization = rule, .step = h, .parameters = {}};
}

template <class Gap>
Model particle(double gravity, const Gap& gap) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - gravity * y;
  m.contacts = {{.name = "boundary", .gap = gap(x, y)}};
  return m;
}
Expr floor_gap(const Expr&, const Expr& y) { return y; }
Expr ceiling_gap(const Expr&, const Expr& y) { return 1 - y; }
Expr bowl_gap(const Expr& x, const Expr& y) { return 1 - sqrt(square(x) + square(y)); }
Expr ball_gap(const Expr& x, const Expr& y) { return sqrt(square(x) + square(y)) - 1; }

TEST(BoundaryMotion, SlidesAlongAFlatFloor) {
  for (const char* rule : {"midpoint", "trapezoidal", "rectangle"}) {
    Flight run(particle(9.8, floor_gap), gvi(0.01, rule), {0, 0}, {2, 0});
    for (int k = 0; k < 1000; ++k) {
      run.step();
      ASSERT_TRUE(run.work->impacts.empty());
      ASSERT_NEAR(run.state.q[1], 0, 1e-15);
      ASSERT_EQ(run.state.p[0], 2);  // nothing captures it
    }
    EXPECT_NEAR(run.state.q[0], 20, 1e-11);
  }
}

TEST(BoundaryMotion, SlidesAroundTheInsideOfACircle) {
  // Free particle: uniform motion on the circle. The discrete path is a regular polygon, its angle a step φ with
  // tan or sin of φ/2 equal to h v/2 up to order 3: the error of the angle is O(h²).
  double previous = 0;
  for (const double h : {0.02, 0.01}) {
    Flight run(particle(0, bowl_gap), gvi(h), {1, 0}, {0, 1});
    for (int k = 0; k < std::lround(2 / h); ++k) {
      run.step();
      ASSERT_TRUE(run.work->impacts.empty());
      ASSERT_NEAR(std::hypot(run.state.q[0], run.state.q[1]), 1, 1e-13);
      ASSERT_NEAR(std::hypot(run.state.p[0], run.state.p[1]), 1, h * h);
    }
    const double error = std::abs(std::atan2(run.state.q[1], run.state.q[0]) - 2);
    EXPECT_LE(error, h * h);
    if (previous > 0) {
      EXPECT_NEAR(previous / error, 4, 0.1);
    }
    previous = error;
  }
}

TEST(BoundaryMotion, BouncesOffAWallThatItHits) {
  // Free flight: the velocity is mirrored exactly; the turning point is at most the way of a step from the wall.
  const double h = 0.013;
  Flight run(particle(0, floor_gap), gvi(h), {0, 1}, {1, -2});
  int impacts = 0;
  for (int k = 0; k < 77; ++k) run.step(), impacts += static_cast<int>(run.work->impacts.size());
  EXPECT_EQ(impacts, 1);
  EXPECT_NEAR(run.state.p[0], 1, 1e-15);
  EXPECT_NEAR(run.state.p[1], 2, 1e-15);
  const double end = 77 * h;
  EXPECT_NEAR(run.state.q[0], end, 1e-13);
  EXPECT_NEAR(run.state.q[1], 2 * end - 1, 2 * 2 * h);
}

TEST(BoundaryMotion, LeavesAHillAtOnceIfItIsFast) {
  // At the top of a ball with v² > g R the parabola is outside: it must be followed from the first step, exactly.
  for (const char* rule : {"midpoint", "trapezoidal"}) {
    Flight run(particle(9.8, ball_gap), gvi(0.01, rule), {0, 1}, {3.5, 0});
    for (int k = 1; k <= 100; ++k) {
      run.step();
      const double t = 0.01 * k;
      ASSERT_TRUE(run.work->impacts.empty());
      ASSERT_NEAR(run.state.q[0], 3.5 * t, 1e-13);
      ASSERT_NEAR(run.state.q[1], 1 - 4.9 * t * t, 1e-12);
    }
  }
}

// Time and state at the end of a slide from the top of the unit ball with speed v0, then a parabola: θ'' = g sin θ
// until θ'² = g cos θ. Runge–Kutta with 20000 steps and bisection: error below 1e-12.
struct End {
  double x, y, angle;
};
End slide_and_leave(double g, double v0, double duration) {
  double a = 0, w = v0, t = 0;
  const auto step = [&](double s, double& angle, double& rate) {
    const auto f = [&](double z) { return g * std::sin(z); };
    const double k1 = rate, l1 = f(angle), k2 = rate + s / 2 * l1, l2 = f(angle + s / 2 * k1), k3 = rate + s / 2 * l2,
                 l3 = f(angle + s / 2 * k2), k4 = rate + s * l3, l4 = f(angle + s * k3);
    angle += s / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    rate += s / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  };
  double s = 1e-4;
  for (bool near = false; s > 1e-15;) {  // once near the end, halve at every step
    double angle = a, rate = w;
    step(s, angle, rate);
    const bool beyond = rate * rate > g * std::cos(angle);
    if (!beyond) a = angle, w = rate, t += s;
    near = near || beyond;
    if (near) s /= 2;
  }
  const double rest = duration - t, u = w * std::cos(a), v = -w * std::sin(a);
  return {std::sin(a) + u * rest, std::cos(a) + v * rest - g / 2 * rest * rest, a};
}

TEST(BoundaryMotion, LeavesAHillSmoothly) {
  const double g = 9.8, v0 = 1, end = 0.9;
  const End exact = slide_and_leave(g, v0, end);
  EXPECT_NEAR(std::cos(exact.angle), (2 + v0 * v0 / g) / 3, 1e-9);  // the classical angle
  double error[2];
  for (int level = 0; level < 2;
       ++level) {  // root mean square over ten neighbouring steps: the exit falls anywhere in one
    error[level] = 0;
    for (int i = 0; i < 10; ++i) {
      const int steps = (level == 0 ? 90 : 720) + i;
      Flight run(particle(g, ball_gap), gvi(end / steps), {0, 1}, {v0, 0});
      bool left = false;
      for (int k = 0; k < steps; ++k) {
        run.step();
        ASSERT_TRUE(run.work->impacts.empty());
        const double gap = std::hypot(run.state.q[0], run.state.q[1]) - 1;
        ASSERT_GE(gap, -1e-12);
        ASSERT_FALSE(left && gap < 1e-9);  // once off, it stays off
        left = left || gap > 1e-9;
      }
      EXPECT_TRUE(left);
      error[level] += std::pow(run.state.q[0] - exact.x, 2) + std::pow(run.state.q[1] - exact.y, 2);
    }
  }
  EXPECT_NEAR(std::log(error[0] / error[1]) / 2 / std::log(724.5 / 94.5), 2, 0.25);
}

TEST(BoundaryMotion, TouchesACeilingTangentiallyWithoutABounce) {
  // The top of a parabola at the ceiling, on a grid point and off it: the parabola goes on.
  const double g = 9.8, v = std::sqrt(2 * g);
  for (const double h : {v / g / 40, 0.0113}) {
    Flight run(particle(g, ceiling_gap), gvi(h), {0, 0}, {1, v});
    for (int k = 1; k <= 80; ++k) {
      run.step();
      const double t = k * h;
      ASSERT_TRUE(run.work->impacts.empty()) << k;
      ASSERT_NEAR(run.state.q[1], v * t - g / 2 * t * t, 1e-12);
    }
  }
}

TEST(BoundaryMotion, ArrivesTangentiallyAndStaysOnTheBoundary) {
  // A free particle comes along y = 0 to the boundary y = x³ (x > 0 rises) and follows it with its speed: the arc
  // length is v t. The arrival is a reflection at normal speed O(h²), so it may hop by O(h²), no more.
  const auto ramp = [](const Expr& x, const Expr& y) { return y - x * x * x; };
  double error[2], hop[2];
  for (int level = 0; level < 2; ++level) {
    const double h = level == 0 ? 0.0113 : 0.0113 / 8;
    Flight run(particle(0, ramp), gvi(h), {-0.5, 0}, {1, 0});
    hop[level] = 0;
    for (int k = 0; k < std::lround(1.2 / h); ++k) {
      run.step();
      const double x = run.state.q[0];
      if (x > 0) hop[level] = std::fmax(hop[level], std::abs(run.state.q[1] - x * x * x));
      ASSERT_NEAR(std::hypot(run.state.p[0], run.state.p[1]), 1, 5 * h);  // not captured
    }
    double arc = 0;  // of y = x³ from 0, by the midpoint rule
    for (int i = 0; i < 20000; ++i) {
      const double x = (i + 0.5) / 20000 * run.state.q[0];
      arc += std::sqrt(1 + 9 * x * x * x * x) * run.state.q[0] / 20000;
    }
    error[level] = std::abs(arc + 0.5 - run.state.t);
  }
  EXPECT_LE(hop[0], 0.02);
  EXPECT_LT(hop[1], hop[0] / 4);
  EXPECT_LE(error[0], 0.02);
  EXPECT_LT(error[1], error[0] / 4);
}

}  // namespace
}  // namespace ricochet::boundary_motion_test
