#pragma once
// summary.json: the result of a run in one page. A number without meaning is null, never NaN.

#include <filesystem>
#include <string>

#include "ricochet/simulation/run.hpp"

namespace ricochet {

std::string summary_json(const Summary& summary);
void write_summary(const std::filesystem::path& path, const Summary& summary);  // replaces the file as a whole
// What a run said: the text after a look at its checksum, or its fields. Throws InputError.
std::string read_summary_text(const std::filesystem::path& path);
Summary read_summary(const std::filesystem::path& path);

// 64-bit FNV-1a of the bits of the step number, t, q, p, the fields and the modes: 16 hexadecimal digits. Equal bits
// give equal hashes; it says nothing of counters.
std::string state_hash(std::int64_t step, const Observables& state);

}  // namespace ricochet
