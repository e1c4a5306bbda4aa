#pragma once
// The lines of a ledger, each checked against its last cell.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "ricochet/simulation/stepper.hpp"

namespace ricochet {

// Gives each line, header first and ends included, of the first `bytes` of the file (all of it if negative). Throws
// InputError, naming file, line, step and time, where a line is damaged or missing.
void read_ledger(const std::filesystem::path& path, const Labels& labels, std::int64_t bytes,
                 const std::function<void(const std::string& line)>& use);

}  // namespace ricochet
