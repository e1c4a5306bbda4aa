#pragma once
// How a course changes with θ: derivatives of the discrete map, exact to round-off, through impacts, lasting contacts
// and changes of mode. With x = (q, p), steps x_{k+1} = Φ_k(x_k, h_k, t_k, θ) and A_k, B_k their derivatives
// (StepJacobian):
//
//   forward   X_{k+1} = A_k X_k + B_k U_k,   U_k = d(h_k, t_k, θ)/dθ,   X_0 = dx_0/dθ: one column for each θ;
//   adjoint   λ_k = A_kᵀλ_{k+1},   dφ/dθ = φ_θ + Σ λ_{k+1}ᵀ B_k U_k + λ_0ᵀX_0: one pass for each quantity φ.
//
// The same numbers by two ways. Forward needs no step but the present one, so a motion of any length takes the same
// memory; the adjoint keeps all A_k, B_k (or would fly the motion again from checkpoints). A step derivative has a
// column for each θ anyway, so that forward costs no more than it but for the products: programs take that one, the
// adjoint is for many quantities' sake of a motion that is kept.

#include <Eigen/Dense>
#include <span>

#include "ricochet/design/quantity.hpp"

namespace ricochet {

// dx_0/dθ, 2n × parameters.
Eigen::MatrixXd start_derivative(const Shot& shot, const Course& course);
// dx_N/dθ, and in the order of the impacts that of (q̃, p̃⁻, p̃⁺, t̃).
struct ForwardDerivative {
  Eigen::MatrixXd end;
  Eigen::MatrixXd monodromy;             // dx_N/dx_0
  std::vector<Eigen::MatrixXd> impacts;  // 3n + 1 rows
};
ForwardDerivative forward(const Shot& shot, const Course& course);
// A course without its steps, and its derivative; none where course.reason tells why.
struct FlownShot {
  Course course;
  ForwardDerivative derivative;
};
FlownShot fly_forward(const Shot& shot, const std::atomic<bool>* stop = nullptr);

// Value and dφ/dθ of each quantity. A course must have its steps.
struct Sensitivity {
  Eigen::VectorXd values;
  Eigen::VectorXd sizes;     // QuantityPoint::size
  Eigen::MatrixXd by_theta;  // a row for each quantity
};
Sensitivity sensitivity_forward(const Shot& shot, const Course& course, std::span<const Quantity> quantities);
Sensitivity sensitivity_forward(const Shot& shot, const FlownShot& flight, std::span<const Quantity> quantities);
Sensitivity sensitivity_adjoint(const Shot& shot, const Course& course, std::span<const Quantity> quantities);

}  // namespace ricochet
