// Nothing is missed inside a step, where the path is no parabola: dips of any depth below a floor, and random
// potentials and obstacles at steps of up to a radian of the motion, watched on the path that the steps took.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "ricochet/error.hpp"
#include "ricochet/mechanics/gaps.hpp"
#include "support/flight.hpp"

namespace ricochet::missed_events_test {
namespace {

class MissedEvents : public testing::Test {
 protected:
  double real(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }
  std::mt19937 engine_{1};
};

TEST_F(MissedEvents, DipsOfAnyDepth) {
  const int trials = std::getenv("RICOCHET_LONG") != nullptr ? 20000 : 2000;
  int dips = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const double h = std::pow(10, real(-1.5, 0)), v0 = real(-1, 0), y0 = real(-1, 1);
    const IntegratorOptions options = collision(h, below(2) == 0 ? "midpoint" : "galerkin", "continuous");
    const int kind = below(3);
    const auto model = [&](bool contact, double floor) {
      Model m;
      const Expr y = m.coordinate("y"), kinetic = square(dot(y)) / 2;
      m.lagrangian = kind == 0   ? kinetic - square(y) / 2
                     : kind == 1 ? kinetic + cos(y)
                                 : kinetic * (1 + 0.5 * sin(y)) - square(y) / 2;
      if (contact) m.contacts = {{.name = "floor", .gap = y - floor}};
      return m;
    };
    // the path of the step without a floor, point by point
    Flight free(model(false, 0), options, {y0}, {v0});
    double lowest = y0, at = 0, end = y0;
    constexpr int points = 200;
    for (int k = 1; k <= points; ++k) {
      State s = free.state;
      free.method->step(s, h * k / points, *free.work);
      end = s.q[0];
      if (end < lowest) lowest = end, at = h * k / points;
    }
    if (at == 0 || at == h || end - lowest < 1e-9) continue;
    const double depth = std::pow(10, real(-6, -1)) * std::fmin(y0 - lowest, end - lowest);
    Flight run(model(true, lowest + depth), options, {y0}, {v0});
    run.step();
    EXPECT_GE(run.work->impacts.size() + run.work->counters[3], 1u)  // an impact, or an event without impulse
        << options.discretization << " " << kind << ", h = " << h << ", from " << y0 << " at " << v0 << ", " << depth
        << " below " << lowest + depth;
    ++dips;
  }
  EXPECT_GE(dips, trials / 20);
}

TEST_F(MissedEvents, NoPathEntersAnObstacle) {
  const int runs = std::getenv("RICOCHET_LONG") != nullptr ? 3000 : 150;
  int impacts = 0, failed = 0;
  for (int run = 0; run < runs; ++run) {
    Model m;
    const Expr x = m.coordinate("x"), y = m.coordinate("y");
    Expr kinetic = (square(dot(x)) + real(0.5, 2) * square(dot(y))) / 2;
    if (below(3) == 0) kinetic = kinetic * (1 + 0.4 * sin(x + y));
    m.lagrangian = kinetic - real(-3, 3) * y - real(0, 3) * sin(real(1, 4) * x) - real(0, 3) * cos(real(1, 4) * y) -
                   real(0, 2) * square(x) - real(0, 2) * square(y);
    const Expr bowl = 2 - sqrt(square(x) + square(y));
    const Expr hole = sqrt(square(x - real(-1, 1)) + square(y - real(-1, 1))) - real(0.1, 0.5);
    const Expr wave = y + 1 - 0.3 * sin(real(1, 5) * x) - real(0, 0.2) * sin(4 * m.time());
    const Expr box = max(max(x - real(0.2, 1), real(-1, -0.2) - x), max(y - real(0.2, 1), -y - real(0.5, 1)));
    const int kind = below(4);
    m.contacts = {{.name = "outer", .gap = kind == 2 ? min(bowl, min(hole, wave)) : bowl}};
    if (kind == 1) m.contacts.push_back({.name = "hole", .gap = hole});
    if (kind == 3) m.contacts.push_back({.name = "box", .gap = box});
    if (below(2) == 0)
      for (Contact& c : m.contacts) c.law = "newton", c.restitution = m.graph->constant(real(0.5, 1));
    const char* rules[] = {"trapezoidal", "midpoint", "galerkin", "rectangle"};
    IntegratorOptions options =
        collision(std::pow(10, real(-2.5, -0.3)), rules[below(4)], below(2) == 0 ? "discrete" : "continuous");
    if (below(8) == 0) options = {.method = "reference", .discretization = "", .step = options.step, .parameters = {}};
    const std::vector<double> q{real(-1.5, 1.5), real(-1.5, 1.5)}, v{real(-3, 3), real(-3, 3)};
    const System system(m);
    Gaps gaps(system);
    gaps.evaluate(q.data(), 0);
    if (gaps.minimum() < 0.01) continue;
    Flight flight(m, options, q, v);
    std::vector<Workspace::PathPoint> path;
    flight.work->path = &path;
    for (int k = 0; k < 100; ++k) {
      path.clear();
      try {
        flight.step();
      } catch (const SolverError&) {  // steps too long for the equations to have a solution
        ++failed;
        break;
      }
      impacts += static_cast<int>(flight.work->impacts.size());
      double worst = 0;
      for (const Workspace::PathPoint& point : path) {
        gaps.evaluate(point.q.data(), point.t);
        worst = std::fmin(worst, gaps.minimum());
      }
      // the tolerance of the equations of a step, 1e-13 of coordinates of size 2, with a margin
      ASSERT_GE(worst, -1e-11) << "run " << run << ", step " << k << ", " << options.method << " "
                               << options.discretization << " " << options.step;
    }
  }
  EXPECT_GE(impacts, 5 * runs);
  EXPECT_LE(failed, 0.05 * runs);
}

// A thin wall is a union of its two faces. Written down in units of their own the round-off of one face is more than
// the other is deep, and yet a particle that crosses a room in steps as long as many rooms hits it.
TEST_F(MissedEvents, FacesInUnitsOfTheirOwn) {
  for (int trial = 0; trial < 500; ++trial) {
    const double size = std::pow(10, real(-6, 6)), wide = size * std::pow(10, real(-8, -1)),
                 at = size * real(-0.5, 0.5), near = std::pow(10, real(-12, 12)), far = std::pow(10, real(-12, 12)),
                 start = size * real(-1, 1), angle = real(-0.3, 0.3) + (below(2) == 0 ? M_PI : 0);
    if (std::abs(start - at) < 0.01 * size) continue;
    Model m;
    const Expr x = m.coordinate("x"), y = m.coordinate("y");
    m.lagrangian = (square(dot(x)) + square(dot(y))) / 2;
    const Expr wall = max(near * (x - (at + wide)), far * (at - x)),
               room = min(min(2 * size - x, 2 * size + x), min(size - y, size + y));
    m.contacts = {{.name = "all", .gap = min(wall, real(0.1, 10) * room)}};
    Flight run(m, collision(size * std::pow(10, real(0.6, 2))), {start, 0}, {std::cos(angle), std::sin(angle)});
    run.step();
    const bool left = start < at;  // of the wall, where it stays
    ASSERT_FALSE(run.work->impacts.empty()) << trial;
    for (const Impact& impact : run.work->impacts)
      ASSERT_TRUE(left ? impact.q[0] <= at + 1e-3 * wide + 1e-12 * size
                       : impact.q[0] >= at + wide - 1e-3 * wide - 1e-12 * size)
          << trial << ": " << impact.q[0] << ", wall " << at << " " << wide;
  }
}

}  // namespace
}  // namespace ricochet::missed_events_test
