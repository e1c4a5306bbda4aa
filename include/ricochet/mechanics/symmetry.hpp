#pragma once
// Is a declared symmetry one? The generator ξ(q) must leave invariant
//   the Lagrangian:  L_q·ξ + L_v·(ξ'v) = 0,   every gap:  ∇g·ξ = 0,   constraints likewise,   and forces must not work
//   on it: F·ξ = 0.
// Tested at points around the start; what is only invariant up to a total derivative does not keep p·ξ and counts as
// broken.

#include <string>
#include <vector>

#include "ricochet/mechanics/system.hpp"

namespace ricochet {

// One sentence for each declared symmetry that is none, naming what it breaks.
std::vector<std::string> broken_symmetries(const System& system, const std::vector<double>& q,
                                           const std::vector<double>& v, double t);

}  // namespace ricochet
