#pragma once
// The smooth motion between impacts, as exactly as double precision allows: Hamilton's equations
//
//   q' = v(q,p,t),   p' = ∂L/∂q(q,v,t) + F(q,v,t) + Cμ
//
// with μ = 0 without constraints. Constraints cᵀv + b = 0 (holonomic: c = ∇f) stay true if their rate does; with
// M = ∂²L/∂v² and r = ∂L/∂q + F − L_vq v − L_vt that is
//
//   M v' = r + Cμ,   Cᵀv' + γ = 0,  γ = (∂(cᵀv + b)/∂q) v     =>     CᵀM⁻¹C μ = −γ − CᵀM⁻¹r
//
// (the solution of least norm if constraints are redundant; the caller takes the drift off the constraints away).
// Solved by the explicit Runge–Kutta pair 8(7) of Fehlberg with the error control of ARKODE (SUNDIALS). ARKODE's dense
// output is of degree 5 at most and spoils an event time; instead partial() takes one Runge–Kutta step of the wanted
// length from the beginning of the last accepted step: shorter than a step whose error is within the tolerance.
//
// The error of a component y is measured by tolerance·(|y| + a) with units: with the speed that the motion has or that
// forces f give it in a step h, as the root of an energy, S = √(vᵀMv + h² fᵀM⁻¹f) at the start,
//
//   a = ¼(|q_i| + h S/√M_ii)   for a position,      a = ¼ S √M_ii   for a momentum.
//
// ¼: then pendulum, Kepler's problem and double pendulum in units of order 1 are as exact as with a = 1, at equal cost.
// Forces that change with time count at the start, the middle and the end of the step.

#include <Eigen/Dense>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ricochet/discrete/inverse_mass.hpp"
#include "ricochet/discrete/rub.hpp"
#include "ricochet/mechanics/constraints.hpp"
#include "ricochet/mechanics/contact_frame.hpp"
#include "ricochet/mechanics/forces.hpp"
#include "ricochet/mechanics/gaps.hpp"
#include "ricochet/mechanics/lagrangian.hpp"
#include "ricochet/numerics/scaled_solver.hpp"

namespace ricochet {

class HamiltonianFlow {
 public:
  HamiltonianFlow(Lagrangian& lagrangian, double tolerance);
  ~HamiltonianFlow();
  HamiltonianFlow(const HamiltonianFlow&) = delete;
  HamiltonianFlow& operator=(const HamiltonianFlow&) = delete;

  // From the next start on these pieces of gaps are kept at zero like holonomic constraints; c = ∇g, and γ with its
  // terms of time. With friction: what sticks has its tangents as rows too, what slides pulls along its slip.
  void hold(Gaps& gaps, std::span<const int> pieces, std::span<const Rub> rubs);
  // Of the held pieces, the multipliers at (t, y); friction of what sticks is shared (discrete/share_friction.hpp).
  void reactions(double t, const double* y, double* mu);
  // Of the k-th of them at the last reactions(): friction, the largest that it can bear; slip along a.
  double friction(int k, int a) const;
  double cone(int k) const;
  double normal_force(int k) const;  // |ν|μ; without friction μ
  bool jams(int k) const;            // Painlevé: what slides would press itself on
  double tangent_size(int k) const;  // √(tᵀM⁻¹t) of one that sticks
  double slip(int k, int a) const { return slips_[2 * k + a]; }
  double slip_acceleration(int k, int a) const { return slip_accelerations_[2 * k + a]; }
  double slip_rate(int k, int a) const { return slip_rates_[2 * k + a]; }  // P_t along a
  double slip_size(int k) const { return slip_sizes_[k]; }                 // of its terms
  double slip_reach(int k, double t, const double* y);  // what forces change it by in time, after reactions() there
  double force_size() const { return force_size_; }     // in the metric of M⁻¹, of the last reactions()
  // y = (q, p). Nothing is remembered of what was integrated before.
  void start(double t, const double* y, double end, double max_step);
  void advance();  // one accepted step, at most to `end`; throws SolverError
  double t_from() const { return t_from_; }
  double t() const { return t_; }
  const double* from() const { return from_.data(); }
  const double* y() const { return y_.data(); }
  // y a time s after t_from()
  void partial(double s, double* y);

  Forces& forces() { return forces_; }
  int rhs(double t, const double* y, double* dydt);  // 0: fine, 1: no finite value here

 private:
  struct Solver;
  void constrained_rhs(double t, const double* y, double* dydt);
  void add_forces(double t, const double* q, const double* v, double* sum);
  void set_tolerances(double t, const double* y, double h);
  double kick(double t, const double* y);  // fᵀM⁻¹f; leaves y' in rate_
  void step_of_length(double t, const double* y, double s, double* out);
  Lagrangian* L_;
  Forces forces_;
  double tolerance_;
  bool separable_;  // L = ½vᵀMv − V(q,t), F(q,t): no Legendre transform to solve
  InverseMass inverse_mass_;
  formula::Evaluator<double> force_;
  std::optional<Constraints> constraints_;
  Gaps* gaps_ = nullptr;
  std::vector<int> held_;
  double force_size_ = 0;
  double inertial_size_ = 0;  // of what curved and moving obstacles ask for where no force acts
  void set_rows();
  void add_friction(int k, double t, const double* y, const double* v);
  std::optional<LinearSolver> gram_;  // CᵀM⁻¹C
  std::vector<int> gram_slots_;
  Eigen::MatrixXd rows_, columns_, inverse_mass_c_;  // R, C (R but for what slides), M⁻¹C
  std::vector<Rub> rubs_;
  std::vector<int> first_tangent_;  // row of each that sticks
  void share_friction();
  ScaledSolver<double> share_;
  std::vector<double> share_gram_, share_pressure_;
  ContactFrames<formula::Dual<double>> frames_;
  std::vector<formula::Dual<double>> dual_q_, dual_rows_;
  std::vector<double> slips_, slip_rates_, slip_sizes_, scales_, directions_;  // where each slips to
  std::vector<double> slip_accelerations_;                                     // without T·v' but after reactions()
  Eigen::MatrixXd tangents_;                                                   // T of each that rubs
  Eigen::VectorXd direction_, bent_, r_, gamma_;  // (v, 0, 1), L'' of it, r, γ and then μ
  int n_;
  double t_from_ = 0, t_ = 0, end_ = 0;
  std::vector<double> from_, y_, stage_, k_;
  std::vector<double> rate_, work_, inertia_, absolute_;  // of set_tolerances: y', M⁻¹f, M_ii, the tolerances
  std::exception_ptr trouble_;                            // ARKODE is C: what the right-hand side throws waits here
  std::unique_ptr<Solver> solver_;
};

}  // namespace ricochet
