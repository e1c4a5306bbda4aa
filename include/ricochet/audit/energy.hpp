#pragma once
// Energy H(q_k, p_k) over the steps of a run: its range, and its drift with an uncertainty.
//
// Both as in a run (simulation/drift.hpp).

#include <optional>
#include <vector>

#include "ricochet/audit/subject.hpp"

namespace ricochet {

struct EnergyMeasurement {
  double initial = 0, min = 0, max = 0;
  std::optional<double> relative_range;  // (max − min)/|initial|; none if that is 0
  std::optional<double> drift_per_time, drift_uncertainty;
  std::int64_t steps = 0, impacts = 0;
};

EnergyMeasurement measure_energy(const Subject& subject, std::int64_t steps);

}  // namespace ricochet
