#include "ricochet/continuum/model.hpp"

#include <algorithm>

namespace ricochet::continuum {

const char* name(Treatment treatment) {
  switch (treatment) {
    case Treatment::multiplier: return "multiplier";
    case Treatment::interval: return "interval";
    case Treatment::redistributed: return "redistributed";
    case Treatment::penalty: return "penalty";
    case Treatment::decomposed: return "decomposed";
  }
  return "unknown";
}

const char* name(Scheme scheme) { return scheme == Scheme::verlet ? "verlet" : "avi"; }

double default_courant(Scheme scheme) { return scheme == Scheme::verlet ? 0.9 : 0.25; }

double courant_number(const Model& model) {
  if (model.courant) return *model.courant;
  const bool interval = std::any_of(model.contacts.begin(), model.contacts.end(),
                                    [](const ContactPair& c) { return c.treatment == Treatment::interval; });
  return interval && model.scheme == Scheme::verlet ? 1 : default_courant(model.scheme);
}

}  // namespace ricochet::continuum
