#pragma once
// The ledger line of an impulse λd at an impact point: what every method that splits its steps writes the same way.

#include <vector>

#include "ricochet/contact/impact.hpp"
#include "ricochet/contact/reflection.hpp"

namespace ricochet {

// energy_after, momentum_change, constraint_impulse, the λ of each contact and the obtained restitution. v: work; v(q̃,
// p̃⁺) afterwards.
void record_impulse(Lagrangian& L, const ImpactPoint& at, const std::vector<ActivePiece>& active, double lambda,
                    Eigen::VectorXd& v, Impact& impact);

}  // namespace ricochet
