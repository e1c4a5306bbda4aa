// Bodies in the plane: an element's update beside a hand-written loop on the same mesh, on one and on two threads; the
// search for contacts from 10³ to 10⁵ boundary nodes, and its share of a step of two discs that press.

#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>

#include "ricochet/continuum/plane_verlet.hpp"

namespace {

using namespace ricochet::continuum;

Model box(std::int64_t n) {
  Model model;
  model.courant = 0.5;
  model.plane.emplace();
  PlaneBody body;
  body.name = "box";
  body.mesh = make_mesh(BoxShape{{0, 0}, {1, 1}, {n, n}, {1, 1}});
  body.law = NeoHookean{1, 1};
  // strained everywhere: the logarithm of 1 takes no time
  body.displacement = [](double X, double Y) {
    return std::array<double, 2>{0.01 * std::sin(3 * X + Y), 0.01 * std::cos(2 * X - 3 * Y)};
  };
  model.plane->bodies = {body};
  return model;
}

// What one would write for this one material: scatter to the nodes, then move them.
void by_hand(benchmark::State& state) {
  const Model model = box(state.range(0));
  Solid solid(model);
  const double h = choose_step(solid, model, stable_step(solid, 0));
  std::vector<double> u = solid.u, v = solid.v, f(u.size());
  for (auto _ : state) {
    std::fill(f.begin(), f.end(), 0.0);
    for (std::size_t e = 0; e < solid.cells(); ++e) {
      const CellShape& s = solid.shapes[e];
      const Triangle& t = solid.triangles[e];
      const double *a = &u[2 * t[0]], *b = &u[2 * t[1]], *c = &u[2 * t[2]];
      const double bx = b[0] - a[0], by = b[1] - a[1], cx = c[0] - a[0], cy = c[1] - a[1];
      const double F11 = 1 + bx * s.g1x + cx * s.g2x, F12 = bx * s.g1y + cx * s.g2y, F21 = by * s.g1x + cy * s.g2x,
                   F22 = 1 + by * s.g1y + cy * s.g2y, J = F11 * F22 - F12 * F21, l = (std::log(J) - 1) / J;
      const double P11 = F11 + l * F22, P12 = F12 - l * F21, P21 = F21 - l * F12, P22 = F22 + l * F11;
      const double f1x = s.area * (P11 * s.g1x + P12 * s.g1y), f1y = s.area * (P21 * s.g1x + P22 * s.g1y),
                   f2x = s.area * (P11 * s.g2x + P12 * s.g2y), f2y = s.area * (P21 * s.g2x + P22 * s.g2y);
      f[2 * t[0]] += f1x + f2x, f[2 * t[0] + 1] += f1y + f2y;
      f[2 * t[1]] -= f1x, f[2 * t[1] + 1] -= f1y;
      f[2 * t[2]] -= f2x, f[2 * t[2] + 1] -= f2y;
    }
    for (std::size_t i = 0; i < solid.nodes(); ++i)
      for (std::size_t d = 0; d < 2; ++d) {
        v[2 * i + d] += h * solid.inverse_mass[i] * f[2 * i + d];
        u[2 * i + d] += h * v[2 * i + d];
      }
    benchmark::DoNotOptimize(u.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(solid.cells()));
}

void verlet(benchmark::State& state) {
  const Model model = box(state.range(0));
  Solid solid(model);
  solid.step = choose_step(solid, model, stable_step(solid, 0));
  PlaneContacts contacts(solid, model);
  PlaneVerlet integrator(solid, contacts, static_cast<unsigned>(state.range(1)));
  double t = 0;
  for (auto _ : state) {
    integrator.advance(t, solid.step);
    t += solid.step;
  }
  state.SetItemsProcessed(integrator.updates());
}

Model rings(std::int64_t around) {
  Model model;
  model.plane.emplace();
  for (const double x : {0.0, 2.0001}) {
    PlaneBody body;
    body.name = x > 0 ? "right" : "left";
    body.mesh = make_mesh(RingShape{{x, 0}, 1, 1 - 3.0 / static_cast<double>(around), 1, around});
    body.law = NeoHookean{1, 1};
    model.plane->bodies.push_back(body);
  }
  model.contacts = {{"left", "right"}, {"left", "left"}};
  return model;
}

// Items are boundary nodes.
void search(benchmark::State& state) {
  const Model model = rings(state.range(0) / 4);  // two rings, each with two sides
  const Solid solid(model);
  PlaneContacts contacts(solid, model);
  ricochet::Team team(static_cast<unsigned>(state.range(1)));
  for (auto _ : state) {
    contacts.search(solid.u.data(), solid.v.data(), 0, team);
    benchmark::DoNotOptimize(contacts.found().data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(contacts.surface_nodes().size()));
}

// Two discs that press: what search and response take of a step.
void share(benchmark::State& state) {
  Model model;
  model.courant = 0.5;
  model.plane.emplace();
  for (const double x : {0.0, 1.999}) {
    PlaneBody body;
    body.name = x > 0 ? "right" : "left";
    body.mesh = make_mesh(DiscShape{{x, 0}, 1, 17});
    body.law = NeoHookean{1, 1};
    body.velocity = [x](double, double) { return std::array<double, 2>{x > 0 ? -0.1 : 0.1, 0.0}; };
    body.displacement = [x](double, double) { return std::array<double, 2>{x > 0 ? 0.002 : 0.0, 0.0}; };
    model.plane->bodies.push_back(body);
  }
  const auto seconds = [&](bool touching, std::int64_t steps) {
    Model m = model;
    if (touching) m.contacts = {{"left", "right"}};
    Solid solid(m);
    solid.step = choose_step(solid, m, stable_step(solid, 0));
    PlaneContacts contacts(solid, m);
    PlaneVerlet integrator(solid, contacts, 1);
    for (int k = 0; k < 60; ++k) integrator.advance(k * solid.step, solid.step);
    const auto start = std::chrono::steady_clock::now();
    for (int k = 60; k < 60 + steps; ++k) integrator.advance(k * solid.step, solid.step);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  for (auto _ : state) {
    const double with = seconds(true, 100), without = seconds(false, 100);
    state.counters["share_of_contact"] = 1 - without / with;
  }
}

BENCHMARK(by_hand)->Name("plane/by_hand")->Arg(40)->Arg(300);
BENCHMARK(verlet)->Name("plane/verlet")->Args({40, 1})->Args({40, 2})->Args({300, 1})->Args({300, 2})->UseRealTime();
BENCHMARK(search)
    ->Name("plane/search")
    ->Args({1000, 1})
    ->Args({10000, 1})
    ->Args({10000, 2})
    ->Args({100000, 1})
    ->Args({100000, 2})
    ->UseRealTime();
BENCHMARK(share)->Name("plane/contact_of_discs")->Iterations(1);

}  // namespace
