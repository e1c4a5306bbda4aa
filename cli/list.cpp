// ricochet list: the gallery, one line each. Titles only are read, so that it answers at once.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "gallery.hpp"
#include "outcome.hpp"
#include "ricochet/scenario/scenario.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace ricochet::cli {

void add_list(CLI::App& app, int& exit_code) {
  const auto json = std::make_shared<bool>(false);
  CLI::App* verb = app.add_subcommand("list", "the scenarios of the gallery");
  verb->add_flag("--json", *json, "as a list of names and titles");
  verb->callback([json, &exit_code] {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const std::filesystem::path& file : gallery()) {
      try {
        rows.emplace_back(file.stem().string(), read_title(file));
      } catch (const InputError& error) {  // the others are there nonetheless
        complain("ricochet: {}\n", error.what());
        exit_code = exit_bad_scenario;
      }
    }
    if (!*json) return say_text(aligned(rows));
    auto list = nlohmann::ordered_json::array();
    for (const auto& [name, title] : rows) list.push_back({{"name", name}, {"title", title}});
    say_text(list.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  });
}

}  // namespace ricochet::cli
