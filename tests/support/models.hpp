#pragma once
// Models shared by tests.

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

}  // namespace ricochet::models
