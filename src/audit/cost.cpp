#include "ricochet/audit/cost.hpp"

#include <chrono>
#include <limits>

namespace ricochet {

CostMeasurement measure_cost(const Subject& subject, std::int64_t steps) {
  using Clock = std::chrono::steady_clock;
  CostMeasurement m{std::numeric_limits<double>::infinity(), 0};
  for (int round = 0; round < 3; ++round) {
    Walk walk(subject, subject.options.step);
    const auto begin = Clock::now();
    double seconds = 0;
    while (walk.steps() < steps && seconds < 0.1) {
      walk.step();
      if (walk.steps() % 64 == 0 || walk.steps() == steps)
        seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    }
    const double each = 1e9 * seconds / static_cast<double>(walk.steps());
    if (each < m.nanoseconds_per_step) m = {each, walk.steps()};
  }
  return m;
}

}  // namespace ricochet
