// What a derivative costs: a step with its derivative beside one without, the derivative of a motion backwards over its
// number of steps.

#include "ricochet/design/sensitivity.hpp"

#include "stepping.hpp"

namespace {

using namespace ricochet;

Shot shot(int n, const std::string& rule, int steps) {
  Shot s;
  Model& model = s.model;
  Expr kinetic = model.graph->constant(0), potential = kinetic;
  for (int i = 0; i < n; ++i) {
    const Expr x = model.coordinate("x" + std::to_string(i));
    kinetic = kinetic + square(dot(x)) / 2;
    potential = potential + 1 - cos(x) + (i > 0 ? square(x - model.q()[i - 1]) / 2 : kinetic * 0);
    s.position.push_back(model.graph->parameter("q" + std::to_string(i), 0.3 + 0.1 * i));
    s.velocity.push_back(model.graph->constant(0.1));
  }
  model.lagrangian = kinetic - potential;
  s.integrator.method = "variational";
  s.integrator.discretization = rule;
  s.integrator.step = 0.01;
  s.run = {.start = 0, .step = 0.01, .duration = 0.01 * steps};
  return s;
}

void step(benchmark::State& state, const std::string& rule, bool derivative) {
  Shot s = shot(static_cast<int>(state.range(0)), rule, 1);
  for (Expr& x : s.position) x = s.model.graph->constant(formula::fixed_value(x));
  const auto system = std::make_shared<const System>(s.model);
  const auto method = make_method(system, s.integrator);
  const auto work = method->workspace();
  State x{0, {}, {}, {}};
  for (int i = 0; i < system->n(); ++i) x.q.push_back(0.3 + 0.1 * i), x.p.push_back(0.1);
  StepJacobian jacobian;
  for (auto _ : state)
    for (int k = 0; k < steps_per_iteration; ++k) method->step(x, 0.01, *work, derivative ? &jacobian : nullptr);
  state.SetItemsProcessed(state.iterations() * steps_per_iteration);
  benchmark::DoNotOptimize(x.q[0]);
}

void adjoint(benchmark::State& state) {
  const Shot s = shot(2, "trapezoidal", static_cast<int>(state.range(0)));
  const Course course = fly(s, Derivatives::steps);
  const std::vector<Quantity> output{{"x0", s.model.q()[0]}};
  for (auto _ : state) benchmark::DoNotOptimize(sensitivity_adjoint(s, course, output).by_theta.data());
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

}  // namespace

BENCHMARK_CAPTURE(step, 1, "trapezoidal", false)->Name("derivative, trapezoidal/without")->DenseRange(1, 3);
BENCHMARK_CAPTURE(step, 2, "trapezoidal", true)->Name("derivative, trapezoidal/with")->DenseRange(1, 3);
BENCHMARK_CAPTURE(step, 3, "midpoint", false)->Name("derivative, midpoint/without")->DenseRange(1, 3);
BENCHMARK_CAPTURE(step, 4, "midpoint", true)->Name("derivative, midpoint/with")->DenseRange(1, 3);
BENCHMARK(adjoint)->Name("adjoint of N steps/backwards")->RangeMultiplier(8)->Range(64, 32768);
