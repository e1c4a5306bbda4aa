// What an iteration of optimal control costs over the number of intervals: a chain of pendulums whose first link has a
// motor.

#include "ricochet/design/optimal_control.hpp"

#include "stepping.hpp"

namespace {

using namespace ricochet;

ControlProblem swing(int n, int intervals) {
  ControlProblem problem;
  Model& model = problem.model;
  Expr kinetic = model.graph->constant(0), potential = kinetic;
  for (int i = 0; i < n; ++i) {
    const Expr x = model.coordinate("x" + std::to_string(i));
    kinetic = kinetic + square(dot(x)) / 2;
    potential = potential + 1 - cos(x);
    if (i > 0) potential = potential + square(x - model.q()[i - 1]);
    problem.conditions.push_back({"place " + std::to_string(i), x - 1});
  }
  model.lagrangian = kinetic - potential;
  const Expr u = model.graph->parameter("control.u", 0);
  problem.controls = {u};
  problem.control_names = {"u"};
  std::vector<Expr> force(static_cast<std::size_t>(n), model.graph->constant(0));
  force[0] = u;
  model.forces.push_back({"motor", force});
  problem.integrator = {.method = "variational", .discretization = "midpoint", .step = 0.1, .parameters = {}};
  problem.position.assign(static_cast<std::size_t>(n), 0);
  problem.velocity = problem.position;
  problem.free_position.assign(static_cast<std::size_t>(n), 0);
  problem.free_velocity = problem.free_position;
  problem.position_bounds.resize(static_cast<std::size_t>(n));
  problem.velocity_bounds = problem.position_bounds;
  problem.control_bounds.resize(1);
  problem.intervals = {intervals};
  problem.duration = 4;
  problem.running = square(u) / 2;
  return problem;
}

void iteration(benchmark::State& state) {
  const ControlProblem problem = swing(3, static_cast<int>(state.range(0)));
  double iterations = 0, unknowns = 0;
  for (auto _ : state) {
    const ControlSolution solution = solve(problem);
    iterations += solution.iterations;
    unknowns = static_cast<double>(solution.unknowns);
    if (solution.status != ControlSolution::Status::solved) state.SkipWithError(solution.message.c_str());
  }
  state.counters["unknowns"] = unknowns;
  state.counters["iterations"] = benchmark::Counter(iterations, benchmark::Counter::kAvgIterations);
  state.counters["ns per iteration and interval"] =
      benchmark::Counter(iterations * static_cast<double>(state.range(0)) * 1e-9,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

BENCHMARK(iteration)->Name("optimal control")->RangeMultiplier(4)->Range(50, 3200)->Unit(benchmark::kMillisecond);

}  // namespace
