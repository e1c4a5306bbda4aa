// Corners, thin obstacles and what must fail clearly.

#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/error.hpp"
#include "ricochet/mechanics/gaps.hpp"
#include "support/flight.hpp"
#include "support/models.hpp"

namespace ricochet::corners_test {
namespace {

// A free particle with masses (1, m) and the given contacts.
template <class MakeContacts>
Model free_particle(double m, const MakeContacts& contacts) {
  Model model;
  const Expr x = model.coordinate("x"), y = model.coordinate("y");
  model.lagrangian = square(dot(x)) / 2 + m / 2 * square(dot(y));
  model.contacts = contacts(x, y);
  return model;
}

const auto two_walls = [](Expr x, Expr y) {
  return std::vector<Contact>{{.name = "floor", .gap = y}, {.name = "wall", .gap = x}};
};
const auto inner_corner = [](Expr x, Expr y) { return std::vector<Contact>{{.name = "corner", .gap = min(x, y)}}; };
const auto sharp_wedge = [](Expr x, Expr y) {
  return std::vector<Contact>{{.name = "a", .gap = y}, {.name = "b", .gap = 2 * x - y}};
};
const auto reentrant = [](Expr x, Expr y) { return std::vector<Contact>{{.name = "corner", .gap = max(x, y)}}; };

double kinetic(const State& s, double m) { return s.p[0] * s.p[0] / 2 + s.p[1] * s.p[1] / (2 * m); }

TEST(Corners, ExactCornerOfTwoWallsReversesTheVelocity) {
  for (const double m : {1.0, 4.0})
    for (const bool one_gap : {false, true})
      for (const char* energy : {"discrete", "continuous"}) {
        const Model model = one_gap ? free_particle(m, inner_corner) : free_particle(m, two_walls);
        Flight run(model, collision(0.03125, "trapezoidal", energy), {0.5, 1}, {-1, -2});
        for (int k = 0; k < 32; ++k) run.step();
        // t = 1: the corner was met at t = 0.5 exactly (all numbers are binary fractions); orthogonal normals in any
        // diagonal metric
        EXPECT_NEAR(run.state.q[0], 0.5, 1e-13);
        EXPECT_NEAR(run.state.q[1], 1.0, 1e-13);
        EXPECT_NEAR(run.state.p[0], 1, 1e-13);
        EXPECT_NEAR(run.state.p[1], 2 * m, 1e-13);
        EXPECT_EQ(run.work->counters[1], 1);  // one impact with two pieces
      }
}

TEST(Corners, SharpWedgeUsesTheConeInTheMassMetric) {
  // Normals (0,1) and (2,−1) in the metric diag(1,m). Moreau: v⁺ = v⁻ + M⁻¹Σ y_i n_i, y >= 0 complementary: checked by
  // its conditions.
  for (const double m : {1.0, 3.0}) {
    Flight run(free_particle(m, sharp_wedge), collision(0.0625), {1, 1}, {-1, -1});
    const double before = kinetic(run.state, m);
    std::vector<double> p_minus = run.state.p;
    for (int k = 0; k < 32; ++k) {
      run.step();
      if (!run.work->impacts.empty()) break;
      p_minus = run.state.p;
    }
    ASSERT_EQ(run.work->impacts.size(), 1u);
    EXPECT_NEAR(kinetic(run.state, m), before, 1e-13);
    const double v[2] = {run.state.p[0], run.state.p[1] / m};
    const double impulse[2] = {run.state.p[0] - p_minus[0], run.state.p[1] - p_minus[1]};
    const double y_b = impulse[0] / 2, y_a = impulse[1] + y_b;  // impulse = y_a (0,1) + y_b (2,−1)
    EXPECT_GE(y_a, -1e-13);
    EXPECT_GE(y_b, -1e-13);
    EXPECT_GE(v[1], -1e-13);  // leaves both walls
    EXPECT_GE(2 * v[0] - v[1], -1e-13);
  }
}

TEST(Corners, ReentrantCorner) {
  // Admissible: max(x,y) >= 0. At the exact corner both normals span the cone; the velocity is reversed.
  Flight exact(free_particle(1, reentrant), collision(0.03125), {0.5, 0.5}, {-1, -1});
  for (int k = 0; k < 32; ++k) exact.step();
  EXPECT_NEAR(exact.state.q[0], 0.5, 1e-13);
  EXPECT_NEAR(exact.state.p[0], 1, 1e-13);
  EXPECT_NEAR(exact.state.p[1], 1, 1e-13);
  // Just above the corner the path x < 0, y > 0 is free, until the face y = 0 is met.
  Flight above(free_particle(1, reentrant), collision(0.03), {0.5, 0.75}, {-1, -1});
  int impacts = 0;
  for (int k = 0; k < 40; ++k) {
    above.step();
    impacts += static_cast<int>(above.work->impacts.size());
    EXPECT_GE(std::fmax(above.state.q[0], above.state.q[1]), -1e-13);
  }
  EXPECT_EQ(impacts, 1);
  EXPECT_NEAR(above.state.p[0], -1, 1e-13);  // only the face y = 0 acted
  EXPECT_NEAR(above.state.p[1], 1, 1e-13);
  // Through the quadrant corner and out: both coordinates change sign one after the other without touching.
  Flight past(free_particle(1, reentrant), collision(0.03), {0.5, -0.2}, {-1, 1});
  for (int k = 0; k < 40; ++k) {
    past.step();
    EXPECT_TRUE(past.work->impacts.empty());
  }
}

TEST(Corners, ApproachedFromEitherFaceNearTheCorner) {
  // Distances from 1e-12 to 1e-6 to either side of the corner, also below eps_g: never a NaN, never inadmissible,
  // energy kept.
  for (const double offset : {1e-12, 1e-10, 1e-8, 1e-6, -1e-12, -1e-10, -1e-8, -1e-6})
    for (const bool outer : {false, true}) {
      const Model model = outer ? free_particle(2, reentrant) : free_particle(2, inner_corner);
      Flight run(model, collision(0.0304), {1, 1 + offset}, {-1, -1});
      Gaps gaps(*run.system);
      for (int k = 0; k < 60; ++k) {
        run.step();
        gaps.evaluate(run.state.q.data(), 0);
        EXPECT_GE(gaps.minimum(), -1e-9);
        EXPECT_NEAR(kinetic(run.state, 2), 1.5, 1e-12);
      }
    }
}

TEST(Corners, ThinObstacleIsNotTunnelled) {
  // A disc of radius 1e-4 in the way of a particle that moves 10 000 radii in a step.
  const auto disc = [](Expr x, Expr y) {
    return std::vector<Contact>{{.name = "disc", .gap = sqrt(square(x) + square(y)) - 1e-4}};
  };
  for (const char* rule : {"trapezoidal", "midpoint", "galerkin"}) {
    Flight run(free_particle(1, disc), collision(0.01, rule), {0.5, 0.0}, {-100, 0});
    run.step();
    ASSERT_EQ(run.work->impacts.size(), 1u) << rule;
    EXPECT_NEAR(run.work->impacts[0].alpha, 0.4999, 1e-12);
    EXPECT_NEAR(run.state.p[0], 100, 1e-9);
  }
}

TEST(Corners, GapWithoutSlopeIsAClearFailure) {
  Flight run(free_particle(1, [](Expr x, Expr) { return std::vector<Contact>{{.name = "flat", .gap = x * x * x}}; }),
             collision(0.03125), {0.125, 0}, {-1, 0});  // all binary fractions: met at x = 0 exactly
  try {
    for (int k = 0; k < 20; ++k) run.step();
    FAIL() << "expected a failure";
  } catch (const SolverError& error) {
    EXPECT_NE(std::string(error.what()).find("flat"), std::string::npos);
    EXPECT_FALSE(error.advice.empty());
  }
}

TEST(Corners, EndlessImpactsInOneStepAreAClearFailure) {
  // A slot that closes: the ball between a fixed and an approaching wall is hit ever more often.
  Model m;
  const Expr x = m.coordinate("x");
  m.lagrangian = square(dot(x)) / 2;
  m.contacts = {{.name = "left", .gap = x}, {.name = "right", .gap = 1 - m.time() - x}};
  Flight run(m, collision(0.05), {0.5}, {0.3});
  const State start = run.state;
  try {
    for (int k = 0; k < 20; ++k) run.step();
    FAIL() << "expected a failure";
  } catch (const SolverError& error) {
    EXPECT_NE(std::string(error.what()).find("impacts in one step"), std::string::npos);
    EXPECT_GT(run.state.t, 0.8);
  }
}

}  // namespace
}  // namespace ricochet::corners_test
