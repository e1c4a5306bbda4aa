#pragma once
// Random systems that stick, slide, stop and are released: particles on wavy floors, belts and moving tables, blocks
// and polygons on slopes, pucks and three-legged bodies in space, rows given as tangents, constraints beside the
// contact.

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "support/colliding_systems.hpp"

namespace ricochet {

class RubbingSystems {
 public:
  explicit RubbingSystems(unsigned seed) : engine_(seed) {}
  CollidingSystem make() {
    switch (below(6)) {
      case 0: return polygon();
      case 1: return puck();
      case 2: return disc();
      case 3: return tripod();
      case 4: return cart();
      default: return particle();
    }
  }

 private:
  double real(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }
  bool maybe() { return below(2) == 0; }

  CollidingSystem begin(const char* words) { return {.model = {}, .options = {}, .q = {}, .v = {}, .words = words}; }
  void finish(CollidingSystem& s) {
    const char* rules[] = {"trapezoidal", "midpoint", "galerkin"};
    s.options = collision(real(0.01, 0.06), rules[below(3)], maybe() ? "discrete" : "continuous");
    s.words += " " + s.options.discretization;
  }
  Contact rough(CollidingSystem& s, std::string name, Expr gap, std::vector<Expr> point) {
    Contact c{.name = std::move(name), .gap = real(0.5, 2) * gap};
    c.law = maybe() ? "coulomb" : "plastic";
    if (c.law == "coulomb") c.restitution = s.model.graph->constant(maybe() ? 0 : real(0, 0.5));
    c.friction = s.model.graph->constant(real(0.05, 0.9));
    c.point = std::move(point);
    s.words += " " + c.law;
    return c;
  }

  // On a wavy floor that may move, with springs and drag; mass constant or of the configuration.
  CollidingSystem particle() {
    CollidingSystem s = begin("particle");
    Model& m = s.model;
    const Expr x = m.coordinate("x"), y = m.coordinate("y");
    Expr kinetic = real(0.5, 2) * square(dot(x)) / 2 + real(0.5, 2) / 2 * square(dot(y));
    if (maybe()) kinetic = kinetic * (1 + 0.3 * sin(x)) + 0.2 * dot(x) * dot(y) * cos(x + y), s.words += " M(q)";
    m.lagrangian = kinetic - real(5, 12) * y - real(0, 8) * square(x) + real(-2, 2) * x;
    const double a = real(-0.2, 0.2), b = real(0.5, 2), A = maybe() ? real(0.01, 0.05) : 0, w = real(1, 8),
                 belt = maybe() ? real(-1, 1) : 0;
    const Expr height = y - a * sin(b * x) - A * sin(w * m.time());
    m.contacts = {rough(s, "floor", height, {x - belt * m.time(), y - A * sin(w * m.time())})};
    if (maybe()) m.forces = {{"drag", {-0.3 * dot(x) * (1 + square(y)), -0.2 * dot(y)}}};
    finish(s);
    const double x0 = real(-1, 1), u = real(-1, 1);
    s.q = {x0, a * std::sin(b * x0) + (maybe() ? 0 : real(0, 0.02))};
    s.v = {u, u * a * b * std::cos(b * x0) + A * w};
    return s;
  }
  // A polygon on its lower corners, on a slope.
  CollidingSystem polygon() {
    CollidingSystem s = begin("polygon");
    Model& m = s.model;
    const Expr x = m.coordinate("x"), y = m.coordinate("y"), theta = m.coordinate("theta");
    const double slope = real(-0.5, 0.5), g = real(5, 12), a = real(0.2, 0.6), b = real(0.2, 0.8);
    m.lagrangian = (square(dot(x)) + square(dot(y)) + real(0.05, 0.3) * square(dot(theta))) / 2 -
                   g * (y * std::cos(slope) - x * std::sin(slope)) - real(0, 3) * square(x);
    for (const double px : {-a, a}) {
      const Expr X = x + px * cos(theta) + b * sin(theta), Y = y + px * sin(theta) - b * cos(theta);
      m.contacts.push_back(rough(s, px < 0 ? "left" : "right", Y, {X, Y}));
    }
    finish(s);
    const double angle = maybe() ? 0 : real(-0.1, 0.1);
    s.q = {0, b * std::cos(angle) + a * std::abs(std::sin(angle)), angle};
    s.v = {real(-1, 1), 0, angle == 0 ? 0 : real(-0.5, 0.5)};
    return s;
  }
  // A particle on a curved surface in space that may move.
  CollidingSystem puck() {
    CollidingSystem s = begin("puck");
    Model& m = s.model;
    const Expr x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z");
    m.lagrangian = (real(0.5, 2) * square(dot(x)) + square(dot(y)) + real(0.5, 2) * square(dot(z))) / 2 -
                   real(5, 12) * z - real(0, 3) * (x + real(-1, 1) * y) - real(0, 2) * square(y);
    const double a = real(-0.2, 0.2), u0 = real(-1, 1), v0 = real(-1, 1), A = maybe() ? real(0.01, 0.05) : 0;
    const Expr up = A * sin(5 * m.time());
    m.contacts = {rough(s, "plane", z - a * sin(x + 0.5 * y) - up, {x, y - 0.3 * m.time(), z - up})};
    finish(s);
    s.q = {0, 0, 0};
    s.v = {u0, v0, a * (u0 + 0.5 * v0) + 5 * A};
    return s;
  }
  // A disc that rolls and slips: rows given as tangents.
  CollidingSystem disc() {
    CollidingSystem s = begin("disc");
    Model& m = s.model;
    const Expr x = m.coordinate("x"), y = m.coordinate("y"), theta = m.coordinate("theta");
    const double r = real(0.1, 0.5);
    m.lagrangian = (square(dot(x)) + square(dot(y)) + r * r * real(0.3, 0.6) * square(dot(theta))) / 2 -
                   real(5, 12) * y - real(-3, 3) * x - real(0, 3) * square(x);
    Contact c = rough(s, "floor", y - r, {});
    c.gap = y - r;
    c.tangent = {{m.graph->constant(1), m.graph->constant(0), m.graph->constant(r) * (1 + 0.1 * sin(x))}};
    m.contacts = {c};
    finish(s);
    s.q = {real(-1, 1), r, 0};
    s.v = {real(-1, 1), 0, real(-3, 3)};
    return s;
  }
  // A body in space on three legs, turning about the vertical.
  CollidingSystem tripod() {
    CollidingSystem s = begin("tripod");
    Model& m = s.model;
    const Expr x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z"), phi = m.coordinate("phi"),
               a = m.coordinate("a"), b = m.coordinate("b");
    m.lagrangian = (square(dot(x)) + square(dot(y)) + square(dot(z)) + 0.2 * square(dot(phi)) +
                    0.1 * (square(dot(a)) + square(dot(b)))) /
                       2 -
                   real(5, 12) * z - real(0, 2) * x;
    for (int k = 0; k < 3; ++k) {  // small tilts a, b: a model, not a rotation
      const double turn = 2 * M_PI * k / 3, px = 0.5 * std::cos(turn), py = 0.5 * std::sin(turn);
      const Expr X = x + px * cos(phi) - py * sin(phi), Y = y + px * sin(phi) + py * cos(phi), Z = z + px * a + py * b;
      m.contacts.push_back(rough(s, "leg" + std::to_string(k), Z, {X, Y, Z}));
    }
    finish(s);
    s.q = {0, 0, 0, 0.3, 0, 0};
    s.v = {real(-1, 1), real(-1, 1), 0, real(-2, 2), 0, 0};
    return s;
  }
  // Two particles joined by a rod, one of them on a rough floor.
  CollidingSystem cart() {
    CollidingSystem s = begin("cart");
    Model& m = s.model;
    const Expr x = m.coordinate("x"), y = m.coordinate("y"), X = m.coordinate("X"), Y = m.coordinate("Y");
    m.lagrangian = (square(dot(x)) + square(dot(y)) + real(0.5, 2) * (square(dot(X)) + square(dot(Y)))) / 2 -
                   real(5, 12) * y - real(2, 5) * Y;
    m.holonomic = {{"rod", sqrt(square(X - x) + square(Y - y)) - 1}};
    m.contacts = {rough(s, "floor", y, {x, y})};
    finish(s);
    const double angle = real(-0.5, 0.5) + (maybe() ? M_PI : 0), w = real(-1, 1), u = maybe() ? 0 : real(-1, 1);
    s.q = {0, 0, std::sin(angle), std::cos(angle)};
    s.v = {u, 0, u + w * std::cos(angle), -w * std::sin(angle)};
    return s;
  }

  std::mt19937 engine_;
};

}  // namespace ricochet
