#pragma once
// The smooth motion between impacts, as exactly as double precision allows: Hamilton's equations
//
//   q' = v(q,p,t),   p' = ∂L/∂q(q,v,t) + Cμ
//
// with μ = 0 without constraints. Constraints cᵀv + b = 0 (holonomic: c = ∇f) stay true if their rate does; with
// M = ∂²L/∂v² and r = ∂L/∂q − L_vq v − L_vt that is
//
//   M v' = r + Cμ,   Cᵀv' + γ = 0,  γ = (∂(cᵀv + b)/∂q) v     =>     CᵀM⁻¹C μ = −γ − CᵀM⁻¹r
//
// (the solution of least norm if constraints are redundant; the caller takes the drift off the constraints away).
// Solved by the explicit Runge–Kutta pair 8(7) of Fehlberg with the error control of ARKODE (SUNDIALS). ARKODE's dense
// output is of degree 5 at most and spoils an event time; instead partial() takes one Runge–Kutta step of the wanted
// length from the beginning of the last accepted step: shorter than a step whose error is within the tolerance.

#include <Eigen/Dense>
#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include "ricochet/discrete/inverse_mass.hpp"
#include "ricochet/mechanics/constraints.hpp"
#include "ricochet/mechanics/lagrangian.hpp"

namespace ricochet {

class HamiltonianFlow {
 public:
  HamiltonianFlow(Lagrangian& lagrangian, double tolerance);  // relative and absolute, of every component
  ~HamiltonianFlow();
  HamiltonianFlow(const HamiltonianFlow&) = delete;
  HamiltonianFlow& operator=(const HamiltonianFlow&) = delete;

  // y = (q, p). Nothing is remembered of what was integrated before.
  void start(double t, const double* y, double end, double max_step);
  void advance();  // one accepted step, at most to `end`; throws SolverError
  double t_from() const { return t_from_; }
  double t() const { return t_; }
  const double* from() const { return from_.data(); }
  const double* y() const { return y_.data(); }
  // y a time s after t_from()
  void partial(double s, double* y);

  int rhs(double t, const double* y, double* dydt);  // 0: fine, 1: no finite value here

 private:
  struct Solver;
  void constrained_rhs(double t, const double* y, double* dydt);
  void step_of_length(double t, const double* y, double s, double* out);
  Lagrangian* L_;
  bool separable_;  // L = ½vᵀMv − V(q,t): no Legendre transform to solve
  InverseMass inverse_mass_;
  formula::Evaluator<double> force_;
  std::optional<Constraints> constraints_;
  std::optional<LinearSolver> gram_;  // CᵀM⁻¹C
  std::vector<int> gram_slots_;
  Eigen::MatrixXd columns_, inverse_mass_c_;      // C, M⁻¹C
  Eigen::VectorXd direction_, bent_, r_, gamma_;  // (v, 0, 1), L'' of it, r, γ and then μ
  int n_;
  double t_from_ = 0, t_ = 0, end_ = 0;
  std::vector<double> from_, y_, v_, stage_, k_;
  std::exception_ptr trouble_;  // ARKODE is C: what the right-hand side throws waits here
  std::unique_ptr<Solver> solver_;
};

}  // namespace ricochet
