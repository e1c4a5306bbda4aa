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

// SL, example 1: a disc that hits floor and wall and comes to a point at an angle. θ = (vx, vy, T). Lengths and times
// in other units: multiplied by `length` and `time`.
inline ShootingProblem circle(double vx = 2, double vy = 3, double T = 1.5, double step = 0.01, double length = 1,
                              double time = 1) {
  ShootingProblem problem;
  Shot& shot = problem.shot;
  Model& model = shot.model;
  const double speed = length / time;
  const Expr x = model.coordinate("x"), y = model.coordinate("y");
  formula::Graph& graph = *model.graph;
  model.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - 9.81 * length / (time * time) * y;
  model.contacts = {{.name = "floor", .gap = y - 0.25 * length}, {.name = "wall", .gap = 1.75 * length - x}};
  shot.position = {graph.constant(0), graph.constant(length)};
  shot.velocity = {graph.parameter("velocity.x", vx * speed), graph.parameter("velocity.y", vy * speed)};
  graph.parameter("duration", T * time);
  shot.duration = 2;
  shot.integrator.method = "variational-collision";
  const double whole = std::round(T / step);
  shot.run = {.start = 0, .step = T * time / whole, .duration = T * time};
  shot.integrator.step = shot.run.step;
  shot.integrator.parameters["impact_energy"] = std::string("continuous");
  problem.unknowns = {{"velocity.x", 0}, {"velocity.y", 1}, {"duration", 2}};
  const double angle = 4 * M_PI / 3;
  problem.conditions = {{"x", x - 0.4 * length},
                        {"y", y - 0.8 * length},
                        {"direction", dot(x) * std::sin(angle) - dot(y) * std::cos(angle)}};
  problem.impacts = {{"floor", "wall"}};
  return problem;
}

// The same with an ellipse, which turns. θ = (vx, vy, ω, T).
inline ShootingProblem ellipse(double vx = 2, double vy = 3, double omega = 2, double T = 1.66) {
  constexpr double a = 0.3, b = 0.2;
  ShootingProblem problem;
  Shot& shot = problem.shot;
  Model& model = shot.model;
  const Expr x = model.coordinate("x"), y = model.coordinate("y"), theta = model.coordinate("theta");
  formula::Graph& graph = *model.graph;
  const double inertia = (a * a + b * b) / 4;
  model.lagrangian = (square(dot(x)) + square(dot(y)) + inertia * square(dot(theta))) / 2 - 9.81 * y;
  model.contacts = {{.name = "floor", .gap = y - sqrt(square(a * sin(theta)) + square(b * cos(theta)))},
                    {.name = "wall", .gap = 2 - x - sqrt(square(a * cos(theta)) + square(b * sin(theta)))}};
  shot.position = {graph.constant(0), graph.constant(1), graph.constant(0)};
  shot.velocity = {graph.parameter("velocity.x", vx), graph.parameter("velocity.y", vy),
                   graph.parameter("velocity.theta", omega)};
  graph.parameter("duration", T);
  shot.duration = 3;
  shot.integrator.method = "variational-collision";
  shot.run = {.start = 0, .step = T / std::round(T / 0.01), .duration = T};
  shot.integrator.step = shot.run.step;
  shot.integrator.parameters["impact_energy"] = std::string("continuous");
  problem.unknowns = {{"velocity.x", 0}, {"velocity.y", 1}, {"velocity.theta", 2}, {"duration", 3}};
  const double angle = 4 * M_PI / 3;
  problem.conditions = {{"x", x - 0.4},
                        {"y", y - 0.8},
                        {"direction", dot(x) * std::sin(angle) - dot(y) * std::cos(angle)},
                        {"turn", theta + 2}};
  problem.impacts = {{"floor", "wall"}};
  return problem;
}

// A ball in step with a shaking table, e = ½: one bounce a period of ½. θ = (y0, v0).
inline ShootingProblem driven_ball(double gamma) {
  ShootingProblem problem;
  Shot& shot = problem.shot;
  Model& model = shot.model;
  constexpr double g = 9.81, T = 0.5, w = 2 * M_PI / T;
  const Expr y = model.coordinate("y");
  formula::Graph& graph = *model.graph;
  model.lagrangian = square(dot(y)) / 2 - g * y;
  model.contacts = {{.name = "table",
                     .gap = y - gamma * g / (w * w) * sin(w * model.time()),
                     .law = "newton",
                     .restitution = graph.constant(0.5)}};
  shot.position = {graph.parameter("position.y", 0.18)};
  shot.velocity = {graph.parameter("velocity.y", -1.9)};
  shot.integrator.method = "variational-collision";
  shot.integrator.step = 0.01;
  shot.run = {.start = 0, .step = 0.01, .duration = T};
  problem.unknowns = {{"position.y", 0}, {"velocity.y", 1}};
  problem.conditions = periodic_conditions(shot, {0});
  problem.periodic = true;
  return problem;
}

}  // namespace ricochet
