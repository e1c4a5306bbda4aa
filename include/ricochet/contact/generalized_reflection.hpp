#pragma once
// The generalized reflection of Kaufman and Pai [KP12 Algorithm 2] and Moreau's [Algorithm 3], for contacts with
// normals n_k at one point.
//
// In the space of contact speeds c_k = n_k·v everything is small: an impulse Σ y_k n_k changes c by Δy, Δ = NᵀM⁻¹N.
// While some c_k < −ρ_v: V = those k, y from  min_{y≥0} ½ yᵀΔ_V y + 2 c_Vᵀ y  (A.1), c += Δy. Two balls in, two balls
// out. Moreau takes one pass over V. Energy is kept in each pass: ½ yᵀΔy + yᵀc = 0.
//
// With another energy that is quadratic in p, H2 = H + a h² vᵀV''v + terms of q, the pass uses Δ² = Δ + 2a h² UᵀV''U
// and c² = c + 2a h² UᵀV''v, U = M⁻¹N. The approach test stays in the metric of M. A pass that is not feasible with H2
// (slow contacts) uses H.

#include <Eigen/Dense>
#include <vector>

namespace ricochet {

struct ReflectionProblem {
  Eigen::MatrixXd gram;   // Δ
  Eigen::VectorXd c;      // contact speeds before
  Eigen::MatrixXd gram2;  // Δ², empty for the energy H
  Eigen::VectorXd c2;     // c²
  Eigen::VectorXd still;  // speeds up to this are none, ρ_v
  int max_passes = 100000;
};

struct ReflectionResult {
  Eigen::VectorXd impulses;  // Σ y_k over the passes
  Eigen::VectorXd c;         // contact speeds after
  int passes = 0;
  int fallbacks = 0;  // passes that used H instead of H2
};

// Throws SolverError after max_passes (opposing contacts never end).
ReflectionResult generalized_reflection(const ReflectionProblem& problem);
ReflectionResult moreau_reflection(const ReflectionProblem& problem);

}  // namespace ricochet
