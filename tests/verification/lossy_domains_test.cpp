// A lossy ball under gravity in random domains of polygons and discs: it bounces, slides along walls, goes over edges
// and comes to rest in corners. No failed step, nothing entered, no energy gained.

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "ricochet/mechanics/gaps.hpp"
#include "support/billiard_domains.hpp"
#include "support/flight.hpp"

namespace ricochet::lossy_domains_test {
namespace {

TEST(LossyDomains, BounceSlideAndRest) {
  const bool all = std::getenv("RICOCHET_LONG") != nullptr;
  int runs = 0, in_contact = 0;
  for (unsigned seed = 1; seed <= (all ? 5000u : 150u); ++seed) {
    billiard::Random random(seed);
    billiard::Builder builder(random, true);
    billiard::Domain domain = builder.build();
    const auto q = start_in(domain, builder.centre(), builder.unit(), random);
    if (!q) continue;
    const double unit = builder.unit(), speed = std::exp2(random(-5, 5)), angle = random(0, 2 * M_PI);
    const double g = speed * speed / unit * random(0.2, 3), e = random(0, 0.95);
    const char* rules[] = {"trapezoidal", "midpoint", "galerkin"};
    // no longer than a tenth of the domain: a slide along a disc has to follow it
    const IntegratorOptions options =
        collision(unit / speed * std::pow(10, random(-2.5, -1)), rules[random.below(3)], "continuous");
    Flight run(model_of(domain, 1, {0, -g}, e, random.below(2) == 0), options, {(*q)[0], (*q)[1]},
               {speed * std::cos(angle), speed * std::sin(angle)});
    Gaps gaps(*run.system);
    const double start = run.energy(), size = speed * speed + g * domain.size, slack = 1e-11 * size;
    double before = start;
    bool held = false;
    for (int k = 0; k < 600; ++k) {
      ASSERT_NO_THROW(run.step()) << "seed " << seed << ", step " << k;
      bool lasting = held;
      held = false;
      for (const double mode : run.state.modes) held |= mode != 0;
      lasting |= held;
      for (const Impact& impact : run.work->impacts) {
        lasting |= impact.law == ImpactLaw::rest;
        ASSERT_LE(impact.energy_after, impact.energy_before + slack) << "seed " << seed << ", step " << k;
      }
      // Flights are exact. A slide keeps energy to the order of the method: (step / radius)² of it, radii from .05.
      const double now = run.energy();
      ASSERT_LE(now, lasting ? start + 0.05 * size : before + slack) << "seed " << seed << ", step " << k;
      before = now;
      gaps.evaluate(run.state.q.data(), run.state.t);
      // the tolerance of the equations of a step, with factors of up to e² and squares over radii from a twentieth
      ASSERT_GE(gaps.minimum(), -1e-10 * domain.size) << "seed " << seed;
    }
    ++runs;
    in_contact += held;
  }
  EXPECT_GE(in_contact, runs / 3);
}

}  // namespace
}  // namespace ricochet::lossy_domains_test
