#include "ricochet/continuum/model.hpp"

#include <algorithm>

namespace ricochet::continuum {

const char* name(Treatment treatment) {
  switch (treatment) {
    case Treatment::multiplier: return "multiplier";
    case Treatment::interval: return "interval";
    case Treatment::redistributed: return "redistributed";
    case Treatment::penalty: return "penalty";
  }
  return "unknown";
}

const char* name(Scheme scheme) { return scheme == Scheme::verlet ? "verlet" : "avi"; }

double courant_number(const Model& model) {
  if (model.courant) return *model.courant;
  if (model.scheme == Scheme::avi) return 0.25;
  const bool interval = std::any_of(model.contacts.begin(), model.contacts.end(),
                                    [](const ContactPair& c) { return c.treatment == Treatment::interval; });
  return interval ? 1 : 0.9;
}

}  // namespace ricochet::continuum
