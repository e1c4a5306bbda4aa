#pragma once
// Where scenarios come from: a path, or a name of the gallery.

#include <filesystem>
#include <string>
#include <vector>

namespace ricochet::cli {

// The environment variable RICOCHET_SCENARIOS, else beside the installed program, else the source tree it was built
// from.
std::filesystem::path gallery_directory();
std::vector<std::filesystem::path> gallery();  // sorted by name

// Throws InputError with the nearest name.
std::filesystem::path find_scenario(const std::string& path_or_name);

}  // namespace ricochet::cli
