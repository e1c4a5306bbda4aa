#include "design_summary_json.hpp"

#include <cmath>

namespace ricochet {

using Json = nlohmann::ordered_json;

namespace {

double number_of(const Json& j) { return j.is_null() ? std::nan("") : j.get<double>(); }

Json table(const DesignSummary::Named& named) {
  Json out = Json::object();
  for (const auto& [name, value] : named) out[name] = number(value);
  return out;
}

DesignSummary::Named table_of(const Json& json) {
  DesignSummary::Named named;
  for (const auto& [name, value] : json.items()) named.emplace_back(name, number_of(value));
  return named;
}

void write_control(Json& solution, const DesignSummary::Control& control) {
  solution["cost"] = number(control.cost);
  solution["times"] = control.times;
  solution["mismatch"] = number(control.mismatch);
  solution["multipliers"] = table(control.multipliers);
  solution["intervals"] = control.intervals;
  solution["impacts"] = control.impacts;
  solution["costs"] = Json::array();
  for (const double cost : control.costs) solution["costs"].push_back(number(cost));
  if (!control.candidates.empty()) {
    Json& out = solution["candidates"] = Json::array();
    for (const auto& [sequence, cost] : control.candidates)
      out.push_back({{"impacts", sequence}, {"cost", number(cost)}});
  }
  if (!control.pruned.empty()) solution["pruned"] = table(control.pruned);
  Json& out = solution["refinements"] = Json::array();
  for (const auto& [intervals, cost] : control.refinements)
    out.push_back({{"intervals", intervals}, {"cost", number(cost)}});
}

DesignSummary::Control control_of(const Json& j) {
  DesignSummary::Control control;
  control.cost = number_of(j.at("cost"));
  control.mismatch = number_of(j.at("mismatch"));
  j.at("times").get_to(control.times);
  if (j.contains("multipliers")) control.multipliers = table_of(j.at("multipliers"));
  j.at("intervals").get_to(control.intervals);
  j.at("impacts").get_to(control.impacts);
  for (const Json& cost : j.at("costs")) control.costs.push_back(number_of(cost));
  if (j.contains("candidates"))
    for (const Json& c : j.at("candidates")) control.candidates.emplace_back(c.at("impacts"), number_of(c.at("cost")));
  if (j.contains("pruned")) control.pruned = table_of(j.at("pruned"));
  for (const Json& r : j.at("refinements"))
    control.refinements.emplace_back(r.at("intervals"), number_of(r.at("cost")));
  return control;
}

}  // namespace

void write_design(Json& summary, const DesignSummary& design) {
  if (design.solution) {
    const DesignSummary::Solution& s = *design.solution;
    Json history = Json::array();
    for (const DesignSummary::Step& step : s.history)
      history.push_back({{"residual", number(step.residual)},
                         {"damping", step.damping},
                         {"share", step.share},
                         {"unknowns", step.unknowns}});
    summary["solution"] = {{"status", s.status},
                           {"message", s.message},
                           {"unknowns", table(s.unknowns)},
                           {"guess", table(s.guess)},
                           {"cost", nullptr},
                           {"times", nullptr},
                           {"iterations", s.iterations},
                           {"residual", number(s.residual)},
                           {"conditions", table(s.conditions)},
                           {"verified", table(s.verified)},
                           {"history", history}};
    if (s.control) write_control(summary["solution"], *s.control);
  }
  if (!design.quantities.empty()) summary["quantities"] = table(design.quantities);
  if (!design.sensitivities.empty()) {
    Json& out = summary["sensitivities"] = Json::object();
    for (const auto& [output, row] : design.sensitivities) out[output] = table(row);
  }
  if (!design.refused.empty()) {
    summary["sensitivities"] = nullptr;
    summary["sensitivities_refused"] = design.refused;
  }
  if (!design.floquet.empty()) {
    Json& out = summary["floquet"] = Json::array();
    for (const std::complex<double>& x : design.floquet) out.push_back({number(x.real()), number(x.imag())});
  }
}

DesignSummary read_design(const Json& summary) {
  DesignSummary design;
  if (summary.contains("solution")) {
    const Json& j = summary.at("solution");
    DesignSummary::Solution s;
    j.at("status").get_to(s.status);
    j.at("message").get_to(s.message);
    j.at("iterations").get_to(s.iterations);
    s.residual = number_of(j.at("residual"));
    s.unknowns = table_of(j.at("unknowns"));
    s.guess = table_of(j.at("guess"));
    s.conditions = table_of(j.at("conditions"));
    s.verified = table_of(j.at("verified"));
    for (const Json& step : j.at("history"))
      s.history.push_back({number_of(step.at("residual")), step.at("damping"), step.at("share"), step.at("unknowns")});
    if (j.contains("mismatch")) s.control = control_of(j);
    design.solution = std::move(s);
  }
  if (summary.contains("quantities")) design.quantities = table_of(summary.at("quantities"));
  if (summary.contains("sensitivities") && !summary.at("sensitivities").is_null())
    for (const auto& [output, row] : summary.at("sensitivities").items())
      design.sensitivities.emplace_back(output, table_of(row));
  if (summary.contains("sensitivities_refused")) summary.at("sensitivities_refused").get_to(design.refused);
  if (summary.contains("floquet"))
    for (const Json& x : summary.at("floquet")) design.floquet.emplace_back(number_of(x.at(0)), number_of(x.at(1)));
  return design;
}

}  // namespace ricochet
