#include "method_pages.hpp"

#include <fmt/format.h>

#include <cmath>

#include "gallery.hpp"
#include "method_spec.hpp"
#include "ricochet/audit/method_page.hpp"
#include "ricochet/continuum/integrator.hpp"
#include "ricochet/discrete/tableau.hpp"
#include "ricochet/scenario/scenario.hpp"
#include "ricochet/simulation/run.hpp"
#include "subject.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace ricochet::cli {

namespace {

constexpr const char* smooth_scenarios[] = {"pendulum", "double-pendulum"};
constexpr const char* colliding_scenarios[] = {"bouncing-particle", "star-nonlinear-gravity", "double-pendulum-walls",
                                               "vibrating-floor"};
constexpr const char* holonomic_scenarios[] = {"bead-on-wire", "newtons-cradle"};
constexpr const char* body_scenarios[] = {"graded-bar-avi", "rods-unequal", "rod-on-wall", "bar-against-gas",
                                          "gas-piston"};
constexpr const char* nonholonomic_scenarios[] = {"nonholonomic-particle", "rolling-coin"};

// The method as it comes, with each discretization, and with each other choice of a parameter that has choices.
std::vector<std::string> variants(const Descriptor& method) {
  std::vector<std::string> specs{method.name};
  for (std::size_t k = 1; k < method.discretizations.size(); ++k)
    specs.push_back(method.name + ":" + method.discretizations[k]);
  for (const ParameterDoc& parameter : method.parameters)
    for (const std::string& choice : parameter.choices)
      if (OptionValue(choice) != parameter.default_value)
        specs.push_back(fmt::format("{},{}={}", method.name, parameter.name, choice));
  return specs;
}

MeasuredScenario measure(const std::string& name, const std::vector<std::string>& specs) {
  const std::filesystem::path file = find_scenario(name);
  const Scenario scenario = read_scenario(file);
  MeasuredScenario measured{name, scenario.title, scenario.integrator.step, {}};
  for (const std::string& text : specs) {
    complain("{}: {}\n", name, text);
    const MethodSpec spec = parse_methods(text, scenario).front();
    try {
      measured.audits.push_back(audit(subject_of(read_with(file, {}, spec)), text));
    } catch (const ModelError& error) {
      measured.audits.emplace_back().label = text;
      measured.audits.back().refused = error.what();
    }
  }
  return measured;
}

// A scenario of bodies as it is written but for the integrator, its Courant number and the treatment of contact.
MeasuredBodies measure_bodies(const std::string& name, const std::string& label, const std::vector<std::string>& set) {
  complain("{}: {}\n", name, label);
  const Scenario scenario = read_scenario(find_scenario(name), set);
  std::vector<std::string> warnings;
  const std::unique_ptr<Stepper> stepper = make_stepper(scenario, warnings);
  Observables first, last;
  stepper->observe(first);
  const Summary summary = run(*stepper, scenario.run, describe(scenario));
  stepper->observe(last);
  double works = 0, impulses = 0;
  for (std::size_t k = 0; k < last.scalars.size(); ++k) {
    const std::string& scalar = stepper->labels().scalars[k];
    if (scalar.starts_with("work.") || scalar.starts_with("loss.")) works += last.scalars[k];
    if (scalar.starts_with("impulse.")) impulses += last.scalars[k];
  }
  return {name,
          label,
          summary.counters.front().count,
          summary.energy.relative_range,
          std::abs(last.energy - first.energy - works) / summary.energy.max,
          std::abs(last.momenta[0] - first.momenta[0] - impulses)};
}

void write_body_pages(const std::filesystem::path& directory) {
  for (const Descriptor& d : continuum::integrator_descriptors()) {
    std::vector<MeasuredBodies> measured;
    for (const std::string name : body_scenarios) {
      const std::size_t contacts = read_scenario(find_scenario(name)).continuum->contacts.size();
      for (const double courant : {0.25, 0.5}) {
        std::vector<std::string> set{"continuum.integrator=" + d.name, fmt::format("continuum.courant={}", courant)};
        if (contacts == 0) measured.push_back(measure_bodies(name, fmt::format("courant {}", courant), set));
        for (const std::string treatment : {"multiplier", "redistributed"}) {
          if (contacts == 0) break;
          std::vector<std::string> all = set;
          for (std::size_t k = 1; k <= contacts; ++k)
            all.push_back(fmt::format("continuum.contact.{}.treatment={}", k, treatment));
          measured.push_back(measure_bodies(name, fmt::format("courant {}, {}", courant, treatment), all));
        }
      }
    }
    write_result(directory, (d.name + ".md").c_str(), bodies_page(d, measured));
  }
}

}  // namespace

void write_method_pages(const std::filesystem::path& directory) {
  write_body_pages(directory);
  for (const Descriptor& d : method_descriptors()) {
    std::vector<MeasuredScenario> measured;
    const auto measure_if = [&](bool suits, const auto& names) {
      if (suits)
        for (const char* name : names) measured.push_back(measure(name, variants(d)));
    };
    measure_if(true, smooth_scenarios);
    measure_if(d.contacts, colliding_scenarios);
    measure_if(d.contacts && d.holonomic, holonomic_scenarios);
    measure_if(d.contacts && d.nonholonomic, nonholonomic_scenarios);
    write_result(directory, (d.name + ".md").c_str(), method_page(d, PageKind::method, measured));
  }
  for (const Descriptor& d : discretization_descriptors()) {
    const std::vector<MeasuredScenario> measured{measure("double-pendulum", {"variational:" + d.name}),
                                                 measure("star-nonlinear-gravity", {"variational-collision:" + d.name}),
                                                 measure("double-pendulum-walls", {"variational-collision:" + d.name})};
    write_result(directory, (d.name + ".md").c_str(), method_page(d, PageKind::discretization, measured));
  }
}

}  // namespace ricochet::cli
