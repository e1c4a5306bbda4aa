#include "integrator_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ricochet/discrete/tableau.hpp"

namespace ricochet {

namespace {

const Descriptor* find_descriptor(const std::vector<Descriptor>& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const Descriptor& d) { return d.name == name; });
  return found == list.end() ? nullptr : &*found;
}

bool has_parameter(const Descriptor& descriptor, const std::string& name) {
  return std::any_of(descriptor.parameters.begin(), descriptor.parameters.end(),
                     [&](const ParameterDoc& p) { return p.name == name; });
}

// A parameter of something else than what was chosen: say whose it is.
void refuse_foreign(const TableReader& integrator, const std::vector<const Descriptor*>& chosen) {
  for (auto&& [key, node] : integrator.table()) {
    const std::string name(key.str());
    if (std::any_of(chosen.begin(), chosen.end(), [&](const Descriptor* d) { return has_parameter(*d, name); }))
      continue;
    for (const auto* list : {&discretization_descriptors(), &method_descriptors()})
      for (const Descriptor& other : *list)
        if (has_parameter(other, name))
          integrator.fail(
              name, fmt::format("unknown key: {} is a parameter of {}, which is not chosen here", name, other.name));
  }
}

}  // namespace

OptionValue read_parameter(TableReader& table, const ParameterDoc& parameter) {
  if (std::holds_alternative<bool>(parameter.default_value)) return *table.boolean(parameter.name);
  if (std::holds_alternative<std::string>(parameter.default_value))
    return parameter.choices.empty() ? *table.text(parameter.name) : *table.choice(parameter.name, parameter.choices);
  const double value =
      parameter.integer ? static_cast<double>(*table.integer(parameter.name)) : *table.number(parameter.name);
  if (value < parameter.min || value > parameter.max) {
    const std::string range = parameter.max >= 1e308    ? fmt::format("at least {}", parameter.min)
                              : parameter.min <= -1e308 ? fmt::format("at most {}", parameter.max)
                                                        : fmt::format("from {} to {}", parameter.min, parameter.max);
    table.fail(parameter.name, fmt::format("expected a value {}, got {}", range, value));
  }
  return value;
}

IntegratorOptions read_integrator(TableReader integrator) {
  IntegratorOptions options;
  std::vector<std::string> methods;
  for (const Descriptor& d : method_descriptors()) methods.push_back(d.name);
  integrator.require("method", fmt::format("one of {}", joined(methods)));
  options.method = *integrator.choice("method", methods);
  std::vector<const Descriptor*> chosen{find_descriptor(method_descriptors(), options.method)};

  const std::vector<std::string>& discretizations = chosen[0]->discretizations;
  if (discretizations.empty()) {
    if (integrator.find("discretization"))
      integrator.fail("discretization",
                      fmt::format("the method {0} has no discretization (--set can replace the whole table: "
                                  "--set 'integrator={{method=\"{0}\",step=0.01}}')",
                                  options.method));
  } else {
    options.discretization = integrator.choice("discretization", discretizations).value_or(discretizations.front());
    chosen.push_back(find_descriptor(discretization_descriptors(), options.discretization));
  }

  integrator.require("step", "the time step, a number above 0");
  options.step = *integrator.number("step");
  if (!(options.step > 0)) integrator.fail("step", fmt::format("expected a step above 0, got {}", options.step));

  std::erase(chosen, nullptr);
  for (const Descriptor* descriptor : chosen)
    for (const ParameterDoc& parameter : descriptor->parameters)
      if (integrator.find(parameter.name)) options.parameters[parameter.name] = read_parameter(integrator, parameter);
  refuse_foreign(integrator, chosen);
  integrator.finish();
  return options;
}

}  // namespace ricochet
