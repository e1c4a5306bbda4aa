// Derivatives of whole programs against differences, on systems that use everything a problem may have.

#include "ricochet/design/transcription.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <random>

#include "control_problems.hpp"
#include "ricochet/scenario/scenario.hpp"

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

// Derivatives of a program at x against central differences. Of step η in numbers of size 1 (x is in the sizes that the
// program has) these err by η² of the third derivative and ε/η: 1e-10 at η = 1e-5, and the derivatives here reach 10²
// times that.
void compare_derivatives(SparseProgram& program, const Eigen::VectorXd& x) {
  const int n = program.variables(), m = program.rows();
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-0.4, 0.4);
  Eigen::VectorXd lambda(m), gradient(n);
  const Eigen::Map<const Eigen::VectorXd> size(program.x_size.data(), n), rows_size(program.row_size.data(), m);
  for (double& v : lambda) v = uniform(random);
  lambda = lambda.cwiseQuotient(rows_size);
  const double sigma = 0.7 / program.cost_size;

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
    return (sigma * g + jacobian(at).transpose() * lambda).cwiseProduct(size).eval();
  };
  const auto rows = [&](const Eigen::VectorXd& at) {
    Eigen::VectorXd r(m);
    program.values(at.data(), r.data());
    return r.cwiseQuotient(rows_size).eval();
  };
  std::vector<double> entries(program.hessian_size());
  program.hessian(x.data(), sigma, lambda.data(), entries.data());
  Eigen::MatrixXd H = dense(n, n, program.hessian_entries(), entries);
  H = (H + H.transpose() - Eigen::MatrixXd(H.diagonal().asDiagonal())).eval();
  H = (size.asDiagonal() * H * size.asDiagonal()).eval();
  const Eigen::MatrixXd J = rows_size.cwiseInverse().asDiagonal() * jacobian(x) * size.asDiagonal();
  program.gradient(x.data(), gradient.data());
  gradient = gradient.cwiseProduct(size) / program.cost_size;
  const double eta = 1e-5;
  for (int j = 0; j < n; ++j) {
    Eigen::VectorXd plus = x, minus = x;
    plus[j] += eta * size[j], minus[j] -= eta * size[j];
    const Eigen::VectorXd column = (rows(plus) - rows(minus)) / (2 * eta),
                          curvature = (slope(plus) - slope(minus)) / (2 * eta);
    EXPECT_LE((column - J.col(j)).cwiseAbs().maxCoeff(), 1e-8 * (1 + J.col(j).cwiseAbs().maxCoeff())) << j;
    EXPECT_LE((curvature - H.col(j)).cwiseAbs().maxCoeff(), 1e-8 * (1 + H.col(j).cwiseAbs().maxCoeff())) << j;
    EXPECT_NEAR((program.cost(plus.data()) - program.cost(minus.data())) / (2 * eta) / program.cost_size, gradient[j],
                1e-8 * (1 + std::abs(gradient[j])));
  }
}

TEST(Transcription, DerivativesAgreeWithDifferences) {
  for (const char* discretization : {"midpoint", "trapezoidal", "galerkin"}) {
    Transcription transcription(crowded(discretization));
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(0.2, 1.0);
    Eigen::VectorXd x(transcription.program().variables());
    for (double& v : x) v = uniform(random);
    compare_derivatives(transcription.program(), x);
  }
}

// Every problem of the gallery, with few intervals: its blocks are the same. At points a tenth of the sizes away from
// the guess, so that nothing is 0 by accident.
TEST(Transcription, DerivativesOfTheGallery) {
  int problems = 0;
  for (const auto& file : std::filesystem::directory_iterator(RICOCHET_SOURCE_DIR "/scenarios")) {
    if (file.path().extension() != ".toml") continue;
    const Scenario scenario = read_scenario(file.path());
    if (!scenario.optimize) continue;
    SCOPED_TRACE(file.path().filename().string());
    ControlProblem problem = *scenario.optimize;
    for (int& N : problem.intervals) N = 2;
    Transcription transcription(problem);
    const Trajectory guess = first_guess(problem);
    transcription.measure(guess);
    SparseProgram& program = transcription.program();
    std::vector<double> start = transcription.pack(guess);
    program.measure(start.data());
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-0.1, 0.1);
    Eigen::VectorXd x(program.variables());
    for (int j = 0; j < x.size(); ++j) x[j] = start[j] + uniform(random) * program.x_size[j];
    compare_derivatives(program, x);
    ++problems;
  }
  EXPECT_GE(problems, 7);
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
