#include "ricochet/simulation/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ricochet::statistics_test {
namespace {

Observables point(double t, double energy, double momentum) {
  Observables o;
  o.t = t;
  o.energy = energy;
  o.momenta = {momentum};
  o.scalars = {-energy, t * t};
  return o;
}

const Labels labels{{}, {"m"}, {}, {"work.drag", "loss.impact"}};

TEST(Statistics, RangeSlopeAndDeviation) {
  Statistics s;
  for (int i = 0; i <= 10; ++i) s.record(point(i, -2 + 0.5 * i, i == 4 ? 7 : 3));
  Summary out;
  s.summarize(labels, out);
  EXPECT_EQ(out.energy.initial, -2);
  EXPECT_EQ(out.energy.final, 3);
  EXPECT_EQ(out.energy.relative_range, 2.5);
  EXPECT_NEAR(out.energy.drift_per_time, 0.5, 1e-15);  // a few round-offs of sums of about 100
  EXPECT_EQ(out.momenta.at(0).max_deviation, 4);
  ASSERT_EQ(out.scalars.size(), 2u);
  EXPECT_EQ(out.scalars[0].name, "work.drag");
  EXPECT_EQ(out.scalars[0].initial, 2);
  EXPECT_EQ(out.scalars[0].final, -3);
  EXPECT_EQ(out.scalars[0].min, -3);
  EXPECT_EQ(out.scalars[0].max, 2);
  EXPECT_EQ(out.scalars[1].max, 100);
}

TEST(Statistics, SlopeSurvivesALargeOffset) {
  // Energy 1e8 with a slope of 1e-6: the raw sums Σte − Σt·Σe/n would cancel to noise. The points themselves are
  // rounded to 1e-8; over 1e5 points the slope is good to far better than 1e-3 of itself.
  Statistics s;
  for (int i = 0; i < 100000; ++i) s.record(point(1e6 + i, 1e8 + 1e-6 * i, 0));
  Summary out;
  s.summarize(labels, out);
  EXPECT_NEAR(out.energy.drift_per_time, 1e-6, 1e-9);
}

TEST(Statistics, NoMeaningIsNotANumber) {
  Statistics s;
  s.record(point(0, 0, 0));
  Summary out;
  s.summarize(labels, out);
  EXPECT_TRUE(std::isnan(out.energy.relative_range));
  EXPECT_TRUE(std::isnan(out.energy.drift_per_time));
  EXPECT_TRUE(std::isinf(out.extremes.gap_min));
}

TEST(Statistics, SavedAndLoadedGoesOnTheSame) {
  Statistics one, two;
  for (int i = 0; i < 50; ++i) one.record(point(0.1 * i, std::sin(i), std::cos(i)));
  one.step({-0.25, 3, 4});
  two.load(one.save());
  for (int i = 50; i < 99; ++i) {
    one.record(point(0.1 * i, std::sin(i), std::cos(i)));
    two.record(point(0.1 * i, std::sin(i), std::cos(i)));
  }
  EXPECT_EQ(one.save(), two.save());
}

}  // namespace
}  // namespace ricochet::statistics_test
