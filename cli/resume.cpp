// ricochet resume DIR: go on with a run that was interrupted, failed or killed, to the same bits.

#include <fmt/format.h>

#include "outcome.hpp"
#include "ricochet/scenario/scenario.hpp"
#include "verb.hpp"

namespace ricochet::cli {

void add_resume(CLI::App& app, int& exit_code) {
  struct ResumeArguments {
    std::string directory;
    Voice voice;
  };
  const auto arguments = std::make_shared<ResumeArguments>();
  CLI::App* verb = app.add_subcommand("resume", "continue a run that was stopped");
  verb->add_option("DIR", arguments->directory, "the directory of the run")->required();
  verb->add_flag("--json", arguments->voice.json, "print the summary as JSON");
  verb->add_flag("--quiet", arguments->voice.quiet, "print nothing but errors");
  verb->callback([arguments, &exit_code] {
    Scenario scenario;
    const MakeStepper make = [&](const RunDescription& about) {
      scenario = read_scenario_text(about.scenario_text, about.scenario_name, about.overrides);
      std::vector<std::string> warnings;  // said when the run began
      return std::pair(make_stepper(scenario, warnings), scenario.run);
    };
    const Summary summary = resume(arguments->directory, make, control_for(arguments->voice));
    exit_code = report_outcome(summary, scenario, arguments->directory, arguments->voice);
  });
}

}  // namespace ricochet::cli
