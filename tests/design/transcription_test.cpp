// Derivatives of whole programs against differences, on systems that use everything a problem may have.

#include "ricochet/design/transcription.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "control_problems.hpp"

namespace ricochet::transcription_test {

namespace {

// A pendulum on a cart that strikes a moving wall and then a floor, with a holonomic constraint, velocity-dependent
// forces, explicit time, path formulas, free start and duration.
ControlProblem crowded(const std::string& discretization) {
  ControlProblem problem;
  Model& model = problem.model;
  const Expr x = model.coordinate("x"), a = model.coordinate("a"), z = model.coordinate("z"), t = model.time();
  model.lagrangian = square(dot(x)) + dot(x) * dot(a) * cos(a) + square(dot(a)) / 2 + square(dot(z)) / 2 + cos(a) +
                     0.1 * t * x - x * square(z);
  const Expr u = control(problem, "u"), w = control(problem, "w");
  model.forces.push_back({"drive", {u - 0.3 * dot(x) * abs(dot(x)), w * sin(a) + t, -0.1 * dot(z)}});
  model.contacts.push_back({.name = "wall", .gap = 2 - x - 0.1 * sin(t)});
  const Expr speed = model.graph->symbol(formula::SymbolKind::other, 0, "speed");
  model.contacts.push_back({.name = "floor", .gap = a + 1, .law = "newton", .restitution = 0.9 / (1 + square(speed))});
  model.holonomic.push_back({"link", z - x * sin(a)});
  problem.integrator = {
      .method = "variational-collision", .discretization = discretization, .step = 0.1, .parameters = {}};
  problem.position = {0, 0.4, 0};
  problem.velocity = {0.1, -0.2, 0.3};
  problem.impacts = {0, 1};
  problem.intervals = {2, 2, 2};
  problem.duration = 1.7;
  problem.free_duration = {0.5, 4};
  problem.running = square(u) + exp(w) * square(dot(a)) + x * t;
  problem.final_cost = square(x) * dot(a) + t;
  problem.conditions = {{"end", x * dot(x) - sin(t)}, {"struck", dot(x) * a - 1, 1, true}};
  complete(problem);
  problem.free_position = {1, 1, 1};
  problem.free_velocity = {1, 1, 1};
  problem.path = {{"power", u * dot(x), {-5, 5}}, {"height", a * x + t, {-9, 9}}};
  return problem;
}

// Central differences of step η in a number of size 1 err by η² of the third derivative and ε/η: 1e-10 at η = 1e-5, and
// the derivatives here reach 10² times that.
TEST(Transcription, DerivativesAgreeWithDifferences) {
  for (const char* discretization : {"midpoint", "trapezoidal", "galerkin"}) {
    Transcription transcription(crowded(discretization));
    SparseProgram& program = transcription.program();
    const int n = program.variables(), m = program.rows();
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(0.2, 1.0);
    Eigen::VectorXd x(n), lambda(m);
    for (double& v : x) v = uniform(random);
    for (double& v : lambda) v = uniform(random) - 0.6;

    const auto dense = [](int rows, int columns, const std::vector<Block::Entry>& entries,
                          const std::vector<double>& values) {
      Eigen::MatrixXd A = Eigen::MatrixXd::Zero(rows, columns);
      for (std::size_t e = 0; e < entries.size(); ++e) A(entries[e].first, entries[e].second) += values[e];
      return A;
    };
    const auto jacobian = [&](const Eigen::VectorXd& at) {
      std::vector<double> values(program.jacobian_size());
      program.jacobian(at.data(), values.data());
      return dense(m, n, program.jacobian_entries(), values);
    };
    const auto slope = [&](const Eigen::VectorXd& at) {
      Eigen::VectorXd g(n);
      program.gradient(at.data(), g.data());
      return (0.7 * g + jacobian(at).transpose() * lambda).eval();
    };
    const auto rows = [&](const Eigen::VectorXd& at) {
      Eigen::VectorXd r(m);
      program.values(at.data(), r.data());
      return r;
    };
    std::vector<double> entries(program.hessian_size());
    program.hessian(x.data(), 0.7, lambda.data(), entries.data());
    Eigen::MatrixXd H = dense(n, n, program.hessian_entries(), entries);
    H = (H + H.transpose() - Eigen::MatrixXd(H.diagonal().asDiagonal())).eval();
    const Eigen::MatrixXd J = jacobian(x);
    Eigen::VectorXd gradient(n);
    program.gradient(x.data(), gradient.data());
    const double eta = 1e-5;
    for (int j = 0; j < n; ++j) {
      Eigen::VectorXd plus = x, minus = x;
      plus[j] += eta, minus[j] -= eta;
      const Eigen::VectorXd column = (rows(plus) - rows(minus)) / (2 * eta),
                            curvature = (slope(plus) - slope(minus)) / (2 * eta);
      EXPECT_LE((column - J.col(j)).cwiseAbs().maxCoeff(), 1e-8 * (1 + J.col(j).cwiseAbs().maxCoeff())) << j;
      EXPECT_LE((curvature - H.col(j)).cwiseAbs().maxCoeff(), 1e-8 * (1 + H.col(j).cwiseAbs().maxCoeff())) << j;
      EXPECT_NEAR((program.cost(plus.data()) - program.cost(minus.data())) / (2 * eta), gradient[j],
                  1e-8 * (1 + std::abs(gradient[j])));
    }
  }
}

// What is packed comes out again.
TEST(Transcription, PacksAndUnpacks) {
  const ControlProblem problem = bounce(0.8, 4);
  Transcription transcription(problem);
  const Trajectory guess = first_guess(problem), back = transcription.unpack(transcription.pack(guess));
  EXPECT_EQ(back.times, guess.times);
  for (int a = 0; a < 2; ++a) {
    EXPECT_EQ(back.arcs[a].q, guess.arcs[a].q);
    EXPECT_EQ(back.arcs[a].p, guess.arcs[a].p);
    EXPECT_EQ(back.arcs[a].u, guess.arcs[a].u);
  }
}

}  // namespace

}  // namespace ricochet::transcription_test
