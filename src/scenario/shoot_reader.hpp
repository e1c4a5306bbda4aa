#pragma once
// [shoot], and the quantities of [output]: numbers asked of a motion at its end or at an impact.

#include "formula_reader.hpp"
#include "ricochet/scenario/scenario.hpp"
#include "toml_reader.hpp"

namespace ricochet {

// `formula` is the key of a table's formula: equation, or formula.
std::vector<Quantity> read_quantities(const toml::node& node, const std::string& key, const std::string& formula,
                                      FormulaReader& formulas);
ShootTable read_shoot(TableReader shoot, FormulaReader& formulas, const Scenario& scenario);

}  // namespace ricochet
