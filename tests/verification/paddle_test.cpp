// A ball that slides on a paddle which turns about the origin, and leaves it where nothing presses it any more. In
// polar coordinates r'' = rω² − g sin φ, and the paddle presses with λ = g cos φ + 2ωr' + rω'. Truth: Runge and Kutta
// to λ = 0, then free flight.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/flight.hpp"

namespace ricochet::paddle_test {
namespace {

constexpr double g = 9.81;

struct Paddle {
  double turn, rate, acceleration, r0, v0;

  double phi(double t) const { return turn + rate * t + acceleration * t * t / 2; }
  double omega(double t) const { return rate + acceleration * t; }
  double force(double r, double v, double t) const {
    return g * std::cos(phi(t)) + 2 * omega(t) * v + r * acceleration;
  }
  struct Truth {
    double x, y, left, change;  // at the end; when it leaves, and |λ'| at most until then
    bool returns = false;       // to the paddle
  };
  Truth until(double end) const {
    Truth truth{0, 0, end, 0, false};
    double r = r0, v = v0, t = 0, before = force(r, v, 0);
    const int steps = 20000;
    const double h = end / steps;
    const auto a = [&](double radius, double at) { return radius * omega(at) * omega(at) - g * std::sin(phi(at)); };
    for (int k = 0; k < steps; ++k) {
      const double k1 = a(r, t), k2 = a(r + h / 2 * v, t + h / 2), k3 = a(r + h / 2 * v + h * h / 4 * k1, t + h / 2),
                   k4 = a(r + h * v + h * h / 2 * k2, t + h);
      r += h * v + h * h / 6 * (k1 + k2 + k3);
      v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      t += h;
      const double now = force(r, v, t);
      truth.change = std::fmax(truth.change, std::abs(now - before) / h);
      before = now;
      if (now >= 0) continue;
      truth.left = t;
      break;
    }
    const double c = std::cos(phi(t)), s = std::sin(phi(t)), rest = end - t;
    for (double d = 0.01; d < rest; d += 0.01) {
      const double x = r * c + d * (v * c - r * omega(t) * s),
                   y = r * s + d * (v * s + r * omega(t) * c) - g * d * d / 2;
      truth.returns |= y * std::cos(phi(t + d)) - x * std::sin(phi(t + d)) <= 0;
    }
    truth.x = r * c + rest * (v * c - r * omega(t) * s);
    truth.y = r * s + rest * (v * s + r * omega(t) * c) - g * rest * rest / 2;
    return truth;
  }
  Model model() const {
    Model m;
    const Expr x = m.coordinate("x"), y = m.coordinate("y"), t = m.time(),
               angle = turn + rate * t + acceleration / 2 * square(t);
    m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - g * y;
    m.contacts = {{.name = "paddle", .gap = y * cos(angle) - x * sin(angle), .law = "newton"}};
    m.contacts[0].restitution = m.graph->constant(0.5);
    return m;
  }
};

TEST(Paddle, LetsGoWhereItNoLongerPresses) {
  std::mt19937 engine(2);
  const auto real = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); };
  constexpr double end = 1;
  int balls = 0;
  double errors[3] = {0, 0, 0};
  for (int trial = 0; trial < 500 && balls < 60; ++trial) {
    const Paddle p{real(-0.5, 0.8), real(0.5, 3), real(-2, 2), real(-0.5, 0.8), real(-1, 0.5)};
    const Paddle::Truth truth = p.until(end);
    if (p.force(p.r0, p.v0, 0) < 0.5 || truth.left < 0.1 || truth.left > 0.8 || truth.returns) continue;
    ++balls;
    const double c = std::cos(p.turn), s = std::sin(p.turn);
    for (const char* rule : {"trapezoidal", "midpoint"})
      for (const int level : {0, 1, 2}) {
        const int steps = 50 << level;
        const double h = end / steps;
        Flight run(p.model(), collision(h, rule), {p.r0 * c, p.r0 * s},
                   {p.v0 * c - p.r0 * p.rate * s, p.v0 * s + p.r0 * p.rate * c});
        run.work->contact_impulses.assign(3, 0.0);
        for (int k = 0; k < steps; ++k) {
          ASSERT_NO_THROW(run.step()) << trial << rule << " step " << k;
          // It is left at an end of a step: in that step the paddle may pull in the mean, by less than a quarter of
          // what its force changes in a step (where the start no longer presses it, the force has passed zero at h/3).
          ASSERT_GE(run.work->contact_impulses[0] / h, -truth.change * h / 4) << trial << rule << " step " << k;
        }
        EXPECT_EQ(run.state.modes[0], 0) << trial << rule;
        EXPECT_GE(run.work->gap_min, -1e-15) << trial << rule;
        errors[level] += std::hypot(run.state.q[0] - truth.x, run.state.q[1] - truth.y);
      }
  }
  EXPECT_EQ(balls, 60);
  // order 2 in the mean; when it leaves is where in a step that is
  EXPECT_LT(errors[0] / (2 * balls), 5e-3);
  EXPECT_LT(errors[1], errors[0] / 3);
  EXPECT_LT(errors[2], errors[1] / 3);
}

}  // namespace
}  // namespace ricochet::paddle_test
