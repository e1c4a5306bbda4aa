// ricochet gallery: every scenario, solved if it poses a problem, with its picture on one page; with --run also its
// report.

#include "ricochet/report/gallery_page.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "control_outcome.hpp"
#include "design_outcome.hpp"
#include "gallery.hpp"
#include "ricochet/report/report.hpp"
#include "ricochet/simulation/output_file.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace ricochet::cli {

namespace {

namespace fs = std::filesystem;

GalleryEntry make_entry(const fs::path& file, const fs::path& directory, bool with_report) {
  GalleryEntry entry;
  entry.name = file.stem().string();
  entry.title = entry.name;
  try {
    Scenario scenario = read_scenario(file);
    if (scenario.shoot || scenario.optimize) entry.verb = "solve";
    if (scenario.shoot) scenario = solve_scenario(scenario, shooting_problem(scenario), {}).scenario;
    if (scenario.optimize) scenario = solve_control(scenario, {}).scenario;
    entry.title = scenario.title;
    entry.reference = scenario.reference;
    entry.method =
        fmt::format("{}{}{}", scenario.integrator.method, scenario.integrator.discretization.empty() ? "" : ", ",
                    scenario.integrator.discretization);
    write_atomically(directory / (entry.name + ".svg"), scenario_picture(scenario));
    entry.picture = entry.name + ".svg";
    if (with_report) {
      std::vector<std::string> warnings;
      run(*make_stepper(scenario, warnings), scenario.run, describe(scenario), directory / entry.name);
      write_report(directory / entry.name);
      entry.report = entry.name + "/" + report_name;
    }
  } catch (const InputError& error) {
    entry.error = error.what();
  }
  return entry;
}

}  // namespace

void add_gallery(CLI::App& app, int& exit_code) {
  struct GalleryPageArguments {
    std::string directory = "gallery";
    bool run = false, quiet = false;
  };
  const auto arguments = std::make_shared<GalleryPageArguments>();
  CLI::App* verb = app.add_subcommand("gallery", "one page with a picture of every scenario");
  verb->add_option("-o,--output", arguments->directory, "where index.html and the pictures go (default: gallery)")
      ->type_name("DIR");
  verb->add_flag("--run", arguments->run, "run every scenario too, and link its report");
  verb->add_flag("--quiet", arguments->quiet, "print nothing but errors");
  verb->callback([arguments, &exit_code] {
    const fs::path directory(arguments->directory);
    make_folder(directory);
    std::vector<GalleryEntry> entries;
    for (const fs::path& file : gallery()) {
      entries.push_back(make_entry(file, directory, arguments->run));
      const std::string& error = entries.back().error;
      if (!error.empty()) complain("ricochet: {}\n", error);
      if (!error.empty()) exit_code = exit_bad_scenario;
    }
    write_atomically(directory / "index.html", gallery_page(entries));
    if (!arguments->quiet) say("{}: {} scenarios\n", (directory / "index.html").string(), entries.size());
  });
}

}  // namespace ricochet::cli
