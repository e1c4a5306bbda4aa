#include "ricochet/audit/impact_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ricochet {

ImpactTimesMeasurement measure_impact_times(const Subject& subject, const Truth& truth, const Horizon& horizon) {
  ImpactTimesMeasurement m;
  if (horizon.impacts == 0) return m.note = "no impact before the horizon", m;
  const double h = subject.options.step;
  const auto steps = std::max<std::int64_t>(1, std::llround(horizon.time / h));
  const double T = static_cast<double>(steps) * h;
  const auto mine = solve(subject, T, steps).impacts, exact = solve(truth.subject, T, steps * truth.substeps).impacts;
  if (mine.size() != exact.size())
    return m.note =
               fmt::format("{} impacts where the solution that it is compared with has {}", mine.size(), exact.size()),
           m;
  double worst = 0;
  for (std::size_t k = 0; k < mine.size(); ++k) worst = std::fmax(worst, std::abs(mine[k].time - exact[k].time));
  m.compared = static_cast<std::int64_t>(mine.size());
  m.max_error = worst;
  return m;
}

}  // namespace ricochet
