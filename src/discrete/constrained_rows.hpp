#pragma once
// The matrices of a constrained step for one set of contacts.

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "ricochet/discrete/constrained_step.hpp"

namespace ricochet {

struct ConstrainedStep::Rows {
  std::vector<int> pieces, tangents;
  std::vector<Column> columns;                          // pattern of C
  LinearSolver kkt, mass;                               // of the step, of the projection
  std::vector<std::pair<int, int>> core_slots;          // place in the step's Jacobian -> place in kkt
  std::vector<int> core_diagonal;                       // place in the step's Jacobian of (i, i), summed over unknowns
  std::vector<std::pair<std::size_t, int>> mass_slots;  // entry of L'' -> place in mass
  std::vector<int> bend;                                // places of ∂ω/∂q, for constraints at the end
  std::vector<int> up, low, diagonal, mass_up, mass_low;  // places of the columns, their transposes, the multipliers
  std::vector<int> mass_diagonal;                         // of contacts, tangents first
  std::vector<int> cone, mass_cone;                       // of tangents: row of the tangent, column of its normal
  std::vector<int> mass_other;                            // and column of its other tangent, in space
  struct Slope {
    int column, entry, component;  // of a tangent; entry of J_P and the component of P that it is of
  };
  std::vector<Slope> slopes;
  std::vector<std::array<int, 2>> first_slopes;  // of each multiplier: its first, and past its last
  std::vector<std::array<int, 2>> places;        // of each multiplier: its first column and past its last
  // Of the equations of the multipliers alone (constrained_step_multipliers.cpp), where they are fewer.
  struct Product {
    int low, up;  // columns with the same coordinate
  };
  struct Entry {
    int slot, end;  // its place, and where its products end
  };
  std::optional<LinearSolver> gram;
  std::vector<Product> products;
  std::vector<Entry> gram_entries;
  std::vector<int> gram_diagonal, gram_cone;
};

}  // namespace ricochet
