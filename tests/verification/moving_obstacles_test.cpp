// What sticks to an obstacle that moves: its point is carried along the normal, which turns meanwhile.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "support/rough.hpp"
#include "support/step_derivative.hpp"

namespace ricochet::moving_obstacles_test {
namespace {

using Eigen::Vector3d;

struct Way {
  const char *method, *rule;
};
constexpr Way ways[] = {{"variational-collision", "trapezoidal"},
                        {"variational-collision", "midpoint"},
                        {"variational-collision", "galerkin"},
                        {"nonholonomic-symmetric", "midpoint"}};

IntegratorOptions with(const Way& way, double h) {
  return {.method = way.method, .discretization = way.rule, .step = h, .parameters = {}};
}

std::vector<double> run(const Model& m, const IntegratorOptions& options, const std::vector<double>& q,
                        const std::vector<double>& v, double duration) {
  Flight flight(m, options, q, v);
  while (flight.k * flight.h < duration * (1 - 1e-9)) flight.step();
  for (const double mode : flight.state.modes) EXPECT_EQ(mode, 2) << options.method;
  return flight.state.q;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::fmax(largest, std::abs(a[i] - b[i]));
  return largest;
}

// Half the step leaves a quarter of the error: 1/2.8 is half way to order 1. At the first step it is less than (ωh)².
// The steps' own round-off does not count.
void expect_order_two(const Model& m, const std::vector<double>& q, const std::vector<double>& v,
                      const std::vector<double>& truth, double duration, double rate, const std::string& words) {
  for (const Way& way : ways) {
    double bound = std::pow(rate * duration / 16, 2);
    for (int steps = 16; steps <= 128; steps *= 2) {
      const double error = distance(run(m, with(way, duration / steps), q, v, duration), truth);
      EXPECT_LE(error, bound + 1e-11) << words << " " << way.method << " " << way.rule << " " << steps;
      bound = error / 2.8;
    }
  }
}

// A plane turns by φ(t) about an axis that lies in it, and the particle that sticks to it with it.
TEST(MovingObstacles, APlaneThatTiltsCarriesWhatSticks) {
  const double tilt = 0.3, duration = 0.5, a = 0.8, b = 0.4;
  for (const bool in_space : {false, true})
    for (int trial = 0; trial < 3; ++trial) {
      const double rate = 2 + trial;
      // up, along the plane, and the axis; in the plane the axis is the third of them
      Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();
      if (in_space) frame = Eigen::AngleAxisd(0.9 * trial + 0.4, Vector3d(1, 2, -1).normalized()).toRotationMatrix();
      const Vector3d along = frame.col(0), up = frame.col(1), axis = frame.col(2);
      Model m;
      std::vector<Expr> x{m.coordinate("x"), m.coordinate("y")};
      if (in_space) x.push_back(m.coordinate("z"));
      const Expr phi = tilt * sin(rate * m.time());
      Expr gap = m.graph->constant(0);
      m.lagrangian = m.graph->constant(0);
      for (std::size_t i = 0; i < x.size(); ++i) {
        gap = gap + x[i] * (up[i] * cos(phi) - along[i] * sin(phi));
        m.lagrangian = m.lagrangian + square(dot(x[i])) / 2 - 9.81 * up[i] * x[i];
      }
      m.contacts = {rough(m, "plane", gap, x, 3)};
      const auto numbers = [&](const Vector3d& p) { return std::vector<double>(p.data(), p.data() + x.size()); };
      const double turned = tilt * std::sin(rate * duration);
      const Vector3d end = a * (std::cos(turned) * along + std::sin(turned) * up) + b * axis;
      expect_order_two(m, numbers(a * along + b * axis), numbers(a * tilt * rate * up), numbers(end), duration, rate,
                       (in_space ? "space " : "plane ") + std::to_string(trial));
    }
}

// Floors y = a sin(2x − ωt) + b sin(ωt) with a belt, against the reference solution, which is as exact as 1e-11: a
// wave, a hill that heaves, a belt over a hill.
TEST(MovingObstacles, CurvedObstaclesCarryWhatSticks) {
  struct Floor {
    const char* words;
    double a, runs, heaves, belt;
  };
  const double rate = 3, duration = 0.5, x0 = 0.2;
  for (const Floor& f : {Floor{"wave", 0.1, rate, 0, 0},
                         {"heaves", 0.1, 0, 0.05, 0},
                         {"belt", 0.1, 0, 0, 0.5},
                         {"all", 0.1, rate, 0.05, 0.5}}) {
    Model m;
    const Expr x = m.coordinate("x"), y = m.coordinate("y"), t = m.time();
    m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - 9.81 * y;
    m.contacts = {
        rough(m, "floor", y - f.a * sin(2 * x - f.runs * t) - f.heaves * sin(rate * t), {x - f.belt * t, y}, 3)};
    // it starts with the floor: v_y = s v_x + u on it, v_x − belt + s v_y = 0 along it
    const double s = 2 * f.a * std::cos(2 * x0), u = f.heaves * rate - f.a * f.runs * std::cos(2 * x0),
                 v = (f.belt - s * u) / (1 + s * s);
    const std::vector<double> start{x0, f.a * std::sin(2 * x0)}, velocity{v, s * v + u};
    const std::vector<double> truth = run(
        m, {.method = "reference", .discretization = "", .step = 0.01, .parameters = {}}, start, velocity, duration);
    expect_order_two(m, start, velocity, truth, duration, rate, f.words);
  }
}

// The same point as seen by a drum that turns: what sticks does not creep, to round-off of 2000 steps.
TEST(MovingObstacles, ADrumCarriesWhatSticksRoundAndRound) {
  const double rate = 5, h = 0.01;
  for (const Way& way : ways) {
    Model m;
    const Expr x = m.coordinate("x"), y = m.coordinate("y"), c = cos(rate * m.time()), s = sin(rate * m.time());
    m.lagrangian = (square(dot(x)) + square(dot(y))) / 2;
    m.contacts = {rough(m, "drum", 1 - sqrt(square(x) + square(y)), {c * x + s * y, c * y - s * x}, 0.5)};
    Flight flight(m, with(way, h), {1, 0}, {0, rate});
    for (int k = 1; k <= 2000; ++k) {
      flight.step();
      ASSERT_NEAR(flight.state.q[0], std::cos(rate * k * h), 1e-11) << way.rule << k;
      ASSERT_NEAR(flight.state.q[1], std::sin(rate * k * h), 1e-11) << way.rule << k;
    }
  }
}

// The derivative of a step that sticks, against differences.
TEST(MovingObstacles, DerivativesOfWhatSticks) {
  for (const Way& way : ways)
    for (int kind = 0; kind < 3; ++kind) {
      Model m;
      const Expr x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z"), t = m.time();
      m.lagrangian = (square(dot(x)) + square(dot(y)) + (1 + square(x) / 2) * square(dot(z))) / 2 - 9.81 * y;
      const Expr floor = kind == 0   ? 0.1 * sin(2 * x - 3 * t) + 0.1 * cos(z - t)
                         : kind == 1 ? 0.1 * sin(2 * x) * cos(z) + 0.05 * sin(3 * t)
                                     : 0.2 * sin(t) * x - 0.1 * t * z;
      m.contacts = {rough(m, "floor", y - floor, {x - 0.3 * sin(t), y, z}, 3)};
      const double height = kind == 0   ? 0.1 * std::sin(0.4) + 0.1 * std::cos(0.3)
                            : kind == 1 ? 0.1 * std::sin(0.4) * std::cos(0.3)
                                        : 0;
      Flight flight(m, with(way, 0.02), {0.2, height + 1e-3, 0.3}, {0.1, -0.1, 0.1});
      int checked = 0;
      for (int k = 0; k < 20; ++k) {
        State before = flight.state;
        before.t = k * flight.h;
        flight.step();
        if (before.modes.empty() || before.modes[0] != 2 || flight.state.modes[0] != 2) continue;
        const DerivativeCheck check = check_derivative(flight, before);
        EXPECT_EQ(check.verdict, DerivativeCheck::Verdict::right)
            << way.rule << kind << " step " << k << ": " << check.branch << check.reason << ", error " << check.error;
        ++checked;
      }
      EXPECT_GE(checked, 5) << way.rule << kind;
    }
}

}  // namespace
}  // namespace ricochet::moving_obstacles_test
