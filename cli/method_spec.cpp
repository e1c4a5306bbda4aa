#include "method_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

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
  if (text == "true" || text == "false" || (error == std::errc() && end == text.data() + text.size())) return text;
  if (!is_name(text)) throw UsageError(fmt::format("--methods: \"{}\" is no value of a parameter", text));
  return '"' + text + '"';
}

}  // namespace

std::vector<MethodSpec> parse_methods(const std::string& list, double step) {
  std::vector<MethodSpec> specs;
  for (const std::string& item : split(list, ',')) {
    const std::size_t equals = item.find('=');
    if (equals != std::string::npos && item.find(':') > equals) {
      const std::string key = item.substr(0, equals);
      if (specs.empty() || !is_name(key))
        throw UsageError(fmt::format("--methods: expected a method before \"{}\"; {}", item, methods_help));
      specs.back().label += "," + item;
      specs.back().override += fmt::format(", {} = {}", key, toml_value(item.substr(equals + 1)));
      continue;
    }
    const std::size_t colon = item.find(':');
    const std::string method = item.substr(0, colon);
    if (!is_name(method)) throw UsageError(fmt::format("--methods: \"{}\" is no method; {}", item, methods_help));
    specs.push_back({item, fmt::format("integrator={{ method = \"{}\", step = {}", method, step)});
    if (colon == std::string::npos) continue;
    const std::string discretization = item.substr(colon + 1);
    if (!is_name(discretization)) throw UsageError(fmt::format("--methods: \"{}\" has no discretization", item));
    specs.back().override += fmt::format(", discretization = \"{}\"", discretization);
  }
  for (MethodSpec& spec : specs) spec.override += " }";
  return specs;
}

Scenario read_with(const std::filesystem::path& file, const std::vector<std::string>& overrides,
                   const MethodSpec& spec) {
  if (spec.override.empty()) return read_scenario(file, overrides);
  std::vector<std::string> all = overrides;
  all.push_back(spec.override);
  try {
    return read_scenario(file, all);
  } catch (const InputError& error) {
    // The scenario itself has been read before: what is wrong is the specification.
    std::string message = error.what();
    if (const std::size_t at = message.find("integrator."); at != std::string::npos) message = message.substr(at + 11);
    throw UsageError(fmt::format("--methods {}: {}", spec.label, message));
  }
}

}  // namespace ricochet::cli
