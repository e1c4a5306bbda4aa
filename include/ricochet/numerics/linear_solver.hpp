#pragma once
// A x = b with A as pattern + values, factorised again and again with the same pattern. Dense (LU with partial
// pivoting) up to `dense_limit` unknowns, sparse LU above; the same calls. Small dense matrices have their size known
// to the compiler.

#include <memory>
#include <utility>
#include <vector>

namespace ricochet {

class LinearSolver {
 public:
  static constexpr int dense_limit = 32;
  using Pattern = std::vector<std::pair<int, int>>;  // (row, column); repeated entries are one

  LinearSolver(int size, const Pattern& pattern);
  ~LinearSolver();
  LinearSolver(LinearSolver&&) noexcept;
  LinearSolver& operator=(LinearSolver&&) noexcept;

  int size() const { return size_; }
  int slot(int row, int column) const;  // place in values(); of an entry of the pattern, for set-up only
  double* values() { return values_.data(); }
  void clear();  // all values zero
  // false: singular to working precision (a pivot below 1e-15 of the largest, for dense matrices)
  bool factorize();                              // false: singular
  void solve(const double* b, double* x) const;  // b and x may be the same
  // The least-squares solution of least norm, whatever the rank: slow, for the rare singular case. No factorize needed.
  // `rest`: the largest |Ax − b|.
  void solve_minimum_norm(const double* b, double* x, double* rest = nullptr) const;
  // A vector x of largest entry 1 with Ax = 0 and, among its first `leading` entries, some that are not zero; empty if
  // there is none. Slow.
  std::vector<double> null_vector(int leading) const;

 private:
  struct Factors;
  int size_;
  std::vector<double> values_;
  std::unique_ptr<Factors> factors_;
};

}  // namespace ricochet
