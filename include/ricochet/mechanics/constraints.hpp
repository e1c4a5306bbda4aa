#pragma once
// The constraints of a System evaluated: holonomic f(q) = 0 and nonholonomic ω = W(q)v + b(q) = 0 in one list,
// holonomic first. Each has a column c_k of reaction directions: ∇f_k or the row W_k. One for each thread.

#include <vector>

#include "ricochet/mechanics/system.hpp"

namespace ricochet {

class Constraints {
 public:
  explicit Constraints(const System& system);  // the system must outlive it

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

  void move_onto(double* q);  // the nearest q with f(q) = 0, by Gauss–Newton with the shortest shifts; q may miss it

  void rates(const double* v, double* r) const;  // c_k·v, plus b_k for a nonholonomic one
  // y += Σ_k ν_k (dc_k/dq) x at q: n numbers
  void curvature_times(const double* q, const double* nu, const double* x, double* y);
  // r_k = d(c_k·v + b_k)/dq · x at fixed v
  void rate_derivative(const double* q, const double* v, const double* x, double* r);
  // The same for all x at once, for nonholonomic constraints: entries (coordinate, constraint) of ∂ω_k/∂q at (q, v).
  const std::vector<Entry>& rate_gradient(const double* q, const double* v);
  const std::vector<Entry>& rate_entries() const { return rate_entries_; }  // their pattern

 private:
  const System* system_;
  int n_;
  std::vector<formula::Evaluator<double>> gradients_, hessians_;
  std::vector<Entry> entries_, rate_entries_;
  std::vector<std::pair<int, int>> source_, rate_source_;  // constraint and output of each entry
  std::vector<double> at_;                                 // where the columns were evaluated last
  std::vector<double> values_;
};

}  // namespace ricochet
