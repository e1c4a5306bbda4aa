#include "ricochet/report/comparison_report.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "ricochet/error.hpp"
#include "ricochet/report/base64.hpp"
#include "ricochet/report/envelope.hpp"
#include "ricochet/report/page.hpp"
#include "ricochet/simulation/output_file.hpp"
#include "ricochet/simulation/plan.hpp"

namespace ricochet {

using Json = nlohmann::ordered_json;

namespace {

// Whether the impacts that end the run have come.
class EnoughImpacts {
 public:
  explicit EnoughImpacts(const RunSettings& run) : left_(run.impacts < 0 ? Plan::never : run.impacts) {}
  bool after(std::span<const Impact> impacts) {
    const auto acts = [](const ContactImpulse& c) { return c.lambda != 0; };
    for (const Impact& i : impacts) left_ -= std::any_of(i.contacts.begin(), i.contacts.end(), acts);
    return left_ <= 0;
  }

 private:
  std::int64_t left_;
};

}  // namespace

EnergyTrace trace_energy(const Subject& subject, const std::string& label) {
  Envelope envelope(1, 4000);
  Walk walk(subject, subject.options.step);
  const std::int64_t steps = steps_of_run(subject, traced_steps);
  EnoughImpacts enough(subject.run);
  try {
    for (std::int64_t k = 0; k <= steps; ++k) {
      if (k > 0) walk.step();
      const double energy = walk.energy();
      if (!std::isfinite(energy)) break;
      envelope.add(walk.state().t, &energy);
      if (k > 0 && enough.after(walk.impacts().span())) break;
    }
  } catch (const SolverError&) {  // the audit or the run says so; here the curve ends
  }
  return {label, envelope.t(), envelope.curve(0)};
}

EnergyTrace trace_energy(Stepper& stepper, const RunSettings& run, const std::string& label) {
  Envelope envelope(1, 4000);
  const Plan plan(run);
  const std::int64_t steps = std::min(plan.last(), traced_steps);
  Observables o;
  EnoughImpacts enough(run);
  try {
    for (std::int64_t k = 0; k <= steps; ++k) {
      if (k > 0) stepper.advance(plan.time(k - 1), plan.length(k - 1));
      stepper.observe(o);
      if (!std::isfinite(o.energy)) break;
      envelope.add(plan.time(k), &o.energy);
      if (k > 0 && enough.after(stepper.impacts())) break;
    }
  } catch (const SolverError&) {  // the run says so; here the curve ends
  }
  return {label, envelope.t(), envelope.curve(0)};
}

void write_comparison_report(const std::filesystem::path& directory, const std::string& kind, const std::string& json,
                             const std::vector<EnergyTrace>& traces, const Scenario& scenario) {
  Json curves = Json::array();
  for (const EnergyTrace& trace : traces)
    curves.push_back({{"name", trace.label}, {"t", base64(trace.t)}, {"energy", base64(trace.energy)}});
  const Json data = {{"format", 1},
                     {"kind", kind},
                     {"version", RICOCHET_VERSION},
                     {"scenario",
                      {{"name", scenario.name},
                       {"title", scenario.title},
                       {"reference", scenario.reference},
                       {"text", scenario.text},
                       {"overrides", scenario.overrides}}},
                     {"traced_steps", traced_steps},
                     {"result", Json::parse(json)},
                     {"traces", curves}};
  write_atomically(directory / (kind + ".html"),
                   make_page(data.dump(-1, ' ', false, Json::error_handler_t::replace), false));
}

}  // namespace ricochet
