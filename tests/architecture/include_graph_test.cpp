// A room may use the rooms above it in the table of ARCHITECTURE.md, but those named in its last column, never those
// below: the include graph says so.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace ricochet::include_graph_test {
namespace {

using Files = std::map<std::string, std::string>;  // path from the root of the project -> text

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The first column of the table, from top to bottom.
std::vector<std::string> rooms_of(const std::string& page) {
  std::vector<std::string> rooms;
  std::istringstream lines(page);
  const std::regex row(R"(\| `([a-z]+)` .*)");
  std::smatch match;
  for (std::string line; std::getline(lines, line);)
    if (std::regex_match(line, match, row)) rooms.push_back(match[1]);
  return rooms;
}

// The rooms named in the last column: above, and yet not known.
std::map<std::string, std::vector<std::string>> unknown_of(const std::string& page) {
  std::map<std::string, std::vector<std::string>> result;
  std::istringstream lines(page);
  const std::regex row(R"(\| `([a-z]+)` .*\|([^|]*)\|)"), word("`([a-z]+)`");
  std::smatch match;
  for (std::string line; std::getline(lines, line);) {
    if (!std::regex_match(line, match, row)) continue;
    const std::string last = match[2];
    for (std::sregex_iterator it(last.begin(), last.end(), word), end; it != end; ++it)
      result[match[1]].push_back((*it)[1]);
  }
  return result;
}

// "" for what is in no room: include/ricochet/error.hpp.
std::string room_of(const std::string& path) {
  std::smatch match;
  if (std::regex_match(path, match, std::regex("(?:src|include/ricochet)/([^/]+)/.*"))) return match[1];
  return path.rfind("cli/", 0) == 0 ? "cli" : "";
}

// "file:line: …" for each include that is not allowed.
std::vector<std::string> violations(const Files& files, const std::vector<std::string>& rooms,
                                    const std::map<std::string, std::vector<std::string>>& unknown = {}) {
  std::vector<std::string> result;
  const auto place = [&](const std::string& room) {
    return std::find(rooms.begin(), rooms.end(), room) - rooms.begin();
  };
  const std::regex include(R"re(\s*#\s*include\s*"([^"]+)".*)re");
  for (const auto& [path, text] : files) {
    const std::string room = room_of(path);
    const auto complain = [&](int line, const std::string& what) {
      result.push_back(path + ":" + std::to_string(line) + ": " + what);
    };
    if (!room.empty() && place(room) == static_cast<std::ptrdiff_t>(rooms.size()))
      complain(1, "the room '" + room + "' is not in the table");
    std::istringstream lines(text);
    std::smatch match;
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      if (!std::regex_match(line, match, include)) continue;
      const std::string name = match[1];
      const bool is_public = name.rfind("ricochet/", 0) == 0;
      const std::string target =
          is_public ? "include/" + name
                    : (std::filesystem::path(path).parent_path() / name).lexically_normal().generic_string();
      const std::string used = room_of(target);
      if (files.count(target) == 0)
        complain(number, "there is no " + target);
      else if (used == room || used.empty())
        continue;
      else if (!is_public)
        complain(number, "a private header of the room '" + used + "'");
      else if (room.empty())
        complain(number, "a header outside the rooms uses the room '" + used + "'");
      else if (place(used) > place(room))
        complain(number, "the room '" + room + "' may not use '" + used + "', which is below it");
      else if (const auto found = unknown.find(room);
               found != unknown.end() && std::count(found->second.begin(), found->second.end(), used) > 0)
        complain(number, "the room '" + room + "' does not know '" + used + "'");
    }
  }
  return result;
}

TEST(IncludeGraph, NoRoomUsesARoomBelowIt) {
  const std::filesystem::path root = RICOCHET_SOURCE_DIR;
  const std::string page = read(root / "ARCHITECTURE.md");
  const std::vector<std::string> rooms = rooms_of(page);
  ASSERT_GT(rooms.size(), 8u);
  Files files;
  for (const char* folder : {"src", "include", "cli"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder))
      if (entry.path().extension() == ".hpp" || entry.path().extension() == ".cpp")
        files[entry.path().lexically_relative(root).generic_string()] = read(entry.path());
  ASSERT_GT(files.size(), 100u);
  EXPECT_EQ(unknown_of(page).at("continuum").size(), 6u);
  for (const std::string& sentence : violations(files, rooms, unknown_of(page))) ADD_FAILURE() << sentence;
}

TEST(IncludeGraph, ViolationsAreFoundWithFileAndLine) {
  const std::vector<std::string> rooms{"numerics", "mechanics", "methods", "cli"};
  const Files files{
      {"include/ricochet/error.hpp", "#include \"ricochet/numerics/newton.hpp\"\n"},
      {"include/ricochet/numerics/newton.hpp", ""},
      {"include/ricochet/mechanics/model.hpp", "#include <cmath>\n#include \"ricochet/methods/options.hpp\"\n"},
      {"include/ricochet/methods/options.hpp", "#include \"ricochet/mechanics/model.hpp\"\n"},
      {"src/methods/a.cpp", "#include \"b.hpp\"\n#include \"../numerics/c.hpp\"\n"},
      {"src/methods/b.hpp", "#include \"ricochet/error.hpp\"\n#include \"ricochet/gone.hpp\"\n"},
      {"src/numerics/c.hpp", ""},
      {"src/kitchen/d.cpp", ""},
      {"cli/main.cpp", "#include \"ricochet/methods/options.hpp\"\n"},
  };
  EXPECT_EQ(violations(files, rooms),
            (std::vector<std::string>{
                "include/ricochet/error.hpp:1: a header outside the rooms uses the room 'numerics'",
                "include/ricochet/mechanics/model.hpp:2: the room 'mechanics' may not use 'methods', which is below it",
                "src/kitchen/d.cpp:1: the room 'kitchen' is not in the table",
                "src/methods/a.cpp:2: a private header of the room 'numerics'",
                "src/methods/b.hpp:2: there is no include/ricochet/gone.hpp"}));
  EXPECT_EQ(violations({{"src/methods/a.cpp", "#include \"ricochet/numerics/newton.hpp\"\n"},
                        {"include/ricochet/numerics/newton.hpp", ""}},
                       rooms, unknown_of("| `methods` | steps | `numerics` |\n")),
            std::vector<std::string>{"src/methods/a.cpp:1: the room 'methods' does not know 'numerics'"});
  EXPECT_EQ(rooms_of("| room | knows |\n|---|---|\n| `numerics` | x |\n| `cli` | y |\n"),
            (std::vector<std::string>{"numerics", "cli"}));
}

}  // namespace
}  // namespace ricochet::include_graph_test
