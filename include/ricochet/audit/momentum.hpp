#pragma once
// Momentum maps of the declared symmetries over the steps of a run: largest deviation from the start.

#include <string>
#include <vector>

#include "ricochet/audit/subject.hpp"

namespace ricochet {

struct MomentumMeasurement {
  std::string name;
  double initial = 0, max_deviation = 0;
};

std::vector<MomentumMeasurement> measure_momenta(const Subject& subject, std::int64_t steps);

}  // namespace ricochet
