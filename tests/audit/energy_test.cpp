#include "ricochet/audit/energy.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/subjects.hpp"

namespace ricochet::energy_test {
namespace {

TEST(Energy, OfAParticleIsTheOracle) {
  // Each impact changes H by κ(1 − 2α) at most; H0 = g + 2.
  const double kappa = 9.81 * 9.81 * 1e-4 / 8;
  const Subject subject = subjects::particle(collision(0.01), 100);
  const EnergyMeasurement m = measure_energy(subject, 10000);
  EXPECT_DOUBLE_EQ(m.initial, 11.81);
  EXPECT_EQ(m.steps, 10000);
  EXPECT_EQ(m.impacts, 111);  // (100/τ + 1)/2, τ = √(2/g)
  EXPECT_GT(m.max - m.min, kappa / 10);
  EXPECT_LT(m.max - m.min, 111 * kappa);
  EXPECT_NEAR(*m.relative_range, (m.max - m.min) / 11.81, 1e-15);
  EXPECT_LE(std::abs(*m.drift_per_time), 4 * *m.drift_uncertainty);
}

TEST(Energy, ThatFallsSteadilyIsSeen) {
  // The potential −c t falls by c per unit of time and moves nothing.
  Model m;
  const Expr x = m.coordinate("x");
  m.lagrangian = square(dot(x)) / 2 + 0.25 * m.time();
  const EnergyMeasurement e = measure_energy(subjects::make(m, subjects::smooth(0.01), {0}, {1}, 5), 500);
  EXPECT_NEAR(*e.drift_per_time, -0.25, 1e-12);
}

TEST(Energy, RunThatEndsByImpactsEndsThere) {
  const Subject subject = subjects::make(models::particle(9.81), collision(0.01), {0, 1}, {-2, 0}, -1, 3);
  EXPECT_EQ(measure_energy(subject, 10000).impacts, 3);
}

}  // namespace
}  // namespace ricochet::energy_test
