#include "initial_reader.hpp"

namespace ricochet {

void read_initial(TableReader initial, FormulaReader& formulas, Scenario& scenario) {
  const auto numbers = [&](const toml::node& node, const std::string& name) {
    std::vector<double> values;
    for (const Expr& entry :
         formulas.build_vector(node, initial.key_of(name), {"an initial value", false, false, false}))
      values.push_back(entry.value());  // a formula of parameters is a constant
    return values;
  };
  const std::string expected = "one entry for each coordinate";
  scenario.position = numbers(initial.require("position", expected), "position");
  const toml::node* momentum = initial.find("momentum");
  if (momentum && initial.find("velocity"))
    initial.fail("momentum", "the velocity is given already; give one of the two");
  scenario.momentum_given = momentum != nullptr;
  scenario.velocity_or_momentum = momentum
                                      ? numbers(*momentum, "momentum")
                                      : numbers(initial.require("velocity", expected + " (or momentum)"), "velocity");
  scenario.project = initial.boolean("project").value_or(false);
  initial.finish();
}

}  // namespace ricochet
