#pragma once
// [[output.section]]: where a run is recorded beside its grid of steps.

#include "formula_reader.hpp"
#include "ricochet/simulation/section_stepper.hpp"

namespace ricochet {

std::vector<Section> read_sections(TableReader output, FormulaReader& formulas, const Model& model);

}  // namespace ricochet
