// ricochet audit SCENARIO: what a method keeps and how exact it is, measured.

#include "ricochet/audit/audit.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "gallery.hpp"
#include "method_spec.hpp"
#include "output_path.hpp"
#include "ricochet/audit/audit_report.hpp"
#include "ricochet/report/comparison_report.hpp"
#include "ricochet/simulation/run_directory.hpp"
#include "subject.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace ricochet::cli {

namespace {

struct AuditArguments {
  std::string scenario, methods, directory;
  std::vector<std::string> overrides;
  bool json = false, quiet = false;
};

int audit_all(const AuditArguments& arguments) {
  if (arguments.scenario == "-") throw UsageError("audit reads the scenario several times: give it as a file");
  const std::filesystem::path file = find_scenario(arguments.scenario);
  const Scenario scenario = read_scenario(file, arguments.overrides);
  if (scenario.continuum)
    throw InputError(
        fmt::format("{}: audits are of methods on a [system]; what bodies keep is in the summary of a run, "
                    "and ricochet compare sets their integrators side by side",
                    scenario.place("continuum")));
  const std::filesystem::path directory = results_directory(arguments.directory, scenario);
  const std::vector<MethodSpec> specs = arguments.methods.empty()
                                            ? std::vector<MethodSpec>{{spec_of(scenario.integrator)}}
                                            : parse_methods(arguments.methods, scenario);
  std::vector<Scenario> scenarios;  // every specification is read before the first is measured
  scenarios.reserve(specs.size());
  for (const MethodSpec& spec : specs) scenarios.push_back(read_with(file, arguments.overrides, spec));

  const bool terminal = !arguments.quiet && isatty(STDERR_FILENO);
  std::vector<Audit> audits;
  std::vector<EnergyTrace> traces;
  int exit_code = 0;
  for (std::size_t k = 0; k < specs.size(); ++k) {
    try {
      audits.push_back(audit(subject_of(scenarios[k]), specs[k].label, [&](const std::string& what) {
        if (terminal) fmt::print(stderr, "\r{}: {}\x1b[K", printable(specs[k].label), what), std::fflush(stderr);
      }));
      if (!audits.back().failures.empty()) exit_code = exit_solver;
      traces.push_back(trace_energy(subject_of(scenarios[k]), specs[k].label));
    } catch (const ModelError& error) {
      if (specs.size() == 1 && arguments.methods.empty()) throw located(error, scenarios[k]);
      audits.emplace_back().label = specs[k].label;
      audits.back().refused = error.what();
    }
  }
  if (terminal) fmt::print(stderr, "\r\x1b[K");
  refuse_all(audits, arguments.methods.empty() ? scenario.place("integrator.method") : "--methods");
  const std::string json = audit_json(scenario.title, scenario.name, audits);
  write_result(directory, "audit.json", json);
  write_comparison_report(directory, "audit", json, traces, scenario);
  if (arguments.json)
    say_text(json);
  else if (!arguments.quiet)
    say("{}  {}\n  {}\n", audit_table(printable(scenario.title), audits), (directory / "audit.json").string(),
        (directory / "audit.html").string());
  return exit_code;
}

}  // namespace

void add_audit(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<AuditArguments>();
  CLI::App* verb = app.add_subcommand("audit", "measure what a method keeps and how exact it is");
  verb->add_option("SCENARIO", arguments->scenario, "a scenario file, or a name from `ricochet list`")->required();
  verb->add_option("--methods", arguments->methods, methods_help)->type_name("LIST");
  verb->add_option("-o,--output", arguments->directory, "where audit.json goes (default: runs/NAME)")->type_name("DIR");
  add_set_option(*verb, arguments->overrides);
  verb->add_flag("--json", arguments->json, "print audit.json");
  verb->add_flag("--quiet", arguments->quiet, "print nothing but errors");
  verb->callback([arguments, &exit_code] { exit_code = audit_all(*arguments); });
}

}  // namespace ricochet::cli
