#pragma once
// A number that a course gives: a formula of (q, v, t, θ) at its end, or at impact k just before or after it. Its
// derivative is by (q, p, t, θ) there, because these are what steps carry on:
//
//   dφ = φ_q dq + φ_v dv + φ_t dt + φ_θ dθ,   M dv = dp − L_vq dq − L_vt dt − L_vθ dθ.

#include <Eigen/Dense>
#include <string>
#include <vector>

#include "ricochet/design/shot.hpp"

namespace ricochet {

struct Quantity {
  std::string name;
  Expr formula;
  int at = 0;          // number of the impact, from 1; 0: the end
  bool after = false;  // its velocities are those after the impact
};

struct QuantityPoint {
  double value = 0;
  Eigen::RowVectorXd by_state, by_theta;  // by (q, p), by θ
  double by_t = 0;
  double size = 0;  // Σ|∂φ/∂x||x| over (q, v, t): what it is made of, so that its round-off is some ε of it
};

// Value and derivative of one quantity. Throws SolverError if the course has no such impact.
QuantityPoint evaluate(const Quantity& quantity, const Course& course, bool derivative);

}  // namespace ricochet
