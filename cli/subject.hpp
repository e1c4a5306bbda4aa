#pragma once
// Between scenarios and audits: the audited subject of a scenario, and a result file in a directory.

#include <filesystem>
#include <string>

#include "ricochet/audit/subject.hpp"
#include "ricochet/scenario/scenario.hpp"

namespace ricochet::cli {

Subject subject_of(const Scenario& scenario);  // throws ModelError

// Makes the directory and replaces the file as a whole; throws WriteError, naming the path, if it cannot.
void write_result(const std::filesystem::path& directory, const char* name, const std::string& text);

}  // namespace ricochet::cli
