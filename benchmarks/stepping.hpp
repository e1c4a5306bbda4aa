#pragma once
// Stepping alone: a model, a method and a state, nothing recorded.

#include <benchmark/benchmark.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/methods/method.hpp"

inline constexpr int steps_per_iteration = 1000;

struct Stepping {
  Stepping(const ricochet::Model& model, const std::string& discretization, std::vector<double> q,
           std::vector<double> p, const std::string& method_name = "variational",
           const std::map<std::string, ricochet::OptionValue>& parameters = {})
      : system(std::make_shared<const ricochet::System>(model)),
        method(ricochet::make_method(
            system, {.method = method_name, .discretization = discretization, .parameters = parameters})),
        workspace(method->workspace()),
        start{0, std::move(q), std::move(p), {}} {
    workspace->counters.assign(method->counter_names().size(), 0);
  }

  ricochet::State after(int steps, double h) {
    ricochet::State state = start;
    for (int k = 0; k < steps; ++k) {
      workspace->forget_last_step();
      method->step(state, h, *workspace);
    }
    return state;
  }

  std::shared_ptr<const ricochet::System> system;
  std::unique_ptr<ricochet::Method> method;
  std::unique_ptr<ricochet::Workspace> workspace;
  ricochet::State start;
};

// What benchmarks/count counts the instructions of.
template <class Run>
[[gnu::noinline]] auto one_iteration(Run& run) {
  return run();
}

// Time per step; run() makes the given number of steps from the start and returns the end.
template <class Run>
void measure(benchmark::State& state, Run&& run, int lanes = 1, int steps = steps_per_iteration) {
  for (auto _ : state) benchmark::DoNotOptimize(one_iteration(run));
  state.SetItemsProcessed(state.iterations() * steps * lanes);
}

// The twins must compute the same physics: an error if the ends differ by more than round-off can grow.
inline bool same_end(benchmark::State& state, const std::vector<double>& q, const double* by_hand) {
  for (std::size_t i = 0; i < q.size(); ++i)
    if (!(std::abs(q[i] - by_hand[i]) < 1e-9)) return state.SkipWithError("differs from the hand-written loop"), false;
  return true;
}
