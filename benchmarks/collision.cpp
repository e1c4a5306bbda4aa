// The collision integrator on the particle and the star of FMOW03 (sections 4.2, 4.3), trapezoidal rule, discrete
// energy rule: formulas against hand-written loops that solve the same impact equations with the same root finder.
//
// By hand, linear gravity: a sub-step of length s has mean velocity w = M⁻¹(p − s/2 ∇V), and its discrete energy is
// ½ wᵀMw + V(q0) + s/2 ∇V·w. After an impact w = u + λM⁻¹n, which makes the energy rule a quadratic equation for λ. A
// hand-written loop looks at the end of a step alone, and there only if the body is low enough.

#include <array>

#include "ricochet/numerics/find_root.hpp"
#include "stepping.hpp"

namespace {

using ricochet::Expr;
using ricochet::Model;

template <int n>
using Vector = std::array<double, n>;

struct Particle {
  static constexpr int n = 2;
  static constexpr double g = 9.81, h = 0.01, highest = 0;
  static constexpr Vector<2> mass{1, 1}, q{0, 1}, v{-2, 0};
  static double gap(const Vector<2>& q) { return q[1]; }
  static Vector<2> normal(const Vector<2>&) { return {0, 1}; }
  static constexpr int steps = 1000, same_steps = 1000;
  static Model model() {
    Model m;
    const Expr x = m.coordinate("x"), y = m.coordinate("y");
    m.lagrangian = (square(dot(x)) + square(dot(y))) / 2.0 - g * y;
    m.contacts = {{.name = "floor", .gap = y}};
    return m;
  }
};

struct Star {
  static constexpr int n = 3;
  static constexpr double g = 9.8, h = 0.005, highest = 0.70710678118655;  // reach of a vertex
  static constexpr Vector<3> mass{1, 1, 29.0 / 192}, q{0, 3.5, 0}, v{-2, 0, 5};
  static double gap(const Vector<3>& q) { return q[1] - 0.5 * (std::abs(std::sin(q[2])) + std::abs(std::cos(q[2]))); }
  static Vector<3> normal(const Vector<3>& q) {
    const double s = std::sin(q[2]), c = std::cos(q[2]);
    return {0, 1, -0.5 * (std::copysign(c, s * c) - std::copysign(s, s * c))};
  }
  static constexpr int steps = 20000, same_steps = 400;  // chaotic: round-off grows by 22 an impact
  static Model model() {
    Model m;
    const Expr x = m.coordinate("x"), y = m.coordinate("y"), theta = m.coordinate("theta");
    m.lagrangian = (square(dot(x)) + square(dot(y)) + 29.0 / 192 * square(dot(theta))) / 2.0 - g * y;
    m.contacts = {{.name = "floor", .gap = y - 0.5 * (abs(sin(theta)) + abs(cos(theta)))}};
    return m;
  }
};

template <class Body>
struct ByHand {
  static constexpr int n = Body::n;
  static constexpr double g = Body::g, h = Body::h;
  Vector<n> q = Body::q, p, w, end;
  int impacts = 0;

  ByHand() {
    for (int i = 0; i < n; ++i) p[i] = Body::mass[i] * Body::v[i];
  }

  // End of a sub-step of length s with the impulse λ.
  void fly(double s, double lambda, const Vector<n>& normal) {
    for (int i = 0; i < n; ++i) {
      w[i] = (p[i] + lambda * normal[i] - (i == 1 ? s / 2 * g : 0)) / Body::mass[i];
      end[i] = q[i] + s * w[i];
    }
  }
  double energy(double s) const {
    double e = g * q[1] + s / 2 * g * w[1];
    for (int i = 0; i < n; ++i) e += Body::mass[i] * w[i] * w[i] / 2;
    return e;
  }
  void accept(double s, double lambda, const Vector<n>& normal) {
    for (int i = 0; i < n; ++i) p[i] += lambda * normal[i];
    p[1] -= s * g;
    q = end;
  }

  void step() {
    fly(h, 0, {});
    if (end[1] > Body::highest || Body::gap(end) >= 0) return accept(h, 0, {});
    double rest = h, lambda = 0, energy_minus = 0;
    Vector<n> normal{};
    bool after_impact = false;
    const auto path = [&](double s) {
      if (after_impact) {  // ½G λ² + (n·u + s/2 g n_y) λ + E(u) − E⁻ = 0, u the mean velocity for λ = 0
        fly(s, 0, normal);
        double G = 0, b = s / 2 * g * normal[1] / Body::mass[1];
        for (int i = 0; i < n; ++i) G += normal[i] * normal[i] / Body::mass[i], b += normal[i] * w[i];
        lambda = (-b + std::sqrt(b * b - 2 * G * (energy(s) - energy_minus))) / G;
      }
      fly(s, lambda, normal);
      return Body::gap(end);
    };
    for (;;) {
      const double at_end = path(rest);
      if (at_end >= 0) return accept(rest, lambda, normal);
      double from = 0, at_from = after_impact ? -1 : Body::gap(q);
      for (double s = rest / 2; after_impact && at_from <= 0; s /= 2) at_from = path(from = s);
      const double s = ricochet::find_root(path, from, rest, at_from, at_end).x;
      path(s);
      energy_minus = energy(s);
      accept(s, lambda, normal);
      normal = Body::normal(q);
      after_impact = true;
      rest -= s;
      ++impacts;
    }
  }
};

template <class Body>
ByHand<Body> by_hand(int steps) {
  ByHand<Body> body;
  for (int k = 0; k < steps; ++k) body.step();
  return body;
}

template <class Body>
Stepping library(double height = 0, const char* method = "variational-collision") {
  Vector<Body::n> q = Body::q, p;
  q[1] += height;
  for (int i = 0; i < Body::n; ++i) p[i] = Body::mass[i] * Body::v[i];
  Model model = Body::model();
  if (method == std::string("variational")) model.contacts.clear();
  return {model, "trapezoidal", {q.begin(), q.end()}, {p.begin(), p.end()}, method};
}

template <class Body>
void hand(benchmark::State& state) {
  measure(
      state, [] { return by_hand<Body>(Body::steps); }, 1, Body::steps);
}

template <class Body>
void formulas(benchmark::State& state) {
  Stepping stepping = library<Body>();
  if (!same_end(state, stepping.after(Body::same_steps, Body::h).q, by_hand<Body>(Body::same_steps).end.data())) return;
  measure(
      state, [&] { return stepping.after(Body::steps, Body::h); }, 1, Body::steps);
}

// Far above the floor, where a safe horizon stands for the contact check.
template <class Body>
void smooth(benchmark::State& state) {
  Stepping stepping = library<Body>(0, "variational");
  measure(state, [&] { return stepping.after(steps_per_iteration, Body::h); });
}
template <class Body>
void far(benchmark::State& state) {
  Stepping stepping = library<Body>(1e4);
  measure(state, [&] { return stepping.after(steps_per_iteration, Body::h); });
}

// The first step with an impact, again and again; its copy of the state is part of every row.
void first_impact(benchmark::State& state, Stepping stepping, double h) {
  ricochet::State before = stepping.start;
  for (ricochet::State now = before; stepping.workspace->impacts.empty();) {
    before = now;
    stepping.method->step(now, h, *stepping.workspace);
  }
  ricochet::State now = before;
  measure(
      state,
      [&] {
        now = before;
        stepping.workspace->forget_last_step();
        stepping.method->step(now, h, *stepping.workspace);
        return now.q[0];
      },
      1, 1);
}
template <class Body>
void impact(benchmark::State& state) {
  first_impact(state, library<Body>(), Body::h);
}

// A wedge that lands on a vertex, by each law; elastic with the continuous energy, as the others act on the momentum.
void law(benchmark::State& state, const char* name) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y"), a = m.coordinate("a");
  m.lagrangian = (square(dot(x)) + square(dot(y)) + 0.06 * square(dot(a))) / 2 - 9.81 * y;
  const double px[] = {-0.3, 0.3, 0}, py[] = {-0.3, -0.3, 0.6};
  for (int i = 0; i < 3; ++i) {
    const Expr height = y + px[i] * sin(a) + py[i] * cos(a);
    ricochet::Contact contact{.name = std::to_string(i), .gap = height, .law = name};
    contact.point = {x + px[i] * cos(a) - py[i] * sin(a), height};
    if (contact.law == "newton" || contact.law == "coulomb") contact.restitution = m.graph->constant(0.5);
    if (contact.law == "coulomb") contact.friction = m.graph->constant(0.3);
    m.contacts.push_back(contact);
  }
  first_impact(state,
               Stepping(m, "trapezoidal", {0, 1.2, 0.4}, {2, 0, -0.12}, "variational-collision",
                        {{"impact_energy", std::string("continuous")}}),
               0.005);
}

BENCHMARK(hand<Particle>)->Name("bouncing particle/by hand");
BENCHMARK(formulas<Particle>)->Name("bouncing particle/formulas");
BENCHMARK(hand<Star>)->Name("star/by hand");
BENCHMARK(formulas<Star>)->Name("star/formulas");
BENCHMARK(smooth<Star>)->Name("star, parts/step without contacts");
BENCHMARK(far<Star>)->Name("star, parts/step far from contact");
BENCHMARK(impact<Star>)->Name("star, parts/step with an impact");
BENCHMARK(smooth<Particle>)->Name("bouncing particle, parts/step without contacts");
BENCHMARK(far<Particle>)->Name("bouncing particle, parts/step far from contact");
BENCHMARK(impact<Particle>)->Name("bouncing particle, parts/step with an impact");
BENCHMARK_CAPTURE(law, elastic, "elastic")->Name("wedge, step with an impact/elastic, continuous");
BENCHMARK_CAPTURE(law, newton, "newton")->Name("wedge, step with an impact/newton");
BENCHMARK_CAPTURE(law, coulomb, "coulomb")->Name("wedge, step with an impact/coulomb");
BENCHMARK_CAPTURE(law, plastic, "plastic")->Name("wedge, step with an impact/plastic");

}  // namespace
