#pragma once
// A x = b with A as pattern + values, factorised again and again with the same pattern. Dense (scaled_lu.hpp) up to
// `dense_limit` unknowns, sparse LU above; the same calls. Small dense matrices have their size known to the compiler.
//
// Rows and columns may have different units: whatever is compared is first divided by the sizes r_i r_j of row and
// column (row_weights.hpp), so that no choice depends on units. The sparse matrix is scaled by the nearest powers of
// two.

#include <memory>
#include <utility>
#include <vector>

namespace ricochet {

class LinearSolver {
 public:
  static constexpr int dense_limit =
      128;  // zeros cost a dense matrix little: up to here it is faster than a sparse one
  using Pattern = std::vector<std::pair<int, int>>;  // (row, column); repeated entries are one

  LinearSolver(int size, const Pattern& pattern);
  ~LinearSolver();
  LinearSolver(LinearSolver&&) noexcept;
  LinearSolver& operator=(LinearSolver&&) noexcept;

  int size() const { return size_; }
  int slot(int row, int column) const;  // place in values(); of an entry of the pattern, for set-up only
  double* values() { return values_.data(); }
  void clear();  // all values zero
  // The sizes r_i of the rows of the present values, that of the first being 1: R_i/r_i have one unit, and any change
  // of units by powers of two changes all of them by the same power of two. For the norms of Newton's method.
  void row_sizes(double* r);
  // False: singular to working precision. (A sparse factorisation notices exact zeros only.)
  bool factorize();
  void solve(const double* b, double* x) const;  // b and x may be the same
  // The least-squares solution of least norm, whatever the rank: slow, for the rare singular case. No factorize needed.
  // Norms are those of x_j r_j and of (Ax − b)_i/r_i: of velocities in the metric of the masses, of multipliers in that
  // of what they do. `rest`: the largest |Ax − b|_i/r_i as a part of the largest |b|_i/r_i; 1 if a row of zeros has a
  // b_i ≠ 0.
  void solve_minimum_norm(const double* b, double* x, double* rest = nullptr) const;
  // A vector x with Ax = 0, largest x_j r_j 1 and, among its first `leading` entries, some that are not zero; empty if
  // there is none. Slow.
  std::vector<double> null_vector(int leading) const;

 private:
  struct Factors;
  int size_;
  std::vector<double> values_;
  std::unique_ptr<Factors> factors_;
};

}  // namespace ricochet
