#pragma once
// Mixed complementarity: unknowns z = (x, y) with
//
//   R(x, y) = 0,      0 <= y_k ⊥ s_k(x, y) >= 0,     k = 1 … contacts,
//
// the step of a mechanical system with contacts: y multipliers, s gaps or speeds of gaps. The compliance d_k > 0, a
// diagonal of the Gram matrix, converts a multiplier to the units of s_k. A contact is open (its row reads d_k y_k = 0)
// or closed (s_k = 0). Three ways, each tried if the one before fails:
//
//   1. semismooth Newton: each contact has the row that attains min(d_k y_k, s_k), chosen anew at each iterate;
//   2. Newton with a chosen set, all open at first; then the contact that violates most is opened (it pulls) or closed
//      (it is penetrated), one at a time, each time from the solution with all open: a curved gap has roots on two
//      sides, and that solution is beyond the right one;
//   3. Newton with every set of at most 10 contacts, from there and from the start.
//
// Violated means: by more than the round-off that the problem states. Of contacts in different units the worst has the
// largest s_k²/d_k or d_k y_k²: energies. If no set is without violation, the best is taken where its violation is
// within the tolerance, as in newton.hpp. What 2 and 3 find can be one of many solutions (redundant contacts): contacts
// that touch without a multiplier are closed too if none pulls then, so that the multipliers are the least ones. (A
// problem with dependent rows must give the least dz; LinearSolver::solve_minimum_norm does.)
//
// Problem (sizes are those of the last evaluation):
//   void evaluate(const double* z, bool with_jacobian);
//   double norm(), scale()            the largest |R_i|, and the size of its terms, in a measure that all R_i share
//   double slack(k), slack_scale(k)   s_k and the size of its terms
//   double compliance(k)              d_k, the same during a solve
//   double slack_round_off(k), multiplier_round_off(k)
//   bool direction(const char* open, const double* rows, double* dz);   [R_z; rows_z] dz = −[R; rows]

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "ricochet/numerics/newton.hpp"

namespace ricochet {

class Complementarity {
 public:
  Complementarity() = default;
  Complementarity(int size, int contacts) { resize(size, contacts); }
  // z has `size` entries, the last `contacts` of them are y. Allocates; nothing else does.
  void resize(int size, int contacts) {
    size_ = size;
    contacts_ = contacts;
    for (auto* vector : {&z_, &start_, &free_, &kept_z_, &dz_, &best_}) vector->assign(size, 0.0);
    rows_.assign(contacts, 0.0);
    held_.assign(contacts + 1, 0.0);
    for (auto* set : {&open_, &kept_, &factorized_}) set->assign(contacts, 1);
  }

  double* start() { return start_.data(); }  // where every iteration begins; zero after resize
  // The problem was last evaluated at the solution.
  template <class Problem>
  NewtonResult solve(Problem& problem, const NewtonSettings& settings);
  // With a given set (1: open): Newton alone; no sign is asked for.
  template <class Problem>
  NewtonResult solve_set(Problem& problem, const NewtonSettings& settings, std::span<const char> open) {
    std::copy(open.begin(), open.end(), open_.begin());
    return iterate(problem, settings, true, start_);
  }

  const std::vector<double>& z() const { return z_; }
  const std::vector<char>& open() const { return open_; }
  const std::vector<double>& rows() const { return rows_; }  // d_k y_k or s_k, of the last evaluation
  int iterations() const { return iterations_; }             // of all that was tried in the last solve

 private:
  template <class Problem>
  struct Rows;
  template <class Problem>
  NewtonResult iterate(Problem& problem, const NewtonSettings& settings, bool chosen, const std::vector<double>& from);
  template <class Problem>
  int worst(Problem& problem, double& relative) const;
  template <class Problem>
  bool open_and_close(Problem& problem, const NewtonSettings& settings, double& least);
  template <class Problem>
  bool every_set(Problem& problem, const NewtonSettings& settings, double& least);
  template <class Problem>
  NewtonResult close_what_touches(Problem& problem, const NewtonSettings& settings);

  double* y() { return z_.data() + size_ - contacts_; }
  const double* y() const { return z_.data() + size_ - contacts_; }
  void keep_if_less(double violation, double& least) {
    if (violation < least) least = violation, kept_ = open_, kept_z_ = z_;
  }

  int size_ = 0, contacts_ = 0, iterations_ = 0;
  std::vector<double> z_, start_, dz_, best_, rows_;
  std::vector<double> free_;       // the solution with all contacts open, where a chosen set begins
  std::vector<double> held_;       // scales of the rows, then of R, at the start of an iteration
  std::vector<char> factorized_;   // the set of the last direction
  std::vector<char> open_, kept_;  // of the iteration; of the set with the least violation, and its solution:
  std::vector<double> kept_z_;
};

// The problem with its rows, as newton() wants it: equations and rows divided by their scales at the start of the
// iteration, so that a step to where all terms are large is no progress; the scale is how much they have grown.
template <class Problem>
struct Complementarity::Rows {
  Complementarity& c;
  Problem& problem;
  bool chosen;  // open_ is given, not found by the iteration
  double norm_ = 0, growth_ = 1;

  void measure(double size, double scale, double& held) {
    if (!(held > 0)) held = scale;
    if (size == 0 || !(norm_ < INFINITY)) return;
    const double part = size / held;
    norm_ = std::isfinite(part) ? std::max(norm_, part) : INFINITY;
    growth_ = std::max(growth_, scale / held);
  }
  void evaluate(const double* z, bool with_jacobian) {
    problem.evaluate(z, with_jacobian);
    norm_ = 0;
    growth_ = 1;
    measure(problem.norm(), problem.scale(), c.held_[c.contacts_]);
    const double* y = z + c.size_ - c.contacts_;
    for (int k = 0; k < c.contacts_; ++k) {
      const double of_y = problem.compliance(k) * y[k], s = problem.slack(k);
      if (!chosen) c.open_[k] = of_y < s;
      c.rows_[k] = c.open_[k] != 0 ? of_y : s;
      measure(std::abs(c.rows_[k]), problem.slack_scale(k), c.held_[k]);
    }
  }
  void residual(const double* z) { evaluate(z, false); }
  void residual_and_jacobian(const double* z) { evaluate(z, true); }
  double norm() const { return norm_; }
  double scale() const { return growth_; }
  bool direction(double* dz) {
    c.factorized_ = c.open_;
    return problem.direction(c.open_.data(), c.rows_.data(), dz);
  }
  bool again(double* dz) requires requires { problem.again(c.rows_.data(), dz); }
  { return c.factorized_ == c.open_ && problem.again(c.rows_.data(), dz); }
};

template <class Problem>
NewtonResult Complementarity::iterate(Problem& problem, const NewtonSettings& settings, bool chosen,
                                      const std::vector<double>& from) {
  std::copy(from.begin(), from.end(), z_.begin());
  std::fill(held_.begin(), held_.end(), 0.0);
  Rows<Problem> rows{*this, problem, chosen};
  const NewtonResult result = newton(rows, z_.data(), dz_.data(), best_.data(), size_, settings);
  iterations_ += result.iterations;
  return result;
}

// The contact that violates most, −1: none does; and the largest violation relative to the terms of its s.
template <class Problem>
int Complementarity::worst(Problem& problem, double& relative) const {
  int flip = -1;
  double largest = 0;
  relative = 0;
  for (int k = 0; k < contacts_; ++k) {
    const double d = problem.compliance(k);
    const bool pulls = open_[k] == 0 && y()[k] < -problem.multiplier_round_off(k),
               penetrated = open_[k] != 0 && problem.slack(k) < -problem.slack_round_off(k);
    if (!pulls && !penetrated) continue;
    const double violation = pulls ? d * y()[k] : problem.slack(k), energy = violation * (violation / d);
    relative = std::fmax(relative, std::abs(violation) / problem.slack_scale(k));
    if (energy > largest) largest = energy, flip = k;
  }
  return flip;
}

template <class Problem>
bool Complementarity::open_and_close(Problem& problem, const NewtonSettings& settings, double& least) {
  std::fill(open_.begin(), open_.end(), 1);
  free_ = start_;
  for (int change = 0; change < 20 + 10 * contacts_; ++change) {
    if (!iterate(problem, settings, true, free_).converged) return false;
    if (change == 0) free_ = z_;
    double violation = 0;
    const int flip = worst(problem, violation);
    keep_if_less(violation, least);
    if (flip < 0) return true;
    open_[flip] = open_[flip] == 0;
  }
  return false;
}

template <class Problem>
bool Complementarity::every_set(Problem& problem, const NewtonSettings& settings, double& least) {
  if (contacts_ > 10) return false;
  for (const bool again : {false, true}) {
    if (again) free_ = start_;
    for (unsigned set = 0; set < 1u << contacts_; ++set) {
      for (int k = 0; k < contacts_; ++k) open_[k] = (set >> k & 1) == 0;
      if (!iterate(problem, settings, true, free_).converged) continue;
      double violation = 0;
      const int flip = worst(problem, violation);
      keep_if_less(violation, least);
      if (flip < 0) return true;
    }
  }
  return false;
}

// At a solution with a set: the same with all that touches closed, if nothing pulls then.
template <class Problem>
NewtonResult Complementarity::close_what_touches(Problem& problem, const NewtonSettings& settings) {
  kept_ = open_;
  kept_z_ = z_;
  bool more = false;
  for (int k = 0; k < contacts_; ++k)
    if (open_[k] != 0 && problem.slack(k) <= problem.slack_round_off(k)) open_[k] = 0, more = true;
  if (more) {
    const NewtonResult result = iterate(problem, settings, true, free_);  // from y = 0: the least steps
    double violation = 0;
    if (result.converged && worst(problem, violation) < 0) return result;
    open_ = kept_;
  }
  return iterate(problem, settings, true, kept_z_);
}

template <class Problem>
NewtonResult Complementarity::solve(Problem& problem, const NewtonSettings& settings) {
  iterations_ = 0;
  NewtonResult result = iterate(problem, settings, false, start_);
  if (result.converged || contacts_ == 0) return result;
  double least = INFINITY;
  if (open_and_close(problem, settings, least) || every_set(problem, settings, least))
    return close_what_touches(problem, settings);
  if (!(least <= settings.tolerance)) return result;
  open_ = kept_;
  return iterate(problem, settings, true, kept_z_);
}

}  // namespace ricochet
