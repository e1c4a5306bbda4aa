// ricochet list: the gallery, one line each. Titles only are read, so that it answers at once.

#include <fmt/format.h>

#include "gallery.hpp"
#include "outcome.hpp"
#include "ricochet/scenario/scenario.hpp"
#include "verb.hpp"

namespace ricochet::cli {

void add_list(CLI::App& app, int&) {
  app.add_subcommand("list", "the scenarios of the gallery")->callback([] {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const std::filesystem::path& file : gallery()) rows.emplace_back(file.stem().string(), read_title(file));
    fmt::print("{}", aligned(rows));
  });
}

}  // namespace ricochet::cli
