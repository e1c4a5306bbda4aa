#include "ricochet/audit/truth.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "ricochet/error.hpp"

namespace ricochet {

namespace {

constexpr double perturbation = 1e-7, growth_bound = 1000;
constexpr std::int64_t impacts_wanted = 4, smooth_steps = 400, impact_steps = 4000;
constexpr double clear_of_impacts = 4;  // steps between the horizon and the nearest impact, at least
constexpr double golden = 0.6180339887498949;

double separation(const State& a, const State& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.q.size(); ++i) sum += std::pow(a.q[i] - b.q[i], 2) + std::pow(a.p[i] - b.p[i], 2);
  return std::sqrt(sum);
}

struct Sample {
  double time, growth;
};

// `simultaneous` or `reflection` of a method that has one, given or by default: the truth must obey the same law.
std::optional<OptionValue> law_of_simultaneous_contacts(const IntegratorOptions& options) {
  for (const Descriptor& method : method_descriptors())
    for (const ParameterDoc& p : method.parameters)
      if (method.name == options.method && (p.name == "simultaneous" || p.name == "reflection")) {
        const auto given = options.parameters.find(p.name);
        return given == options.parameters.end() ? p.default_value : given->second;
      }
  return {};
}

}  // namespace

Truth truth_for(const Subject& subject) {
  IntegratorOptions options{
      .method = "reference", .discretization = "", .step = subject.options.step, .parameters = {{"tolerance", 1e-13}}};
  if (const auto law = law_of_simultaneous_contacts(subject.options)) options.parameters["simultaneous"] = *law;
  const bool itself = subject.options.method == "reference";
  try {
    return {with_options(subject, options), itself ? 2 : 1,
            fmt::format("reference with tolerance 1e-13{}", itself ? " and half the step" : ""), false, ""};
  } catch (const ModelError& error) {
    return truth_of_itself(subject, error.what());
  }
}

Truth truth_of_itself(const Subject& subject, const std::string& why) {
  return {subject, 64, fmt::format("{} with a step 64 times smaller", subject.options.method), true, why};
}

Outlook outlook_for(const Subject& subject) {
  Truth truth = truth_for(subject);
  try {
    const Horizon horizon = choose_horizon(subject, truth);
    return {std::move(truth), horizon};
  } catch (const SolverError& error) {
    if (truth.itself || subject.options.method == "reference") throw;
    truth = truth_of_itself(subject, fmt::format("the reference fails: {}", error.what()));
    const Horizon horizon = choose_horizon(subject, truth);
    return {std::move(truth), horizon};
  }
}

Horizon choose_horizon(const Subject& subject, const Truth& truth) {
  const double h = subject.options.step;
  Subject twin_subject = truth.subject;
  double first = 0;
  for (std::size_t i = 0; i < twin_subject.start.p.size(); ++i) {
    const double shift = perturbation * (1 + std::abs(twin_subject.start.p[i])) * (i % 2 == 0 ? 1 : -1);
    twin_subject.start.p[i] += shift;
    first += shift * shift;
  }
  first = std::sqrt(first);
  Walk walk(truth.subject, h / static_cast<double>(truth.substeps));
  Walk twin(twin_subject, walk.h());
  const std::int64_t last = steps_of_run(subject, impact_steps);
  std::vector<Sample> samples{{0, 1}};
  std::vector<double> impacts;
  for (std::int64_t k = 1; k <= last && static_cast<std::int64_t>(impacts.size()) <= impacts_wanted; ++k) {
    if (impacts.empty() && k > smooth_steps && subject.system->gaps().empty()) break;
    for (std::int64_t j = 0; j < truth.substeps; ++j) {
      walk.step();
      twin.step();
      for (const Impact& impact : walk.impacts()) impacts.push_back(impact.time - subject.start.t);
    }
    samples.push_back({static_cast<double>(k) * h, separation(walk.state(), twin.state()) / first});
  }
  const auto growth_at = [&](double time) {
    return samples[std::min(samples.size() - 1, static_cast<std::size_t>(std::lround(time / h)))].growth;
  };
  const double end = samples.back().time;
  if (impacts.empty()) {
    Horizon best{h, 0, growth_at(h)};
    for (std::size_t k = 1; k < samples.size() && static_cast<std::int64_t>(k) <= smooth_steps; ++k) {
      if (samples[k].growth > growth_bound) break;
      best = {samples[k].time, 0, std::fmax(best.growth, samples[k].growth)};
    }
    return best;
  }
  impacts.push_back(std::fmax(end, impacts.back()));  // what comes after the last one is not known
  for (std::size_t m = impacts.size() - 1; m >= 1; --m) {
    const double time = impacts[m - 1] + golden * (impacts[m] - impacts[m - 1]);
    if (std::fmin(time - impacts[m - 1], impacts[m] - time) < clear_of_impacts * h) continue;
    if (const double growth = growth_at(time); growth <= growth_bound) return {time, static_cast<int>(m), growth};
  }
  return {golden * impacts.front(), 0, growth_at(golden * impacts.front())};
}

}  // namespace ricochet
