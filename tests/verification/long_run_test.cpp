// A very long run: no failed step, bounded energy, bounded memory. 10⁵ impacts, and 10⁶ if RICOCHET_LONG is set.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <cstdlib>

#include "support/flight.hpp"
#include "support/models.hpp"

namespace ricochet::long_run_test {
namespace {

long peak_kilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST(LongRun, ParticleBouncesForEver) {
  const double g = 9.81, h = 0.01;
  const int impacts = std::getenv("RICOCHET_LONG") != nullptr ? 1000000 : 100000;
  Flight run(models::particle(g), collision(h), {0, 1}, {-2, 0});
  const double e0 = run.energy();
  double low = 0, high = 0;
  long memory = 0;
  for (int count = 0; count < impacts;) {
    run.step();
    if (run.work->impacts.empty()) continue;
    count += static_cast<int>(run.work->impacts.size());
    if (count == 1000) memory = peak_kilobytes();
    const State& s = run.state;
    const double e = (s.p[0] * s.p[0] + s.p[1] * s.p[1]) / 2 + g * s.q[1] - e0;
    low = std::fmin(low, e), high = std::fmax(high, e);
  }
  // The impacts are a sawtooth map of (time mod h, energy): each adds κ(1 − 2α), κ = g²h²/8, which pulls the time of
  // flight towards a whole number of steps. Where that is an elliptic point, as here, the orbit stays around it: within
  // g v h/2 of energy, v the impact speed, for which the flight is longer by h.
  const double cell = g * std::sqrt(2 * g) * h / 2;
  EXPECT_GT(low, -cell);
  EXPECT_LT(high, cell);
  EXPECT_GT(high - low, 1e-3);  // κ: there is noise
  EXPECT_EQ(run.state.p[0], -2);
  EXPECT_EQ(run.work->counters, std::vector<std::int64_t>(run.work->counters.size(), 0));
  EXPECT_GT(run.work->gap_min, -1e-12);
#ifndef __SANITIZE_ADDRESS__                   // which keeps what is freed
  EXPECT_LT(peak_kilobytes() - memory, 1024);  // no more than the allocator may round up to
#endif
}

}  // namespace
}  // namespace ricochet::long_run_test
