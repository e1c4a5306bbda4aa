#include "ricochet/audit/energy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/subjects.hpp"

namespace ricochet {
namespace {

TEST(Energy, DriftOfALineIsItsSlope) {
  std::vector<double> values;
  for (int k = 0; k < 1000; ++k) values.push_back(5 + 0.03 * k);
  const Drift drift = measure_drift(values, 0.1);
  EXPECT_NEAR(drift.slope, 0.3, 1e-12);
  EXPECT_NEAR(drift.uncertainty, 0, 1e-12);
}

TEST(Energy, UncertaintyCoversARandomWalk) {
  // 400 random walks: slope/uncertainty must have unit variance. The estimate has 30 increments of correlated means, so
  // that the ratio is a little wider than a normal distribution; the variance of 400 samples is good to 10 %. A
  // textbook uncertainty (independent residuals) would be wrong by a factor of 10.
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  double squares = 0;
  const int walks = 400;
  for (int w = 0; w < walks; ++w) {
    std::vector<double> values{0};
    for (int k = 0; k < 2000; ++k) values.push_back(values.back() + normal(random));
    const Drift drift = measure_drift(values, 0.5);
    squares += std::pow(drift.slope / drift.uncertainty, 2) / walks;
  }
  EXPECT_GT(squares, 0.7);
  EXPECT_LT(squares, 1.6);
}

TEST(Energy, BoundedOscillationHasNoDrift) {
  std::vector<double> values;
  for (int k = 0; k < 20000; ++k) values.push_back(1 + 1e-3 * std::sin(0.3 * k));
  const Drift drift = measure_drift(values, 0.01);
  EXPECT_LE(std::abs(drift.slope), 3 * drift.uncertainty);
  EXPECT_LT(drift.uncertainty, 1e-3 / 200);  // far less than amplitude over time would say
}

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
}  // namespace ricochet
