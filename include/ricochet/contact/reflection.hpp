#pragma once
// The direction of the impulse when one or several gaps close at an instant: by default Moreau's rule in the mass
// metric, or another law of contact/generalized_reflection.hpp.
//
//   v⁺ = v⁻ − 2 P_N v⁻,   N the cone spanned by M⁻¹∇g_i,   P_N the projection on it in the metric of M, sign reversed:
//   y = argmin_{y≥0} ½ yᵀΔy + 2cᵀy,   Δ_ij = ∇g_iᵀM⁻¹∇g_j,   c_i = ∇g_i·v⁻ + ∂g_i/∂t,   p⁺ = p⁻ + Σ y_i ∇g_i.
// With constraints the ∇g_i are first freed of what the constraint reactions would undo [KP12 (7.7), corrected].
// For one gap y = −2c/Δ, the mirror. Energy is kept: ½ yᵀΔy + yᵀc = 0.

#include <Eigen/Dense>
#include <vector>

#include "ricochet/contact/generalized_reflection.hpp"
#include "ricochet/contact/impact_energy.hpp"
#include "ricochet/discrete/constrained_step.hpp"
#include "ricochet/mechanics/gaps.hpp"

namespace ricochet {

struct ActivePiece {
  int gap, piece;
  Eigen::VectorXd n;         // ∇g, freed of what the constraints undo
  Eigen::VectorXd w;         // M⁻¹n
  Eigen::VectorXd reaction;  // n − ∇g, in the span of the constraint forms; empty without constraints
  double g_t = 0, rate = 0;  // ∂g/∂t and ∇g·v⁻ + ∂g/∂t
  double y = 0;              // its share of the impulse
};

class Reflection {
 public:
  // A gap counts as closed up to the size `closed`. `constraints` only if the system has any.
  Reflection(Gaps& gaps, double closed, ConstrainedStep* constraints = nullptr, ReflectionLaw law = moreau_reflection);

  // The closed pieces that are approached, or touch, at (t, q) with velocity v⁻, at.G and the direction at.d, at.d_t.
  // The velocity must be the last one found by L.velocity(). False if no piece is approached, so that no impulse is
  // needed.
  bool find(Lagrangian& L, const Eigen::VectorXd& v, ImpactPoint& at);
  // The same for one given piece, approached or not, with d scaled as for a unit approach speed.
  bool find_one(Lagrangian& L, int gap, int piece, const Eigen::VectorXd& v, ImpactPoint& at);
  const std::vector<ActivePiece>& active() const { return active_; }

 private:
  bool free_of_constraints(Lagrangian& L, ActivePiece& a, const ImpactPoint& at) const;  // false: no way to bounce
  void add(int gap, int piece, const Eigen::VectorXd& v, const ImpactPoint& at);
  bool set_direction(Lagrangian& L, const Eigen::VectorXd& approach, ImpactPoint& at);
  Gaps* gaps_;
  double closed_;
  ConstrainedStep* constraints_;
  ReflectionLaw law_;
  std::vector<ActivePiece> active_;
  std::vector<int> pieces_;
};

}  // namespace ricochet
