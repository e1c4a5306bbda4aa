// From a scenario to a design problem and back.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ricochet/design/replay.hpp"
#include "ricochet/formula/program.hpp"
#include "ricochet/scenario/scenario.hpp"

namespace ricochet {

namespace {

int parameter_named(const Shot& shot, const std::string& name) {
  const auto& list = shot.model.graph->parameters();
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const formula::Parameter& p) { return p.name == name; });
  return found == list.end() ? -1 : static_cast<int>(found - list.begin());
}

int required(const Shot& shot, const ShootTable::Entry& entry) {
  const int k = parameter_named(shot, entry.name);
  if (shot.model.graph->parameters()[k].in_range)
    throw InputError(
        fmt::format("{}: {} decides on a number of things (a range, an index or a for), so there is no "
                    "derivative by it",
                    entry.place, entry.name));
  return k;
}

std::string list_of(const std::vector<Expr>& formulas) {
  std::vector<std::string> numbers;
  numbers.reserve(formulas.size());
  for (const Expr& f : formulas) numbers.push_back(fmt::format("{}", formula::fixed_value(f)));
  return fmt::format("[{}]", fmt::join(numbers, ", "));
}

}  // namespace

Shot shot_of(const Scenario& scenario) {
  Shot shot;
  shot.model = scenario.model;
  shot.integrator = scenario.integrator;
  shot.run = scenario.run;
  shot.position = scenario.position_formulas;
  shot.velocity = scenario.velocity_formulas;
  shot.momentum_given = scenario.momentum_given;
  shot.project = scenario.project;
  shot.duration = parameter_named(shot, "duration");
  return shot;
}

ShootingProblem shooting_problem(const Scenario& scenario) {
  KeptNames kept;
  for (const ShootTable::Entry& u : scenario.shoot->unknowns) kept.guesses[u.name] = u.guess;
  for (const ShootTable::Entry& easy : scenario.shoot->from) kept.guesses[easy.name] = std::nullopt;
  const Scenario again = read_again(scenario, kept);
  ShootingProblem problem;
  problem.shot = shot_of(again);
  for (const ShootTable::Entry& u : again.shoot->unknowns)
    problem.unknowns.push_back({u.name, required(problem.shot, u), u.min, u.max});
  for (const ShootTable::Entry& easy : again.shoot->from)
    problem.from.push_back({easy.name, required(problem.shot, easy), *easy.guess});
  problem.conditions = again.shoot->conditions;
  for (Quantity& condition : periodic_conditions(problem.shot, again.shoot->periodic))
    problem.conditions.push_back(std::move(condition));
  problem.periodic = !again.shoot->periodic.empty();
  problem.impacts = again.shoot->impacts;
  problem.tolerance = again.shoot->tolerance;
  problem.max_iterations = again.shoot->max_iterations;
  try {
    check_differentiable(problem.shot);
  } catch (const ModelError& error) {
    throw located(error, scenario);
  }
  return problem;
}

std::vector<std::string> solution_overrides(const Scenario& scenario, const ShootingProblem& problem) {
  const Shot& shot = problem.shot;
  std::vector<std::string> overrides = scenario.overrides;
  bool start = false;
  for (const Unknown& u : problem.unknowns) {
    const double value = shot.model.graph->parameters()[u.parameter].value;
    const std::size_t bracket = u.name.find('[');
    if (u.name == "duration") {
      const double step = value / std::round(shot.run.duration / shot.run.step);
      overrides.push_back(fmt::format("run.duration={}", value));
      overrides.push_back(fmt::format("integrator.step={}", step));
    } else if (u.name.starts_with("contact.") || (u.name.starts_with("parameters.") && bracket == std::string::npos)) {
      overrides.push_back(fmt::format("system.{}={}", u.name, value));
    } else if (u.name.starts_with("parameters.")) {  // an element: the whole list
      const std::string list = u.name.substr(0, bracket);
      std::vector<std::string> numbers;
      for (const auto& [name, now] : scenario.variables) {
        if (!name.starts_with(list + "[")) continue;
        const int k = parameter_named(shot, name);
        numbers.push_back(fmt::format("{}", k < 0 ? now : shot.model.graph->parameters()[k].value));
      }
      overrides.push_back(fmt::format("system.{}=[{}]", list, fmt::join(numbers, ", ")));
    } else {
      start = true;
    }
  }
  if (start) {
    overrides.push_back("initial.position=" + list_of(shot.position));
    overrides.push_back((shot.momentum_given ? "initial.momentum=" : "initial.velocity=") + list_of(shot.velocity));
  }
  return overrides;
}

std::vector<std::string> solution_overrides(const Scenario& scenario, const ControlSolution& solution) {
  const Trajectory& motion = solution.trajectory;
  const ControlProblem& problem = solution.problem;
  const auto list = [](const auto& numbers) { return fmt::format("[{}]", fmt::join(numbers, ", ")); };
  const Schedule schedule = schedule_of(problem, motion);
  const std::vector<double>& times = schedule.times;
  const std::size_t arcs = motion.arcs.size();
  const double duration = times.back() - times.front();
  std::vector<std::string> overrides = scenario.overrides;
  const TrajectoryArc& first = motion.arcs.front();
  const std::vector<double> q(first.q.col(0).begin(), first.q.col(0).end()),
      v(first.v.col(0).begin(), first.v.col(0).end());
  const auto any = [](const std::vector<char>& free) {
    return std::any_of(free.begin(), free.end(), [](char x) { return x != 0; });
  };
  if (any(problem.free_position)) overrides.push_back("initial.position=" + list(q));
  if (any(problem.free_velocity)) overrides.push_back("initial.velocity=" + list(v));
  overrides.push_back(fmt::format("run.duration={}", duration));
  overrides.push_back(fmt::format("integrator.step={}", duration / static_cast<double>(times.size() - 1)));
  overrides.push_back("schedule.times=" + list(times));
  for (std::size_t j = 0; j < problem.control_names.size(); ++j)
    overrides.push_back(
        fmt::format("schedule.controls.\"{}\"={}", problem.control_names[j], list(schedule.controls[j].second)));
  // at an impact the costates after it, as the state that is recorded there
  const std::size_t n = problem.model.coordinates.size();
  for (std::size_t row = 0; row < (solution.costates.empty() ? 0 : 2 * n); ++row) {
    std::vector<double> values;
    for (std::size_t a = 0; a < arcs; ++a)
      for (Eigen::Index k = 0; k < solution.costates[a].cols() - (a + 1 < arcs ? 1 : 0); ++k)
        values.push_back(solution.costates[a](static_cast<Eigen::Index>(row), k));
    overrides.push_back(fmt::format("schedule.series.\"costate.{}.{}\"={}", row < n ? "position" : "momentum",
                                    problem.model.coordinates[row % n], list(values)));
  }
  for (const auto& [name, values] : solution.multipliers.series) {
    std::string plain = name;  // a name within the quotes of a setting
    for (char& c : plain)
      if (c == '"' || c == '=' || c == '\\') c = ' ';
    overrides.push_back(fmt::format("schedule.series.\"multiplier.{}\"={}", plain, list(values)));
  }
  return overrides;
}

}  // namespace ricochet
