// ricochet run SCENARIO: simulate, write the files, say what was kept.

#include <fmt/format.h>

#include "design_outcome.hpp"
#include "gallery.hpp"
#include "interrupt.hpp"
#include "outcome.hpp"
#include "output_path.hpp"
#include "ricochet/scenario/scenario.hpp"
#include "ricochet/simulation/archive.hpp"
#include "ricochet/simulation/run_directory.hpp"
#include "ricochet/simulation/summary.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace ricochet::cli {

void add_set_option(CLI::App& verb, std::vector<std::string>& overrides) {
  verb.add_option("--set", overrides, "change a key of the scenario, as in --set integrator.step=0.01; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false)
      ->take_all()
      ->check([](const std::string& text) {
        return text.find('=') == std::string::npos ? "expected key=value, got " + text : std::string();
      });
}

namespace {

// An archive that the disk has no room for.
void warn_of_size(const Labels& labels, const RunSettings& run, const std::filesystem::path& directory) {
  if (!(run.duration > 0) || run.every == 0) return;
  std::size_t numbers = 4;  // step, time, energy, check
  numbers += 3 * labels.coordinates.size() + labels.momenta.size() + labels.contacts.size() + labels.lasting.size() +
             labels.contact_forces.size() + labels.scalars.size();
  for (const FieldLabel& f : labels.fields) numbers += static_cast<std::size_t>(f.offsets.back() * f.components);
  const double records = run.duration / run.step / static_cast<double>(run.every),
               bytes = 8 * static_cast<double>(numbers) * records;
  std::filesystem::path there = std::filesystem::absolute(directory);
  std::error_code error;
  while (!std::filesystem::exists(there, error) && there.has_relative_path()) there = there.parent_path();
  const std::filesystem::space_info space = std::filesystem::space(there, error);
  if (error || bytes < static_cast<double>(space.available)) return;
  complain(
      "ricochet: warning: {:.2g} records would take {:.2g} GB, and the disk has room for {:.2g}; output.every = 1000 "
      "records each thousandth step\n",
      records, bytes / 1e9, static_cast<double>(space.available) / 1e9);
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  struct RunArguments {
    std::string scenario, directory;
    std::vector<std::string> overrides;
    Voice voice;
    bool sensitivities = false;
  };
  const auto arguments = std::make_shared<RunArguments>();
  CLI::App* verb = app.add_subcommand("run", "simulate a scenario and write its results");
  verb->add_option("SCENARIO", arguments->scenario, "a scenario file, or a name from `ricochet list`")->required();
  verb->add_option("-o,--output", arguments->directory, "where the results go (default: runs/NAME)")->type_name("DIR");
  add_set_option(*verb, arguments->overrides);
  verb->add_flag("--json", arguments->voice.json, "print the summary as JSON");
  verb->add_flag("--quiet", arguments->voice.quiet, "print nothing but errors");
  verb->add_flag("--sensitivities", arguments->sensitivities,
                 "derivatives of the final state and of output.quantities by start, parameters, laws and duration");
  verb->callback([arguments, &exit_code] {
    const Scenario scenario = read_scenario(find_scenario(arguments->scenario), arguments->overrides);
    std::vector<std::string> warnings;
    const std::unique_ptr<Stepper> stepper = make_stepper(scenario, warnings);
    for (const std::string& warning : warnings) complain("ricochet: warning: {}\n", warning);
    arguments->voice.said.insert(warnings.begin(), warnings.end());
    if (scenario.optimize && !arguments->voice.quiet)
      complain("ricochet: a run without the controls of [optimize]; ricochet solve finds them\n");
    const std::filesystem::path directory = free_directory(arguments->directory, scenario, arguments->voice.quiet);
    for (const std::filesystem::path& file : run_files(directory)) refuse_input(file, {scenario.path});
    warn_of_size(stepper->labels(), scenario.run, directory);
    RunControl control = control_for(arguments->voice);
    Impacts impacts;
    if (!scenario.quantities.empty()) control.impact = [&](const Impact& impact) { impacts.push_back(impact); };
    if (arguments->sensitivities) check_derivatives(scenario);
    Summary summary = run(*stepper, scenario.run, describe(scenario), directory, control);
    add_quantities(scenario, impacts, summary);
    if (arguments->sensitivities && summary.status == "completed") add_sensitivities(scenario, control.stop, summary);
    if (!summary.design.sensitivities.empty()) write_sensitivities(directory / archive_name, summary.design);
    if (!summary.design.refused.empty()) summary.exit_code = exit_solver;
    if (!scenario.quantities.empty() || arguments->sensitivities) write_summary(directory / summary_name, summary);
    exit_code = report_outcome(summary, scenario, directory, arguments->voice);
    if (!summary.design.refused.empty())
      complain("ricochet: no sensitivities: the motion has no derivative {}\n", summary.design.refused);
  });
}

}  // namespace ricochet::cli
