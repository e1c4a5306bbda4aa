#pragma once
// The forces of lasting contact, of each contact one normal and, if its law has friction, one along each of its
// tangents: the impulse of the step divided by its length. (Impulses of impacts are in the ledger.) With friction they
// are forces at the contact point, |tangential| <= μ normal; without, the normal force is the λ of λ∇g.

#include <string>
#include <vector>

#include "ricochet/mechanics/system.hpp"

namespace ricochet {

struct ContactForces {
  explicit ContactForces(const System& system);
  std::vector<std::string> names;  // "floor", "floor.t1", "floor.t2"
  std::vector<int> first;          // place of the normal force of each contact; its tangential ones follow
};

}  // namespace ricochet
