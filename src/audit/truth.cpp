#include "ricochet/audit/truth.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "ricochet/error.hpp"

namespace ricochet {

namespace {

constexpr double perturbation = 1e-7, growth_bound = 1000;
constexpr std::int64_t impacts_wanted = 4, smooth_steps = 400, impact_steps = 4000, first_impact_steps = 20000;
constexpr double golden = 0.6180339887498949;

struct Sample {
  double time;
  double position = 0, momentum = 0;  // squares of the distance from the twin, Σ w Δq² and Σ Δp²/w
  double growth = 1;
};

Sample apart(double time, const State& a, const State& b, const std::vector<double>& inertia) {
  Sample s{time};
  for (std::size_t i = 0; i < a.q.size(); ++i) {
    const double w = inertia[i];
    if (w == 0) continue;
    s.position += w * std::pow(a.q[i] - b.q[i], 2);
    s.momentum += std::pow(a.p[i] - b.p[i], 2) / w;
  }
  return s;
}

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
  MotionExtent extent(truth.subject);
  Subject twin_subject = truth.subject;
  const std::vector<double> inertia = extent.units().inertia;
  const double P = extent.units().momentum;
  for (std::size_t i = 0; i < twin_subject.start.p.size(); ++i)
    twin_subject.start.p[i] += (i % 2 == 0 ? 1 : -1) * perturbation * (P > 0 ? P : 1) * std::sqrt(inertia[i]);
  Walk walk(truth.subject, h / static_cast<double>(truth.substeps));
  Walk twin(twin_subject, walk.h());
  const bool contacts = !subject.system->gaps().empty();
  const std::int64_t last = steps_of_run(subject, contacts ? first_impact_steps : smooth_steps);
  std::vector<Sample> samples{apart(0, walk.state(), twin.state(), inertia)};
  std::vector<double> impacts;
  for (std::int64_t k = 1; k <= last && static_cast<std::int64_t>(impacts.size()) <= impacts_wanted; ++k) {
    // A late first impact is followed for as long as a horizon after it needs.
    if (!impacts.empty() && k > impact_steps &&
        static_cast<double>(k - 1) * h > impacts.front() + 4 * clear_of_impacts * h)
      break;
    for (std::int64_t j = 0; j < truth.substeps; ++j) {
      walk.step();
      twin.step();
      for (const Impact& impact : walk.impacts()) impacts.push_back(impact.time - subject.start.t);
    }
    extent.add(walk.state());
    samples.push_back(apart(static_cast<double>(k) * h, walk.state(), twin.state(), inertia));
  }
  const MotionUnits all = extent.units();
  const auto relative = [](double square, double unit) { return square == 0 ? 0 : square / (unit * unit); };
  const auto size = [&](const Sample& s) {
    return std::sqrt(relative(s.position, all.position) + relative(s.momentum, all.momentum));
  };
  const double first = size(samples.front());
  for (Sample& s : samples) s.growth = first > 0 ? size(s) / first : 1;
  const auto at = [&](double time) -> const Sample& {
    return samples[std::min(samples.size() - 1, static_cast<std::size_t>(std::lround(time / h)))];
  };
  const auto horizon = [&](double time, std::size_t count) {
    const std::int64_t steps = std::max<std::int64_t>(1, std::llround(time / h));
    return Horizon{time, static_cast<int>(count), at(time).growth,
                   units_of(truth.subject, static_cast<double>(steps) * h, steps * truth.substeps)};
  };
  const auto smooth = [&](double until, std::string why) {
    double time = std::fmin(h, until), growth = at(time).growth;
    for (std::size_t k = 1; k < samples.size() && static_cast<std::int64_t>(k) <= smooth_steps; ++k) {
      if (samples[k].growth > growth_bound || samples[k].time > until) break;
      time = samples[k].time;
      growth = std::fmax(growth, samples[k].growth);
    }
    Horizon best = horizon(time, 0);
    best.growth = growth;
    best.unjudged = std::move(why);
    return best;
  };
  const double end = samples.back().time;
  if (impacts.empty())
    return smooth(end, contacts ? fmt::format("there is none in the first {} steps", samples.size() - 1) : "");
  const std::vector<double> before = impacts;
  impacts.push_back(std::fmax(end, impacts.back()));  // what comes after the last one is not known
  for (std::size_t m = impacts.size() - 1; m >= 1; --m) {
    const double time = impacts[m - 1] + golden * (impacts[m] - impacts[m - 1]);
    if (std::fmin(time - impacts[m - 1], impacts[m] - time) < clear_of_impacts * h) continue;
    if (at(time).growth <= growth_bound) return horizon(time, m);
  }
  // The least that holds an impact: a few steps after the first that leaves so much time.
  for (std::size_t m = 1; m < impacts.size(); ++m) {
    const double time = impacts[m - 1] + clear_of_impacts * h;
    if (time + clear_of_impacts * h <= impacts[m] && at(time).growth <= growth_bound) return horizon(time, m);
  }
  return smooth(golden * before.front(),
                at(before.front()).growth <= growth_bound
                    ? fmt::format("they follow one another within {} steps, or errors grow more than {} times",
                                  2 * clear_of_impacts, growth_bound)
                    : fmt::format("the first comes at t = start + {:.4g}, when errors have grown more than {} times",
                                  before.front(), growth_bound));
}

}  // namespace ricochet
