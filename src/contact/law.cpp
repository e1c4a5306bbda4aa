#include "ricochet/contact/law.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "law_registry.hpp"
#include "ricochet/error.hpp"

namespace ricochet {

namespace {

const std::vector<LawEntry>& all() {
#define RICOCHET_ENTRY(name) name##_law(),
  static const std::vector<LawEntry> list{RICOCHET_LAWS(RICOCHET_ENTRY)};
#undef RICOCHET_ENTRY
  return list;
}

}  // namespace

const LawEntry& law_entry(ImpactLaw law) {
  for (const LawEntry& entry : all())
    if (entry.law == law) return entry;
  throw std::invalid_argument(fmt::format("{} is no contact law", name(law)));
}

const std::vector<LawDescriptor>& law_descriptors() {
  static const std::vector<LawDescriptor> list = [] {
    std::vector<LawDescriptor> descriptors;
    for (const LawEntry& entry : all()) descriptors.push_back(*entry.descriptor);
    return descriptors;
  }();
  return list;
}

const LawDescriptor& law_descriptor(ImpactLaw law) { return *law_entry(law).descriptor; }

ImpactLaw law_named(const std::string& word) {
  for (const LawEntry& entry : all())
    if (entry.descriptor->name == word) return entry.law;
  throw std::invalid_argument(fmt::format("there is no contact law {}", word));
}

Simultaneous simultaneous_named(const std::string& word) {
  if (word == "moreau") return Simultaneous::moreau;
  if (word == "generalized") return Simultaneous::generalized;
  if (word == "sequential") return Simultaneous::sequential;
  throw std::invalid_argument(fmt::format("there is no rule {} for simultaneous impacts", word));
}

Restitution::Restitution(const System& system, int contact) : contact_(system.model().contacts[contact].name) {
  const Contact& about = system.model().contacts[contact];
  if (about.law == "plastic") e_ = 0;
  if (!about.restitution) return;
  if (about.restitution.is_constant()) {
    e_ = about.restitution.value();
    return;
  }
  formula_ = true;
  number_ = formula::Evaluator<double>(system.restitution(contact));
  dual_ = formula::Evaluator<Dual>(system.restitution(contact));
}

template <class T>
T Restitution::at(const T& speed) {
  T e(e_);
  if (formula_) {
    auto& program = [&]() -> auto& {
      if constexpr (std::is_same_v<T, double>)
        return number_;
      else
        return dual_;
    }
    ();
    program.inputs()[0] = speed;
    program.run();
    e = program.output(0);
  }
  if (!(value(e) >= 0 && value(e) <= 1))
    throw SolverError(fmt::format("the restitution of the contact {} is {} at the speed {}, not in [0,1]", contact_,
                                  std::isnan(value(e)) ? "no number" : fmt::to_string(value(e)), value(speed)),
                      std::isnan(value(e)) ? -1 : value(e), 0,
                      fmt::format("a formula in system.contact.{}.restitution that stays within [0,1], for instance "
                                  "with min and max",
                                  contact_));
  return e;
}
template double Restitution::at(const double&);
template Dual Restitution::at(const Dual&);

}  // namespace ricochet
