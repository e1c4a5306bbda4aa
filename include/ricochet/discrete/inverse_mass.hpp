#pragma once
// w = M⁻¹ x for a constant mass matrix: a diagonal, a dense inverse up to 32 coordinates, a sparse factorisation above.

#include <optional>
#include <vector>

#include "ricochet/mechanics/system.hpp"
#include "ricochet/numerics/linear_solver.hpp"

namespace ricochet {

class InverseMass {
 public:
  InverseMass() = default;
  explicit InverseMass(const System& system);  // of a separable system with regular mass

  bool is_diagonal() const { return !diagonal_.empty(); }
  const std::vector<double>& diagonal() const { return diagonal_; }

  // Any scalar; x and w must differ. (The sparse case is for double alone.)
  template <class T>
  void apply(const T* x, T* w) const {
    const std::size_t n = static_cast<std::size_t>(n_);
    if (!diagonal_.empty()) {
      for (std::size_t i = 0; i < n; ++i) w[i] = x[i] * T(diagonal_[i]);
    } else if (!dense_.empty()) {
      for (std::size_t i = 0; i < n; ++i) {
        w[i] = x[0] * T(dense_[i * n]);
        for (std::size_t j = 1; j < n; ++j) w[i] = w[i] + x[j] * T(dense_[i * n + j]);
      }
    } else if constexpr (std::is_same_v<T, double>) {
      sparse_->solve(x, w);
    }
  }

 private:
  int n_ = 0;
  std::vector<double> diagonal_, dense_;  // dense: n×n, symmetric
  std::optional<LinearSolver> sparse_;
};

}  // namespace ricochet
