#pragma once
// [initial]: position, and velocity or momentum, as numbers; project.

#include "formula_reader.hpp"
#include "ricochet/scenario/scenario.hpp"

namespace ricochet {

void read_initial(TableReader initial, FormulaReader& formulas, Scenario& scenario);

}  // namespace ricochet
