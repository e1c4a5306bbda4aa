#pragma once
// Time per step, recording off. Informational: it depends on the machine and what else runs there.

#include "ricochet/audit/subject.hpp"

namespace ricochet {

struct CostMeasurement {
  double nanoseconds_per_step = 0;
  std::int64_t steps = 0;
};

// The best of three walks of the given number of steps, a tenth of a second each at most.
CostMeasurement measure_cost(const Subject& subject, std::int64_t steps);

}  // namespace ricochet
