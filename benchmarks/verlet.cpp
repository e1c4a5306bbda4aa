// Two coordinates, trapezoidal rule: formulas against a hand-written Störmer-Verlet loop.

#include <array>

#include "ricochet/formula/lanes.hpp"
#include "stepping.hpp"

namespace {

using ricochet::Expr;
using ricochet::Model;
using ricochet::formula::Evaluator;
using Lanes = ricochet::formula::Lanes<8>;
using State4 = std::array<double, 4>;  // x, y, p_x, p_y

constexpr double h = 0.01;

struct Kepler {
  static constexpr State4 start{0.4, 0.0, 0.0, 2.0};
  static void force(double x, double y, double& fx, double& fy) {
    const double r2 = x * x + y * y, c = -1 / (r2 * std::sqrt(r2));
    fx = c * x;
    fy = c * y;
  }
  static Expr potential(Expr x, Expr y) { return -1.0 / sqrt(square(x) + square(y)); }
};

struct HenonHeiles {
  static constexpr State4 start{0.0, 0.1, 0.35, 0.2};
  static void force(double x, double y, double& fx, double& fy) {
    fx = -x - 2 * x * y;
    fy = -y - x * x + y * y;
  }
  static Expr potential(Expr x, Expr y) { return (square(x) + square(y)) / 2.0 + square(x) * y - pow(y, 3.0) / 3.0; }
};

template <class Physics>
State4 by_hand(int steps) {
  auto [x, y, px, py] = Physics::start;
  double fx, fy;
  Physics::force(x, y, fx, fy);
  for (int k = 0; k < steps; ++k) {
    px += h / 2 * fx;
    py += h / 2 * fy;
    x += h * px;
    y += h * py;
    Physics::force(x, y, fx, fy);
    px += h / 2 * fx;
    py += h / 2 * fy;
  }
  return {x, y, px, py};
}

template <class Physics>
Stepping library() {
  Model model;
  const Expr x = model.coordinate("x"), y = model.coordinate("y");
  model.lagrangian = (square(dot(x)) + square(dot(y))) / 2.0 - Physics::potential(x, y);
  const State4& s = Physics::start;
  return {model, "trapezoidal", {s[0], s[1]}, {s[2], s[3]}};
}

// Eight starts at once: the same program, each instruction on eight numbers.
template <class Physics>
State4 eight_lanes(const ricochet::System& system, Evaluator<Lanes>& force, int steps) {
  std::array<Lanes, 4> z;
  for (int i = 0; i < 4; ++i) z[i] = Lanes(Physics::start[i]);
  for (int lane = 0; lane < 8; ++lane) z[0][lane] += 0.001 * lane;  // lane 0 is the start of the others
  const Lanes kick(h / 2), drift(h);
  const auto run = [&] {
    force.inputs()[0] = z[0];
    force.inputs()[1] = z[1];
    force.run();
  };
  force.inputs()[system.n()] = Lanes(0.0);  // time
  run();
  for (int k = 0; k < steps; ++k) {
    for (int i = 0; i < 2; ++i) z[2 + i] = z[2 + i] + kick * force.output(i);
    for (int i = 0; i < 2; ++i) z[i] = z[i] + drift * z[2 + i];
    run();
    for (int i = 0; i < 2; ++i) z[2 + i] = z[2 + i] + kick * force.output(i);
  }
  return {z[0][0], z[1][0], z[2][0], z[3][0]};
}

template <class Physics>
void hand(benchmark::State& state) {
  measure(state, [] { return by_hand<Physics>(steps_per_iteration); });
}

template <class Physics>
void formulas(benchmark::State& state) {
  Stepping stepping = library<Physics>();
  if (!same_end(state, stepping.after(steps_per_iteration, h).q, by_hand<Physics>(steps_per_iteration).data())) return;
  measure(state, [&] { return stepping.after(steps_per_iteration, h); });
}

template <class Physics>
void lanes(benchmark::State& state) {
  const Stepping stepping = library<Physics>();
  Evaluator<Lanes> force(stepping.system->force());
  const auto run = [&] { return eight_lanes<Physics>(*stepping.system, force, steps_per_iteration); };
  const State4 end = run();
  if (!same_end(state, {end[0], end[1]}, by_hand<Physics>(steps_per_iteration).data())) return;
  measure(state, run, 8);
}

BENCHMARK(hand<Kepler>)->Name("Kepler, trapezoidal/by hand");
BENCHMARK(formulas<Kepler>)->Name("Kepler, trapezoidal/formulas");
BENCHMARK(lanes<Kepler>)->Name("Kepler, trapezoidal/formulas, each of 8 lanes");
BENCHMARK(hand<HenonHeiles>)->Name("Hénon-Heiles, trapezoidal/by hand");
BENCHMARK(formulas<HenonHeiles>)->Name("Hénon-Heiles, trapezoidal/formulas");
BENCHMARK(lanes<HenonHeiles>)->Name("Hénon-Heiles, trapezoidal/formulas, each of 8 lanes");

}  // namespace
