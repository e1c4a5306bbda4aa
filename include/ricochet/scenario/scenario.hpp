#pragma once
// A scenario file read into objects: model, initial state, integrator choice, run settings, expectations, views.
// Every error is an InputError that names file, line, column and key, says what was expected and suggests the nearest
// spelling.

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ricochet/continuum/model.hpp"
#include "ricochet/design/optimal_control.hpp"
#include "ricochet/design/shooting.hpp"
#include "ricochet/error.hpp"
#include "ricochet/mechanics/model.hpp"
#include "ricochet/methods/options.hpp"
#include "ricochet/scenario/kept_names.hpp"
#include "ricochet/simulation/run.hpp"
#include "ricochet/simulation/scheduled_stepper.hpp"
#include "ricochet/simulation/section_stepper.hpp"

namespace ricochet {

struct Expectation {
  std::string path;  // of summary.json: "energy.relative_range"; quoted keys kept whole
  std::vector<std::string> keys;
  std::optional<double> equal, min, max, value, tolerance;
  std::optional<std::string> text;  // status = "completed"
  std::string where;                // file:line
};

struct Shape {  // [[view.shape]], instances of a `for` expanded
  std::string kind, color, label;
  std::map<std::string, std::vector<Expr>>
      formulas;  // at, from, to, radius, radii, angle, normal, size, rotation, length
  std::vector<std::vector<double>> points;
  int coils = 8;
};

struct ContactRest {            // [contact.rest]
  std::string policy = "auto";  // or "off"
  std::int64_t max_impacts_per_step = 100;
};

// [shoot] as written.
struct ShootTable {
  struct Entry {
    std::string name;
    std::optional<double> guess;  // default: the value in the file
    double min = -std::numeric_limits<double>::infinity(), max = std::numeric_limits<double>::infinity();
    std::string place;  // file:line:column
  };
  std::vector<Entry> unknowns;
  std::vector<Quantity> conditions;
  std::optional<std::vector<std::string>> impacts;
  std::vector<Entry> from;    // guess: the value of the easier problem
  std::vector<int> periodic;  // coordinates that return
  double tolerance = 1e-12;
  int max_iterations = 50;
};

struct Scenario {
  std::string name, title, reference, text;
  std::filesystem::path path;
  std::vector<std::string> overrides;
  Model model;
  std::optional<continuum::Model> continuum;  // [continuum] in place of [system], [initial] and [integrator]
  std::vector<double> position;
  std::vector<double> velocity_or_momentum;
  std::vector<Expr> position_formulas, velocity_formulas;  // of the names kept, else constants
  bool momentum_given = false;
  bool project = false;  // the start is moved onto the constraints
  IntegratorOptions
      integrator;  // method, discretization, step, and the parameters by name with their place in the file
  RunSettings run;
  ContactRest rest;
  std::vector<Expectation> expect;
  std::vector<Shape> shapes;
  std::optional<ShootTable> shoot;
  std::optional<ControlProblem> optimize;
  std::optional<Schedule> schedule;  // of the controls; without one they are 0
  std::vector<Quantity> quantities;  // [output] quantities
  std::vector<Section> sections;     // [[output.section]]
  std::vector<std::pair<std::string, double>>
      variables;  // what may be unknown, and its value: parameters.g, velocity.x

  // "file:line:column" of a key such as "system.lagrangian", the nearest enclosing table if the key is not there.
  std::string place(const std::string& key) const;
  std::map<std::string, std::string> places;
};

// overrides: "key=value", the value TOML or else a string; list tables by name.
Scenario read_scenario(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});
Scenario read_scenario_text(const std::string& text, const std::string& name,
                            const std::vector<std::string>& overrides = {});

// The same scenario again with names kept as symbols.
Scenario read_again(const Scenario& scenario, const KeptNames& kept);

// The motion of a scenario that was read with names kept.
Shot shot_of(const Scenario& scenario);
// The problem that [shoot] poses. Throws InputError.
ShootingProblem shooting_problem(const Scenario& scenario);
// The solution as settings of the scenario: "initial.velocity=[…]", "system.parameters.g=…".
std::vector<std::string> solution_overrides(const Scenario& scenario, const ShootingProblem& problem);

// The motion under control as settings of the scenario: start, duration, and the [schedule] of its controls.
std::vector<std::string> solution_overrides(const Scenario& scenario, const ControlSolution& solution);

// The title alone, for a list: nothing else is read but the syntax.
std::string read_title(const std::filesystem::path& file);

// A ModelError with the place of its key in the scenario in front.
InputError located(const ModelError& error, const Scenario& scenario);

// System, method and initial state checked and put together. Throws InputError.
std::unique_ptr<Stepper> make_stepper(const Scenario& scenario, std::vector<std::string>& warnings);
RunDescription describe(const Scenario& scenario);

}  // namespace ricochet
