// What sticks to an obstacle that moves: its point is carried along the normal, which turns meanwhile; and what lies on
// several obstacles that move different ways.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "ricochet/methods/running_scalars.hpp"
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

// A beam of unit mass that lies on several plates which shake along it, its feet at the height of its centre: rough as
// μ, pressed by N. The truth is v' ∈ −Σ μN Sign(v − u(t)), in 200 000 implicit steps of Euler: each to be solved
// exactly.
struct Plate {
  double lever, friction, amplitude, rate, phase;
  double speed(double t) const { return amplitude * rate * std::cos(rate * t + phase); }
};

std::vector<double> shaken(const std::vector<Plate>& plates, const std::vector<double>& pressed, double duration) {
  constexpr int steps = 200000;
  double x = 0, v = 0;
  const double h = duration / steps;
  for (int k = 1; k <= steps; ++k) {
    // v + h Σ μN Sign(v − u) ∋ v0 grows with v: the largest of the least v that satisfy it with each plate and those
    // faster
    std::vector<std::pair<double, double>> pulls;  // u, hμN
    double below = v;
    for (std::size_t i = 0; i < plates.size(); ++i)
      pulls.emplace_back(plates[i].speed(k * h), h * plates[i].friction * pressed[i]), below += pulls.back().second;
    std::sort(pulls.begin(), pulls.end());
    double next = below;
    for (const auto& [u, pull] : pulls) {
      if (next <= u) break;                  // slower than this plate
      next = std::fmax(u, next - 2 * pull);  // carried by it, or faster
    }
    v = next;
    x += h * v;
  }
  return {x, v};
}

Model beam(const std::vector<Plate>& plates) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y"), theta = m.coordinate("theta");
  m.lagrangian = (square(dot(x)) + square(dot(y)) + 0.1 * square(dot(theta))) / 2 - 9.81 * y;
  for (const Plate& p : plates) {
    const Expr X = x + p.lever * cos(theta), Y = y + p.lever * sin(theta);
    m.contacts.push_back(rough(m, "foot " + std::to_string(m.contacts.size()), Y,
                               {X - p.amplitude * (sin(p.rate * m.time() + p.phase) - std::sin(p.phase)), Y},
                               p.friction));
  }
  return m;
}

TEST(MovingObstacles, ABeamOnTwoPlatesSticksToOneAtMost) {
  std::mt19937 engine(3);
  const auto real = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine); };
  const double duration = 1;
  for (int trial = 0; trial < 12; ++trial) {
    std::vector<Plate> plates{{-real(0.2, 0.6), real(0.1, 0.8), real(0.02, 0.1), real(2, 9), real(0, 6)},
                              {real(0.2, 0.6), real(0.1, 0.8), real(0.02, 0.1), real(2, 9), real(0, 6)}};
    if (trial % 3 == 0) plates[0].amplitude = 0;                                   // the ground
    if (trial % 3 == 1) plates[0].phase = plates[1].phase = std::numbers::pi / 2;  // all start from rest
    const double width = plates[1].lever - plates[0].lever;
    const std::vector<double> pressed{9.81 * plates[1].lever / width, -9.81 * plates[0].lever / width};
    const std::vector<double> truth = shaken(plates, pressed, duration);
    const Model m = beam(plates);
    const auto error = [&](const IntegratorOptions& options) {
      Flight flight(m, options, {0, 0, 0}, {0, 0, 0});
      flight.work->scalars.assign(RunningScalars(m).names.size(), 0.0);
      while (flight.k * flight.h < duration * (1 - 1e-9)) flight.step();
      double left = flight.energy();  // of the balance
      for (const double scalar : flight.work->scalars) left -= scalar;
      // forces jump where a plate is met: O(h²) at each of some ten times
      const double of_step = options.method == "reference" ? 1e-9 : 100 * options.step * options.step;
      EXPECT_LE(std::abs(left), of_step) << options.method << trial;
      return std::fmax(std::abs(flight.state.q[0] - truth[0]), std::abs(flight.state.p[0] - truth[1]));
    };
    const double exact = 1e-4;  // of the truth: h of its steps times forces
    EXPECT_LE(error({.method = "reference", .discretization = "", .step = 0.01, .parameters = {}}), exact) << trial;
    for (const Way& way : ways)
      for (const double h : {0.01, 0.0025}) EXPECT_LE(error(with(way, h)), exact + 100 * h * h) << way.rule << trial;
  }
}

// A table with two legs on rough ground and two on a plate that shakes, less rough: it does not move, and rubs on the
// plate with two quarters of its weight.
TEST(MovingObstacles, ATableBesideAPlateThatShakes) {
  const double duration = 1, rate = 4, amplitude = 0.05, friction = 0.2;
  for (const bool ground_first : {false, true}) {
    RoughBody body = four_legs(0.4, 0.3, 0.1, 0.8, 0, 0, 9.81);
    Model& m = body.model;
    for (std::size_t k = 0; k < 4; ++k)
      if ((k < 2) != ground_first) {
        m.contacts[k].friction = m.graph->constant(friction);
        m.contacts[k].point[0] = m.contacts[k].point[0] - amplitude * sin(rate * m.time());
      }
    for (const Way& way : {Way{"reference", ""}, ways[0], ways[1], ways[3]}) {
      Flight flight(m, with(way, 0.01), body.q, std::vector<double>(body.q.size(), 0.0));
      const std::vector<std::string> names = RunningScalars(m).names;
      flight.work->scalars.assign(names.size(), 0.0);
      for (int k = 0; k < 100; ++k) flight.step();
      for (std::size_t i = 0; i < body.q.size(); ++i)
        EXPECT_NEAR(flight.state.q[i], body.q[i], 1e-12) << way.method << " " << i;
      // the way of sin(4t) up to 1 is 1 + (1 − sin 4); it turns once, where a step may miss its square
      const double loss = -friction * 9.81 / 2 * amplitude * (2 - std::sin(rate * duration));
      const auto rubbed = std::find(names.begin(), names.end(), "loss.friction") - names.begin();
      EXPECT_NEAR(flight.work->scalars[rubbed], loss, way.rule[0] == 0 ? 1e-9 : std::pow(rate * 0.01, 2) * amplitude)
          << way.method;
    }
  }
}

}  // namespace
}  // namespace ricochet::moving_obstacles_test
