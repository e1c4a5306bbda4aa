#pragma once
// [[output.section]]: points of a run that are recorded where a formula of (q, v, t) passes zero (a Poincaré section),
// or at impacts (a bounce map), whatever the grid of steps.
//
// A step over which the formula f changes its sign is taken again with other lengths τ, until f(τ) = 0 to round-off:
// the point is a state of the method itself, as exact as the method and on its constraints. Impacts cut the step into
// pieces, so that a velocity that jumps over zero is no passage. A formula that passes twice within one piece is not
// seen.

#include <memory>
#include <string>
#include <vector>

#include "ricochet/mechanics/model.hpp"
#include "ricochet/simulation/stepper.hpp"

namespace ricochet {

struct Section {
  enum class Direction { up, down, both };
  std::string name;
  std::vector<std::string> quantity_names;
  std::vector<Expr> quantities;  // of q, v and t
  Expr crosses{};                // recorded where it passes zero; none: at impacts
  Direction direction = Direction::up;
  std::vector<int> contacts{};  // at impacts of these; empty: of any
  bool after = false;           // velocities after the impact
};

// The same run, whose steps tell the points of the sections in them.
std::unique_ptr<Stepper> with_sections(std::unique_ptr<Stepper> inner, const Model& model,
                                       std::vector<Section> sections);

}  // namespace ricochet
