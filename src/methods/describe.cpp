#include "ricochet/methods/describe.hpp"

#include <fmt/format.h>

namespace ricochet {

std::string describe(const OptionValue& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const double* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  return std::get<std::string>(value);
}

std::string describe(const ParameterDoc& p) {
  std::string text = fmt::format("{} (default {}", p.doc, describe(p.default_value));
  if (!p.choices.empty()) text += fmt::format("; one of {}", fmt::join(p.choices, ", "));
  if (p.min > -1e308) text += fmt::format("; at least {}", p.min);
  if (p.max < 1e308) text += fmt::format("; at most {}", p.max);
  return text + ")";
}

std::string describe_abilities(const Descriptor& d) {
  std::vector<std::string> takes;
  for (const auto& [can, what] : {std::pair(d.contacts, "contacts"),
                                  {d.holonomic, "holonomic constraints"},
                                  {d.nonholonomic, "nonholonomic constraints"},
                                  {d.forces, "forces"},
                                  {d.degenerate, "degenerate Lagrangians"}})
    if (can) takes.emplace_back(what);
  return takes.empty() ? "smooth systems" : fmt::format("{}", fmt::join(takes, ", "));
}

}  // namespace ricochet
