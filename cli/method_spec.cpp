#include "method_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "ricochet/continuum/integrator.hpp"
#include "ricochet/methods/describe.hpp"
#include "verb.hpp"

namespace ricochet::cli {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
    end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
  }
  return parts;
}

bool is_name(const std::string& text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_'; });
}

// A number or true or false as it is, anything else as text.
std::string toml_value(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return fmt::format("{}", number);  // .5 is no TOML
  if (text == "true" || text == "false") return text;
  if (!is_name(text)) throw UsageError(fmt::format("--methods: \"{}\" is no value of a parameter", text));
  return '"' + text + '"';
}

// One item of the list: a method, or a parameter of the one before.
struct Item {
  std::string name, discretization, value;  // value: of a parameter
  bool parameter = false;
};

Item parse_item(const std::string& text) {
  const std::size_t equals = text.find('='), colon = text.find(':');
  if (equals != std::string::npos && colon > equals)
    return {text.substr(0, equals), "", toml_value(text.substr(equals + 1)), true};
  if (colon == std::string::npos) return {text, "", ""};
  if (!is_name(text.substr(colon + 1))) throw UsageError(fmt::format("--methods: \"{}\" has no discretization", text));
  return {text.substr(0, colon), text.substr(colon + 1), ""};
}

// A method of a system brings its whole table [integrator] with it.
void add(MethodSpec& spec, const Item& item, double step) {
  if (spec.overrides.empty())
    spec.overrides = {fmt::format("integrator={{ method = \"{}\", step = {}", item.name, step)};
  std::string& table = spec.overrides.front();
  if (item.parameter) table += fmt::format(", {} = {}", item.name, item.value);
  if (!item.discretization.empty()) table += fmt::format(", discretization = \"{}\"", item.discretization);
}

// An integrator of bodies is a key of [continuum]. Another than the scenario's own comes with its own Courant number.
void add_for_bodies(MethodSpec& spec, const Item& item, const continuum::Model& model) {
  std::vector<std::string> known;
  for (const Descriptor& d : continuum::integrator_descriptors()) {
    if (!item.parameter) known.push_back(d.name);
    if (item.parameter && known.empty())
      for (const ParameterDoc& p : d.parameters) known.push_back(p.name);
    if (item.name == d.name && item.name != name(model.scheme))
      for (const ParameterDoc& p : d.parameters)
        spec.overrides.push_back(fmt::format("continuum.{}={}", p.name, describe(p.default_value)));
  }
  if (std::find(known.begin(), known.end(), item.name) == known.end())
    throw UsageError(fmt::format("--methods {}: bodies have the {} {}", spec.label,
                                 item.parameter ? "parameter" : "integrators", fmt::join(known, " and ")));
  if (item.parameter && item.value.starts_with('"'))
    throw UsageError(fmt::format("--methods {}: expected a number", spec.label));
  if (!item.discretization.empty())
    throw UsageError(fmt::format("--methods {}: bodies have no discretization; their mesh is it", spec.label));
  spec.overrides.push_back(item.parameter ? fmt::format("continuum.{}={}", item.name, item.value)
                                          : "continuum.integrator=" + item.name);
}

}  // namespace

std::vector<MethodSpec> parse_methods(const std::string& list, const Scenario& scenario) {
  std::vector<MethodSpec> specs;
  for (const std::string& text : split(list, ',')) {
    const Item item = parse_item(text);
    if (item.parameter && (specs.empty() || !is_name(item.name)))
      throw UsageError(fmt::format("--methods: expected a method before \"{}\"; {}", text, methods_help));
    if (!is_name(item.name)) throw UsageError(fmt::format("--methods: \"{}\" is no method; {}", text, methods_help));
    if (!item.parameter) specs.emplace_back();
    MethodSpec& spec = specs.back();
    spec.label += (item.parameter ? "," : "") + text;
    scenario.continuum ? add_for_bodies(spec, item, *scenario.continuum) : add(spec, item, scenario.integrator.step);
  }
  if (!scenario.continuum)
    for (MethodSpec& spec : specs) spec.overrides.front() += " }";
  return specs;
}

Scenario read_with(const std::filesystem::path& file, const std::vector<std::string>& overrides,
                   const MethodSpec& spec) {
  if (spec.overrides.empty()) return read_scenario(file, overrides);
  std::vector<std::string> all = overrides;
  all.insert(all.end(), spec.overrides.begin(), spec.overrides.end());
  try {
    return read_scenario(file, all);
  } catch (const InputError& error) {
    if (read_scenario(file, overrides).continuum) throw;  // the specification is right
    // The scenario itself has been read before: what is wrong is the specification.
    std::string message = error.what();
    if (const std::size_t at = message.find("integrator."); at != std::string::npos) message = message.substr(at + 11);
    throw UsageError(fmt::format("--methods {}: {}", spec.label, message));
  }
}

}  // namespace ricochet::cli
