#pragma once
// Which energy an elastic impact keeps: one equation for the size λ of the impulse λd at q̃. A rule is a file; the list
// is in impact_energy.cpp.
//
//   discrete    E⁺(q̃, p̃⁻ + λd, s) − E⁻ + λ d_t = 0,    E the discrete energies of the sub-steps after and before
//   [FMOW03 (47)] continuous  H(q̃, p̃⁻ + λd) − H(q̃, p̃⁻) + λ d_t = 0
//
// d = Σ y_i ∇g_i and d_t = Σ y_i ∂g_i/∂t are scaled so that λ = 1 reflects the momentum where L is quadratic in v. λ
// belongs to the pair of sub-steps around its impact: a rule that looks at the sub-step after it gives another λ for
// another length.

#include <Eigen/Dense>
#include <memory>
#include <string>

#include "ricochet/discrete/sub_step.hpp"

namespace ricochet {

struct ImpactPoint {
  double t = 0;
  Eigen::VectorXd q, p_minus, d;  // q̃, p̃⁻, direction of the impulse
  double d_t = 0;
  double energy_minus = 0;  // E⁻ of the sub-step before
  double G = 0;             // dᵀM⁻¹d
};

struct Outgoing {
  double lambda = 0, energy = 0;  // energy: the one the rule keeps, after the impact
  double residual = 0;
  int iterations = 0;
};

// Derivatives of the rule's equation F(q̃, p̃⁺, p̃⁻, t̃, s, E⁻, λ d_t) = 0 at its solution; that by λ d_t is 1.
struct EnergyRow {
  Eigen::RowVectorXd q, p_plus, p_minus;
  double t = 0, length = 0, energy_minus = 0;
};

class ImpactEnergy {
 public:
  virtual ~ImpactEnergy() = default;
  virtual bool depends_on_length() const = 0;
  // λ and the sub-step of the given length after the impact; false if there is no outgoing root (deep grazing).
  virtual bool solve(SubStep& step, const ImpactPoint& at, double length, Outgoing& out, double* q1,
                     double* p1) const = 0;
  // At a solution, with the derivative of the sub-step after it.
  virtual EnergyRow linearize(SubStep& step, const ImpactPoint& at, double lambda,
                              const SubStepDerivative& after) const = 0;
};

std::unique_ptr<ImpactEnergy> discrete_energy();
std::unique_ptr<ImpactEnergy> continuous_energy();

// By the name of the parameter impact_energy.
std::unique_ptr<ImpactEnergy> make_impact_energy(const std::string& name);
const std::vector<std::string>& impact_energy_names();

}  // namespace ricochet
