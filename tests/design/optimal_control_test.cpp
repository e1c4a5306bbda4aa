// The problem of EQUATIONS E, and what Pontryagin's principle says of any optimum.

#include "ricochet/design/optimal_control.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "control_problems.hpp"
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
  problem.integrator.method = "generalized-variational";
  EXPECT_EQ(key_of(problem), "integrator.method");
  problem = bounce(1, 8);
  problem.model.lagrangian = problem.model.lagrangian + problem.controls[0] * problem.model.v()[0];
  EXPECT_EQ(key_of(problem), "system.lagrangian");
}

}  // namespace

}  // namespace ricochet::optimal_control_test
