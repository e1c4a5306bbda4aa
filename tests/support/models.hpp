#pragma once
// Models shared by tests.

#include <cmath>
#include <string>
#include <vector>

#include "ricochet/mechanics/model.hpp"

namespace ricochet::models {

// Double pendulum, unit masses and lengths: configuration-dependent mass, nonlinear, non-separable.
inline Model double_pendulum() {
  Model m;
  const Expr a = m.coordinate("a"), b = m.coordinate("b");
  m.lagrangian = square(dot(a)) + square(dot(b)) / 2 + dot(a) * dot(b) * cos(a - b) + 9.81 * (2 * cos(a) + cos(b));
  return m;
}

inline Model pendulum() {
  Model m;
  const Expr a = m.coordinate("a");
  m.lagrangian = square(dot(a)) / 2 + cos(a);
  return m;
}

inline Model kepler() {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 + 1 / sqrt(square(x) + square(y));
  m.symmetries = {{"angular momentum", {-y, x}}};
  return m;
}

// Charged particle in a magnetic field that depends on x, explicit time in the electric field.
inline Model driven_charge() {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 + (x + x * x * x / 6) * dot(y) + 0.3 * x * cos(2 * m.time());
  return m;
}

// Particle of unit mass under gravity above a floor.
inline Model particle(double gravity) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - gravity * y;
  m.contacts = {{.name = "floor", .gap = y}};
  m.symmetries = {{"horizontal momentum", {m.graph->constant(1), m.graph->constant(0)}}};
  return m;
}

// The star of FMOW03 section 4.3: contact of four vertices with a floor; c adds c y² to the potential.
inline Model star(double gravity, double c = 0) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y"), theta = m.coordinate("theta");
  m.lagrangian = (square(dot(x)) + square(dot(y)) + 29.0 / 192 * square(dot(theta))) / 2 - gravity * y - c * square(y);
  m.contacts = {{.name = "floor", .gap = y - 0.5 * (abs(sin(theta)) + abs(cos(theta)))}};
  return m;
}

// Two bodies in free space: discs of radius a and b, or a star and a disc, in a plane, with their rotations.
inline Model pair(bool star) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y"), theta = m.coordinate("theta");
  const Expr X = m.coordinate("X"), Y = m.coordinate("Y"), phi = m.coordinate("phi");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 + 0.1 * square(dot(theta)) + square(dot(X)) + square(dot(Y)) +
                 0.3 * square(dot(phi)) - 0.05 * (square(x - X) + square(y - Y));
  if (star) {  // four vertices of the star against the disc of radius ½
    Expr gap = m.graph->constant(1e3);
    for (int k = 0; k < 4; ++k) {
      const Expr angle = theta + M_PI / 2 * k;
      const Expr distance = sqrt(square(x + 0.6 * cos(angle) - X) + square(y + 0.6 * sin(angle) - Y)) - 0.5;
      gap = k == 0 ? distance : min(gap, distance);
    }
    m.contacts = {{.name = "pair", .gap = gap}};
  } else {
    m.contacts = {{.name = "pair", .gap = sqrt(square(x - X) + square(y - Y)) - 1}};
  }
  const Expr one = m.graph->constant(1), zero = m.graph->constant(0);
  m.symmetries = {{"x momentum", {one, zero, zero, one, zero, zero}},
                  {"y momentum", {zero, one, zero, zero, one, zero}},
                  {"angular momentum", {-y, x, one, -Y, X, one}}};
  return m;
}

// Ball above a floor that moves as a sin(ωt).
inline Model moving_floor() {
  Model m;
  const Expr y = m.coordinate("y");
  m.lagrangian = square(dot(y)) / 2 - 9.81 * y - 0.5 * sin(3 * y);
  m.contacts = {{.name = "floor", .gap = y - 0.1 * sin(3 * m.time())}};
  return m;
}

// Double pendulum between walls: configuration-dependent mass.
inline Model double_pendulum_between_walls() {
  Model m = double_pendulum();
  const Expr a = m.q()[0], b = m.q()[1];
  m.contacts = {{.name = "right", .gap = 0.8 - sin(a) - sin(b)}, {.name = "left", .gap = 0.8 + sin(a) + sin(b)}};
  return m;
}

// Two particles inside a circle of radius 5, pressed outwards, with a spring [KP12 5.2, 8.1].
inline Model spring_and_sphere() {
  Model m;
  const Expr x = m.coordinate("x1"), y = m.coordinate("y1"), X = m.coordinate("x2"), Y = m.coordinate("y2");
  m.lagrangian = (square(dot(x)) + square(dot(y)) + square(dot(X)) + square(dot(Y))) / 2 -
                 50 / (square(x) + square(y)) - 50 / (square(X) + square(Y)) -
                 square(sqrt(square(x - X) + square(y - Y)) - 2 * std::sqrt(2)) / 2;
  m.contacts = {{.name = "sphere1", .gap = 5 - sqrt(square(x) + square(y))},
                {.name = "sphere2", .gap = 5 - sqrt(square(X) + square(Y))}};
  m.symmetries = {{"angular momentum", {-y, x, -Y, X}}};
  return m;
}

// Newton's cradle: n balls of radius ¼ on rods of length 1, with some clearance between neighbours at rest.
inline Model cradle(int n, double clearance = 0) {
  Model m;
  std::vector<Expr> x, y;
  Expr L = m.graph->constant(0);
  for (int i = 0; i < n; ++i) {
    x.push_back(m.coordinate("x" + std::to_string(i)));
    y.push_back(m.coordinate("y" + std::to_string(i)));
    L = L + (square(dot(x[i])) + square(dot(y[i]))) / 2 - 9.8 * y[i];
    m.holonomic.push_back({"rod" + std::to_string(i), sqrt(square(x[i] - (0.5 + clearance) * i) + square(y[i])) - 1});
    if (i > 0)
      m.contacts.push_back(
          {.name = "pair" + std::to_string(i), .gap = sqrt(square(x[i] - x[i - 1]) + square(y[i] - y[i - 1])) - 0.5});
  }
  m.lagrangian = L;
  return m;
}

inline std::vector<double> cradle_start(int n, int pulled, double swing = M_PI / 5, double clearance = 0) {
  std::vector<double> q;
  for (int i = 0; i < n; ++i) {
    const double a = i < pulled ? -swing : 0;
    q.push_back((0.5 + clearance) * i + std::sin(a));
    q.push_back(-std::cos(a));
  }
  return q;
}

}  // namespace ricochet::models
