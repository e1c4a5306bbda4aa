#pragma once
// What `run` and `resume` say: progress while they go, and the table, JSON or failure when they have ended.

#include <filesystem>
#include <set>
#include <string>

#include "ricochet/scenario/scenario.hpp"
#include "ricochet/simulation/run.hpp"

namespace ricochet::cli {

struct Voice {
  bool json = false, quiet = false;
  std::set<std::string> said{};  // warnings of the start
};

// Stops on signals, and shows a bar on stderr if that is a terminal.
RunControl control_for(const Voice& voice);

void clear_bar();  // if there is one

// Where a failed run went wrong: file and line of its start, or of its step.
std::string place_of_failure(const Summary& summary, const Scenario& scenario);

// Prints the outcome and returns the exit code.
int report_outcome(const Summary& summary, const Scenario& scenario, const std::filesystem::path& directory,
                   const Voice& voice);

// "key  value" lines with the values in one column.
std::string aligned(const std::vector<std::pair<std::string, std::string>>& rows);

}  // namespace ricochet::cli
