#pragma once
// The Lagrangian of a System evaluated at a point, with its derivatives, and what follows from it: Legendre transform
// both ways, energy, momentum maps. One for each thread; no allocation after construction.
//
//   p = ∂L/∂v(q,v,t);   v(q,p,t) solves it (one Newton step where L is quadratic in v);   E = v·∂L/∂v − L.

#include <optional>
#include <vector>

#include "ricochet/formula/dual.hpp"
#include "ricochet/mechanics/system.hpp"
#include "ricochet/numerics/linear_solver.hpp"

namespace ricochet {

class Lagrangian {
 public:
  explicit Lagrangian(const System& system);  // the system must outlive it

  const System& system() const { return *system_; }
  int n() const { return n_; }

  // order 1: value and gradient; order 2: Hessian too.
  void evaluate(int order, const double* q, const double* v, double t);
  double value() const { return value_; }
  const double* gradient() const { return gradient_.data(); }  // L_q, L_v, L_t: 2n + 1 numbers
  const double* Lq() const { return gradient_.data(); }
  const double* Lv() const { return gradient_.data() + n_; }
  double Lt() const { return gradient_[2 * n_]; }
  // Hessian entries (i,j), i >= j, of (q,v,t), in the order of hessian_pattern; the matrix is symmetric.
  const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pattern() const;
  double hessian(std::size_t entry) const { return order2_.output(first_hessian_ + entry); }
  void apply_hessian(const double* x, double* y) const;  // y = L'' x, 2n + 1 numbers

  // ∂/∂θ_k of L_q, L_v, L_t (2n + 1 numbers); returns that of L. Leaves what was evaluated last as it is.
  double parameter_derivative(int k, const double* q, const double* v, double t, double* out);

  void momentum(const double* q, const double* v, double t, double* p);
  // Throws SolverError. Of a degenerate system: the shortest velocity that comes nearest to the momentum.
  void velocity(const double* q, const double* p, double t, double* v);
  double energy(const double* q, const double* v, double t);
  double potential(const double* q, double t);  // −L at rest, of a separable system
  // w = M(q,v,t)⁻¹ x with M = ∂²L/∂v², at the velocity of the last call of velocity(). Of a degenerate system the
  // shortest w; throws SolverError if there is none.
  void apply_inverse_mass(const double* x, double* w) const {
    system_->degenerate() ? apply_degenerate(x, w) : solve_mass(x, w);
  }

  // The same, but of a degenerate system the w that comes nearest: coordinates without inertia do not count.
  void nearest_acceleration(const double* x, double* w) const {
    system_->degenerate() ? mass_.solve_minimum_norm(x, w) : solve_mass(x, w);
  }

  void momentum_maps(const double* q, const double* p, double* out);

 private:
  friend struct LegendreProblem;
  void set_mass();
  void solve_mass(const double* x, double* w) const {
    if (diagonal_.empty()) return mass_.solve(x, w);
    for (int i = 0; i < n_; ++i) w[i] = x[i] / diagonal_[i];
  }
  void apply_degenerate(const double* x, double* w) const;
  const System* system_;
  int n_;
  std::size_t first_hessian_;
  formula::Evaluator<double> potential_, order1_, order2_, generators_;
  std::vector<formula::Evaluator<formula::Dual<double>>> dual_;  // one, made when a derivative by θ is asked for
  double value_ = 0;
  std::vector<double> gradient_, work_, row_sizes_;
  LinearSolver mass_;
  std::vector<double> diagonal_;                         // of M, where it is constant and nothing else
  bool mass_known_ = false;                              // factorised once and for all, where it is constant
  std::vector<std::pair<std::size_t, int>> mass_slots_;  // Hessian entry -> place in mass_
};

// "x - 2 y" for the direction (1, −2) of the coordinates x and y.
std::string direction_in_words(const System& system, const double* direction);
// The direction of the coordinates in which a mass matrix is singular, in words; nothing if it is regular.
std::optional<std::string> singular_direction(Lagrangian& lagrangian, const double* q, const double* v, double t);

}  // namespace ricochet
