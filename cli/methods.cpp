// ricochet methods [NAME]: what the descriptors of methods, discretizations and integrators of bodies say.

#include <fmt/format.h>

#include "method_pages.hpp"
#include "outcome.hpp"
#include "ricochet/audit/method_page.hpp"
#include "ricochet/continuum/integrator.hpp"
#include "ricochet/discrete/tableau.hpp"
#include "ricochet/formula/parser.hpp"
#include "ricochet/methods/describe.hpp"
#include "ricochet/methods/options.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace ricochet::cli {

namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

std::string details(const Descriptor& d, PageKind kind) {
  Rows rows{{"order", d.order}};
  if (!d.preserves.empty()) rows.emplace_back("preserves", d.preserves);
  if (!d.not_preserved.empty()) rows.emplace_back("does not preserve", d.not_preserved);
  if (kind == PageKind::bodies) rows.emplace_back("treatments", fmt::format("{}", fmt::join(d.laws, ", ")));
  if (kind == PageKind::method) rows.emplace_back("takes", describe_abilities(d));
  if (kind == PageKind::method && d.contacts)
    rows.emplace_back("laws", d.laws.empty() ? std::string("all") : fmt::format("{}", fmt::join(d.laws, ", ")));
  if (!d.discretizations.empty())
    rows.emplace_back("discretizations", fmt::format("{}", fmt::join(d.discretizations, ", ")));
  for (const ParameterDoc& p : d.parameters) rows.emplace_back(p.name, describe(p));
  return fmt::format("{}: {}\n{}", d.name, d.doc, aligned(rows));
}

std::string summary_of(const std::vector<Descriptor>& list) {
  Rows rows;
  for (const Descriptor& d : list) rows.emplace_back(d.name, fmt::format("{} (order: {})", d.doc, d.order));
  return aligned(rows);
}

void print_one(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [kind, list] : {std::pair{PageKind::method, &method_descriptors()},
                                   {PageKind::discretization, &discretization_descriptors()},
                                   {PageKind::bodies, &continuum::integrator_descriptors()}})
    for (const Descriptor& d : *list) {
      names.push_back(d.name);
      if (d.name == name) return say("{}", details(d, kind));
    }
  const std::string near = formula::nearest(name, names);
  throw UsageError(fmt::format(
      "there is no method or discretization \"{}\"{}", name,
      near.empty() ? fmt::format("; there are {}", fmt::join(names, ", ")) : fmt::format("; did you mean {}?", near)));
}

}  // namespace

void add_methods(CLI::App& app, int&) {
  struct MethodsArguments {
    std::string name, pages;
  };
  const auto arguments = std::make_shared<MethodsArguments>();
  CLI::App* verb = app.add_subcommand("methods", "the integrators and discretizations, or the details of one");
  CLI::Option* name = verb->add_option("NAME", arguments->name, "a method or discretization");
  verb->add_option("--pages", arguments->pages,
                   "measure each on scenarios of the gallery and write a page for it (docs/methods); takes minutes")
      ->type_name("DIR")
      ->excludes(name);
  verb->callback([arguments] {
    if (!arguments->pages.empty()) return write_method_pages(arguments->pages);
    if (!arguments->name.empty()) return print_one(arguments->name);
    say("methods\n{}\ndiscretizations\n{}\nintegrators of bodies ([continuum])\n{}\nricochet methods NAME tells "
        "more.\n",
        summary_of(method_descriptors()), summary_of(discretization_descriptors()),
        summary_of(continuum::integrator_descriptors()));
  });
}

}  // namespace ricochet::cli
