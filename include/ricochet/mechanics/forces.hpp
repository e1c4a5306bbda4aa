#pragma once
// The forces of a System evaluated at a point: their sum F(q,v,t) with its derivative, and the power F_k·v of each. One
// for each thread; no allocation after construction. Where a formula has abs, min or max the derivative is that of the
// branch taken. At rest v·sqrt(v·v), the usual drag, has a derivative of the form 0·∞: such an entry is 0, its limit.
// An infinite one is 0 too, good enough for a step of Newton's method, and is_smooth() says so.

#include <vector>

#include "ricochet/formula/dual.hpp"
#include "ricochet/mechanics/system.hpp"

namespace ricochet {

class Forces {
 public:
  explicit Forces(const System& system);  // the system must outlive it

  bool empty() const { return count_ == 0; }
  int count() const { return count_; }

  // order 0: F; order 1: its derivative too.
  void evaluate(int order, const double* q, const double* v, double t);
  const double* F() const { return F_.data(); }
  // Entries (i,j) of ∂F_i/∂x_j, x = (q,v,t), in the order of derivative(entry).
  const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pattern() const { return pattern_; }
  double derivative(std::size_t entry) const { return derivative_[entry]; }
  bool is_smooth() const { return smooth_; }                // no infinite derivative where it was last evaluated
  void apply_derivative(const double* x, double* y) const;  // y = F' x: n numbers from 2n + 1

  void parameter_derivative(int k, const double* q, const double* v, double t, double* dF);  // ∂F/∂θ_k

  // work[k] += weight · F_k·v for each force.
  void add_powers(double weight, const double* q, const double* v, double t, double* work);

 private:
  void set_inputs(formula::Evaluator<double>& program, const double* q, const double* v, double t) const;
  int n_, count_;
  formula::Evaluator<double> order0_, order1_, powers_;
  const formula::VectorFunction* sum_;
  std::vector<formula::Evaluator<formula::Dual<double>>> dual_;  // one, made when a derivative by θ is asked for
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pattern_;
  std::vector<double> F_, derivative_;
  bool smooth_ = true;
};

}  // namespace ricochet
