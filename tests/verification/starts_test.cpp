// Starts where something is touched already, and what happens inside the very first step: corners from all sides,
// floors with inward, outward and no speed, dips, floors that move.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "ricochet/error.hpp"
#include "ricochet/mechanics/gaps.hpp"
#include "support/flight.hpp"

namespace ricochet::starts_test {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

std::vector<IntegratorOptions> methods(double h) {
  std::vector<IntegratorOptions> list;
  for (const char* rule : {"trapezoidal", "midpoint", "galerkin"})
    for (const char* energy : {"discrete", "continuous"}) list.push_back(collision(h, rule, energy));
  list.push_back({.method = "reference", .discretization = "", .step = h, .parameters = {}});
  return list;
}

class Starts : public testing::Test {
 protected:
  double real(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  std::mt19937 engine_{9};
};

// A free particle at the vertex of two half planes, at a place where both gaps are exactly 0: the inner corner or the
// outer one, as one gap or two.
TEST_F(Starts, CornersFromAllSides) {
  for (const bool outer : {false, true})
    for (int wedge = 0; wedge < 12; ++wedge) {
      const double a = real(0, 2 * M_PI), b = a + real(0.3, 2.8);  // normals
      const double na[] = {std::cos(a), std::sin(a)}, nb[] = {std::cos(b), std::sin(b)};
      Model m;
      const Expr x = m.coordinate("x"), y = m.coordinate("y");
      m.lagrangian = (square(dot(x)) + square(dot(y))) / 2;
      const Expr ga = na[0] * x + na[1] * y, gb = nb[0] * x + nb[1] * y;
      if (outer)
        m.contacts = {{.name = "corner", .gap = max(ga, gb)}};
      else if (wedge % 2 == 0)
        m.contacts = {{.name = "corner", .gap = min(ga, gb)}};
      else
        m.contacts = {{.name = "a", .gap = ga}, {.name = "b", .gap = gb}};
      for (const IntegratorOptions& options : methods(0.1))
        for (int direction = 0; direction < 24; ++direction) {
          // the special ones: along either wall, both ways
          const double angle = direction < 4 ? (direction % 2 == 0 ? a : b) + (direction < 2 ? 1 : -1) * M_PI / 2
                                             : 2 * M_PI * direction / 20 + 0.1;
          const double v[] = {std::cos(angle), std::sin(angle)};
          const double ca = na[0] * v[0] + na[1] * v[1], cb = nb[0] * v[0] + nb[1] * v[1];
          Flight run(m, options, {0, 0}, {v[0], v[1]});
          Gaps gaps(*run.system);
          std::size_t impacts = 0;
          for (int k = 0; k < 5; ++k) {
            run.step();
            impacts += run.work->impacts.size();
            gaps.evaluate(run.state.q.data(), run.state.t);
            ASSERT_GE(gaps.minimum(), -16 * eps) << outer << wedge << " " << direction << " " << options.method;
            ASSERT_NEAR(run.energy(), 0.5, 1e-13);  // elastic
          }
          const double free = outer ? std::fmax(ca, cb) : std::fmin(ca, cb);
          if (free > 1e-12) {
            EXPECT_EQ(impacts, 0u) << outer << wedge << " " << direction << " " << options.method;
          }
          if (free > -1e-12) {  // along a wall is as free
            EXPECT_NEAR(run.state.q[0], 0.5 * v[0], 1e-14);
            EXPECT_NEAR(run.state.q[1], 0.5 * v[1], 1e-14);
          } else {
            EXPECT_GE(impacts, 1u) << outer << wedge << " " << direction << " " << options.method;
          }
        }
    }
}

// On a floor of any height, displaced by round-off: at rest it rests, thrown it flies, pressed it bounces.
TEST_F(Starts, OnAFloor) {
  const double g = 9.81, h = 0.01;
  for (const double height : {0.0, 1.0, -3.7, 1e6})
    for (const double shift : {0.0, -1.0, 1.0}) {
      Model m;
      const Expr x = m.coordinate("x"), y = m.coordinate("y");
      m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - g * y;
      m.contacts = {{.name = "floor", .gap = y - height}};
      const double start = height + shift * eps * std::abs(height);
      for (const IntegratorOptions& options : methods(h)) {
        Flight rest(m, options, {0, start}, {1, 0});
        for (int k = 0; k < 100; ++k) {
          rest.step();
          EXPECT_TRUE(rest.work->impacts.empty()) << height << " " << shift << " " << options.method;
        }
        EXPECT_NEAR(rest.state.q[1], height, 2 * eps * std::abs(height));
        EXPECT_NEAR(rest.state.q[0], 1, 1e-13);
        Flight up(m, options, {0, start}, {0, 2});
        for (int k = 0; k < 10; ++k) up.step();
        EXPECT_NEAR(up.state.q[1], start + 0.2 - g / 200, 1e-13 + 20 * eps * std::abs(height));
        EXPECT_TRUE(up.work->impacts.empty());
        Flight down(m, options, {0, start}, {0, -2});
        down.step();
        ASSERT_EQ(down.work->impacts.size(), 1u) << height << " " << shift << " " << options.method;
        EXPECT_NEAR(down.work->impacts[0].alpha, 0, 1e-6 * std::abs(height));  // round-off of height in 2h
      }
    }
}

// y0 + v t + a t²/2 over a floor: below 0 only inside the first step, or shallow, or not at all.
TEST_F(Starts, DipsInsideTheFirstStep) {
  for (int k = 0; k < 300; ++k) {
    const double t1 = real(0.05, 0.45), t2 = t1 + std::pow(10, real(-7, -1)), a = real(1, 10);
    // a/2 (t − t1)(t − t2)
    const double y0 = a / 2 * t1 * t2, v0 = -a / 2 * (t1 + t2);
    Model m;
    const Expr y = m.coordinate("y");
    m.lagrangian = square(dot(y)) / 2 + a * y;
    m.contacts = {{.name = "floor", .gap = y}};
    for (const IntegratorOptions& options : methods(1.0)) {
      Flight run(m, options, {y0}, {v0});
      run.step();
      ASSERT_EQ(run.work->impacts.size(), 1u) << k << " " << options.method << " " << options.discretization;
      // the root moves by what round-off of y makes of it at the slope there, a(t2 − t1)/2
      const double scatter = 8 * eps * y0 / (a * (t2 - t1) / 2);
      EXPECT_NEAR(run.work->impacts[0].time, t1, 8 * scatter + 1e-14) << options.method;
    }
  }
}

// A floor that waves: the first meeting by bisection of the closed form.
TEST_F(Starts, FloorsThatMove) {
  const double g = 9.81;
  for (int k = 0; k < 200; ++k) {
    const double A = real(0.05, 0.5), w = real(1, 12), phase = real(0, 6.28), y0 = A * std::sin(phase) + real(0, 0.5),
                 v0 = real(-2, 2);
    Model m;
    const Expr y = m.coordinate("y");
    m.lagrangian = square(dot(y)) / 2 - g * y;
    m.contacts = {{.name = "floor", .gap = y - A * sin(w * m.time() + phase)}};
    const auto gap = [&](double t) { return y0 + v0 * t - g / 2 * t * t - A * std::sin(w * t + phase); };
    double to = 0;
    while (gap(to + 1e-4) > 0) to += 1e-4;  // no dip is shorter, but for those that the comparison leaves out
    double low = to, high = to + 1e-4;
    for (int i = 0; i < 60; ++i) (gap((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
    const double slope = v0 - g * low - A * w * std::cos(w * low + phase);
    if (low == 0 || slope > -1e-2) continue;
    for (const IntegratorOptions& options : methods(real(0.05, 1))) {
      Flight run(m, options, {y0}, {v0});
      while (run.work->impacts.empty() && run.k < 100) run.step();
      ASSERT_FALSE(run.work->impacts.empty());
      EXPECT_NEAR(run.work->impacts[0].time, low, 1e-12 / -slope) << k << " " << options.method << options.step;
    }
  }
}

}  // namespace
}  // namespace ricochet::starts_test
