#pragma once
// No output ever holds NaN or infinity: these stand between the stepper and the files.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/error.hpp"
#include "ricochet/simulation/stepper.hpp"

namespace ricochet {

inline SolverError not_finite(const std::string& what = "the state") {
  return SolverError(what + " became infinite or not a number", -1, -1, "try a smaller step");
}

inline bool finite(const Observables& o) {
  const auto all = [](const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
  };
  return std::isfinite(o.energy) && all(o.q) && all(o.v) && all(o.p) && all(o.momenta) && all(o.gaps) &&
         all(o.scalars) && std::all_of(o.fields.begin(), o.fields.end(), all);
}

inline void check_finite(const Impact& i) {
  const std::pair<const char*, double> fields[] = {{"time", i.time},
                                                   {"alpha", i.alpha},
                                                   {"gap", i.gap},
                                                   {"impulse", i.impulse()},
                                                   {"energy_before", i.energy_before},
                                                   {"energy_after", i.energy_after},
                                                   {"requested_restitution", i.requested_restitution},
                                                   {"obtained_restitution", i.obtained_restitution},
                                                   {"residual", i.residual},
                                                   {"discrete_energy_before", i.discrete_energy_before},
                                                   {"discrete_energy_after", i.discrete_energy_after},
                                                   {"momentum_change", i.momentum_change},
                                                   {"constraint_impulse", i.constraint_impulse},
                                                   {"loss", i.loss},
                                                   {"obstacle_work", i.obstacle_work}};
  for (const auto& [name, value] : fields)
    if (!std::isfinite(value)) throw not_finite(fmt::format("{} of an impact", name));
  for (const auto* state : {&i.q, &i.v_before, &i.v_after})
    for (const double x : *state)
      if (!std::isfinite(x)) throw not_finite("the state at an impact");
}

inline void check_finite(const Episode& e) {
  check_finite(static_cast<const Impact&>(e));
  if (!std::isfinite(e.end_time) || !std::isfinite(e.largest_force)) throw not_finite("an episode of contact");
}

inline void check_finite(const Extremes& e) {
  if (std::isnan(e.gap_min) || std::isnan(e.holonomic_max) || std::isnan(e.nonholonomic_max)) throw not_finite();
}

}  // namespace ricochet
