#pragma once
// [[view.shape]]: what the report draws, as formulas of the state.

#include "formula_reader.hpp"
#include "ricochet/scenario/scenario.hpp"

namespace ricochet {

std::vector<Shape> read_view(TableReader view, FormulaReader& formulas);

}  // namespace ricochet
