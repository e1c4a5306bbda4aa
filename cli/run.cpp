// ricochet run SCENARIO: simulate, write the files, say what was kept.

#include <fmt/format.h>

#include "gallery.hpp"
#include "outcome.hpp"
#include "output_path.hpp"
#include "ricochet/scenario/scenario.hpp"
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

void add_run(CLI::App& app, int& exit_code) {
  struct RunArguments {
    std::string scenario, directory;
    std::vector<std::string> overrides;
    Voice voice;
  };
  const auto arguments = std::make_shared<RunArguments>();
  CLI::App* verb = app.add_subcommand("run", "simulate a scenario and write its results");
  verb->add_option("SCENARIO", arguments->scenario, "a scenario file, or a name from `ricochet list`")->required();
  verb->add_option("-o", arguments->directory, "where the results go (default: runs/NAME)")->type_name("DIR");
  add_set_option(*verb, arguments->overrides);
  verb->add_flag("--json", arguments->voice.json, "print the summary as JSON");
  verb->add_flag("--quiet", arguments->voice.quiet, "print nothing but errors");
  verb->callback([arguments, &exit_code] {
    const Scenario scenario = read_scenario(find_scenario(arguments->scenario), arguments->overrides);
    std::vector<std::string> warnings;
    const std::unique_ptr<Stepper> stepper = make_stepper(scenario, warnings);
    for (const std::string& warning : warnings) complain("ricochet: warning: {}\n", warning);
    const std::filesystem::path directory = results_directory(arguments->directory, scenario);
    for (const std::filesystem::path& file : run_files(directory)) refuse_input(file, {scenario.path});
    const Summary summary = run(*stepper, scenario.run, describe(scenario), directory, control_for(arguments->voice));
    exit_code = report_outcome(summary, scenario, directory, arguments->voice);
  });
}

}  // namespace ricochet::cli
