#pragma once
// Shots that several tests fly.

#include <cmath>

#include "ricochet/design/shooting.hpp"
#include "ricochet/formula/dual.hpp"

namespace ricochet {

// A ball over a floor: θ = (g, e, y0, v0, T). Gravity is linear, so the trapezoidal rule is exact.
struct Ball {
  double g = 9.81, e = 0.7, y0 = 1, v0 = 0.3, T = 1.3;

  Shot shot() const {
    Shot shot;
    Model& model = shot.model;
    const Expr y = model.coordinate("y");
    formula::Graph& graph = *model.graph;
    const Expr gravity = graph.parameter("g", g), restitution = graph.parameter("e", e);
    model.lagrangian = square(dot(y)) / 2 - gravity * y;
    model.contacts.push_back({.name = "floor", .gap = y, .law = "newton", .restitution = restitution});
    shot.position = {graph.parameter("y0", y0)};
    shot.velocity = {graph.parameter("v0", v0)};
    graph.parameter("T", T);
    shot.duration = 4;
    shot.integrator.method = "variational-collision";
    shot.integrator.step = 0.01;
    shot.run = {.start = 0, .step = 0.01, .duration = T};
    return shot;
  }
  // y and v at T in closed form, with their derivatives by θ_k; bounces: how many there were.
  using Dual = formula::Dual<double>;
  std::pair<Dual, Dual> exact(int k, int& bounces) const {
    const double values[] = {g, e, y0, v0, T};
    Dual x[5];
    for (int i = 0; i < 5; ++i) x[i] = {values[i], i == k ? 1.0 : 0.0};
    const Dual gravity = x[0], half = gravity / Dual(2.0), speed = sqrt(x[3] * x[3] + Dual(2.0) * gravity * x[2]);
    Dual t = (x[3] + speed) / gravity, v = x[1] * speed;
    bounces = 0;
    if (x[4].value < t.value) return {x[2] + x[3] * x[4] - half * x[4] * x[4], x[3] - gravity * x[4]};
    for (bounces = 1; (t + v / half).value < x[4].value; ++bounces) t = t + v / half, v = v * x[1];
    const Dual rest = x[4] - t;
    return {v * rest - half * rest * rest, v - gravity * rest};
  }
};

// SL, example 1: a disc that hits floor and wall and comes to a point at an angle. θ = (vx, vy, T).
inline ShootingProblem circle(double vx = 2, double vy = 3, double T = 1.5, double step = 0.01) {
  ShootingProblem problem;
  Shot& shot = problem.shot;
  Model& model = shot.model;
  const Expr x = model.coordinate("x"), y = model.coordinate("y");
  formula::Graph& graph = *model.graph;
  model.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - 9.81 * y;
  model.contacts = {{.name = "floor", .gap = y - 0.25}, {.name = "wall", .gap = 1.75 - x}};
  shot.position = {graph.constant(0), graph.constant(1)};
  shot.velocity = {graph.parameter("velocity.x", vx), graph.parameter("velocity.y", vy)};
  graph.parameter("duration", T);
  shot.duration = 2;
  shot.integrator.method = "variational-collision";
  shot.integrator.step = step;
  shot.integrator.parameters["impact_energy"] = std::string("continuous");
  const double whole = std::round(T / step);
  shot.run = {.start = 0, .step = T / whole, .duration = T};
  problem.unknowns = {{"velocity.x", 0}, {"velocity.y", 1}, {"duration", 2}};
  const double angle = 4 * M_PI / 3;
  problem.conditions = {
      {"x", x - 0.4}, {"y", y - 0.8}, {"direction", dot(x) * std::sin(angle) - dot(y) * std::cos(angle)}};
  problem.impacts = {{"floor", "wall"}};
  return problem;
}

}  // namespace ricochet
