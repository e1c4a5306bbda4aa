#include "ricochet/audit/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "json_number.hpp"
#include "ricochet/error.hpp"
#include "ricochet/simulation/summary.hpp"
#include "table.hpp"

namespace ricochet {

using Json = nlohmann::ordered_json;

namespace {

// Of the truth at the horizon, which is moved to a whole number of steps.
std::int64_t horizon_steps(const Horizon& horizon, double h) {
  return std::max<std::int64_t>(1, std::llround(horizon.time / h));
}

std::string finite_or_dash(double x) { return std::isfinite(x) ? in_words(x) : "-"; }

}  // namespace

void find_truth(const Subject& first, Comparison& comparison) {
  try {
    const Outlook outlook = outlook_for(first);
    comparison.truth = outlook.truth.source;
    comparison.itself = outlook.truth.itself;
    comparison.note = outlook.truth.note;
    comparison.horizon = outlook.horizon;
  } catch (const SolverError& error) {
    comparison.note = fmt::format("nothing to compare with: {}", error.what());
  }
}

Compared compare_run(Stepper& stepper, RunSettings settings, const std::string& label, const RunDescription& about,
                     const RunControl& control) {
  Compared c;
  c.label = label;
  settings.every = 1;  // the energy range of every method over the same points
  c.summary = run(stepper, settings, about, control);
  if (c.summary.steps > 0) c.nanoseconds_per_step = 1e9 * c.summary.wall_seconds / static_cast<double>(c.summary.steps);
  return c;
}

Compared compare_method(const Subject& subject, const std::string& label, const RunDescription& about,
                        const Comparison& comparison, const RunControl& control) {
  std::vector<std::string> warnings;
  const std::unique_ptr<Stepper> stepper = make_stepper(subject.model, subject.options, subject.initial, warnings);
  Compared c = compare_run(*stepper, subject.run, label, about, control);
  if (!comparison.horizon) return c;
  const Truth truth = comparison.itself ? truth_of_itself(subject, comparison.note) : truth_for(subject);
  const std::int64_t steps = horizon_steps(*comparison.horizon, subject.options.step);
  const double T = static_cast<double>(steps) * subject.options.step;
  try {
    c.distance = distance(solve(subject, T, steps).end, solve(truth.subject, T, steps * truth.substeps).end,
                          comparison.horizon->units);
  } catch (const SolverError&) {  // the run has failed too, and says so
  }
  return c;
}

std::string comparison_table(const Comparison& comparison) {
  std::vector<std::vector<std::string>> rows{
      {"", "impacts", "energy range", "drift per time", "momenta", "smallest gap", "distance", "ns/step", "status"}};
  std::string notes;
  for (const Compared& c : comparison.methods) {
    if (!c.refused.empty()) {
      rows.push_back({c.label, "-", "-", "-", "-", "-", "-", "-", "refused"});
      notes += fmt::format("  {}: {}\n", c.label, c.refused);
      continue;
    }
    const Summary& s = c.summary;
    double momenta = 0;
    for (const MomentumSummary& m : s.momenta) momenta = std::fmax(momenta, m.max_deviation);
    rows.push_back({c.label, fmt::format("{}", s.impacts), finite_or_dash(s.energy.relative_range),
                    finite_or_dash(s.energy.drift_per_time), s.momenta.empty() ? "-" : in_words(momenta),
                    finite_or_dash(s.extremes.gap_min), c.distance ? in_words(*c.distance) : "-",
                    fmt::format("{:.3g}", c.nanoseconds_per_step), s.status});
    if (s.status != "completed") notes += fmt::format("  {}: {}\n", c.label, s.message);
  }
  std::string text = comparison.title + "\n" + aligned_table(rows) + notes;
  if (comparison.horizon) {
    text += fmt::format(
        "  distance, in units of the motion, from {} at t = start + {:.4g}, after {} impacts; errors grow {:.2g} times "
        "until then\n",
        comparison.truth, comparison.horizon->time, comparison.horizon->impacts, comparison.horizon->growth);
    if (!comparison.horizon->unjudged.empty())
      text += fmt::format("  NO IMPACT IS JUDGED by the distance: {}\n", comparison.horizon->unjudged);
  }
  if (!comparison.note.empty()) text += fmt::format("  {}\n", comparison.note);
  return text;
}

std::string comparison_json(const Comparison& comparison) {
  Json list = Json::array();
  for (const Compared& c : comparison.methods) {
    if (!c.refused.empty()) {
      list.push_back({{"method", c.label}, {"refused", c.refused}});
      continue;
    }
    list.push_back({{"method", c.label},
                    {"refused", nullptr},
                    {"distance", json_number(c.distance)},
                    {"nanoseconds_per_step", json_number(c.nanoseconds_per_step)},
                    {"summary", Json::parse(summary_json(c.summary))}});
  }
  return json_page({{"format", 1},
                    {"title", comparison.title},
                    {"scenario", comparison.scenario},
                    {"truth", json_text(comparison.truth)},
                    {"note", json_text(comparison.note)},
                    {"horizon", comparison.horizon ? Json{{"time", json_number(comparison.horizon->time)},
                                                          {"impacts", comparison.horizon->impacts},
                                                          {"growth", json_number(comparison.horizon->growth)},
                                                          {"unjudged", json_text(comparison.horizon->unjudged)}}
                                                   : Json(nullptr)},
                    {"methods", list},
                    {"version", RICOCHET_VERSION}});
}

}  // namespace ricochet
