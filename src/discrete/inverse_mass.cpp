#include "ricochet/discrete/inverse_mass.hpp"

#include <Eigen/Dense>

#include "ricochet/error.hpp"

namespace ricochet {

InverseMass::InverseMass(const System& system) : n_(system.n()) {
  if (system.diagonal_mass()) {
    diagonal_.assign(n_, 0.0);
    for (const MassEntry& e : system.mass()) diagonal_[e.row] = 1 / e.value;
  } else {
    LinearSolver::Pattern pattern;
    for (const MassEntry& e : system.mass()) pattern.emplace_back(e.row, e.column);
    sparse_.emplace(n_, pattern);
    for (const MassEntry& e : system.mass()) sparse_->values()[sparse_->slot(e.row, e.column)] = e.value;
    if (!sparse_->factorize()) throw ModelError("system.lagrangian", "the mass matrix is singular");
    constexpr int largest_dense = 32;
    if (n_ > largest_dense) return;
    Eigen::MatrixXd inverse = Eigen::MatrixXd::Identity(n_, n_);
    for (int j = 0; j < n_; ++j) sparse_->solve(inverse.col(j).data(), inverse.col(j).data());
    dense_.resize(static_cast<std::size_t>(n_) * n_);
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) dense_[i * n_ + j] = (inverse(i, j) + inverse(j, i)) / 2;
    sparse_.reset();
  }
}

}  // namespace ricochet
