// ricochet laws: what the descriptors of the contact laws say, and which methods take them.

#include <fmt/format.h>

#include <algorithm>

#include "outcome.hpp"
#include "ricochet/contact/law.hpp"
#include "ricochet/methods/options.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace ricochet::cli {

namespace {

std::string law_details(const LawDescriptor& law) {
  std::vector<std::pair<std::string, std::string>> rows{{"impulse", law.equation}, {"preserves", law.preserves}};
  if (!law.not_preserved.empty()) rows.emplace_back("does not preserve", law.not_preserved);
  for (const LawKey& key : law.keys) rows.emplace_back(key.name, key.doc + (key.required ? "; required" : ""));
  std::vector<std::string> methods;
  for (const Descriptor& d : method_descriptors())
    if (d.contacts && (d.laws.empty() || std::find(d.laws.begin(), d.laws.end(), law.name) != d.laws.end()))
      methods.push_back(d.name);
  rows.emplace_back("methods", methods.empty() ? "none" : fmt::format("{}", fmt::join(methods, ", ")));
  return fmt::format("{}: {}\n{}", law.name, law.doc, aligned(rows));
}

}  // namespace

void add_laws(CLI::App& app, int&) {
  app.add_subcommand("laws", "the contact laws, and which methods take them")->callback([] {
    for (const LawDescriptor& law : law_descriptors())
      say("{}{}", &law == law_descriptors().data() ? "" : "\n", law_details(law));
  });
}

}  // namespace ricochet::cli
