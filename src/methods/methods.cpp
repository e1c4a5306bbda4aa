// Methods by name: descriptors, and what a model asks of a method checked before it is made.

#include <fmt/format.h>

#include "registry.hpp"
#include "ricochet/error.hpp"
#include "ricochet/formula/parser.hpp"

namespace ricochet {

namespace {

const std::vector<MethodEntry>& all() {
#define RICOCHET_ENTRY(name) name(),
  static const std::vector<MethodEntry> list{RICOCHET_METHODS(RICOCHET_ENTRY)};
#undef RICOCHET_ENTRY
  return list;
}

void require(const Descriptor& d, bool Descriptor::*capable, bool asked, const char* key, const char* what) {
  if (!asked || d.*capable) return;
  std::vector<std::string> able;
  for (const MethodEntry& entry : all())
    if (entry.descriptor->*capable) able.push_back(entry.descriptor->name);
  throw ModelError(key, fmt::format("the method {} has no {}; these have: {}", d.name, what, fmt::join(able, ", ")));
}

bool takes(const Descriptor& d, const std::string& law) {
  return d.laws.empty() || std::find(d.laws.begin(), d.laws.end(), law) != d.laws.end();
}

[[noreturn]] void refuse_law(const Descriptor& d, const Contact& contact) {
  std::vector<std::string> able;
  for (const MethodEntry& entry : all())
    if (entry.descriptor->contacts && takes(*entry.descriptor, contact.law)) able.push_back(entry.descriptor->name);
  throw ModelError(
      "system.contact." + contact.name + ".law",
      fmt::format("the method {} takes the laws {}, not {}; {}", d.name, fmt::join(d.laws, ", "), contact.law,
                  able.empty() ? "no method takes it" : fmt::format("those that take it: {}", fmt::join(able, ", "))));
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
  const std::string near = formula::nearest(word, known);
  return near.empty() ? fmt::format("; known: {}", fmt::join(known, ", ")) : fmt::format("; did you mean {}?", near);
}

}  // namespace

bool has_union(const System& system, int gap) {
  const auto contains = [](const auto& self, const formula::KinkTree& tree) -> bool {
    bool found = tree.kind == formula::KinkTree::Kind::maximum;
    for (const formula::KinkTree& child : tree.children) found |= self(self, child);
    return found;
  };
  return contains(contains, system.gaps()[gap].tree);
}

void refuse_unions(const System& system) {
  for (std::size_t gap = 0; gap < system.gaps().size(); ++gap)
    if (has_union(system, static_cast<int>(gap)))
      throw ModelError("system.contact." + system.gaps()[gap].name + ".gap",
                       "this method has no unions (max) of admissible sets");
}

ParameterDoc tolerance_parameter() {
  return {.name = "tolerance",
          .default_value = 1e-10,
          .doc = "largest relative residual at which an implicit equation that stagnates counts as solved",
          .choices = {},
          .min = 1e-16,
          .max = 1e-2};
}

const std::vector<Descriptor>& method_descriptors() {
  static const std::vector<Descriptor> list = [] {
    std::vector<Descriptor> descriptors;
    for (const MethodEntry& m : all()) descriptors.push_back(*m.descriptor);
    return descriptors;
  }();
  return list;
}

std::unique_ptr<Method> make_method(std::shared_ptr<const System> system, const IntegratorOptions& given) {
  std::vector<std::string> names;
  for (const MethodEntry& entry : all()) {
    const Descriptor& d = *entry.descriptor;
    names.push_back(d.name);
    if (d.name != given.method) continue;
    const Model& model = system->model();
    require(d, &Descriptor::contacts, !model.contacts.empty(), "integrator.method", "contact");
    require(d, &Descriptor::holonomic, !model.holonomic.empty(), "integrator.method", "holonomic constraints");
    require(d, &Descriptor::nonholonomic, !model.nonholonomic.empty(), "integrator.method", "nonholonomic constraints");
    require(d, &Descriptor::forces, !model.forces.empty(), "integrator.method", "forces");
    require(d, &Descriptor::backward, given.backward, "run.direction", "exact adjoint to run backwards with");
    for (const Contact& contact : model.contacts)
      if (!takes(d, contact.law)) refuse_law(d, contact);
    if (system->affine() && !system->gaps().empty())
      throw ModelError(
          "system.nonholonomic",
          "constraints with a term without velocities do work in an impact, and there is no law for it: no "
          "contacts with them");
    IntegratorOptions options = given;
    Tableau tableau;
    if (!d.discretizations.empty()) {
      if (options.discretization.empty()) options.discretization = d.discretizations.front();
      if (std::find(d.discretizations.begin(), d.discretizations.end(), options.discretization) ==
          d.discretizations.end())
        throw ModelError("integrator.discretization",
                         fmt::format("the method {} has no discretization '{}'{}", d.name, options.discretization,
                                     suggestion(options.discretization, d.discretizations)));
      tableau = make_tableau(options.discretization, options.parameters);
      if (options.backward) tableau = tableau.adjoint();
    }
    for (const ParameterDoc& parameter : d.parameters)
      options.parameters.try_emplace(parameter.name, parameter.default_value);
    return entry.make(std::move(system), tableau, options);
  }
  throw ModelError("integrator.method",
                   fmt::format("there is no method '{}'{}", given.method, suggestion(given.method, names)));
}

}  // namespace ricochet
