// ricochet list: the gallery, one line each. Titles only are read, so that it answers at once.

#include <fmt/format.h>

#include "gallery.hpp"
#include "outcome.hpp"
#include "ricochet/scenario/scenario.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace ricochet::cli {

void add_list(CLI::App& app, int& exit_code) {
  app.add_subcommand("list", "the scenarios of the gallery")->callback([&exit_code] {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const std::filesystem::path& file : gallery()) {
      try {
        rows.emplace_back(file.stem().string(), read_title(file));
      } catch (const InputError& error) {  // the others are there nonetheless
        complain("ricochet: {}\n", error.what());
        exit_code = exit_bad_scenario;
      }
    }
    say_text(aligned(rows));
  });
}

}  // namespace ricochet::cli
