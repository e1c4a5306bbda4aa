// The gallery in other units: lengths, times and masses scaled by 2^±10 and 2^±30 give the same impacts, the same
// states and the same energies to the last bit, in the scenario's own method.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "ricochet/error.hpp"
#include "ricochet/scenario/scenario.hpp"
#include "ricochet/simulation/method_stepper.hpp"
#include "support/rescaled.hpp"

namespace ricochet::gallery_units_test {
namespace {

using units::Dimension;
using units::Units;

std::vector<Dimension> dimensions_of(const Model& model) {
  const std::set<std::string> angles{"theta", "phi", "a", "b", "left", "right"};
  std::vector<Dimension> list;
  for (const std::string& name : model.coordinates)
    list.push_back(angles.count(name) != 0 ? units::number : units::length);
  return list;
}

// Everything a run shows, in the scenario's own units.
struct Story {
  std::vector<double> numbers;
  std::vector<std::string> words;
  int impacts = 0;
  bool operator==(const Story&) const = default;
};

Story tell(const Scenario& scenario, const Units& u, int steps) {
  const std::vector<Dimension> dimensions = dimensions_of(scenario.model);
  const std::size_t n = dimensions.size();
  IntegratorOptions options = scenario.integrator;
  options.step = u(options.step, units::duration);
  InitialState start{u(scenario.run.start, units::duration), scenario.position, scenario.velocity_or_momentum,
                     scenario.momentum_given, scenario.project};
  for (std::size_t i = 0; i < n; ++i) {
    start.position[i] = u(start.position[i], dimensions[i]);
    start.velocity[i] = u(start.velocity[i], scenario.momentum_given ? units::energy * units::duration / dimensions[i]
                                                                     : dimensions[i] / units::duration);
  }
  const auto stepper = make_stepper(units::rescaled(scenario.model, u, dimensions), options, start);
  Story story;
  Observables seen;
  for (int k = 0; k < steps; ++k) {
    try {
      stepper->advance(start.t + k * options.step, options.step);
    } catch (const SolverError& error) {
      story.words.push_back("failed at step " + std::to_string(k));
      break;
    }
    for (const Impact& impact : stepper->impacts()) {
      ++story.impacts;
      story.words.push_back(law_names(impact));
      for (const ContactImpulse& c : impact.contacts) story.words.push_back(std::to_string(c.contact));
      for (const double x : {u.back(impact.time, units::duration), impact.alpha, impact.obtained_restitution,
                             u.back(impact.energy_before, units::energy), u.back(impact.energy_after, units::energy)})
        story.numbers.push_back(x);
    }
    stepper->observe(seen);
    for (std::size_t i = 0; i < n; ++i) {
      story.numbers.push_back(u.back(seen.q[i], dimensions[i]));
      story.numbers.push_back(u.back(seen.v[i], dimensions[i] / units::duration));
      story.numbers.push_back(u.back(seen.p[i], units::energy * units::duration / dimensions[i]));
    }
    story.numbers.push_back(u.back(seen.energy, units::energy));
    for (const double gap : seen.gaps) story.numbers.push_back(u.back(gap, units::length));
    for (const double x : seen.scalars) story.numbers.push_back(u.back(x, units::energy));
  }
  for (const Counter& counter : stepper->counters()) story.words.push_back(std::to_string(counter.count));
  return story;
}

// Where two stories part.
std::string difference(const Story& a, const Story& b) {
  if (a.words != b.words) return "other events";
  for (std::size_t k = 0; k < std::min(a.numbers.size(), b.numbers.size()); ++k)
    if (a.numbers[k] != b.numbers[k])
      return "number " + std::to_string(k) + " of " + std::to_string(a.numbers.size()) + ": " +
             std::to_string(a.numbers[k]) + ", difference " + fmt::format("{:.3g}", b.numbers[k] - a.numbers[k]);
  return a.numbers.size() == b.numbers.size() ? "" : "another length";
}

// The scenario's own method; in a long test the others too, with their variants, where they take it.
std::vector<IntegratorOptions> methods_for(const Scenario& scenario, bool all) {
  std::vector<IntegratorOptions> list{scenario.integrator};
  if (!all) return list;
  const auto add = [&](const char* method, const char* rule, std::map<std::string, OptionValue> parameters) {
    IntegratorOptions options = scenario.integrator;
    options.method = method;
    options.discretization = rule;
    options.parameters = std::move(parameters);
    list.push_back(options);
  };
  for (const char* energy : {"discrete", "continuous"})
    for (const char* rule : {"trapezoidal", "midpoint", "galerkin"})
      add("variational-collision", rule, {{"impact_energy", std::string(energy)}});
  add("reference", "", {});
  if (scenario.model.nonholonomic.empty()) {
    add("generalized-variational", "midpoint", {});
    add("generalized-variational", "trapezoidal", {{"reflection_energy", std::string("shadow")}});
  } else {
    add("nonholonomic-collision", "midpoint", {});
    add("nonholonomic-collision", "rectangle", {{"impact_energy", std::string("continuous")}});
    add("nonholonomic-symmetric", "rectangle", {});
  }
  return list;
}

TEST(GalleryUnits, NothingButExponentsChanges) {
  const bool all = std::getenv("RICOCHET_LONG") != nullptr;
  int scenarios = 0, motions = 0;
  for (const auto& entry : std::filesystem::directory_iterator(RICOCHET_SOURCE_DIR "/scenarios")) {
    if (entry.path().extension() != ".toml") continue;
    Scenario scenario = read_scenario(entry.path());
    if (scenario.model.contacts.empty()) continue;
    ++scenarios;
    for (const IntegratorOptions& options : methods_for(scenario, all)) {
      scenario.integrator = options;
      // Every unit is a factor, also of the motion that is compared with: formulas with and without one are sorted in
      // another order.
      const Units own{1, 1, 1};
      int steps = 50;  // to a few impacts or lasting contact
      Story story;
      try {
        do story = tell(scenario, own, steps *= 2);
        while (steps < (all ? 3200 : 400) && story.impacts < 5);
      } catch (const ModelError&) {
        continue;  // the method does not take it
      }
      for (const int e : {-30, -10, 10, 30})
        for (const Units& u : {Units{e, 1, 1}, Units{1, e, 1}, Units{1, 1, e}})
          EXPECT_EQ(difference(story, tell(scenario, u, steps)), "")
              << scenario.name << ", " << options.method << " " << options.discretization << ", " << u.name();
      ++motions;
    }
  }
  EXPECT_GE(scenarios, 30);
  EXPECT_GE(motions, all ? 200 : 30);
}

}  // namespace
}  // namespace ricochet::gallery_units_test
