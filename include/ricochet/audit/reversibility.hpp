#pragma once
// Reversibility: forward to the horizon, then as many steps of the reversed motion (audit/reversed_model.hpp) from
// (q, −p); the distance from the start that is left. Round-off grows with the motion too, so zero is about 1e-15 times
// the growth up to the horizon, twice.

#include <optional>
#include <string>

#include "ricochet/audit/truth.hpp"

namespace ricochet {

struct ReversibilityMeasurement {
  std::optional<double> defect;
  std::int64_t steps = 0, impacts = 0;
  std::string note;  // why there is none
};

ReversibilityMeasurement measure_reversibility(const Subject& subject, const Horizon& horizon);

}  // namespace ricochet
