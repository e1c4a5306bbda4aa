// The problem of EQUATIONS E, and what Pontryagin's principle says of any optimum.

#include "ricochet/design/optimal_control.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "control_problems.hpp"
#include "ricochet/design/replay.hpp"
#include "ricochet/error.hpp"

namespace ricochet::optimal_control_test {

namespace {

ControlSolution solved(const ControlProblem& problem) {
  ControlSolution solution = solve(problem);
  EXPECT_EQ(solution.status, ControlSolution::Status::solved) << solution.message;
  EXPECT_LE(solution.kkt, 1e-8);
  return solution;
}

constexpr double J_star = 11.6173561111;  // EQUATIONS E

// Each arc is a cubic, so the cost is a function of the point and time of impact alone: the facts of EQUATIONS E have
// four digits, Richardson's value is as good as the next term, O(N^-4).
TEST(OptimalControl, BounceWithLeastEffort) {
  const double expected[] = {11.8018, 11.6629, 11.6287};
  double cost[3];
  for (int k = 0; k < 3; ++k) {
    cost[k] = solved(bounce(1, 4 << k)).cost;
    EXPECT_NEAR(cost[k], expected[k], 1e-4) << (8 << k) << " intervals";
  }
  EXPECT_NEAR((4 * cost[2] - cost[1]) / 3, J_star, 1e-4);
  EXPECT_NEAR(std::log2((cost[1] - J_star) / (cost[2] - J_star)), 2, 0.05);
}

// The trapezoidal rule gives the same equations for constant forces, galerkin other ones with the same limit.
TEST(OptimalControl, AllDiscretizations) {
  EXPECT_NEAR(solved(bounce(1, 8, "trapezoidal")).cost, 11.6629, 1e-4);
  const double a = solved(bounce(1, 8, "galerkin")).cost, b = solved(bounce(1, 16, "galerkin")).cost;
  EXPECT_NEAR((4 * b - a) / 3, J_star, 1e-4);
}

// From a guess of the impact time that is 30 % off, in both directions.
TEST(OptimalControl, FindsTheTimeOfImpact) {
  const ControlSolution right = solved(bounce(0.8, 16));
  const double t = right.trajectory.times[1];
  for (const double factor : {0.7, 1.3}) {
    ControlProblem problem = bounce(0.8, 16);
    problem.times = {factor * t};
    EXPECT_NEAR(solved(problem).trajectory.times[1], t, 1e-7 * t);  // the root of the tolerance: J is flat there
  }
}

// At the bounce: u_y jumps by −1/e, u_x is continuous, H = ℓ + μ·f is equal on both sides; in the limit, so the error
// must fall like the step, and the values extrapolated from the midpoints of intervals, where u is exact to second
// order.
TEST(OptimalControl, JumpsAtTheBounce) {
  for (const double e : {0.8, 0.5}) {  // with e = 1 the motion is symmetric in time, and u_y = 0 there
    double error[2];
    for (int k = 0; k < 2; ++k) {
      const ControlSolution s = solved(bounce(e, 32 << k));
      const Eigen::MatrixXd &a = s.trajectory.arcs[0].u, &b = s.trajectory.arcs[1].u;
      const Eigen::Index N = a.cols();
      const Eigen::Vector2d minus = 1.5 * a.col(N - 1) - 0.5 * a.col(N - 2), plus = 1.5 * b.col(0) - 0.5 * b.col(1);
      EXPECT_NEAR(plus[0], minus[0], 1e-6 * a.norm());
      error[k] = std::abs(plus[1] / minus[1] + 1 / e);
      // costates after and before: u = −μ_p, H = −½|u|² + μ_q·v − μ_p·(0, g)
      const auto hamiltonian = [&](const Eigen::Vector2d& u, const Eigen::VectorXd& mu, const Eigen::VectorXd& v) {
        return -u.squaredNorm() / 2 + mu.head(2).dot(v) + u[1] * 9.81;
      };
      const double before = hamiltonian(minus, s.costates[0].col(N), s.trajectory.arcs[0].v.col(N)),
                   after = hamiltonian(plus, s.costates[1].col(0), s.trajectory.arcs[1].v.col(0));
      EXPECT_NEAR(after, before, 0.2 / (32 << k) * (std::abs(before) + std::abs(after))) << e;
    }
    EXPECT_LE(error[1], std::fmax(error[0] / 1.8, 1e-6)) << e;
    EXPECT_LE(error[1], 0.02) << e;
  }
}

// The costate at the start is the derivative of the optimal cost by the start (central differences, step 1e-4: error
// 1e-8 of the third derivative; the cost is known to the tolerance 1e-9).
TEST(OptimalControl, CostatesAreDerivativesOfTheCost) {
  const ControlSolution s = solved(bounce(0.8, 8));
  for (int i = 0; i < 4; ++i) {
    double cost[2];
    for (const int side : {0, 1}) {
      ControlProblem problem = bounce(0.8, 8);
      (i < 2 ? problem.position[i] : problem.velocity[i - 2]) += (side == 0 ? -1 : 1) * 1e-4;
      cost[side] = solved(problem).cost;
    }
    EXPECT_NEAR((cost[1] - cost[0]) / 2e-4, s.costates[0](i, 0), 1e-4 * s.cost) << i;
  }
}

// Lengths in other units: the same motion, J in their square; a power of two changes no digit but those of Ipopt's own
// constants, 1e-9 of the size.
TEST(OptimalControl, NoUnitCounts) {
  const double cost = solved(bounce(1, 8)).cost;
  for (const double unit : {0x1p-20, 0x1p20}) {
    ControlProblem problem = bounce(1, 8);
    Model& model = problem.model;
    const Expr x = model.q()[0], y = model.q()[1];
    model.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - 9.81 * unit * y;
    problem.position = {0, unit};
    problem.conditions = {{"x", x - unit}, {"y", y - unit}, {"vx", dot(x)}, {"vy", dot(y)}};
    EXPECT_NEAR(solved(problem).cost / (unit * unit), cost, 1e-8 * cost) << unit;
  }
}

TEST(OptimalControl, RefinesUntilTheCostSettles) {
  ControlProblem problem = bounce(1, 4);
  problem.refine = 1e-3;
  const ControlSolution s = solved(problem);
  ASSERT_GE(s.refinements.size(), 2U);
  const double change = s.refinements.back().second - s.refinements[s.refinements.size() - 2].second;
  EXPECT_LE(std::abs(change), 1e-3 * s.cost);
  EXPECT_EQ(s.problem.intervals[0], 4 << (s.refinements.size() - 1));
}

// In less time than the shortest way takes under a bound of the force nothing is feasible: the message names
// conditions.
TEST(OptimalControl, InfeasibleProblemsNameTheirConditions) {
  ControlProblem problem = bounce(1, 8);
  problem.control_bounds = {{-0.1, 0.1}, {-0.1, 0.1}};
  const ControlSolution s = solve(problem);
  EXPECT_EQ(s.status, ControlSolution::Status::failed);
  EXPECT_FALSE(s.message.empty());
  ASSERT_FALSE(s.worst.empty());
  EXPECT_GT(s.worst.front().second, 0.01);
}

// What is left of a problem that cannot be solved is still a motion: its instants grow.
TEST(OptimalControl, InstantsOfABestIterateGrow) {
  for (const double force : {0.01, 0.5, 2.0}) {
    ControlProblem problem = bounce(0.5, 8);
    problem.impacts = {0, 0, 0};
    problem.intervals = {4, 4, 4, 4};
    problem.control_bounds = {{-force, force}, {-force, force}};
    problem.free_duration = Range{0.2, 1.3};
    problem.max_iterations = 100;
    const ControlSolution s = solve(problem);
    EXPECT_EQ(s.status, ControlSolution::Status::failed);
    for (std::size_t k = 1; k < s.trajectory.times.size(); ++k)
      EXPECT_GT(s.trajectory.times[k], s.trajectory.times[k - 1]) << force << " " << k;
  }
}

// J = φ(x(T)), |u| <= 1 from a pendulum hanging at rest: hanging still is stationary, J = 1, and no optimum. A constant
// torque 1 leads to θ'' = 1 − g sin θ, integrated here by RK4: the optimum is better than that.
TEST(OptimalControl, AStationaryStartIsNoOptimum) {
  ControlProblem problem;
  const Expr a = problem.model.coordinate("a");
  problem.model.lagrangian = square(dot(a)) / 2 + 9.81 * cos(a);
  problem.model.forces.push_back({"motor", {control(problem, "u")}});
  problem.integrator = {.method = "variational", .discretization = "midpoint", .step = 0.05, .parameters = {}};
  problem.position = problem.velocity = {0};
  problem.duration = 2;
  problem.intervals = {40};
  problem.final_cost = cos(a);
  complete(problem);
  problem.control_bounds = {{-1, 1}};
  const ControlSolution s = solved(problem);
  double q = 0, v = 0;
  const double h = 1e-3;
  const auto f = [](double x) { return 1 - 9.81 * std::sin(x); };
  for (int k = 0; k < 2000; ++k) {
    const double k1 = f(q), k2 = f(q + h / 2 * v), k3 = f(q + h / 2 * v + h * h / 4 * k1),
                 k4 = f(q + h * v + h * h / 2 * k2);
    q += h * v + h * h / 6 * (k1 + k2 + k3);
    v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  EXPECT_LT(s.cost, std::cos(q));
}

// A point that must go round a disc in the middle of its way.
ControlProblem around(double off, double radius, int intervals) {
  ControlProblem problem;
  Model& model = problem.model;
  const Expr x = model.coordinate("x"), y = model.coordinate("y");
  model.lagrangian = (square(dot(x)) + square(dot(y))) / 2;
  model.contacts.push_back({.name = "disc",
                            .gap = sqrt(square(x - 0.5) + square(y - off)) - radius,
                            .law = "newton",
                            .restitution = model.graph->constant(0.5)});
  const Expr ux = control(problem, "ux"), uy = control(problem, "uy");
  model.forces.push_back({"thrust", {ux, uy}});
  problem.integrator = {.method = "variational-collision", .discretization = "midpoint", .step = 0.1, .parameters = {}};
  problem.position = problem.velocity = {0, 0};
  problem.duration = 1;
  problem.intervals = {intervals};
  problem.running = (square(ux) + square(uy)) / 2;
  problem.conditions = {{"x", x - 1}, {"y", y}, {"vx", dot(x)}, {"vy", dot(y)}};
  complete(problem);
  return problem;
}

// The straight guess leads through the centre, where the gap has no derivative. At rest at both ends, y(T/2) = ±r costs
// 96 r² more than the straight way, r = 0.2 by a path formula, so that no chord cuts into the disc (two cubics from
// rest to rest in T/2, J = 6r²/(T/2)³ each; N intervals add O(N⁻²)).
TEST(OptimalControl, GoesRoundWhatIsInTheMiddle) {
  const double straight = 6, bow = 96 * 0.2 * 0.2;
  ControlProblem problem = around(0, 0.19, 40);
  problem.path = {{"distance", problem.model.contacts[0].gap, {0.01, std::numeric_limits<double>::infinity()}}};
  EXPECT_NEAR(solved(problem).cost, straight + bow, 0.01 * (straight + bow));
}

// Between grid points nothing is watched: the motion integrated again finds what is there, and then this is no
// solution.
TEST(OptimalControl, WhatIsStruckBetweenGridPoints) {
  const ControlSolution s = solve(around(0.005, 0.02, 5));
  EXPECT_EQ(s.status, ControlSolution::Status::failed);
  EXPECT_NE(s.message.find("also strikes disc"), std::string::npos) << s.message;
  EXPECT_NE(s.message.find("refine"), std::string::npos) << s.message;
}

// A motion may end on a contact: what comes after is not its own.
TEST(OptimalControl, EndsByStriking) {
  ControlProblem problem = bounce(0.8, 8);
  problem.impacts.clear();
  problem.intervals = {16};
  const Expr y = problem.model.q()[1];
  problem.conditions = {{"y", y}, {"vy", dot(y) + 3}};
  const ControlSolution s = solved(problem);
  EXPECT_EQ(impact_difference(s.problem, s.trajectory, replay(s.problem, s.trajectory)), "");
}

TEST(OptimalControl, AStartThatStrikesIsRefused) {
  ControlProblem problem = bounce(0.8, 8);
  problem.position = {0, 0};
  problem.velocity = {0, 1};
  EXPECT_NO_THROW(check_start(problem));
  problem.velocity = {0, -1};
  try {
    solve(problem);
    ADD_FAILURE();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.key, "initial.velocity");
    EXPECT_NE(std::string(error.what()).find("struck at once"), std::string::npos);
  }
}

// Multipliers are derivatives of the cost by what they belong to (differences as for the costates).
TEST(OptimalControl, MultipliersAreDerivativesOfTheCost) {
  const auto problem_of = [](int which, double shift) {
    ControlProblem problem = bounce(0.8, 8);
    problem.control_bounds[1] = {-30, 5 + (which == 0 ? shift : 0)};
    problem.path = {{"low", problem.model.q()[0], {-10, 0.9 + (which == 1 ? shift : 0)}}};
    problem.conditions[0].formula = problem.model.q()[0] - 0.9 - (which == 2 ? shift : 0);
    problem.conditions[3].formula = problem.conditions[3].formula - (which == 3 ? shift : 0);
    problem.path[0].range.max += 0.01;
    problem.path[0].formula = problem.path[0].formula + 0.1 * dot(problem.model.q()[0]);
    return problem;
  };
  const ControlSolution s = solved(problem_of(-1, 0));
  const auto sum = [&](const std::string& name) {
    double total = 0;
    for (const auto& [series, values] : s.multipliers.series)
      if (series == name)
        for (const double value : values) total += value;
    return total;
  };
  const double given[] = {sum("uy"), sum("path low"), s.multipliers.conditions[0].second,
                          s.multipliers.conditions[3].second};
  for (int which = 0; which < 4; ++which) {
    const double difference = (solved(problem_of(which, 1e-4)).cost - solved(problem_of(which, -1e-4)).cost) / 2e-4;
    EXPECT_NEAR(given[which], difference, 1e-4 * s.cost) << which;
    EXPECT_GT(std::abs(given[which]), 0.01) << which;  // it does hold the motion back
  }
}

// A sequence that begins with what costs more than the best already is not followed.
TEST(OptimalControl, SearchLeavesOutWhatCannotBeBest) {
  ControlProblem problem = bounce(0.8, 8);
  problem.impacts.clear();
  problem.intervals = {6};
  problem.search = 2;
  const Expr y = problem.model.q()[1];
  problem.model.contacts.push_back(
      {.name = "ceiling", .gap = 3 - y, .law = "newton", .restitution = problem.model.graph->constant(0.5)});
  const ControlSolution s = solved(problem);
  const auto has = [&](const std::vector<int>& impacts, const std::string& status) {
    return std::count_if(s.candidates.begin(), s.candidates.end(),
                         [&](const Candidate& c) { return c.impacts == impacts && c.status == status; });
  };
  EXPECT_EQ(s.candidates.front().impacts, std::vector<int>{0});
  EXPECT_EQ(s.problem.impacts, std::vector<int>{0});
  EXPECT_EQ(has({1}, "pruned"), 1);
  EXPECT_EQ(has({1, 0}, "solved") + has({1, 0}, "failed"), 0);
  EXPECT_EQ(has({0, 0}, "solved") + has({0, 0}, "failed"), 1);
}

TEST(OptimalControl, SaysWhyACostDoesNotSettle) {
  ControlProblem problem = bounce(1, 8);
  problem.impacts.clear();
  problem.intervals = {10};
  problem.running = abs(problem.controls[0]) + abs(problem.controls[1]);
  problem.max_iterations = 60;
  const ControlSolution kinked = solve(problem);
  EXPECT_EQ(kinked.status, ControlSolution::Status::failed);
  EXPECT_NE(kinked.message.find("kink"), std::string::npos) << kinked.message;
  problem.running = -problem.controls[0];
  problem.conditions.clear();
  const ControlSolution endless = solve(problem);
  EXPECT_EQ(endless.status, ControlSolution::Status::failed);
  EXPECT_NE(endless.message.find("bounded from below"), std::string::npos) << endless.message;
}

TEST(OptimalControl, RefusesWhatIsNoSmoothCondition) {
  const auto key_of = [](const ControlProblem& problem) {
    try {
      check_controllable(problem);
    } catch (const ModelError& error) {
      return error.key;
    }
    return std::string();
  };
  ControlProblem problem = bounce(1, 8);
  EXPECT_EQ(key_of(problem), "");
  problem.model.contacts[0].law = "coulomb";
  EXPECT_EQ(key_of(problem), "system.contact.floor.law");
  problem = bounce(1, 8);
  problem.integrator.parameters.clear();
  EXPECT_EQ(key_of(problem), "integrator.impact_energy");
  problem = bounce(1, 8);
  problem.model.contacts[0].gap = min(problem.model.q()[1], problem.model.q()[0] + 5);
  EXPECT_EQ(key_of(problem), "system.contact.floor.gap");
  problem.impacts.clear();
  problem.intervals = {8};
  EXPECT_EQ(key_of(problem), "");
  problem.search = 2;
  EXPECT_EQ(key_of(problem), "system.contact.floor.gap");
  problem = bounce(1, 8);
  problem.integrator.method = "generalized-variational";
  EXPECT_EQ(key_of(problem), "integrator.method");
  problem = bounce(1, 8);
  problem.model.lagrangian = problem.model.lagrangian + problem.controls[0] * problem.model.v()[0];
  EXPECT_EQ(key_of(problem), "system.lagrangian");
}

}  // namespace

}  // namespace ricochet::optimal_control_test
