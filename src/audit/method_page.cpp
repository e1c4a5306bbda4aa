#include "ricochet/audit/method_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ricochet/audit/audit_report.hpp"
#include "ricochet/methods/describe.hpp"

namespace ricochet {

namespace {

std::string table_row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + cell + " |";
  return line + "\n";
}

bool same(const std::vector<AuditRow>& a, const std::vector<AuditRow>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const AuditRow& x, const AuditRow& y) { return x.name == y.name && x.value == y.value; });
}

std::string measured_part(const MeasuredScenario& scenario) {
  std::vector<std::string> head{""}, line{"---"}, notes;
  std::vector<std::vector<AuditRow>> columns;
  std::string how;
  for (const Audit& a : scenario.audits) {
    for (std::string& sentence : audit_notes(a)) notes.push_back(std::move(sentence));
    if (!a.refused.empty()) continue;
    const std::vector<AuditRow> values = audit_rows(a);
    const auto twin =
        std::find_if(columns.begin(), columns.end(), [&](const auto& column) { return same(column, values); });
    if (twin != columns.end()) {
      notes.push_back(fmt::format("`{}`: the same numbers as {}", a.label, head[1 + (twin - columns.begin())]));
      continue;
    }
    head.push_back(fmt::format("`{}`", a.label));
    line.emplace_back("---");
    columns.push_back(values);
    if (a.horizon)
      how = fmt::format("Order, impact times and reversibility until the horizon; compared with {}.", a.truth);
  }
  std::string text = fmt::format("### {}\n\n{}, step {}. {}\n", scenario.name, scenario.title, scenario.step, how);
  if (!columns.empty()) {
    text += '\n';
    for (const auto& row : {head, line}) text += table_row(row);
    for (const auto& row : beside(columns)) text += table_row(row);
  }
  if (!notes.empty()) text += "\n";
  for (const std::string& note : notes) text += "- " + note + "\n";
  return text + "\n";
}

}  // namespace

std::string descriptor_part(const Descriptor& d, PageKind kind) {
  std::string text = fmt::format("# {}\n\n<!-- Written by: ricochet methods --pages docs/methods -->\n\n", d.name);
  text += fmt::format("{}: {}.\n\n",
                      kind == PageKind::discretization ? "Discretization"
                      : kind == PageKind::method       ? "Method"
                                                       : "Integrator of [bodies on a line](../continuum.md)",
                      d.doc);
  text += table_row({"", ""}) + table_row({"---", "---"}) + table_row({"order", d.order});
  if (!d.preserves.empty()) text += table_row({"preserves", d.preserves});
  if (!d.not_preserved.empty()) text += table_row({"does not preserve", d.not_preserved});
  if (kind == PageKind::method) text += table_row({"takes", describe_abilities(d)});
  if (kind == PageKind::bodies)
    text += table_row({"treatments of contact", fmt::format("{}", fmt::join(d.laws, ", "))});
  if (!d.discretizations.empty())
    text += table_row({"discretizations", fmt::format("{}", fmt::join(d.discretizations, ", "))});
  if (!d.parameters.empty()) {
    text += '\n';
    text += table_row({"parameter", ""}) + table_row({"---", "---"});
    for (const ParameterDoc& p : d.parameters) text += table_row({"`" + p.name + "`", describe(p)});
  }
  return text + "\n";
}

std::string method_page(const Descriptor& d, PageKind kind, const std::vector<MeasuredScenario>& measured) {
  std::string text = descriptor_part(d, kind);
  if (measured.empty()) return text;
  text +=
      "## Measured\n\nBy `ricochet audit` on scenarios of the gallery. Uncertainties are one standard error. The "
      "horizon "
      "is the time until which errors are those of the method and not of chaos. The drift of the energy is its "
      "least-squares slope, with the uncertainty of a random walk; penetration is max(0, −gap); the symplecticity "
      "defect is ‖JᵀΩJ − Ω‖ relative to max(1, ‖J‖²), on vectors tangent to constraints and to contacts that stay "
      "closed; reversibility is what is left after going to the horizon and back.\n\n";
  for (const MeasuredScenario& scenario : measured) text += measured_part(scenario);
  text.pop_back();
  return text;
}

std::string bodies_page(const Descriptor& d, const std::vector<MeasuredBodies>& measured) {
  std::string text = descriptor_part(d, PageKind::bodies);
  text +=
      "## Measured\n\nOn scenarios of the gallery. The range of the energy is (max − min)/|initial|; the defects are "
      "what "
      "no recorded work or impulse explains, of the energy relative to its largest value, of the momentum as it "
      "is.\n\n";
  for (const auto& row : {std::vector<std::string>{"scenario", "run", "element updates", "energy, range",
                                                   "energy, defect", "momentum, defect"},
                          {"---", "---", "---", "---", "---", "---"}})
    text += table_row(row);
  const auto number = [](double x) { return std::isnan(x) ? std::string("-") : fmt::format("{:.2g}", x); };
  for (const MeasuredBodies& m : measured)
    text += table_row({m.scenario, m.label, fmt::format("{}", m.updates), number(m.energy_range),
                       number(m.energy_defect), number(m.momentum_defect)});
  return text;
}

}  // namespace ricochet
