#include "ricochet/contact/impact.hpp"

#include <algorithm>
#include <utility>

namespace ricochet {

const char* name(ImpactLaw law) {
  switch (law) {
    case ImpactLaw::elastic: return "elastic";
    case ImpactLaw::newton: return "newton";
    case ImpactLaw::coulomb: return "coulomb";
    case ImpactLaw::plastic: return "plastic";
    case ImpactLaw::rest: return "rest";
    case ImpactLaw::stick: return "stick";
    case ImpactLaw::slide: return "slide";
    case ImpactLaw::release: return "release";
  }
  return "unknown";
}

void Impact::clear() {
  std::vector<ContactImpulse> kept_contacts = std::move(contacts);
  std::vector<double> kept_q = std::move(q), kept_before = std::move(v_before), kept_after = std::move(v_after);
  *this = {};
  contacts = std::move(kept_contacts);
  q = std::move(kept_q);
  v_before = std::move(kept_before);
  v_after = std::move(kept_after);
  contacts.clear();
  for (auto* vector : {&q, &v_before, &v_after}) vector->clear();
}

std::string law_names(const Impact& impact) {
  const auto& contacts = impact.contacts;
  if (impact.law != ImpactLaw::elastic || contacts.empty()) return name(impact.law);
  if (std::all_of(contacts.begin(), contacts.end(),
                  [&](const ContactImpulse& c) { return c.law == contacts.front().law; }))
    return name(contacts.front().law);
  std::string names;
  for (const ContactImpulse& c : contacts) {
    if (!names.empty()) names += '+';
    names += name(c.law);
  }
  return names;
}

}  // namespace ricochet
