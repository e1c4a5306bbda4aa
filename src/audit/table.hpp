#pragma once
// A table of texts in aligned columns; the first column is left-aligned, as are the others.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ricochet {

// Columns on the screen, not bytes: "±" is one.
inline std::size_t display_width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xc0) != 0x80; }));
}

inline std::string aligned_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], display_width(row[c]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c)
      line += "  " + row[c] + std::string(widths[c] - display_width(row[c]), ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

inline std::string in_words(double x) { return fmt::format("{:.2g}", x); }

}  // namespace ricochet
