#include "ricochet/simulation/record_fields.hpp"

namespace ricochet {

std::span<const RecordField> record_fields() {
  constexpr bool hashed = true;
  static const RecordField fields[] = {
      {"t", "t", &Observables::t, nullptr, hashed},
      {"q", "q", &Observables::q, &Labels::coordinates, hashed},
      {"v", "v", &Observables::v, &Labels::coordinates},
      {"p", "p", &Observables::p, &Labels::coordinates, hashed},
      {"energy", "energy", &Observables::energy},
      {"momenta", "momentum", &Observables::momenta, &Labels::momenta},
      {"gaps", "gap", &Observables::gaps, &Labels::contacts},
      {"modes", "mode", &Observables::modes, &Labels::lasting},
      {"contact_force", "contact_force", &Observables::contact_forces, &Labels::contact_forces},
      {"scalars", "", &Observables::scalars, &Labels::scalars}};
  return fields;
}

}  // namespace ricochet
