#include "ricochet/audit/audit_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "json_number.hpp"
#include "table.hpp"

namespace ricochet {

using Json = nlohmann::ordered_json;

namespace {

std::string or_dash(const std::optional<double>& x) { return x ? in_words(*x) : "-"; }

std::string order_text(const OrderMeasurement& m) {
  return m.order ? fmt::format("{:.2f} ± {:.2f}", *m.order, *m.uncertainty) : "-";
}

std::string drift_text(const std::optional<EnergyMeasurement>& m) {
  return m && m->drift_per_time ? fmt::format("{:.1e} ± {:.1e}", *m->drift_per_time, *m->drift_uncertainty) : "-";
}

std::string comparison_sentence(const Audit& a) {
  if (!a.horizon) return fmt::format("{}: no horizon for a comparison", a.label);
  return fmt::format(
      "order, impact times and reversibility until t = start + {:.4g} ({} impacts, errors grow {:.2g} times), against: "
      "{}",
      a.horizon->time, a.horizon->impacts, a.horizon->growth, a.truth);
}

Json energy_json(const EnergyMeasurement& m) {
  return {{"initial", json_number(m.initial)},
          {"min", json_number(m.min)},
          {"max", json_number(m.max)},
          {"relative_range", json_number(m.relative_range)},
          {"drift_per_time", json_number(m.drift_per_time)},
          {"drift_uncertainty", json_number(m.drift_uncertainty)},
          {"steps", m.steps},
          {"impacts", m.impacts}};
}

Json order_json(const OrderMeasurement& m) {
  Json points = Json::array();
  for (const OrderPoint& p : m.points)
    points.push_back({{"step", json_number(p.h)}, {"error", json_number(p.error)}, {"used", p.used}});
  return {{"value", json_number(m.order)},
          {"uncertainty", json_number(m.uncertainty)},
          {"note", json_text(m.note)},
          {"points", points}};
}

Json audit_object(const Audit& a) {
  if (!a.refused.empty()) return {{"method", a.label}, {"refused", a.refused}};
  Json momenta = Json::object();
  for (const MomentumMeasurement& m : a.momenta)
    momenta[m.name] = {{"initial", json_number(m.initial)}, {"max_deviation", json_number(m.max_deviation)}};
  return {{"method", a.label},
          {"refused", nullptr},
          {"name", a.method},
          {"discretization", a.discretization},
          {"step", json_number(a.step)},
          {"truth", a.truth},
          {"truth_note", json_text(a.truth_note)},
          {"horizon", a.horizon ? Json{{"time", json_number(a.horizon->time)},
                                       {"impacts", a.horizon->impacts},
                                       {"growth", json_number(a.horizon->growth)},
                                       {"unjudged", json_text(a.horizon->unjudged)}}
                                : Json(nullptr)},
          {"order", order_json(a.order)},
          {"energy", a.energy ? energy_json(*a.energy) : Json(nullptr)},
          {"momentum", momenta},
          {"symplecticity",
           {{"smooth", json_number(a.symplecticity.smooth)},
            {"impact", json_number(a.symplecticity.impact)},
            {"smooth_steps", a.symplecticity.smooth_steps},
            {"impact_steps", a.symplecticity.impact_steps},
            {"fallbacks", a.symplecticity.fallbacks},
            {"simultaneous", a.symplecticity.simultaneous},
            {"without_derivative", a.symplecticity.without_derivative},
            {"held", a.symplecticity.held},
            {"note", json_text(a.symplecticity.note)}}},
          {"penetration",
           {{"grid", json_number(a.penetration.grid)},
            {"between", json_number(a.penetration.between)},
            {"steps", a.penetration.steps}}},
          {"reversibility",
           {{"defect", json_number(a.reversibility.defect)},
            {"steps", a.reversibility.steps},
            {"impacts", a.reversibility.impacts},
            {"note", json_text(a.reversibility.note)}}},
          {"impact_times",
           {{"max_error", json_number(a.impact_times.max_error)},
            {"compared", a.impact_times.compared},
            {"note", json_text(a.impact_times.note)}}},
          {"nanoseconds_per_step", a.cost ? json_number(a.cost->nanoseconds_per_step) : Json(nullptr)},
          {"warnings", a.warnings},
          {"failures", a.failures}};
}

}  // namespace

std::vector<std::string> audit_notes(const Audit& a) {
  std::vector<std::string> out;
  const auto add = [&](const char* what, const std::string& note) {
    if (!note.empty()) out.push_back(fmt::format("{}: {}: {}", a.label, what, note));
  };
  add("cannot do this scenario", a.refused);
  add("compared with itself", a.truth_note);
  if (a.horizon) add("NO IMPACT IS JUDGED by order, impact times and reversibility", a.horizon->unjudged);
  add("no order", a.order.note);
  add("no reversibility", a.reversibility.note);
  add("no symplecticity", a.symplecticity.note);
  if (a.penetration.grid) add("no impact times", a.impact_times.note);
  for (const std::string& failure : a.failures) add("failed", failure);
  const SymplecticityMeasurement& s = a.symplecticity;
  if (s.fallbacks > 0)
    add("symplecticity", fmt::format("{} grazing steps fell back from the rule and are left out", s.fallbacks));
  if (s.simultaneous > 0)
    add("symplecticity", fmt::format("{} steps with several gaps closing at once are left out", s.simultaneous));
  if (s.held > 0 && s.note.empty())
    add("symplecticity", fmt::format("{} steps in which contacts hold everything are left out", s.held));
  if (s.without_derivative > 0 && s.note.empty())
    add("symplecticity", fmt::format("{} steps without a derivative are left out", s.without_derivative));
  return out;
}

std::vector<AuditRow> audit_rows(const Audit& a) {
  std::vector<AuditRow> rows{{"order", order_text(a.order)}};
  rows.push_back(
      {"horizon (impacts)", a.horizon ? fmt::format("{:.4g} ({})", a.horizon->time, a.horizon->impacts) : "-"});
  rows.push_back({"energy, relative range", a.energy ? or_dash(a.energy->relative_range) : "-"});
  rows.push_back({"energy, drift per time", drift_text(a.energy)});
  for (const MomentumMeasurement& m : a.momenta) rows.push_back({m.name + ", deviation", in_words(m.max_deviation)});
  rows.push_back({"symplecticity defect", or_dash(a.symplecticity.smooth)});
  if (a.penetration.grid) {
    rows.push_back({"symplecticity defect, impacts", or_dash(a.symplecticity.impact)});
    rows.push_back({"penetration", or_dash(a.penetration.grid)});
    rows.push_back({"penetration between points", or_dash(a.penetration.between)});
    rows.push_back({"impact times, error", or_dash(a.impact_times.max_error)});
  }
  rows.push_back({"reversibility defect", or_dash(a.reversibility.defect)});
  return rows;
}

std::vector<std::vector<std::string>> beside(const std::vector<std::vector<AuditRow>>& columns) {
  std::vector<std::vector<std::string>> lines;
  const auto longest = std::max_element(columns.begin(), columns.end(),
                                        [](const auto& a, const auto& b) { return a.size() < b.size(); });
  if (longest == columns.end()) return lines;
  for (const AuditRow& row : *longest) {
    std::vector<std::string>& line = lines.emplace_back(1, row.name);
    for (const std::vector<AuditRow>& column : columns) {
      const auto found =
          std::find_if(column.begin(), column.end(), [&](const AuditRow& r) { return r.name == row.name; });
      line.push_back(found == column.end() ? "-" : found->value);
    }
  }
  return lines;
}

std::string audit_table(const std::string& title, const std::vector<Audit>& audits) {
  std::string text = title + "\n";
  std::vector<std::string> head{""};
  std::vector<std::vector<AuditRow>> columns;
  std::vector<std::string> notes;
  const bool numbered = audits.size() > 2;  // the names of many methods are too wide for columns
  int number = 0;
  for (const Audit& a : audits) {
    for (const std::string& sentence : audit_notes(a)) notes.push_back(sentence);
    if (!a.refused.empty()) continue;
    std::vector<AuditRow> values = audit_rows(a);
    values.insert(values.begin(), {"step", fmt::format("{}", a.step)});
    values.push_back({"time per step", a.cost ? fmt::format("{:.3g} ns", a.cost->nanoseconds_per_step) : "-"});
    if (const std::string how = comparison_sentence(a); std::find(notes.begin(), notes.end(), how) == notes.end())
      notes.push_back(how);
    head.push_back(numbered ? fmt::format("({})", ++number) : a.label);
    if (numbered) text += fmt::format("  ({}) {}\n", number, a.label);
    columns.push_back(std::move(values));
  }
  std::vector<std::vector<std::string>> lines = beside(columns);
  lines.insert(lines.begin(), head);
  if (!columns.empty()) text += aligned_table(lines);
  for (const std::string& note : notes) text += "  " + note + "\n";
  return text;
}

std::string audit_json(const std::string& title, const std::string& scenario, const std::vector<Audit>& audits) {
  Json list = Json::array();
  for (const Audit& a : audits) list.push_back(audit_object(a));
  return json_page(
      {{"format", 1}, {"title", title}, {"scenario", scenario}, {"audits", list}, {"version", RICOCHET_VERSION}});
}

}  // namespace ricochet
