#include "gallery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "ricochet/error.hpp"
#include "ricochet/formula/parser.hpp"

namespace ricochet::cli {

namespace fs = std::filesystem;

fs::path gallery_directory() {
  if (const char* given = std::getenv("RICOCHET_SCENARIOS"); given && *given) return given;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed = program.parent_path().parent_path() / "share/ricochet/scenarios";
  if (!error && fs::is_directory(installed, error)) return installed;
  return RICOCHET_SCENARIOS;
}

std::vector<fs::path> gallery() {
  const fs::path directory = gallery_directory();
  std::error_code error;
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  if (error)
    throw InputError(fmt::format("{}: the gallery cannot be read: {}; set RICOCHET_SCENARIOS to its directory",
                                 directory.string(), error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

fs::path find_scenario(const std::string& path_or_name) {
  if (path_or_name == "-") return "/dev/stdin";
  const fs::path path(path_or_name);
  std::error_code error;
  if (fs::is_regular_file(path, error) || path.has_parent_path() || path.extension() == ".toml") return path;
  std::vector<std::string> names;
  for (const fs::path& file : gallery()) {
    names.push_back(file.stem().string());
    if (names.back() == path_or_name) return file;
  }
  const std::string near = formula::nearest(path_or_name, names);
  throw InputError(fmt::format("{}: there is no such file and no scenario of this name in the gallery{}", path_or_name,
                               near.empty() ? "; see ricochet list" : fmt::format("; did you mean {}?", near)));
}

}  // namespace ricochet::cli
