#pragma once
// min ½ yᵀΔy + cᵀy  over y >= 0, with Δ = NᵀM⁻¹N the Gram matrix of some directions: the least-squares problem (A.1) of
// Kaufman and Pai is this one with c twice the approach speeds. Solved by the active-set method of Lawson and Hanson.
// Directions may have different units (Δ_ij that of f_i f_j): Δ is first scaled to equal diagonals, and of many
// solutions the least one is that of Σ Δ_ii y_i². A direction with Δ_ii = 0 does nothing and gets nothing. At the
// solution  y >= 0,  Δy + c >= 0,  yᵀ(Δy + c) = 0.

#include <Eigen/Dense>

namespace ricochet {

Eigen::VectorXd nonnegative_least_squares(const Eigen::MatrixXd& gram, const Eigen::VectorXd& c);

}  // namespace ricochet
