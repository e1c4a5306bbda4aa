#pragma once
// [system]: parameters, coordinates, Lagrangian, defines, contacts, constraints, forces, symmetries into a Model.

#include "formula_reader.hpp"
#include "ricochet/mechanics/model.hpp"

namespace ricochet {

inline constexpr std::size_t max_coordinates = 100'000;

// Fills the model and declares its names in `formulas`; those of controls after the coordinates, before what may use
// them.
void read_system(TableReader system, FormulaReader& formulas, Model& model,
                 const std::function<void()>& declare_controls);

}  // namespace ricochet
