// What a reflection keeps decides what happens in the long run: spring and sphere [KP12 8.1], one particle bouncing and
// one sliding. The runs to t = 1e4 need RICOCHET_LONG; the short ones show the same difference.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "ricochet/scenario/scenario.hpp"
#include "support/flight.hpp"
#include "support/models.hpp"

namespace ricochet::reflection_energy_test {
namespace {

// The largest relative change of H.
double change(const char* energy, double h, double end) {
  const double s = std::sqrt(17.0);
  Flight run(models::spring_and_sphere(),
             {.method = "generalized-variational",
              .discretization = "midpoint",
              .step = h,
              .parameters = {{"reflection_energy", std::string(energy)}}},
             {4, -1, 3, -4}, {1 / s, 4 / s, 0.8, 0.6});
  const double start = run.energy();
  double largest = 0;
  for (long k = 0; k < std::lround(end / h); ++k) {
    run.step();
    largest = std::fmax(largest, std::abs(run.energy() / start - 1));
  }
  return largest;
}

TEST(ReflectionEnergy, ShadowDriftsLessThanContinuous) {
  const double shadow = change("shadow", 0.1, 500), continuous = change("continuous", 0.1, 500);
  EXPECT_LE(shadow, 1e-3);
  EXPECT_GT(continuous, 2 * shadow);
}

TEST(ReflectionEnergy, ToTimeTenThousand) {
  if (std::getenv("RICOCHET_LONG") == nullptr) GTEST_SKIP() << "a long study: ./test --long, which sets RICOCHET_LONG";
  // Shadow reflections stay within .1 % at h = .1 and 3 % at h = .25. Reflections that keep H diffuse by some per cent,
  // another number for each neighbouring step.
  const double shadow = change("shadow", 0.1, 1e4), continuous = change("continuous", 0.1, 1e4);
  EXPECT_LE(shadow, 1.5e-3);
  EXPECT_GT(continuous, 10 * shadow);
  EXPECT_LT(continuous, 0.2);
  EXPECT_LE(change("shadow", 0.25, 1e4), 0.03);
}

// The Lennard–Jones chain of the gallery [KP12 8.1.2]: its potential is steep, reflections that keep H let the energy
// climb, shadow reflections do not. Chaotic: the climb is another number for each perturbation of the last digits.
TEST(ReflectionEnergy, LennardJonesChainToTimeTwoThousand) {
  if (std::getenv("RICOCHET_LONG") == nullptr) GTEST_SKIP() << "a long study: ./test --long, which sets RICOCHET_LONG";
  const auto highest = [](const char* energy, double& lowest) {
    Scenario scenario = read_scenario(std::filesystem::path(RICOCHET_SOURCE_DIR) / "scenarios/lennard-jones-chain.toml",
                                      {std::string("integrator.reflection_energy=") + energy});
    std::vector<std::string> warnings;
    const auto stepper = make_stepper(scenario, warnings);
    Observables now;
    stepper->observe(now);
    double high = lowest = now.energy;
    for (int k = 0; k < 200000; ++k) {
      stepper->advance(0.01 * k, 0.01);
      stepper->observe(now);
      high = std::fmax(high, now.energy);
      lowest = std::fmin(lowest, now.energy);
    }
    return high;
  };
  double lowest = 0;
  EXPECT_LE(highest("shadow", lowest), 0.2);
  EXPECT_GE(lowest, 0.02);  // H dips at close approaches, between two steps
  EXPECT_GE(highest("continuous", lowest), 0.3);
}

}  // namespace
}  // namespace ricochet::reflection_energy_test
