#include "initial_reader.hpp"

#include "ricochet/formula/program.hpp"

namespace ricochet {

void read_initial(TableReader initial, FormulaReader& formulas, Scenario& scenario) {
  const auto read = [&](const toml::node& node, const std::string& name, std::vector<Expr>& entries,
                        std::vector<double>& values) {
    entries = formulas.build_vector(node, initial.key_of(name), {"an initial value", false, false, false});
    for (std::size_t i = 0; i < entries.size(); ++i) {
      entries[i] = formulas.variable(name + "." + scenario.model.coordinates[i], entries[i]);
      values.push_back(formula::fixed_value(entries[i]));  // a formula of parameters is a constant
    }
  };
  const std::string expected = "one entry for each coordinate";
  read(initial.require("position", expected), "position", scenario.position_formulas, scenario.position);
  const toml::node* momentum = initial.find("momentum");
  if (momentum && initial.find("velocity"))
    initial.fail("momentum", "the velocity is given already; give one of the two");
  scenario.momentum_given = momentum != nullptr;
  if (momentum)
    read(*momentum, "momentum", scenario.velocity_formulas, scenario.velocity_or_momentum);
  else
    read(initial.require("velocity", expected + " (or momentum)"), "velocity", scenario.velocity_formulas,
         scenario.velocity_or_momentum);
  scenario.project = initial.boolean("project").value_or(false);
  initial.finish();
}

}  // namespace ricochet
