#include "output_path.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ricochet/simulation/archive.hpp"
#include "ricochet/simulation/run_directory.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace ricochet::cli {

namespace fs = std::filesystem;

fs::path results_directory(const std::string& given, const Scenario& scenario) {
  if (!given.empty()) return given;
  if (scenario.name.empty() || scenario.name == "." || scenario.name == "..")
    throw UsageError(fmt::format("{}: the file has no name to call a directory by; say where the results go with -o",
                                 scenario.path.string()));
  return fs::path("runs") / scenario.name;
}

namespace {

// Nothing is there, or a run of the same scenario with the same settings.
bool may_be_used(const fs::path& directory, const Scenario& scenario) {
  std::error_code error;
  if (!fs::exists(directory / archive_name, error)) return !fs::exists(directory / summary_name, error);
  try {
    const ArchiveReader archive(directory / archive_name);
    const RunDescription& about = archive.header().about;
    return about.scenario_text == scenario.text && about.overrides.size() >= scenario.overrides.size() &&
           std::equal(scenario.overrides.begin(), scenario.overrides.end(), about.overrides.begin()) &&
           (scenario.shoot || about.overrides.size() == scenario.overrides.size());
  } catch (const InputError&) {
    return false;  // a damaged run may be all that is left of one
  }
}

}  // namespace

fs::path free_directory(const std::string& given, const Scenario& scenario, bool quiet) {
  const fs::path wanted = results_directory(given, scenario);
  if (!given.empty()) return wanted;
  fs::path directory = wanted;
  for (int k = 2; !may_be_used(directory, scenario); ++k) directory = fmt::format("{}-{}", wanted.string(), k);
  if (directory != wanted && !quiet)
    complain("ricochet: {} holds a run of another scenario or with other settings; the results go to {}\n",
             wanted.string(), directory.string());
  return directory;
}

void refuse_input(const fs::path& file, const std::vector<fs::path>& inputs) {
  std::error_code error;
  for (const fs::path& input : inputs)
    if (fs::equivalent(file, input, error))
      throw UsageError(fmt::format("{}: would be overwritten, but it is what is read", file.string()));
}

std::vector<fs::path> run_files(const fs::path& directory) {
  std::vector<fs::path> files;
  for (const char* name : {archive_name, ledger_name, summary_name, checkpoint_name}) files.push_back(directory / name);
  return files;
}

}  // namespace ricochet::cli
