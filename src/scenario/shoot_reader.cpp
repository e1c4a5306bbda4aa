#include "shoot_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sequence_reader.hpp"

namespace ricochet {

namespace {

const Purpose quantity{"a quantity"};

const Variable* find_variable(const FormulaReader& formulas, const std::string& name) {
  const auto found = std::find_if(formulas.variables.begin(), formulas.variables.end(),
                                  [&](const Variable& v) { return v.name == name; });
  return found == formulas.variables.end() ? nullptr : &*found;
}

// A name that may vary, or an error that says what there is.
const Variable& require_variable(TableReader& entry, const FormulaReader& formulas, const Scenario& scenario,
                                 const std::string& name) {
  const Variable* variable = find_variable(formulas, name);
  if (variable == nullptr) {
    const std::string given = scenario.momentum_given ? "momentum" : "velocity",
                      other = scenario.momentum_given ? "velocity" : "momentum";
    if (name.starts_with(other + ".") && find_variable(formulas, given + name.substr(other.size())) != nullptr)
      entry.fail("name", fmt::format("the start is given by its {0}; write {0}{1}", given, name.substr(other.size())));
    std::vector<std::string> names;
    for (const Variable& v : formulas.variables) names.push_back(v.name);
    entry.fail("name",
               fmt::format("there is no {}; expected position.NAME, {}.NAME, parameters.NAME, contact.NAME.restitution "
                           "or friction, or duration",
                           name, given),
               formula::nearest(name, names));
  }
  if (name.starts_with("contact.") && !variable->constant)
    entry.fail("name", fmt::format("{} is not one number, so it cannot be one unknown", name));
  return *variable;
}

// What a law allows, whatever is written.
std::pair<double, double> natural_bounds(const std::string& name) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (name.ends_with(".restitution") && name.starts_with("contact.")) return {0, 1};
  if (name.ends_with(".friction") && name.starts_with("contact.")) return {0, infinity};
  return {-infinity, infinity};
}

std::vector<ShootTable::Entry> read_entries(TableReader& shoot, const std::string& list, const std::string& value,
                                            FormulaReader& formulas, const Scenario& scenario) {
  std::vector<ShootTable::Entry> result;
  for (TableReader& table : shoot.list_of_tables(list)) {
    ShootTable::Entry entry;
    table.require("name", "a name such as velocity.x or parameters.g");
    entry.name = *table.text("name");
    entry.place = scenario.place("shoot");
    entry.place = table.document().place(table.table().get("name")->source());
    const bool bounded = list == "unknowns";
    if (!bounded) table.require(value, "the value in the easier problem");
    entry.guess = table.number(value);
    std::tie(entry.min, entry.max) = natural_bounds(entry.name);
    if (const auto min = bounded ? table.number("min") : std::nullopt) entry.min = std::max(entry.min, *min);
    if (const auto max = bounded ? table.number("max") : std::nullopt) entry.max = std::min(entry.max, *max);
    table.finish();
    double now = scenario.run.duration;
    if (entry.name == "duration") {
      if (!(scenario.run.duration > 0))
        table.fail("name", "an unknown duration needs run.duration: the number of steps is fixed by it");
      if (scenario.run.impacts >= 0) table.fail("name", "an unknown duration and run.impacts contradict each other");
      if (!bounded) table.fail("name", "the easier problem has the same duration; make it an unknown");
      if (entry.guess && !(*entry.guess > 0)) table.fail(value, "expected a duration above 0");
    } else {
      now = require_variable(table, formulas, scenario, entry.name).value;
    }
    if (entry.min > entry.max) table.fail("min", fmt::format("min is above max: nothing lies between", entry.name));
    const double guess = entry.guess.value_or(now);
    if (guess < entry.min || guess > entry.max)
      table.fail(entry.guess ? value : "name", fmt::format("the {} {} of {} is outside its bounds {} to {}", value,
                                                           guess, entry.name, entry.min, entry.max));
    const auto same = [&](const ShootTable::Entry& other) { return other.name == entry.name; };
    if (std::any_of(result.begin(), result.end(), same))
      table.fail("name", fmt::format("{} is given twice", entry.name));
    result.push_back(std::move(entry));
  }
  return result;
}

std::vector<int> read_periodic(TableReader& shoot, const toml::node& node, const Model& model) {
  std::vector<int> coordinates;
  if (node.is_boolean()) {
    for (int i = 0; node.as_boolean()->get() && i < static_cast<int>(model.coordinates.size()); ++i)
      coordinates.push_back(i);
    return coordinates;
  }
  const std::string key = shoot.key_of("periodic");
  for (const toml::node& element :
       read_list(shoot.document(), node, key, "true, or a list of the coordinates that return")) {
    const std::string name = read_text(shoot.document(), element, key);
    const auto found = std::find(model.coordinates.begin(), model.coordinates.end(), name);
    if (found == model.coordinates.end())
      shoot.document().fail(element.source(), key, fmt::format("no coordinate \"{}\"", name),
                            formula::nearest(name, model.coordinates));
    coordinates.push_back(static_cast<int>(found - model.coordinates.begin()));
  }
  return coordinates;
}

}  // namespace

std::vector<Quantity> read_quantities(const toml::node& node, const std::string& key, const std::string& formula,
                                      FormulaReader& formulas) {
  const Document& document = formulas.document();
  std::vector<Quantity> result;
  for (const toml::node& element : read_list(document, node, key, "a list of formulas")) {
    Quantity q;
    if (const toml::table* fields = element.as_table()) {
      TableReader table(document, *fields, key);
      const toml::node& text = table.require(formula, "a formula of coordinates, velocities, t and parameters");
      q.formula = formulas.build(text, table.key_of(formula), quantity);
      const auto at = table.integer("at");
      if (at && (*at < 1 || *at > 1'000'000)) table.fail("at", "expected the number of an impact, from 1");
      q.at = static_cast<int>(at.value_or(0));
      const auto side = table.choice("side", {"before", "after"});
      if (side && !at) table.fail("side", "before and after belong to an impact; give at");
      q.after = side == "after";
      const std::string written = text.is_string() ? text.as_string()->get() : to_string(q.formula);
      q.name = table.text("name").value_or(
          at ? fmt::format("{} at impact {}{}", written, q.at, q.after ? ", after" : "") : written);
      table.finish();
    } else {
      q.formula = formulas.build(element, key, quantity);
      q.name = element.is_string() ? element.as_string()->get() : to_string(q.formula);
    }
    for (const Quantity& other : result)
      if (other.name == q.name) document.fail(element.source(), key, fmt::format("\"{}\" is given twice", q.name));
    result.push_back(std::move(q));
  }
  return result;
}

ShootTable read_shoot(TableReader shoot, FormulaReader& formulas, const Scenario& scenario) {
  ShootTable table;
  shoot.require("unknowns", "a list of tables { name, guess, min, max }");
  table.unknowns = read_entries(shoot, "unknowns", "guess", formulas, scenario);
  if (table.unknowns.empty()) shoot.fail("unknowns", "expected at least one unknown");
  table.from = read_entries(shoot, "from", "value", formulas, scenario);
  for (const ShootTable::Entry& easy : table.from)
    for (const ShootTable::Entry& unknown : table.unknowns)
      if (easy.name == unknown.name)
        Document::fail_at(easy.place, shoot.key_of("from"), fmt::format("{} is an unknown already", easy.name));
  if (const toml::node* node = shoot.find("periodic")) table.periodic = read_periodic(shoot, *node, scenario.model);
  const toml::node* conditions = shoot.find("conditions");
  if (conditions == nullptr && table.periodic.empty())
    shoot.require("conditions", "a list of formulas that are 0 at the end");
  if (conditions != nullptr)
    table.conditions = read_quantities(*conditions, shoot.key_of("conditions"), "equation", formulas);
  if (table.conditions.empty() && table.periodic.empty()) shoot.fail("conditions", "expected at least one condition");
  if (const toml::node* impacts = shoot.find("impacts")) table.impacts = read_sequence(shoot, *impacts, scenario.model);
  for (const Quantity& condition : table.conditions)
    if (table.impacts && condition.at > static_cast<int>(table.impacts->size()))
      shoot.fail("conditions",
                 fmt::format("{}: the sequence has only {} impacts", condition.name, table.impacts->size()));
  if (const auto tolerance = shoot.number("tolerance")) {
    if (!(*tolerance > 0 && *tolerance < 1)) shoot.fail("tolerance", "expected a tolerance between 0 and 1");
    table.tolerance = *tolerance;
  }
  if (const auto most = shoot.integer("max_iterations")) {
    if (*most < 1 || *most > 100'000) shoot.fail("max_iterations", "expected a number from 1 to 100000");
    table.max_iterations = static_cast<int>(*most);
  }
  shoot.finish();
  return table;
}

}  // namespace ricochet
