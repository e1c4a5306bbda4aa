// Bodies on a line: an element's update beside a hand-written loop for one linear material on the same arrays. Items
// are element updates; bytes is what a state and its mesh take for each element.

#include <benchmark/benchmark.h>

#include "ricochet/continuum/avi.hpp"
#include "ricochet/continuum/verlet.hpp"

namespace {

using namespace ricochet::continuum;

Model bar(std::int64_t cells, Scheme scheme, double grading) {
  Model model;
  model.scheme = scheme;
  model.courant = scheme == Scheme::avi ? 0.25 : 0.9;
  Body body;
  body.name = "bar";
  body.mesh = {0, 1, cells, grading};
  body.material = {Linear{1}, 1};
  body.velocity = [](double X) { return X < 0.5 ? 0.01 : 0.0; };
  model.bodies = {body};
  return model;
}

void by_hand(benchmark::State& state) {
  const Bar mesh(bar(state.range(0), Scheme::verlet, 2));
  std::vector<double> u = mesh.u, v = mesh.v;
  const std::size_t n = mesh.nodes();
  const double h = mesh.step;
  for (auto _ : state) {
    double left = 0;
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const double N = (u[i + 1] - u[i]) * mesh.inverse_dx[i];
      v[i] += h * mesh.inverse_mass[i] * (N - left);
      left = N;
    }
    v[n - 1] -= h * mesh.inverse_mass[n - 1] * left;
    for (std::size_t i = 0; i < n; ++i) u[i] += h * v[i];
    benchmark::DoNotOptimize(u.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

template <class Scheme_>
void by_library(benchmark::State& state, Scheme scheme, double grading) {
  const Bar mesh(bar(state.range(0), scheme, grading));
  Scheme_ integrator(mesh);
  double t = 0;
  const std::int64_t before = integrator.updates();
  for (auto _ : state) {
    integrator.advance(t, mesh.step);
    t += mesh.step;
  }
  state.SetItemsProcessed(integrator.updates() - before);
  // X, dx, 1/dx, m, 1/m, and the start; u, v; Verlet: N; AVI: times, steps, owners
  const double arrays = 7 + 2 + (scheme == Scheme::verlet ? 1 : 3);
  state.counters["bytes_per_element"] = 8 * arrays;
}

BENCHMARK(by_hand)->Name("continuum/by_hand")->Arg(1000)->Arg(1000000);
void verlet(benchmark::State& state) { by_library<Verlet>(state, Scheme::verlet, 2); }
void avi(benchmark::State& state) { by_library<Avi>(state, Scheme::avi, 20); }
BENCHMARK(verlet)->Name("continuum/verlet")->Arg(1000)->Arg(1000000);
BENCHMARK(avi)->Name("continuum/avi")->Arg(1000)->Arg(1000000);

}  // namespace
