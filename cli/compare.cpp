// ricochet compare SCENARIO --methods a,b,…: the same scenario side by side.

#include "ricochet/audit/compare.hpp"

#include <fmt/format.h>

#include "gallery.hpp"
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
  std::string scenario, methods, directory;
  std::vector<std::string> overrides;
  Voice voice;
};

int compare_all(const CompareArguments& arguments) {
  const std::filesystem::path file = find_scenario(arguments.scenario);
  const Scenario scenario = read_scenario(file, arguments.overrides);
  const std::filesystem::path directory = results_directory(arguments.directory, scenario);
  const std::vector<MethodSpec> specs = parse_methods(arguments.methods, scenario.integrator.step);
  std::vector<Scenario> scenarios;  // every specification is read before the first is run
  scenarios.reserve(specs.size());
  for (const MethodSpec& spec : specs) scenarios.push_back(read_with(file, arguments.overrides, spec));

  const RunControl control = control_for(arguments.voice);
  Comparison comparison;
  std::vector<EnergyTrace> traces;
  comparison.title = scenario.title;
  comparison.scenario = scenario.name;
  int exit_code = 0;
  for (std::size_t k = 0; k < specs.size() && exit_code != exit_interrupted; ++k) {
    try {
      const Subject subject = subject_of(scenarios[k]);
      if (comparison.truth.empty()) find_truth(subject, comparison);
      comparison.methods.push_back(
          compare_method(subject, specs[k].label, describe(scenarios[k]), comparison, control));
      traces.push_back(trace_energy(subject, specs[k].label));
      const int code = comparison.methods.back().summary.exit_code;
      if (code != 0) exit_code = code;
    } catch (const ModelError& error) {
      comparison.methods.push_back({.label = specs[k].label, .refused = error.what(), .summary = {}, .distance = {}});
    }
  }
  if (!arguments.voice.quiet) clear_bar();
  const std::string json = comparison_json(comparison);
  write_result(directory, "compare.json", json);
  write_comparison_report(directory, "compare", json, traces, scenario);
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
  CLI::App* verb = app.add_subcommand("compare", "run a scenario by several methods, side by side");
  verb->add_option("SCENARIO", arguments->scenario, "a scenario file, or a name from `ricochet list`")->required();
  verb->add_option("--methods", arguments->methods, methods_help)->type_name("LIST")->required();
  verb->add_option("-o", arguments->directory, "where compare.json goes (default: runs/NAME)")->type_name("DIR");
  add_set_option(*verb, arguments->overrides);
  verb->add_flag("--json", arguments->voice.json, "print compare.json");
  verb->add_flag("--quiet", arguments->voice.quiet, "print nothing but errors");
  verb->callback([arguments, &exit_code] { exit_code = compare_all(*arguments); });
}

}  // namespace ricochet::cli
