#pragma once
// Times of the impacts up to the horizon, at the scenario's step, against those of the truth.

#include <optional>
#include <string>

#include "ricochet/audit/truth.hpp"

namespace ricochet {

struct ImpactTimesMeasurement {
  std::optional<double> max_error;
  std::int64_t compared = 0;
  std::string note;  // why there is none
};

ImpactTimesMeasurement measure_impact_times(const Subject& subject, const Truth& truth, const Horizon& horizon);

}  // namespace ricochet
