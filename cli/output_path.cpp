#include "output_path.hpp"

#include <fmt/format.h>

#include "ricochet/simulation/run_directory.hpp"
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
