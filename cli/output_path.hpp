#pragma once
// Where results may go: never outside runs/ unasked, never over what is read.

#include <filesystem>
#include <string>
#include <vector>

#include "ricochet/scenario/scenario.hpp"

namespace ricochet::cli {

// The directory named by -o, or runs/NAME. Throws UsageError for a scenario whose name is no name of a directory.
std::filesystem::path results_directory(const std::string& given, const Scenario& scenario);

// The same for a run: without -o a run of another scenario or with other settings is not replaced; the next free name,
// runs/NAME-2 and so on, is taken and said. A solution has the settings of its unknowns after those of its problem.
std::filesystem::path free_directory(const std::string& given, const Scenario& scenario, bool quiet);

// Throws UsageError if `file` is one of the inputs, by whatever name.
void refuse_input(const std::filesystem::path& file, const std::vector<std::filesystem::path>& inputs);

std::vector<std::filesystem::path> run_files(const std::filesystem::path& directory);  // archive, ledger, …

}  // namespace ricochet::cli
