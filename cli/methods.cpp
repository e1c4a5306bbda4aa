// ricochet methods [NAME]: what the descriptors of methods and discretizations say.

#include <fmt/format.h>

#include "outcome.hpp"
#include "ricochet/formula/parser.hpp"
#include "ricochet/methods/options.hpp"
#include "verb.hpp"

namespace ricochet::cli {

namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

std::string value_text(const OptionValue& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const double* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  return std::get<std::string>(value);
}

std::string parameter_text(const ParameterDoc& p) {
  std::string text = fmt::format("{} (default {}", p.doc, value_text(p.default_value));
  if (!p.choices.empty()) text += fmt::format("; one of {}", fmt::join(p.choices, ", "));
  if (p.min > -1e308) text += fmt::format("; at least {}", p.min);
  if (p.max < 1e308) text += fmt::format("; at most {}", p.max);
  return text + ")";
}

std::string details(const Descriptor& d) {
  Rows rows{{"order", d.order}};
  if (!d.preserves.empty()) rows.emplace_back("preserves", d.preserves);
  if (!d.not_preserved.empty()) rows.emplace_back("does not preserve", d.not_preserved);
  if (!d.discretizations.empty()) {
    std::vector<std::string> takes;
    for (const auto& [can, what] : {std::pair(d.contacts, "contacts"),
                                    {d.holonomic, "holonomic constraints"},
                                    {d.nonholonomic, "nonholonomic constraints"},
                                    {d.forces, "forces"},
                                    {d.degenerate, "degenerate Lagrangians"}})
      if (can) takes.push_back(what);
    rows.emplace_back("takes", takes.empty() ? "smooth systems" : fmt::format("{}", fmt::join(takes, ", ")));
    rows.emplace_back("discretizations", fmt::format("{}", fmt::join(d.discretizations, ", ")));
  }
  for (const ParameterDoc& p : d.parameters) rows.emplace_back(p.name, parameter_text(p));
  return fmt::format("{}: {}\n{}", d.name, d.doc, aligned(rows));
}

std::string summary_of(const std::vector<Descriptor>& list) {
  Rows rows;
  for (const Descriptor& d : list) rows.emplace_back(d.name, fmt::format("{} (order: {})", d.doc, d.order));
  return aligned(rows);
}

void print_one(const std::string& name) {
  std::vector<std::string> names;
  for (const auto* list : {&method_descriptors(), &discretization_descriptors()})
    for (const Descriptor& d : *list) {
      names.push_back(d.name);
      if (d.name == name) return fmt::print("{}", details(d));
    }
  const std::string near = formula::nearest(name, names);
  throw UsageError(fmt::format(
      "there is no method or discretization \"{}\"{}", name,
      near.empty() ? fmt::format("; there are {}", fmt::join(names, ", ")) : fmt::format("; did you mean {}?", near)));
}

}  // namespace

void add_methods(CLI::App& app, int&) {
  const auto name = std::make_shared<std::string>();
  CLI::App* verb = app.add_subcommand("methods", "the integrators and discretizations, or the details of one");
  verb->add_option("NAME", *name, "a method or discretization");
  verb->callback([name] {
    if (!name->empty()) return print_one(*name);
    fmt::print("methods\n{}\ndiscretizations\n{}\nricochet methods NAME tells more.\n",
               summary_of(method_descriptors()), summary_of(discretization_descriptors()));
  });
}

}  // namespace ricochet::cli
