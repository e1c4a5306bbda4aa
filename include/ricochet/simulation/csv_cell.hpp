#pragma once
// A text in a CSV file.

#include <string>
#include <string_view>

namespace ricochet {

// RFC 4180: a cell with a comma, quote or line end is quoted, its quotes doubled. A text that a spreadsheet would take
// for a formula gets an apostrophe in front, which makes it a text there.
inline std::string csv_cell(std::string_view text) {
  std::string cell;
  if (!text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos) cell = "'";
  cell += text;
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

}  // namespace ricochet
