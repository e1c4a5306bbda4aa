// ricochet compare SCENARIO --methods a,b,…: the same scenario by several methods, side by side;
// ricochet compare SCENARIO SCENARIO…: several scenarios, each as it is written.

#include "ricochet/audit/compare.hpp"

#include <fmt/format.h>

#include "gallery.hpp"
#include "interrupt.hpp"
#include "method_spec.hpp"
#include "outcome.hpp"
#include "output_path.hpp"
#include "ricochet/report/comparison_report.hpp"
#include "subject.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace ricochet::cli {

namespace {

struct CompareArguments {
  std::string methods, directory;
  std::vector<std::string> scenarios, overrides;
  Voice voice;
};

struct Entry {
  std::string label;
  Scenario scenario;
  std::string refused{};  // why the integrator cannot do these bodies
};

// All are read before the first is run.
std::vector<Entry> read_entries(const CompareArguments& arguments) {
  std::vector<Entry> entries;
  for (const std::string& name : arguments.scenarios) {
    if (name == "-") throw UsageError("compare reads a scenario several times: give it as a file");
    const std::filesystem::path file = find_scenario(name);
    Scenario scenario = read_scenario(file, arguments.overrides);
    if (arguments.methods.empty()) {
      entries.push_back({scenario.name, std::move(scenario)});
      continue;
    }
    for (const MethodSpec& spec : parse_methods(arguments.methods, scenario)) {
      const std::string label = arguments.scenarios.size() == 1 ? spec.label : scenario.name + " " + spec.label;
      try {
        entries.push_back({label, read_with(file, arguments.overrides, spec)});
      } catch (const InputError& error) {  // the integrator cannot do these bodies
        entries.push_back({label, scenario, error.what()});
      }
    }
  }
  return entries;
}

std::unique_ptr<Stepper> stepper_of(const Scenario& scenario) {
  std::vector<std::string> warnings;
  return make_stepper(scenario, warnings);
}

int compare_all(const CompareArguments& arguments) {
  if (arguments.methods.empty() && arguments.scenarios.size() == 1)
    throw UsageError("compare needs --methods LIST, or several scenarios");
  const std::vector<Entry> entries = read_entries(arguments);
  const Scenario& first = entries.front().scenario;
  const std::filesystem::path directory = results_directory(arguments.directory, first);

  const RunControl control = control_for(arguments.voice);
  Comparison comparison;
  std::vector<EnergyTrace> traces;
  comparison.title = first.title;
  comparison.scenario = first.name;
  int exit_code = 0;
  for (const auto& [label, scenario, refused] : entries) {
    if (exit_code == exit_interrupted) break;
    try {
      if (!refused.empty()) throw ModelError("continuum", refused);
      if (scenario.continuum) {
        comparison.methods.push_back(
            compare_run(*stepper_of(scenario), scenario.run, label, describe(scenario), control));
      } else {
        const Subject subject = subject_of(scenario);
        if (comparison.truth.empty()) find_truth(subject, comparison);
        comparison.methods.push_back(compare_method(subject, label, describe(scenario), comparison, control));
      }
      const int code = comparison.methods.back().summary.exit_code;
      if (code != 0) exit_code = code;
      if (code == exit_interrupted) stop_soon();
      traces.push_back(scenario.continuum ? trace_energy(*stepper_of(scenario), scenario.run, label)
                                          : trace_energy(subject_of(scenario), label));
    } catch (const ModelError& error) {
      comparison.methods.push_back({.label = label, .refused = error.what(), .summary = {}, .distance = {}});
    }
  }
  if (!arguments.voice.quiet) clear_bar();
  const std::string key = first.continuum ? "continuum.integrator" : "integrator.method";
  refuse_all(comparison.methods, arguments.methods.empty() ? first.place(key) : "--methods");
  const std::string json = comparison_json(comparison);
  write_result(directory, "compare.json", json);
  Scenario shown = first;
  shown.overrides = arguments.overrides;  // without the choice of the first method
  write_comparison_report(directory, "compare", json, traces, shown);
  if (arguments.voice.json)
    say_text(json);
  else if (!arguments.voice.quiet)
    say("{}  {}\n  {}\n", comparison_table(comparison), (directory / "compare.json").string(),
        (directory / "compare.html").string());
  return exit_code;
}

}  // namespace

void add_compare(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<CompareArguments>();
  CLI::App* verb =
      app.add_subcommand("compare", "run a scenario by several methods, or several scenarios, side by side");
  verb->add_option("SCENARIO", arguments->scenarios, "scenario files, or names from `ricochet list`")->required();
  verb->add_option("--methods", arguments->methods, methods_help)->type_name("LIST");
  verb->add_option("-o,--output", arguments->directory, "where compare.json goes (default: runs/NAME)")
      ->type_name("DIR");
  add_set_option(*verb, arguments->overrides);
  verb->add_flag("--json", arguments->voice.json, "print compare.json");
  verb->add_flag("--quiet", arguments->voice.quiet, "print nothing but errors");
  verb->callback([arguments, &exit_code] { exit_code = compare_all(*arguments); });
}

}  // namespace ricochet::cli
