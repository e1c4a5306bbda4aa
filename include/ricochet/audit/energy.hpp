#pragma once
// Energy H(q_k, p_k) over the steps of a run: its range, and its drift with an uncertainty.
//
// The drift is the least-squares slope. Impacts make the energy of a collision integrator a random walk, for which the
// textbook uncertainty of a slope is far too small. So: 32 blocks, increments of their means with variance s²; a random
// walk of variance D t has s² = (2/3) D Δ with Δ the length of a block, and its least-squares slope over T has variance
// (6/5) D/T. For a bounded oscillation faster than a block this is an upper bound.

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

struct Drift {
  double slope = 0, uncertainty = 0;
};
Drift measure_drift(const std::vector<double>& values, double spacing);  // 64 values at least

EnergyMeasurement measure_energy(const Subject& subject, std::int64_t steps);

}  // namespace ricochet
