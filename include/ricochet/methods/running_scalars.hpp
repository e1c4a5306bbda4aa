#pragma once
// The running scalars of a model: changes of energy since the start, by cause, so that
//
//   H(t) − H(0) = Σ work.NAME + work.obstacles + loss.impact + loss.friction
//
// up to the order of the method (for a Lagrangian and constraints without explicit time). Losses are <= 0; only the
// elastic rule that keeps the discrete energy may lift H by O(h²) in an impact.

#include <string>
#include <vector>

#include "ricochet/mechanics/model.hpp"

namespace ricochet {

struct RunningScalars {
  explicit RunningScalars(const Model& model);
  std::vector<std::string> names;  // the work of each force first, in the order of Model::forces
  // Places among them; −1: without meaning here. obstacles: some gap or contact point moves; impact: there are
  // contacts; friction (of lasting contact): some law has it.
  int obstacles = -1, impact = -1, friction = -1;
};

}  // namespace ricochet
