#pragma once
// Which energy an elastic impact keeps: one equation for the size λ of the impulse on the line p̃⁺(λ) = p̃ + λd at q̃. A
// rule is a file.
//
//   discrete    E⁺(q̃, p̃ + λd, s) − E⁻ + w + λ d_t = 0,   E the discrete energies of the flows after and before
//   [FMOW03 (47)] continuous  H(q̃, p̃ + λd) − H(q̃, p̃⁻) + w + λ d_t = 0
//
// The line comes from the law: λ = 1 is the mirror image of the velocities where L is quadratic in them. (p̃ differs
// from p̃⁻ where contacts are left at rest: p̃ + λd keeps them so for every λ.) w + λd_t is the work of moving obstacles.
// λ belongs to the pair of flows around its impact: a rule that looks at the flow after it gives another λ for another
// length.

#include <Eigen/Dense>
#include <string>
#include <vector>

#include "ricochet/discrete/flow.hpp"

namespace ricochet {

struct ImpactLine {
  double t = 0;
  Eigen::VectorXd q, p_minus, p, d;  // q̃, p̃⁻, and the line p̃ + λd
  Eigen::VectorXd v, w_d;            // velocities of p̃ and of d
  Eigen::VectorXd p_plus;            // work
  double w = 0, d_t = 0;
  double energy = 0;        // H(q̃, p̃⁻)
  double energy_minus = 0;  // E⁻ of the flow before
  double G = 0;             // dᵀM⁻¹d
  double speed = 0;    // d·v⁺ + d_t of the mirror image, where L is quadratic in the velocities; else 0: not known
  double largest = 0;  // |E⁺ − E⁻| of the mirror image beyond which the discrete rule has nothing to say
};

struct Outgoing {
  double lambda = 1;
  double energy = 0;  // E⁺ of the discrete rule
  double residual = 0;
  int iterations = 0;
};

void place_on_line(ImpactLine& line, double lambda);  // p_plus = p̃ + λd
// The flow must have been started at q̃; it is left at the solution, of the given length. False: no outgoing root.
bool solve_discrete(Flow& flow, ImpactLine& line, double length, Outgoing& out);
// λ of a flow without length, whose E⁺ is the energy of its momentum, where L is quadratic in the velocities; false:
// solve to know.
bool initial_lambda(const ImpactLine& line, double& lambda);
// The flow with a λ that is nearly right, left there; returns about how far from right, infinity where it does not
// leave.
double try_discrete(Flow& flow, ImpactLine& line, double length, double lambda);
// Of the momentum alone; λ = 1 at once where L is quadratic.
bool solve_continuous(Lagrangian& L, const ImpactLine& line, Outgoing& out);

// Derivatives of the rule's equation F(q̃, p̃⁺, p̃⁻, t̃, s, E⁻, θ) = −w − λd_t at its solution.
struct EnergyRow {
  Eigen::RowVectorXd q, p_plus, p_minus;
  double t = 0, length = 0, energy_minus = 0;
  Eigen::RowVectorXd theta{};
};
EnergyRow linearize_discrete(const ImpactLine& line, const SubStepDerivative& after);
EnergyRow linearize_continuous(Lagrangian& L, const ImpactLine& line, double lambda);

const std::vector<std::string>& impact_energy_names();

}  // namespace ricochet
