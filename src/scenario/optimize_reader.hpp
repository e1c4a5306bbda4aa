#pragma once
// [optimize], and [schedule]: the controls of a run.

#include "formula_reader.hpp"
#include "ricochet/scenario/scenario.hpp"
#include "toml_reader.hpp"

namespace ricochet {

// The names of the controls, as parameters of the graph with the value 0 until a schedule says otherwise.
std::vector<std::pair<std::string, Expr>> read_controls(TableReader& optimize, FormulaReader& formulas);
ControlProblem read_optimize(TableReader optimize, FormulaReader& formulas, const Scenario& scenario,
                             const std::vector<std::pair<std::string, Expr>>& controls);
// Sets the run's times and duration too.
Schedule read_schedule(TableReader schedule, const std::vector<std::pair<std::string, Expr>>& controls,
                       RunSettings& run);

}  // namespace ricochet
