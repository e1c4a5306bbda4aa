#include "ricochet/design/shooting.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ricochet/error.hpp"
#include "shots.hpp"

namespace ricochet::shooting_test {
namespace {

using Status = ShootingSolution::Status;

// The trapezoidal rule is exact for linear gravity: the numbers are those of the closed form
// (scenarios/expected_design.py).
TEST(Shooting, CircleToAPointAtAnAngle) {
  ShootingProblem problem = circle();
  const ShootingSolution solution = solve(problem);
  ASSERT_EQ(solution.status, Status::solved) << solution.message;
  EXPECT_LE(solution.iterations, 6);
  EXPECT_NEAR(solution.unknowns[0], 1.954131961894, 1e-11);
  EXPECT_NEAR(solution.unknowns[1], 2.744429844883, 1e-11);
  EXPECT_NEAR(solution.unknowns[2], 1.586382117713, 1e-11);
  for (const double r : solution.residuals) EXPECT_LE(std::abs(r), 1e-10);
  EXPECT_EQ(problem.shot.theta(), solution.unknowns);
}

TEST(Shooting, EllipseWithATurn) {
  ShootingProblem problem = ellipse();
  const ShootingSolution solution = solve(problem);
  ASSERT_EQ(solution.status, Status::solved) << solution.message;
  const double expected[] = {2.1120051283, 2.7458067864, 2.1159162037, 1.5621018649};  // 10 digits
  for (int j = 0; j < 4; ++j) EXPECT_NEAR(solution.unknowns[j], expected[j], 1e-9);
  for (const double r : solution.residuals) EXPECT_LE(std::abs(r), 1e-9);
}

TEST(Shooting, PerturbedStartsConvergeOrNameTheSequence) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> part(-0.05, 0.05);
  for (const bool turning : {false, true}) {
    int solved = 0;
    for (int k = 0; k < 40; ++k) {
      const auto near = [&](double x) { return x * (1 + part(random)); };
      ShootingProblem problem =
          turning ? ellipse(near(2), near(3), near(2), near(1.66)) : circle(near(2), near(3), near(1.5));
      const ShootingSolution solution = solve(problem);
      solved += solution.status == Status::solved;
      const bool named = solution.message.find("the sequence of impacts changes: impact") != std::string::npos;
      EXPECT_TRUE(solution.status == Status::solved || named) << solution.message;
    }
    EXPECT_GE(solved, 36) << turning;
  }
}

// Lengths and times by powers of two: the same bits.
TEST(Shooting, HasNoUnits) {
  ShootingProblem problem = circle(), scaled = circle(2, 3, 1.5, 0.01, 8, 0.25);
  const ShootingSolution a = solve(problem), b = solve(scaled);
  ASSERT_EQ(a.status, Status::solved);
  ASSERT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.unknowns[0] * 32, b.unknowns[0]);
  EXPECT_EQ(a.unknowns[1] * 32, b.unknowns[1]);
  EXPECT_EQ(a.unknowns[2] * 0.25, b.unknowns[2]);
  EXPECT_EQ(a.residual, b.residual);
}

TEST(Shooting, TheFirstDifferenceOfASequenceIsNamed) {
  ShootingProblem problem = circle();
  problem.impacts = {{"wall", "floor"}};
  const ShootingSolution solution = solve(problem);
  EXPECT_EQ(solution.status, Status::failed);
  EXPECT_NE(solution.message.find("impact 1 should be on wall, but is on floor at t = 0.8"), std::string::npos)
      << solution.message;
  EXPECT_EQ(solution.residuals.size(), 3u);
  problem.impacts = {{"floor"}};
  EXPECT_NE(solve(problem).message.find("impact 2 is on wall"), std::string::npos);
  problem.impacts = {{"floor", "wall", "floor"}};
  EXPECT_NE(solve(problem).message.find("impact 3 should be on floor, but the motion has only 2"), std::string::npos);
}

// Of the ways to the point without a direction the one nearest to the guess, in sizes of the unknowns, to first order:
// no other solution found by a step in the null space is shorter by more than the curvature of the set.
TEST(Shooting, FewerConditionsThanUnknowns) {
  ShootingProblem problem = circle();
  problem.conditions.pop_back();
  const ShootingSolution solution = solve(problem);
  ASSERT_EQ(solution.status, Status::solved) << solution.message;
  EXPECT_EQ(solution.rank, 2);
  for (const double r : solution.residuals) EXPECT_LE(std::abs(r), 1e-10);
  EXPECT_LT(std::abs(solution.unknowns[0] - 2), 0.1);
}

// Four conditions that contradict each other, three unknowns: the squares are smallest where Jᵀr = 0.
TEST(Shooting, MoreConditionsThanUnknowns) {
  ShootingProblem problem = circle();
  problem.conditions.push_back({"higher", problem.conditions[1].formula - 0.01});
  const ShootingSolution solution = solve(problem);
  ASSERT_EQ(solution.status, Status::solved) << solution.message;
  const Course course = fly(problem.shot, Derivatives::steps);
  const Sensitivity s = sensitivity_forward(problem.shot, course, problem.conditions);
  EXPECT_LE((s.by_theta.transpose() * s.values).norm(), 1e-10);
  EXPECT_NEAR(s.values[1], 0.005, 1e-9);
  EXPECT_NEAR(s.values[3], -0.005, 1e-9);
}

TEST(Shooting, WhatCannotBeReachedIsSaidWithItsResiduals) {
  ShootingProblem problem = circle();
  problem.conditions[0].formula = problem.shot.model.q()[1] + 0.5;  // below the floor
  problem.max_iterations = 30;
  const ShootingSolution solution = solve(problem);
  EXPECT_EQ(solution.status, Status::failed);
  EXPECT_FALSE(solution.message.empty());
  EXPECT_EQ(solution.residuals.size(), 3u);
  EXPECT_EQ(solution.unknowns.size(), 3u);
}

TEST(Shooting, AConditionThatNothingChangesIsNamed) {
  ShootingProblem problem = circle();
  problem.conditions[1] = {"nothing", problem.shot.model.graph->constant(2)};
  const ShootingSolution solution = solve(problem);
  EXPECT_EQ(solution.status, Status::failed);
  EXPECT_EQ(solution.iterations, 0);
  EXPECT_NE(solution.message.find("nothing depends on no unknown"), std::string::npos) << solution.message;
}

// As high as can be: the height has no derivative by T there, a double root. T is known to the root of the tolerance:
// g (T − v/g)²/2 <= 1e-12 of the terms of the condition, which are below 3.
TEST(Shooting, FarthestShot) {
  const Ball ball{.v0 = 3, .T = 0.25};
  const double top = 1 + 9 / (2 * ball.g);
  ShootingProblem problem;
  problem.shot = ball.shot();
  problem.unknowns = {{"duration", 4}};
  problem.conditions = {{"height", problem.shot.model.q()[0] - top}};
  const ShootingSolution solution = solve(problem);
  ASSERT_EQ(solution.status, Status::solved) << solution.message;
  EXPECT_NEAR(solution.unknowns[0], 3 / ball.g, std::sqrt(2 * 3e-12 / ball.g));

  problem.shot = ball.shot();
  problem.conditions = {{"height", problem.shot.model.q()[0] - 1.001 * top}};
  const ShootingSolution beyond = solve(problem);
  EXPECT_EQ(beyond.status, Status::failed);
  EXPECT_NE(beyond.message.find("in reach"), std::string::npos) << beyond.message;
  EXPECT_TRUE(std::isfinite(beyond.residual));
  EXPECT_LT(beyond.residuals[0], 0);
}

// A condition that no unknown changes at the solution (a pendulum turns: its angle has no derivative by the period)
// does not make the residual large.
TEST(Shooting, ResidualOfAConditionAtItsTurningPoint) {
  ShootingProblem problem;
  Shot& shot = problem.shot;
  const Expr a = shot.model.coordinate("a");
  formula::Graph& graph = *shot.model.graph;
  shot.model.lagrangian = square(dot(a)) / 2 + 9.81 * cos(a);
  shot.position = {graph.constant(1)};
  shot.velocity = {graph.constant(0)};
  graph.parameter("duration", 2);
  shot.duration = 0;
  shot.integrator.method = "variational";
  shot.integrator.step = 0.01;
  shot.run = {.start = 0, .step = 0.01, .duration = 2};
  problem.unknowns = {{"duration", 0}};
  problem.conditions = periodic_conditions(shot, {0});
  const ShootingSolution solution = solve(problem);
  ASSERT_EQ(solution.status, Status::solved) << solution.message;
  // 4K(sin ½)/√g, the trapezoidal rule being of order 2: (ωh)²/24 of it at most, ω = √g
  EXPECT_NEAR(solution.unknowns[0], 2.1391376005586884, 9.81e-4 / 24 * 2.14);
  EXPECT_LE(solution.residual, 1e-9);
}

// v = √θ has a pole of its derivative at θ = 0, where Newton's step towards a negative v is stopped: no residual is
// small there.
TEST(Shooting, APoleOfTheDerivativeIsNoSolution) {
  ShootingProblem problem;
  Shot& shot = problem.shot;
  const Expr x = shot.model.coordinate("x");
  formula::Graph& graph = *shot.model.graph;
  shot.model.lagrangian = square(dot(x)) / 2;
  shot.position = {graph.constant(0)};
  shot.velocity = {sqrt(graph.parameter("a", 1))};
  shot.integrator.method = "variational";
  shot.integrator.step = 0.1;
  shot.run = {.start = 0, .step = 0.1, .duration = 1};
  problem.unknowns = {{"a", 0, 1e-26}};
  problem.conditions = {{"behind the start", x + 3}};
  const ShootingSolution solution = solve(problem);
  EXPECT_EQ(solution.status, Status::failed);
  EXPECT_GT(solution.residual, 1e-3);
}

TEST(Shooting, AGuessInsideAContactIsNoStart) {
  ShootingProblem problem = circle();
  problem.shot.position[1] = problem.shot.model.graph->constant(0.1);
  EXPECT_THROW(solve(problem), ModelError);
}

TEST(Shooting, BoundsHold) {
  ShootingProblem problem = circle();
  problem.unknowns[2].max = 1.55;  // the solution is beyond
  const ShootingSolution solution = solve(problem);
  EXPECT_EQ(solution.status, Status::failed);
  for (const Iterate& it : solution.history) EXPECT_LE(it.unknowns[2], 1.55);
  EXPECT_LT(solution.iterations, problem.max_iterations);
  EXPECT_NE(solution.message.find("duration is at its bound 1.55"), std::string::npos) << solution.message;
  EXPECT_TRUE(std::isfinite(solution.residual));
}

// What is kept of a problem whose easier one was not solved is the guess, with the residuals of the problem itself.
TEST(Shooting, AnEasierProblemThatFails) {
  ShootingProblem problem;
  problem.shot = Ball{.v0 = 3, .T = 0.25}.shot();
  problem.unknowns = {{"v0", 3}};
  problem.conditions = {{"height", problem.shot.model.q()[0] + 2}};  // below the floor
  problem.from = {{"g", 0, 5.0}};
  const ShootingSolution solution = solve(problem);
  EXPECT_EQ(solution.status, Status::failed);
  EXPECT_EQ(solution.unknowns[0], 3);
  EXPECT_NEAR(solution.residuals[0], 3 + 3 * 0.25 - 9.81 / 2 * 0.0625, 1e-12);
  EXPECT_EQ(problem.shot.theta()[0], 9.81);
}

// Conditions at impacts: to hit the wall at a height, with a given speed after it.
TEST(Shooting, ConditionsAtImpacts) {
  ShootingProblem problem = circle();
  const Expr y = problem.shot.model.q()[1], vx = problem.shot.model.v()[0];
  problem.conditions = {{"height at the wall", y - 0.9, 2}, {"speed after", vx + 1.8, 2, true}};
  problem.unknowns.pop_back();  // T stays
  const ShootingSolution solution = solve(problem);
  ASSERT_EQ(solution.status, Status::solved) << solution.message;
  EXPECT_NEAR(solution.unknowns[0], 1.8, 1e-12);
  const Course course = fly(problem.shot, Derivatives::none);
  EXPECT_NEAR(course.impacts[1].q[1], 0.9, 1e-11);
}

// From half the gravity to all of it.
TEST(Shooting, FollowsAnEasierProblem) {
  ShootingProblem problem = circle();
  Model& model = problem.shot.model;
  const Expr x = model.q()[0], y = model.q()[1];
  const Expr g = model.graph->parameter("parameters.g", 9.81);
  model.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - g * y;
  problem.from = {{"parameters.g", 3, 5.0}};
  model.graph->set_parameter(0, 1.6);
  model.graph->set_parameter(1, 1.0);
  model.graph->set_parameter(2, 1.9);
  const ShootingSolution solution = solve(problem);
  ASSERT_EQ(solution.status, Status::solved) << solution.message;
  EXPECT_NEAR(solution.unknowns[0], 1.954131961894, 1e-10);
  EXPECT_NEAR(solution.unknowns[1], 2.744429844883, 1e-10);
  EXPECT_EQ(problem.shot.theta()[3], 9.81);
  EXPECT_EQ(solution.history.front().share, 0);
  EXPECT_EQ(solution.history.back().share, 1);
}

// The multiplier reaches −1 at Γ = 1.52682 (six digits), and their product is e².
TEST(Shooting, MultipliersOfTheDrivenBall) {
  for (const double gamma : {1.1, 1.3, 1.526815, 1.526825}) {
    ShootingProblem problem = driven_ball(gamma);
    const ShootingSolution solution = solve(problem);
    ASSERT_EQ(solution.status, Status::solved) << gamma << " " << solution.message;
    ASSERT_EQ(solution.floquet.size(), 2u);
    EXPECT_NEAR(std::abs(solution.floquet[0] * solution.floquet[1] - 0.25), 0, 1e-12);
    if (gamma > 1.5) {
      EXPECT_EQ(solution.floquet[0].real() < -1, gamma > 1.52682) << solution.floquet[0];
      EXPECT_NEAR(solution.floquet[0].real(), -1, 5e-5);
    }
  }
}

TEST(Shooting, InterruptedKeepsTheBestIterate) {
  ShootingProblem problem = circle();
  std::atomic<bool> stop{false};
  SolveControl control{.stop = &stop, .progress = [&](const Iterate& it) { stop = it.number == 2; }};
  const ShootingSolution solution = solve(problem, control);
  EXPECT_EQ(solution.status, Status::interrupted);
  EXPECT_EQ(solution.history.size(), 3u);
  EXPECT_EQ(solution.unknowns, solution.history.back().unknowns);
  EXPECT_EQ(solution.residual, solution.history.back().residual);
  EXPECT_EQ(problem.shot.theta(), solution.unknowns);
}

TEST(Shooting, RefusesWhatHasNoDerivative) {
  const auto key = [](const ShootingProblem& given) -> std::string {
    ShootingProblem problem = given;
    try {
      solve(problem);
    } catch (const ModelError& error) {
      return error.key;
    }
    return "";
  };
  ShootingProblem problem = circle();
  problem.shot.integrator.parameters.clear();  // discrete by default
  EXPECT_EQ(key(problem), "integrator.impact_energy");
  problem.shot.integrator.method = "reference";
  EXPECT_EQ(key(problem), "integrator.method");
  problem = circle();
  problem.shot.integrator.backward = true;
  EXPECT_EQ(key(problem), "run.direction");
}

}  // namespace
}  // namespace ricochet::shooting_test
