#include "ricochet/audit/method_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ricochet/audit/audit_report.hpp"
#include "ricochet/methods/describe.hpp"

namespace ricochet {

namespace {

std::string table_row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + cell + " |";
  return line + "\n";
}

// The column that holds these values already; 0 if none does.
int same_column(const std::vector<std::vector<std::string>>& rows, const std::vector<AuditRow>& values) {
  for (std::size_t column = 1; !rows.empty() && column < rows[0].size(); ++column) {
    bool same = true;
    for (std::size_t k = 0; k < values.size(); ++k) same &= rows[k][column] == values[k].value;
    if (same) return static_cast<int>(column);
  }
  return 0;
}

std::string measured_part(const MeasuredScenario& scenario) {
  std::vector<std::string> head{""}, line{"---"}, notes;
  std::vector<std::vector<std::string>> rows;
  std::string how;
  for (const Audit& a : scenario.audits) {
    for (std::string& sentence : audit_notes(a)) notes.push_back(std::move(sentence));
    if (!a.refused.empty()) continue;
    const std::vector<AuditRow> values = audit_rows(a);
    if (const int same = same_column(rows, values); same > 0) {
      notes.push_back(fmt::format("`{}`: the same numbers as {}", a.label, head[static_cast<std::size_t>(same)]));
      continue;
    }
    head.push_back(fmt::format("`{}`", a.label));
    line.emplace_back("---");
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (rows.size() <= k) rows.push_back({values[k].name});
      rows[k].push_back(values[k].value);
    }
    if (a.horizon)
      how = fmt::format(
          "Order, impact times and reversibility until {:.4g} after the start, {} impacts, errors grow {:.2g} times; "
          "compared with {}.",
          a.horizon->time, a.horizon->impacts, a.horizon->growth, a.truth);
  }
  std::string text = fmt::format("### {}\n\n{}, step {}. {}\n", scenario.name, scenario.title, scenario.step, how);
  if (!rows.empty()) {
    text += "\n" + table_row(head) + table_row(line);
    for (const auto& row : rows) text += table_row(row);
  }
  if (!notes.empty()) text += "\n";
  for (const std::string& note : notes) text += "- " + note + "\n";
  return text + "\n";
}

}  // namespace

std::string descriptor_part(const Descriptor& d, bool method) {
  std::string text = fmt::format("# {}\n\n<!-- Written by: ricochet methods --pages docs/methods -->\n\n", d.name);
  text += fmt::format("{}: {}.\n\n", method ? "Method" : "Discretization", d.doc);
  text += table_row({"", ""}) + table_row({"---", "---"}) + table_row({"order", d.order});
  if (!d.preserves.empty()) text += table_row({"preserves", d.preserves});
  if (!d.not_preserved.empty()) text += table_row({"does not preserve", d.not_preserved});
  if (method) text += table_row({"takes", describe_abilities(d)});
  if (!d.discretizations.empty())
    text += table_row({"discretizations", fmt::format("{}", fmt::join(d.discretizations, ", "))});
  if (!d.parameters.empty()) {
    text += "\n" + table_row({"parameter", ""}) + table_row({"---", "---"});
    for (const ParameterDoc& p : d.parameters) text += table_row({"`" + p.name + "`", describe(p)});
  }
  return text + "\n";
}

std::string method_page(const Descriptor& d, bool method, const std::vector<MeasuredScenario>& measured) {
  std::string text = descriptor_part(d, method);
  if (measured.empty()) return text;
  text +=
      "## Measured\n\nBy `ricochet audit` on scenarios of the gallery. Uncertainties are one standard error. The drift "
      "of "
      "the energy is its least-squares slope, with the uncertainty of a random walk; penetration is max(0, −gap); the "
      "symplecticity defect is ‖JᵀΩJ − Ω‖ relative to max(1, ‖J‖²); reversibility is what is left after going to the "
      "horizon and back.\n\n";
  for (const MeasuredScenario& scenario : measured) text += measured_part(scenario);
  text.pop_back();
  return text;
}

}  // namespace ricochet
