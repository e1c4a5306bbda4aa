#pragma once
// The smooth motion between impacts, as exactly as double precision allows: Hamilton's equations
//
//   q' = v(q,p,t),   p' = ∂L/∂q(q,v,t)
//
// by the explicit Runge–Kutta pair 8(7) of Fehlberg with the error control of ARKODE (SUNDIALS). ARKODE's dense output
// is of degree 5 at most and spoils an event time; instead partial() takes one Runge–Kutta step of the wanted length
// from the beginning of the last accepted step: shorter than a step whose error is within the tolerance.

#include <exception>
#include <memory>
#include <vector>

#include "ricochet/discrete/inverse_mass.hpp"
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
  void step_of_length(double t, const double* y, double s, double* out);
  Lagrangian* L_;
  bool separable_;  // L = ½vᵀMv − V(q,t): no Legendre transform to solve
  InverseMass inverse_mass_;
  formula::Evaluator<double> force_;
  int n_;
  double tolerance_, t_from_ = 0, t_ = 0, end_ = 0;
  std::vector<double> from_, y_, v_, stage_, k_;
  std::exception_ptr trouble_;  // ARKODE is C: what the right-hand side throws waits here
  std::unique_ptr<Solver> solver_;
};

}  // namespace ricochet
