// Systems that nobody chose: random stacks on tables that shake, tables on legs in space, polygons, with friction in
// every contact, with tiny and with huge steps, against the reference solution and the balance of energy.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "ricochet/error.hpp"
#include "ricochet/methods/running_scalars.hpp"
#include "support/flight.hpp"
#include "support/rough.hpp"

namespace ricochet::lasting_adversary_test {
namespace {

IntegratorOptions with(const std::string& method, double h) {
  return {.method = method, .discretization = method == "reference" ? "" : "midpoint", .step = h, .parameters = {}};
}

struct End {
  State state;
  double unexplained = 0;  // change of energy − works and losses
  double gap = 0;
};

End run(const RoughBody& body, const std::string& method, double h, double duration) {
  Flight flight(body.model, with(method, h), body.q, body.v);
  flight.work->scalars.assign(RunningScalars(body.model).names.size(), 0.0);
  const double start = flight.energy();
  double sum = 0;
  const int steps = static_cast<int>(std::lround(duration / h));
  for (int k = 0; k < steps; ++k) {
    flight.step();
    for (const Impact& impact : flight.work->impacts) sum += impact.loss + impact.obstacle_work;
  }
  for (const double scalar : flight.work->scalars) sum += scalar;
  return {flight.state, flight.energy() - start - sum, flight.work->gap_min};
}

double distance(const State& a, const State& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.q.size(); ++i) largest = std::fmax(largest, std::abs(a.q[i] - b.q[i]));
  return largest;
}

RoughBody random_stack(int seed) {
  std::mt19937 engine(seed);
  const auto real = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine); };
  Stack s;
  for (int i = 0; i < 2 + seed % 2; ++i) {
    s.a.push_back(real(0.2, 0.5)), s.b.push_back(real(0.05, 0.3));
    s.offset.push_back(real(-0.15, 0.15)), s.mass.push_back(std::exp(real(-1.5, 1.5)));
  }
  s.slope = real(-0.3, 0.3), s.friction = real(0.05, 0.8), s.e = std::fmax(0, real(-0.3, 0.3));
  const double A = real(0, 0.02), w = real(3, 25), B = seed % 3 == 0 ? real(0, 0.02) : 0, w2 = real(3, 25);
  return stack(s, [&](Expr t) { return std::pair{A * (1 - cos(w * t)), B * (1 - cos(w2 * t))}; });
}

// Blocks slip, tip, stick and are thrown. 70 of them agreed within this, by hand; order 2. RICOCHET_LONG: 40.
TEST(LastingAdversary, StacksOnShakingTables) {
  const int stacks = std::getenv("RICOCHET_LONG") != nullptr ? 40 : 3;
  for (int seed = 0; seed < stacks; ++seed) {
    const RoughBody body = random_stack(seed);
    const End mine = run(body, "variational-collision", 0.002, 0.3), truth = run(body, "reference", 0.002, 0.3);
    EXPECT_LE(distance(mine.state, truth.state), 2e-3) << seed;
    EXPECT_LE(std::abs(mine.unexplained), 1e-2) << seed;
    EXPECT_LE(std::abs(truth.unexplained), 1e-6) << seed;
    EXPECT_GE(mine.gap, -1e-12) << seed;
  }
}

// Four legs slide and stop as one: the motion is determined although the forces are not.
TEST(LastingAdversary, LegsThatSlideWithoutTurning) {
  for (int seed = 0; seed < 3; ++seed) {
    std::mt19937 engine(seed);
    const auto real = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine); };
    const double slope = real(0, 0.6), turn = real(0, 6.28), g = 9.81;
    RoughBody body =
        four_legs(real(0.2, 0.6), real(0.2, 0.6), real(0.05, 0.15), real(0.1, 0.8),
                  g * std::sin(slope) * std::cos(turn), g * std::sin(slope) * std::sin(turn), g * std::cos(slope));
    body.v = {real(-1, 1), real(-1, 1), 0, 0, 0, 0};
    const End mine = run(body, "variational-collision", 0.002, 0.3), truth = run(body, "reference", 0.002, 0.3);
    EXPECT_LE(distance(mine.state, truth.state), 2e-3) << seed;
    EXPECT_LE(std::abs(mine.unexplained), 1e-4) << seed;
    EXPECT_LE(std::abs(truth.unexplained), 1e-8) << seed;
  }
}

// A table dropped on its legs, one after the other. (Once a leg that was left and came back at the same instant was
// taken to stick though it slid: 0.06 of the energy vanished without a word.)
TEST(LastingAdversary, LegsThatFall) {
  for (int seed = 100; seed < 130; seed += 10) {
    std::mt19937 engine(seed);
    const auto real = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine); };
    const double slope = real(0, 0.6), turn = real(0, 6.28), g = 9.81;
    RoughBody body =
        four_legs(real(0.2, 0.6), real(0.2, 0.6), real(0.1, 0.5), real(0.1, 0.8), g * std::sin(slope) * std::cos(turn),
                  g * std::sin(slope) * std::sin(turn), g * std::cos(slope));
    body.v = {real(-1, 1), real(-1, 1), 0, 0, 0, 0};
    body.q[2] += 0.12 + real(0, 0.05), body.q[3] = real(-0.1, 0.1), body.q[4] = real(-0.1, 0.1);
    const End mine = run(body, "variational-collision", 0.002, 0.3), truth = run(body, "reference", 0.002, 0.3);
    EXPECT_LE(distance(mine.state, truth.state), 2e-3) << seed;
    EXPECT_LE(std::abs(mine.unexplained), 1e-4) << seed;
    EXPECT_LE(std::abs(truth.unexplained), 1e-5) << seed;  // loss of a slip that turns as it ends, by quadrature
  }
}

// Friction in the nonholonomic methods: the same code in other steps, of order 1 and 2.
TEST(LastingAdversary, NonholonomicMethodsRubToo) {
  for (int seed = 0; seed < 8; ++seed) {
    std::mt19937 engine(seed);
    const RoughBody body = random_rough_body(engine, 0.02);
    const End truth = run(body, "reference", 0.001, 0.3);
    for (const char* method : {"nonholonomic-collision", "nonholonomic-symmetric"}) {
      const End mine = run(body, method, 0.001, 0.3);
      EXPECT_LE(distance(mine.state, truth.state), 2e-3) << method << seed;
      EXPECT_LE(std::abs(mine.unexplained), 1e-2) << method << seed;
    }
  }
}

// Known: four rigid legs that turn while they slide rub in different directions, and how the weight is shared decides
// how they are slowed down. Rigid bodies leave that open; the two methods choose differently, each within the laws.
TEST(LastingAdversary, LegsThatTurnAreNotDetermined) {
  RoughBody body = four_legs(0.5, 0.3, 0.4, 0.4, 0, 0, 9.81);
  body.v = {1, 0.4, 0, 0, 0, 2};
  for (const char* method : {"variational-collision", "reference"}) {
    const End end = run(body, method, 0.002, 0.2);
    EXPECT_LE(std::abs(end.unexplained), 1e-4) << method;
    EXPECT_LE(std::abs(end.state.q[2] - 0.4), 1e-9) << method;
    EXPECT_LT(end.state.p[5], 2 * 0.1) << method << ": the spin is slowed down";
    EXPECT_LT(std::hypot(end.state.p[0], end.state.p[1]), std::hypot(1, 0.4)) << method;
  }
}

// Steps from a millionth to a tenth of a second: no failure, no gap below round-off, no energy from nowhere. A body
// that turns by a third of a circle in one step may have no such step (5 of 100 at 0.3): then that is said.
TEST(LastingAdversary, TinyAndHugeSteps) {
  int unsolved = 0;
  for (const double h : {1e-6, 1e-4, 0.03, 0.1, 0.3})
    for (int seed = 0; seed < 12; ++seed) {
      std::mt19937 engine(100 + seed);
      const RoughBody body = random_rough_body(engine, 0);
      Flight flight(body.model, with("variational-collision", h), body.q, body.v);
      const double start = flight.energy();
      try {
        for (int k = 0; k < 100; ++k) flight.step();
      } catch (const SolverError& error) {
        EXPECT_EQ(h, 0.3) << seed << ": " << error.what();
        EXPECT_NE(error.advice.find("smaller integrator.step"), std::string::npos);
        ++unsolved;
      }
      EXPECT_GE(flight.work->gap_min, -1e-12) << h << " " << seed;
      // a pendulum on a corner with h√(g/r) up to 2: the energy of the midpoint rule is bounded, not constant
      EXPECT_LE(flight.energy(), start + (h > 0.01 ? 0.5 : 1e-4) * std::abs(start) + 1e-6) << h << " " << seed;
    }
  EXPECT_LE(unsolved, 3);
}

}  // namespace
}  // namespace ricochet::lasting_adversary_test
