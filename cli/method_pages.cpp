#include "method_pages.hpp"

#include <fmt/format.h>

#include "gallery.hpp"
#include "method_spec.hpp"
#include "ricochet/audit/method_page.hpp"
#include "ricochet/discrete/tableau.hpp"
#include "subject.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace ricochet::cli {

namespace {

constexpr const char* smooth_scenarios[] = {"pendulum", "double-pendulum"};
constexpr const char* colliding_scenarios[] = {"bouncing-particle", "star-nonlinear-gravity", "double-pendulum-walls",
                                               "vibrating-floor"};
constexpr const char* holonomic_scenarios[] = {"bead-on-wire", "newtons-cradle"};
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
    const MethodSpec spec = parse_methods(text, scenario.integrator.step).front();
    try {
      measured.audits.push_back(audit(subject_of(read_with(file, {}, spec)), text));
    } catch (const ModelError& error) {
      measured.audits.emplace_back().label = text;
      measured.audits.back().refused = error.what();
    }
  }
  return measured;
}

}  // namespace

void write_method_pages(const std::filesystem::path& directory) {
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
    write_result(directory, (d.name + ".md").c_str(), method_page(d, true, measured));
  }
  for (const Descriptor& d : discretization_descriptors()) {
    const std::vector<MeasuredScenario> measured{measure("double-pendulum", {"variational:" + d.name}),
                                                 measure("star-nonlinear-gravity", {"variational-collision:" + d.name}),
                                                 measure("double-pendulum-walls", {"variational-collision:" + d.name})};
    write_result(directory, (d.name + ".md").c_str(), method_page(d, false, measured));
  }
}

}  // namespace ricochet::cli
