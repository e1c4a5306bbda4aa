#include "ricochet/contact/impact.hpp"

namespace ricochet {

const char* name(ImpactLaw law) {
  switch (law) {
    case ImpactLaw::elastic: return "elastic";
    case ImpactLaw::newton: return "newton";
    case ImpactLaw::coulomb: return "coulomb";
    case ImpactLaw::plastic: return "plastic";
    case ImpactLaw::rest: return "rest";
  }
  return "unknown";
}

}  // namespace ricochet
