#pragma once
// Random systems that are about to hit something, of many kinds: a particle over a wavy floor that may move, a body
// with vertices, a stack, a rod with a constraint, a skate, with random laws, masses, potentials and discretizations.

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "support/flight.hpp"

namespace ricochet {

struct CollidingSystem {
  Model model;
  IntegratorOptions options;
  std::vector<double> q, v;
  std::string words;
};

class CollidingSystems {
 public:
  explicit CollidingSystems(unsigned seed) : engine_(seed) {}
  CollidingSystem make() {
    switch (below(7)) {
      case 0: return body();
      case 1: return stack();
      case 2: return rod();
      case 3: return skate();
      case 4: return hover();
      default: return particle();
    }
  }

 private:
  double real(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }
  bool maybe() { return below(2) == 0; }

  IntegratorOptions method(CollidingSystem& s) {
    const char* rules[] = {"trapezoidal", "midpoint", "galerkin", "rectangle"};
    IntegratorOptions o = collision(real(0.02, 0.08), rules[below(4)], maybe() ? "discrete" : "continuous");
    s.words += " " + o.discretization + " " + std::get<std::string>(o.parameters["impact_energy"]);
    return o;
  }
  void law(CollidingSystem& s, Contact& c, std::vector<Expr> point) {
    formula::Graph& graph = *s.model.graph;
    const char* laws[] = {"elastic", "newton", "coulomb", "plastic"};
    c.law = laws[point.empty() ? below(2) : below(4)];
    const Expr speed = graph.symbol(formula::SymbolKind::other, 0, "speed");
    if (c.law == "newton" || c.law == "coulomb")
      c.restitution = maybe() ? graph.constant(real(0, 0.95)) : real(0.3, 0.9) / (1 + real(0, 0.3) * speed);
    if (c.law == "coulomb" || c.law == "plastic")
      c.friction = graph.constant(maybe() ? 0 : maybe() ? real(0, 0.4) : real(0.5, 1.5));
    if (!point.empty()) c.point = std::move(point);
    s.words += " " + c.law;
  }
  Expr potential(Expr x, Expr y) {
    return real(2, 12) * y + real(-1, 1) * sin(real(1, 3) * x) + real(0, 2) * square(y) + real(-0.5, 0.5) * x * y;
  }

  // A particle over a wavy floor that may move; mass constant or of the configuration.
  CollidingSystem particle() {
    CollidingSystem s{.model = {}, .options = {}, .q = {}, .v = {}, .words = "particle"};
    Model& m = s.model;
    const Expr x = m.coordinate("x"), y = m.coordinate("y");
    Expr kinetic = square(dot(x)) / 2 + real(0.3, 3) / 2 * square(dot(y));
    if (maybe()) {
      kinetic = kinetic * (1 + 0.3 * sin(x)) + 0.2 * dot(x) * dot(y) * cos(x + y);
      s.words += " M(q)";
    }
    m.lagrangian = kinetic - potential(x, y);
    const double a = real(-0.3, 0.3), b = real(0.5, 3), A = maybe() ? real(0.01, 0.1) : 0, w = real(1, 10);
    const Expr height = y - a * sin(b * x) - A * sin(w * m.time());
    if (A != 0) s.words += " moving";
    Contact floor{.name = "floor", .gap = height};
    law(s, floor, maybe() ? std::vector<Expr>{x, y} : std::vector<Expr>{});
    m.contacts = {floor};
    if (maybe()) m.forces = {{"drag", {-0.3 * dot(x) * (1 + square(y)), -0.2 * dot(y)}}};
    s.options = method(s);
    const double x0 = real(-1, 1), d = real(0, 0.1);
    s.q = {x0, a * std::sin(b * x0) + d};
    s.v = {real(-1, 1), maybe() ? real(-3, 0) : real(-0.1, 0)};
    return s;
  }
  // A triangle with three vertices over a floor.
  CollidingSystem body() {
    CollidingSystem s{.model = {}, .options = {}, .q = {}, .v = {}, .words = "body"};
    Model& m = s.model;
    const Expr x = m.coordinate("x"), y = m.coordinate("y"), theta = m.coordinate("theta");
    m.lagrangian = (square(dot(x)) + square(dot(y)) + real(0.03, 0.2) * square(dot(theta))) / 2 - potential(x, y);
    const double angle = real(0, 2 * M_PI);
    double lowest = 0;
    for (int k = 0; k < 3; ++k) {
      const double px = 0.4 * std::cos(2 * M_PI * k / 3), py = 0.4 * std::sin(2 * M_PI * k / 3);
      const Expr height = y + px * sin(theta) + py * cos(theta);
      Contact vertex{.name = "vertex" + std::to_string(k), .gap = real(0.5, 2) * height};
      law(s, vertex,
          maybe() || k > 0 ? std::vector<Expr>{x + px * cos(theta) - py * sin(theta), height} : std::vector<Expr>{});
      m.contacts.push_back(vertex);
      lowest = std::min(lowest, px * std::sin(angle) + py * std::cos(angle));
    }
    s.options = method(s);
    s.q = {0, -lowest + real(0, 0.05), angle};
    s.v = {real(-1, 1), real(-2, 0), real(-3, 3)};
    return s;
  }
  // Two particles on each other over a floor: closed and open contacts in one impact.
  CollidingSystem stack() {
    CollidingSystem s{.model = {}, .options = {}, .q = {}, .v = {}, .words = "stack"};
    Model& m = s.model;
    const Expr a = m.coordinate("a"), b = m.coordinate("b");
    m.lagrangian = real(0.5, 2) / 2 * square(dot(a)) + real(0.5, 2) / 2 * square(dot(b)) - real(5, 10) * a -
                   real(5, 10) * b - real(0, 1) * sin(a + 2 * b);
    m.contacts = {{.name = "floor", .gap = a}, {.name = "pair", .gap = b - a - 0.1}};
    for (Contact& c : m.contacts) law(s, c, {});
    s.options = method(s);
    s.q = {maybe() ? 0 : real(0, 0.05), real(0.15, 0.25)};
    s.v = {s.q[0] == 0 ? 0 : real(-1, 0), real(-2, 0)};
    return s;
  }
  // A pendulum in Cartesian coordinates with a bob on a spring, against a wall.
  CollidingSystem rod() {
    CollidingSystem s{.model = {}, .options = {}, .q = {}, .v = {}, .words = "rod"};
    Model& m = s.model;
    const Expr x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z");
    m.lagrangian = (square(dot(x)) + square(dot(y)) + real(0.5, 2) * square(dot(z))) / 2 - real(2, 10) * y -
                   real(1, 5) * square(z - x);
    m.holonomic = {{"rod", sqrt(square(x) + square(y)) - 1}};
    Contact wall{.name = "wall", .gap = real(0.42, 0.6) - x - 0.1 * z};
    law(s, wall, {});
    m.contacts = {wall};
    s.options = method(s);
    const double angle = real(0.3, 0.4), w = real(0.5, 3);
    s.q = {std::sin(angle), -std::cos(angle), real(-0.2, 0.2)};
    s.v = {w * std::cos(angle), w * std::sin(angle), real(-1, 1)};
    return s;
  }
  // A particle that turns back just before, at or behind a wall: events without impulse, where the path enters and the
  // momentum leaves. Long steps, so that the two differ.
  CollidingSystem hover() {
    CollidingSystem s{.model = {}, .options = {}, .q = {}, .v = {}, .words = "hover"};
    Model& m = s.model;
    const Expr x = m.coordinate("x"), y = m.coordinate("y");
    m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 + real(2, 5) * y + real(-1, 1) * sin(2 * y) - 0.3 * x * y;
    Contact wall{.name = "wall", .gap = y - 0.1 * sin(x)};
    law(s, wall, {});
    m.contacts = {wall};
    s.options = method(s);
    s.options.step = real(0.2, 0.5);
    if (s.options.discretization == "rectangle") s.options.parameters["gamma"] = 1.0;
    const double y0 = real(0.05, 0.15);
    s.q = {0, y0};
    s.v = {real(-0.5, 0.5), -std::sqrt(real(1, 8) * y0)};
    return s;
  }
  // A skate between walls.
  CollidingSystem skate() {
    CollidingSystem s{.model = {}, .options = {}, .q = {}, .v = {}, .words = "skate"};
    Model& m = s.model;
    const Expr x = m.coordinate("x"), y = m.coordinate("y"), theta = m.coordinate("theta");
    m.lagrangian = (square(dot(x)) + square(dot(y)) + real(0.2, 1) * square(dot(theta))) / 2 - potential(x, y);
    m.nonholonomic = {{"edge", sin(theta) * dot(x) - cos(theta) * dot(y)}};
    Contact wall{.name = "wall", .gap = y + 0.2 * sin(theta)};
    law(s, wall, {});
    m.contacts = {wall};
    s.options = method(s);
    if (maybe()) {
      s.options.method = "nonholonomic-symmetric";
      s.options.parameters.clear();
      s.options.discretization = "rectangle";
      s.words += " symmetric";
    } else {
      s.options.method = "nonholonomic-collision";
      if (s.options.discretization == "galerkin") s.options.discretization = "midpoint";
    }
    const double angle = real(-1.2, -0.4), u = real(0.5, 2);
    s.q = {0, -0.2 * std::sin(angle) + real(0, 0.05), angle};
    s.v = {u * std::cos(angle), u * std::sin(angle), real(-1, 1)};
    return s;
  }

  std::mt19937 engine_;
};

}  // namespace ricochet
