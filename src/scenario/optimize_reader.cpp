#include "optimize_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "ricochet/formula/program.hpp"
#include "ricochet/mechanics/lagrangian.hpp"
#include "sequence_reader.hpp"
#include "shoot_reader.hpp"

namespace ricochet {

namespace {

using Controls = std::vector<std::pair<std::string, Expr>>;
constexpr std::int64_t max_intervals = 100'000;

const Purpose cost{"a cost"};
const Purpose path{"a path formula"};
const Purpose guess{"a guess", false, false};

// [min, max], "none" left open by inf.
Range read_range(const Document& document, const toml::node& node, const std::string& key) {
  const toml::array& list = read_list(document, node, key, "[min, max]");
  if (list.size() != 2) document.fail(node.source(), key, "expected [min, max]");
  const auto number = [&](const toml::node& entry) {
    if (entry.is_floating_point() && std::isinf(entry.as_floating_point()->get()))
      return entry.as_floating_point()->get();
    return read_number(document, entry, key);
  };
  const Range range{number(*list.get(0)), number(*list.get(1))};
  if (range.min > range.max) document.fail(node.source(), key, "min is above max: nothing lies between");
  return range;
}

// Where a name such as x, x' or u1 has its bounds.
void read_bounds(TableReader table, ControlProblem& problem) {
  const std::vector<std::string>& coordinates = problem.model.coordinates;
  for (const toml::key* written : keys_in_order(table.table())) {
    const std::string name(written->str());
    const Range range = read_range(table.document(), *table.find(name), table.key_of(name));
    const auto set = [&](const std::vector<std::string>& names, const std::string& wanted, std::vector<Range>& bounds) {
      const auto found = std::find(names.begin(), names.end(), wanted);
      if (found == names.end()) return false;
      bounds[static_cast<std::size_t>(found - names.begin())] = range;
      return true;
    };
    const bool speed = name.ends_with("'");
    if (speed ? set(coordinates, name.substr(0, name.size() - 1), problem.velocity_bounds)
              : set(coordinates, name, problem.position_bounds) ||
                    set(problem.control_names, name, problem.control_bounds))
      continue;
    std::vector<std::string> known = problem.control_names;
    for (const std::string& c : coordinates) known.push_back(c), known.push_back(c + "'");
    table.fail(name, fmt::format("expected a control, a coordinate or its velocity: {}", joined(known)),
               formula::nearest(name, known));
  }
}

void read_guess(TableReader table, FormulaReader& formulas, ControlProblem& problem) {
  const std::vector<std::string>& coordinates = problem.model.coordinates;
  problem.position_guess.resize(coordinates.size());
  problem.control_guess.resize(problem.controls.size());
  for (const toml::key* written : keys_in_order(table.table())) {
    const std::string name(written->str());
    const Expr f = formulas.build(*table.find(name), table.key_of(name), guess);
    for (const Expr& u : problem.controls)
      if (depends_on(f, u)) table.fail(name, "a guess is a formula of t and parameters");
    const auto q = std::find(coordinates.begin(), coordinates.end(), name);
    const auto u = std::find(problem.control_names.begin(), problem.control_names.end(), name);
    if (q != coordinates.end())
      problem.position_guess[static_cast<std::size_t>(q - coordinates.begin())] = f;
    else if (u != problem.control_names.end())
      problem.control_guess[static_cast<std::size_t>(u - problem.control_names.begin())] = f;
    else
      table.fail(name, "expected a coordinate or a control", formula::nearest(name, coordinates));
  }
}

void read_duration(TableReader& optimize, const Scenario& scenario, ControlProblem& problem) {
  const toml::node* node = optimize.find("duration");
  if (node == nullptr) {
    problem.duration = scenario.run.duration;
    if (!(problem.duration > 0)) optimize.require("duration", "a number, or a table { guess, min, max }");
    return;
  }
  if (node->is_table()) {
    TableReader table(optimize.document(), *node->as_table(), optimize.key_of("duration"));
    table.require("guess", "a number");
    problem.duration = *table.number("guess");
    problem.free_duration = {table.number("min").value_or(0.0),
                             table.number("max").value_or(std::numeric_limits<double>::infinity())};
    table.finish();
    if (!(problem.free_duration->min >= 0)) table.fail("min", "expected a duration of at least 0");
    if (problem.free_duration->min > problem.free_duration->max)
      table.fail("min", "min is above max: nothing lies between");
    if (problem.duration < problem.free_duration->min || problem.duration > problem.free_duration->max)
      table.fail("guess", "the guess is outside its bounds");
  } else {
    problem.duration = read_number(optimize.document(), *node, optimize.key_of("duration"));
  }
  if (!(problem.duration > 0)) optimize.fail("duration", "expected a duration above 0");
}

void read_arcs(TableReader& optimize, ControlProblem& problem) {
  const Document& document = optimize.document();
  const toml::node* impacts = optimize.find("impacts");
  if (impacts != nullptr && impacts->is_string()) {
    if (impacts->as_string()->get() != "search") optimize.fail("impacts", "expected a list of contacts, or \"search\"");
    problem.search = static_cast<int>(optimize.integer("max_impacts").value_or(3));
    if (*problem.search < 0 || *problem.search > 8) optimize.fail("max_impacts", "expected a number from 0 to 8");
    if (problem.model.contacts.empty()) optimize.fail("impacts", "the system has no contact to search for");
  } else if (impacts != nullptr) {
    for (const std::string& name : read_sequence(optimize, *impacts, problem.model)) {
      if (name.find('+') != std::string::npos)
        optimize.fail("impacts", fmt::format("{}: optimal control has one contact at each impact", name));
      const auto& list = problem.model.contacts;
      const auto found = std::find_if(list.begin(), list.end(), [&](const Contact& c) { return c.name == name; });
      problem.impacts.push_back(static_cast<int>(found - list.begin()));
    }
    if (optimize.find("max_impacts")) optimize.fail("max_impacts", "belongs to impacts = \"search\"");
  }
  const toml::node& intervals = optimize.require("intervals", "a number for each arc, or one for all");
  const std::string key = optimize.key_of("intervals");
  if (intervals.is_array())
    for (const toml::node& element : *intervals.as_array())
      problem.intervals.push_back(
          static_cast<int>(std::clamp<std::int64_t>(read_integer(document, element, key), -1, max_intervals + 1)));
  else
    problem.intervals.assign(
        static_cast<std::size_t>(problem.arcs()),
        static_cast<int>(std::clamp<std::int64_t>(read_integer(document, intervals, key), -1, max_intervals + 1)));
  const std::size_t arcs = problem.search ? 1 : static_cast<std::size_t>(problem.arcs());
  if (problem.intervals.size() != arcs)
    optimize.fail("intervals", problem.search ? "expected one number: a search has as many intervals in each arc"
                                              : fmt::format("expected {} numbers, one for each arc ({} impacts and one "
                                                            "more), got {}",
                                                            arcs, problem.impacts.size(), problem.intervals.size()));
  for (const int N : problem.intervals)
    if (N < 2 || N > max_intervals)
      optimize.fail("intervals", fmt::format("expected numbers from 2 to {}", max_intervals));
  if (const toml::node* times = optimize.find("times")) {
    if (problem.search) optimize.fail("times", "a search guesses equal arcs");
    double last = problem.start;
    for (const toml::node& element : read_list(document, *times, optimize.key_of("times"), "a list of times")) {
      problem.times.push_back(read_number(document, element, optimize.key_of("times")));
      if (!(problem.times.back() > last)) optimize.fail("times", "expected times that grow, after the start");
      last = problem.times.back();
    }
    if (problem.times.size() != problem.impacts.size())
      optimize.fail("times", fmt::format("expected {} times, one for each impact, got {}", problem.impacts.size(),
                                         problem.times.size()));
    if (!(last < problem.start + problem.duration)) optimize.fail("times", "expected times before the end");
  }
}

void read_free(TableReader& optimize, const toml::node& node, const Scenario& scenario, ControlProblem& problem) {
  const std::string key = optimize.key_of("free");
  const std::vector<std::string>& coordinates = problem.model.coordinates;
  for (const toml::node& element : read_list(optimize.document(), node, key, "a list of initial values")) {
    const std::string name = read_text(optimize.document(), element, key);
    std::vector<std::string> known;
    bool found = false;
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      known.push_back("position." + coordinates[i]);
      known.push_back("velocity." + coordinates[i]);
      if (name == known[known.size() - 2]) problem.free_position[i] = 1, found = true;
      if (name == known.back()) problem.free_velocity[i] = 1, found = true;
    }
    if (!found)
      optimize.document().fail(
          element.source(), key,
          fmt::format("there is no initial value {}; expected position.NAME or velocity.NAME", name),
          formula::nearest(name, known));
  }
  if (scenario.momentum_given) optimize.fail("free", "the start is given by its momentum; give its velocity instead");
}

}  // namespace

Controls read_controls(TableReader& optimize, FormulaReader& formulas) {
  Controls controls;
  const std::string key = optimize.key_of("controls"), expected = R"(a list of names such as ["u1", "u2"])";
  const Document& document = optimize.document();
  for (const toml::node& element : read_list(document, optimize.require("controls", expected), key, expected)) {
    const std::string name = read_text(document, element, key);
    formulas.check_new_name(name, element.source(), key);
    controls.emplace_back(name, formulas.graph().parameter("control." + name, 0));
    formulas.scope.add_name(name, controls.back().second);
  }
  if (controls.empty()) optimize.fail("controls", "expected at least one control");
  return controls;
}

ControlProblem read_optimize(TableReader optimize, FormulaReader& formulas, const Scenario& scenario,
                             const Controls& controls) {
  ControlProblem problem;
  problem.model = scenario.model;
  problem.integrator = scenario.integrator;
  for (const Descriptor& method : method_descriptors())
    if (method.name == problem.integrator.method && problem.integrator.discretization.empty())
      problem.integrator.discretization = method.discretizations.front();
  problem.start = scenario.run.start;
  problem.position = scenario.position;
  problem.velocity = scenario.velocity_or_momentum;
  const std::size_t n = scenario.position.size();
  if (scenario.momentum_given) {
    try {
      const System system(scenario.model);
      Lagrangian(system).velocity(scenario.position.data(), scenario.velocity_or_momentum.data(), problem.start,
                                  problem.velocity.data());
    } catch (const SolverError& error) {
      optimize.fail("", error.what());
    }
  }
  problem.free_position.assign(n, 0);
  problem.free_velocity.assign(n, 0);
  problem.position_bounds.resize(n);
  problem.velocity_bounds.resize(n);
  problem.control_bounds.resize(controls.size());
  for (const auto& [name, symbol] : controls) {
    problem.control_names.push_back(name);
    problem.controls.push_back(symbol);
  }
  optimize.find("controls");
  read_duration(optimize, scenario, problem);
  read_arcs(optimize, problem);
  if (const toml::node* node = optimize.find("running"))
    problem.running = formulas.build(*node, optimize.key_of("running"), cost);
  if (const toml::node* node = optimize.find("final")) {
    problem.final_cost = formulas.build(*node, optimize.key_of("final"), cost);
    for (const Expr& u : problem.controls)
      if (depends_on(problem.final_cost, u)) optimize.fail("final", "the end has no control; use running");
  }
  if (const toml::node* node = optimize.find("conditions"))
    problem.conditions = read_quantities(*node, optimize.key_of("conditions"), "equation", formulas);
  for (const Quantity& condition : problem.conditions) {
    if (condition.at > 0 && problem.search)
      optimize.fail("conditions", fmt::format("{}: a search does not know which impacts there are", condition.name));
    if (condition.at > static_cast<int>(problem.impacts.size()))
      optimize.fail("conditions",
                    fmt::format("{}: the sequence has only {} impacts", condition.name, problem.impacts.size()));
    for (const Expr& u : problem.controls)
      if (depends_on(condition.formula, u))
        optimize.fail("conditions", fmt::format("{}: a condition has no controls; use path or bounds", condition.name));
  }
  if (auto bounds = optimize.table("bounds")) read_bounds(std::move(*bounds), problem);
  for (TableReader& table : optimize.list_of_tables("path")) {
    PathFormula p;
    const toml::node& node = table.require("formula", "a formula of coordinates, velocities, controls and t");
    p.formula = formulas.build(node, table.key_of("formula"), path);
    p.name = table.text("name").value_or(node.is_string() ? node.as_string()->get() : to_string(p.formula));
    p.range.min = table.number("min").value_or(p.range.min);
    p.range.max = table.number("max").value_or(p.range.max);
    table.finish();
    if (!std::isfinite(p.range.min) && !std::isfinite(p.range.max)) table.fail("formula", "expected min, max, or both");
    if (p.range.min > p.range.max) table.fail("min", "min is above max: nothing lies between");
    problem.path.push_back(std::move(p));
  }
  if (const toml::node* node = optimize.find("free")) read_free(optimize, *node, scenario, problem);
  for (std::size_t i = 0; i < n; ++i)
    for (const auto& [name, value, range] :
         {std::tuple{problem.model.coordinates[i], problem.position[i], problem.position_bounds[i]},
          std::tuple{problem.model.coordinates[i] + "'", problem.velocity[i], problem.velocity_bounds[i]}})
      if (value < range.min || value > range.max)
        optimize.fail("bounds", fmt::format("{} is {} at the start, outside its bounds {} to {}", name, value,
                                            range.min, range.max));
  if (auto table = optimize.table("guess")) read_guess(std::move(*table), formulas, problem);
  if (const auto refine = optimize.number("refine")) {
    if (!(*refine > 0 && *refine < 1)) optimize.fail("refine", "expected a part of the cost, between 0 and 1");
    problem.refine = refine;
  }
  if (const auto arc = optimize.number("minimum_arc")) {
    if (!(*arc > 0 && *arc < 1)) optimize.fail("minimum_arc", "expected a part of an equal arc, between 0 and 1");
    problem.minimum_arc = *arc;
  }
  if (const auto tolerance = optimize.number("tolerance")) {
    if (!(*tolerance > 0 && *tolerance < 1)) optimize.fail("tolerance", "expected a tolerance between 0 and 1");
    problem.tolerance = *tolerance;
  }
  if (const auto most = optimize.integer("max_iterations")) {
    if (*most < 1 || *most > 100'000) optimize.fail("max_iterations", "expected a number from 1 to 100000");
    problem.max_iterations = static_cast<int>(*most);
  }
  optimize.finish();
  return problem;
}

Schedule read_schedule(TableReader schedule, const Controls& controls, RunSettings& run) {
  const Document& document = schedule.document();
  const auto numbers = [&](const toml::node& node, const std::string& key, std::size_t count) {
    std::vector<double> values;
    for (const toml::node& element : read_list(document, node, key, "a list of numbers"))
      values.push_back(read_number(document, element, key));
    if (count > 0 && values.size() != count)
      document.fail(node.source(), key, fmt::format("expected {} numbers, got {}", count, values.size()));
    return values;
  };
  Schedule result;
  result.times = numbers(schedule.require("times", "the grid points"), schedule.key_of("times"), 0);
  if (result.times.size() < 2) schedule.fail("times", "expected at least two grid points");
  for (std::size_t k = 1; k < result.times.size(); ++k)
    if (!(result.times[k] > result.times[k - 1])) schedule.fail("times", "expected times that grow");
  if (result.times.front() != run.start) schedule.fail("times", fmt::format("expected the start {} first", run.start));
  if (run.impacts >= 0) schedule.fail("times", "a schedule ends with its last time; run.impacts contradicts it");
  TableReader table = schedule.require_table("controls");
  for (const auto& [name, symbol] : controls)
    result.controls.emplace_back("control." + name, numbers(table.require(name, "a number for each interval"),
                                                            table.key_of(name), result.times.size() - 1));
  table.finish();
  if (auto series = schedule.table("series"))
    for (const toml::key* written : keys_in_order(series->table())) {
      const std::string name(written->str());
      result.series.emplace_back(name, numbers(*series->find(name), series->key_of(name), result.times.size()));
    }
  schedule.finish();
  run.times = result.times;
  run.duration = result.times.back() - result.times.front();
  return result;
}

}  // namespace ricochet
