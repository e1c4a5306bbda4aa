#include "ricochet/simulation/drift.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace ricochet::drift_test {
namespace {

Drift measure_drift(const std::vector<double>& values, double spacing) {
  DriftMeter meter;
  for (std::size_t k = 0; k < values.size(); ++k) meter.add(static_cast<double>(k) * spacing, values[k]);
  return meter.measure();
}

TEST(Drift, OfALineIsItsSlope) {
  std::vector<double> values;
  for (int k = 0; k < 1000; ++k) values.push_back(5 + 0.03 * k);
  const Drift drift = measure_drift(values, 0.1);
  EXPECT_NEAR(drift.slope, 0.3, 1e-12);
  EXPECT_NEAR(drift.uncertainty, 0, 1e-12);
  EXPECT_NEAR(drift.spread_exponent, 2, 1e-12);
}

TEST(Drift, UncertaintyCoversARandomWalk) {
  // 400 random walks: slope/uncertainty must have unit variance. The estimate has 30 increments of correlated means, so
  // that the ratio is a little wider than a normal distribution; the variance of 400 samples is good to 10 %. A
  // textbook uncertainty (independent residuals) would be wrong by a factor of 10.
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  double squares = 0, exponent = 0;
  const int walks = 400;
  for (int w = 0; w < walks; ++w) {
    std::vector<double> values{0};
    for (int k = 0; k < 2000; ++k) values.push_back(values.back() + normal(random));
    const Drift drift = measure_drift(values, 0.5);
    squares += std::pow(drift.slope / drift.uncertainty, 2) / walks;
    exponent += drift.spread_exponent / walks;
  }
  EXPECT_GT(squares, 0.7);
  EXPECT_LT(squares, 1.6);
  EXPECT_NEAR(exponent, 1, 0.3);  // the logarithm of a mean square of few independent differences is biased downwards
}

TEST(Drift, BoundedOscillationHasNoDrift) {
  std::vector<double> values;
  for (int k = 0; k < 20000; ++k) values.push_back(1 + 1e-3 * std::sin(0.3 * k));
  const Drift drift = measure_drift(values, 0.01);
  EXPECT_LE(std::abs(drift.slope), 3 * drift.uncertainty);
  EXPECT_LT(drift.uncertainty, 1e-3 / 200);  // far less than amplitude over time would say
  EXPECT_LT(drift.spread_exponent, 0.3);
}

TEST(Drift, OfFewValuesHasNoUncertainty) {
  const Drift few = measure_drift({1, 2, 3}, 1);
  EXPECT_DOUBLE_EQ(few.slope, 1);
  EXPECT_TRUE(std::isnan(few.uncertainty));
  EXPECT_TRUE(std::isnan(measure_drift({1}, 1).slope));
}

TEST(Drift, OfAConstantIsZeroAndBounded) {
  const Drift d = measure_drift(std::vector<double>(1000, 7.0), 1);
  EXPECT_EQ(d.slope, 0);
  EXPECT_EQ(d.uncertainty, 0);
  EXPECT_EQ(d.spread_exponent, 0);
}

TEST(Drift, SavedAndLoadedGoesOnTheSame) {
  DriftMeter one, two;
  for (int k = 0; k < 777; ++k) one.add(k, std::sin(k));
  two.load(one.save());
  for (int k = 777; k < 2000; ++k) one.add(k, std::sin(k)), two.add(k, std::sin(k));
  EXPECT_EQ(one.save(), two.save());
  EXPECT_THROW(two.load(std::vector<double>(3)), std::invalid_argument);
}

}  // namespace
}  // namespace ricochet::drift_test
