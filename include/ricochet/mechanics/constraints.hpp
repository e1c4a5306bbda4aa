#pragma once
// The constraints of a System evaluated: holonomic f(q) = 0 and nonholonomic ω = W(q)v + b(q) = 0 in one list,
// holonomic first. Each has a column c_k of reaction directions: ∇f_k or the row W_k. One for each thread.

#include <memory>
#include <vector>

#include "ricochet/formula/dual.hpp"
#include "ricochet/formula/interval.hpp"
#include "ricochet/mechanics/system.hpp"

namespace ricochet {

class Constraints {
 public:
  explicit Constraints(const System& system);  // the system must outlive it
  ~Constraints();
  Constraints(Constraints&&) noexcept;
  Constraints& operator=(Constraints&&) noexcept;

  int count() const { return static_cast<int>(system_->constraints().size()); }
  int holonomic() const { return system_->holonomic(); }
  const std::string& name(int k) const;

  struct Entry {
    int coordinate, constraint;
    double value;
  };
  // Columns c_k(q) as entries in a fixed order, and b.
  void evaluate(const double* q);
  const std::vector<Entry>& entries() const { return entries_; }
  double value(int k) const { return values_[k]; }  // f_k(q), or b_k(q)

  // The nearest q with f(q) = 0 by Gauss–Newton, each shift δ the shortest in the metric of the masses at q (those of a
  // time-dependent mass at t = 0):
  //   [ M(q)  −C; Cᵀ  0 ] [δ; ν] = [0; −f(q)],   repeated until |f_k|, near round-off, falls no more.
  // q may miss the constraints, where they contradict each other.
  void move_onto(double* q);

  // What round-off makes of f_k(q), holonomic, where q_i is the sum of terms of size reach_i: the width of its
  // enclosure over q_i ± 2ε reach_i, as Gaps::round_off.
  double round_off(int k, const double* q, const double* reach);
  // The same of the rate c_k·v (+ b_k), with v_i the sum of terms of size v_reach_i.
  double rate_round_off(int k, const double* q, const double* reach, const double* v, const double* v_reach);

  void rates(const double* v, double* r) const;  // c_k·v, plus b_k for a nonholonomic one
  // y += Σ_k ν_k (dc_k/dq) x at q: n numbers
  void curvature_times(const double* q, const double* nu, const double* x, double* y);
  // r_k = d(c_k·v + b_k)/dq · x at fixed v
  void rate_derivative(const double* q, const double* v, const double* x, double* r);
  // The same for all x at once, for nonholonomic constraints: entries (coordinate, constraint) of ∂ω_k/∂q at (q, v).
  const std::vector<Entry>& rate_gradient(const double* q, const double* v);
  // ∂/∂θ_k at q: entries of the columns, in the order of entries(), and of f_j or b_j for each constraint.
  const std::vector<Entry>& parameter_derivative(int k, const double* q, double* values);
  const std::vector<Entry>& rate_entries() const { return rate_entries_; }  // their pattern

 private:
  const System* system_;
  int n_;
  std::vector<formula::Evaluator<double>> gradients_, hessians_;
  std::vector<formula::Evaluator<formula::Dual<double>>> duals_;  // made when a derivative by θ is asked for
  std::vector<Entry> entries_, rate_entries_, parameter_entries_;
  std::vector<std::pair<int, int>> source_, rate_source_;  // constraint and output of each entry
  std::vector<double> at_;                                 // where the columns were evaluated last
  std::vector<double> values_;
  // for enclosures; for move_onto: the masses and [M −C; Cᵀ 0], made when first used
  std::vector<formula::Evaluator<formula::Interval>> value_boxes_, gradient_boxes_;
  struct Metric;
  std::unique_ptr<Metric> metric_;
};

}  // namespace ricochet
