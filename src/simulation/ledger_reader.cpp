#include "ricochet/simulation/ledger_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "ricochet/error.hpp"
#include "ricochet/simulation/ledger.hpp"

namespace ricochet {

namespace {

// "step 12, time 0.5" as far as the line tells.
std::string place(const std::string& line) {
  const std::size_t first = line.find(','), second = line.find(',', first + 1);
  if (first == std::string::npos || second == std::string::npos) return "";
  return fmt::format(" (step {}, time {})", line.substr(0, first), line.substr(first + 1, second - first - 1));
}

// A line with its end; a cell in quotes may hold line ends.
bool read_line(std::istream& in, std::string& line) {
  line.clear();
  for (std::string part; std::getline(in, part);) {
    line += part;
    if (!in.eof()) line += '\n';
    if (std::count(line.begin(), line.end(), '"') % 2 == 0) break;
  }
  return !line.empty();
}

}  // namespace

void read_ledger(const std::filesystem::path& path, const Labels& labels, std::int64_t bytes,
                 const std::function<void(const std::string& line)>& use) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(fmt::format("{}: there is no such ledger", path.string()));
  std::string line;
  std::int64_t read = 0, number = 0;
  while ((bytes < 0 || read < bytes) && read_line(in, line)) {
    ++number;
    read += static_cast<std::int64_t>(line.size());
    if ((bytes >= 0 && read > bytes) ||
        line != (number == 1 ? ledger_header(labels) + ",check\n" : checked_line(line.substr(0, line.rfind(',')))))
      throw InputError(fmt::format("{}:{}: the line{} is damaged: its checksum does not fit", path.string(), number,
                                   number > 1 ? place(line) : ""));
    use(line);
  }
  if (number == 0 || read < bytes)
    throw InputError(fmt::format("{}: {} bytes, expected {}; lines are missing", path.string(), read,
                                 bytes < 0 ? "a header" : fmt::format("{}", bytes)));
}

}  // namespace ricochet
