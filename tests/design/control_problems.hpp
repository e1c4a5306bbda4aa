#pragma once
// Optimal control problems for tests.

#include "ricochet/design/optimal_control.hpp"

namespace ricochet {

// Nothing free, no bounds, no impacts, no costs.
inline void complete(ControlProblem& problem) {
  const std::size_t n = problem.position.size();
  problem.free_position.assign(n, 0);
  problem.free_velocity.assign(n, 0);
  problem.position_bounds.resize(n);
  problem.velocity_bounds.resize(n);
  problem.control_bounds.resize(problem.controls.size());
}

inline Expr control(ControlProblem& problem, const std::string& name) {
  problem.control_names.push_back(name);
  problem.controls.push_back(problem.model.graph->parameter("control." + name, 0));
  return problem.controls.back();
}

// EQUATIONS E: a ball from (0,1) to (1,1), rest to rest, in T = 1.2, with one bounce of restitution e; J = ½∫|u|².
inline ControlProblem bounce(double e, int intervals, const std::string& discretization = "midpoint") {
  ControlProblem problem;
  Model& model = problem.model;
  const Expr x = model.coordinate("x"), y = model.coordinate("y");
  model.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - 9.81 * y;
  model.contacts.push_back({.name = "floor", .gap = y});
  if (e < 1) {
    model.contacts[0].law = "newton";
    model.contacts[0].restitution = model.graph->constant(e);
  }
  const Expr ux = control(problem, "ux"), uy = control(problem, "uy");
  model.forces.push_back({"thrust", {ux, uy}});
  problem.integrator = {
      .method = "variational-collision", .discretization = discretization, .step = 0.1, .parameters = {}};
  problem.integrator.parameters["impact_energy"] = std::string("continuous");
  if (discretization == "galerkin") problem.integrator.parameters["degree"] = 2.0;
  problem.position = {0, 1};
  problem.velocity = {0, 0};
  problem.impacts = {0};
  problem.intervals = {intervals, intervals};
  problem.duration = 1.2;
  problem.running = (square(ux) + square(uy)) / 2;
  problem.conditions = {{"x", x - 1}, {"y", y - 1}, {"vx", dot(x)}, {"vy", dot(y)}};
  complete(problem);
  return problem;
}

}  // namespace ricochet
