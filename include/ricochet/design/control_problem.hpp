#pragma once
// Optimal control with impacts at free times, as it is posed.
//
// Controls u are parameters of the model's graph, used in its forces (and in the potential part of its Lagrangian).
// Between impacts are arcs, each of intervals of one length h_a = (T_{a+1} − T_a)/N_a; the T between start and end are
// unknown, and u is constant in an interval. Sought is the least
//
//   J = Σ_k h Σ_i b_i ℓ(q_i, v_i, u_k, t_i) + φ(q_N, v_N, T)          (the quadrature of the discretization)
//
// among the motions of the *method*: its forced discrete Euler–Lagrange equations are the constraints.

#include <limits>
#include <optional>

#include "ricochet/design/quantity.hpp"

namespace ricochet {

struct Range {
  double min = -std::numeric_limits<double>::infinity(), max = std::numeric_limits<double>::infinity();
};

struct PathFormula {  // min <= f(q, v, u, t) <= max at the grid points
  std::string name;
  Expr formula;
  Range range;
};

struct ControlProblem {
  Model model;
  IntegratorOptions integrator;
  double start = 0;
  std::vector<double> position, velocity;          // at the start
  std::vector<char> free_position, free_velocity;  // of these, what the optimizer chooses
  std::vector<std::string> control_names;
  std::vector<Expr> controls;  // parameters of the graph

  std::vector<int> impacts;    // contacts in the order of their impacts
  std::vector<int> intervals;  // of each arc: one more than impacts
  std::vector<double> times;   // guess of the impact times; empty: equal arcs
  double duration = 0;         // or its guess
  std::optional<Range> free_duration;
  double minimum_arc = 0.01;  // the shortest arc, as a part of the duration over the number of arcs

  Expr running{}, final_cost{};      // none: 0
  std::vector<Quantity> conditions;  // = 0 at the end, or at impact k before or after it
  std::vector<Range> position_bounds, velocity_bounds, control_bounds;
  std::vector<PathFormula> path;
  std::vector<Expr> position_guess, control_guess;  // formulas of t; none: ours

  std::optional<double> refine;  // intervals are doubled until the cost changes by less than this part of it
  std::optional<int> search;     // try all sequences of up to so many impacts
  double tolerance = 1e-9;
  int max_iterations = 1000;

  int arcs() const { return static_cast<int>(impacts.size()) + 1; }
};

// Throws ModelError where the equations of the method cannot be constraints: another method than variational-collision
// or variational, elastic contacts under the discrete rule, friction, gaps with re-entrant corners, nonholonomic
// constraints, controls in momenta or gaps.
void check_controllable(const ControlProblem& problem);

}  // namespace ricochet
