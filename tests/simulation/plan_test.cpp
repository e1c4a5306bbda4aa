#include "ricochet/simulation/plan.hpp"

#include <gtest/gtest.h>

#include "ricochet/error.hpp"

namespace ricochet::plan_test {
namespace {

Plan plan(double start, double step, double duration) {
  RunSettings s;
  s.start = start;
  s.step = step;
  s.duration = duration;
  return Plan(s);
}

TEST(Plan, RoundOffIsNoShortStep) {
  // 0.3/0.1 is 2.9999999999999996 and 100/0.01 is exact; both are whole numbers of steps.
  EXPECT_EQ(plan(0, 0.1, 0.3).last(), 3);
  EXPECT_EQ(plan(0, 0.1, 0.3).length(2), 0.1);
  EXPECT_EQ(plan(0, 0.01, 100).last(), 10000);
  EXPECT_EQ(plan(0, 0.1, 0.3).time(3), 3 * 0.1);
}

TEST(Plan, LastStepEndsOnTheDuration) {
  const Plan p = plan(2, 0.3, 1);
  EXPECT_EQ(p.last(), 4);
  EXPECT_EQ(p.length(2), 0.3);
  EXPECT_EQ(p.time(4), 3.0);
  EXPECT_EQ(p.length(3), 3.0 - (2 + 3 * 0.3));
}

TEST(Plan, ShortDurations) {
  EXPECT_EQ(plan(0, 0.1, 0).last(), 0);
  EXPECT_EQ(plan(0, 0.1, 0.04).last(), 1);
  EXPECT_EQ(plan(0, 0.1, 0.04).length(0), 0.04);
  for (const double step : {1e9, 1e10, 1e300}) {  // not none, however long a step is
    EXPECT_EQ(plan(0, step, 2).last(), 1);
    EXPECT_EQ(plan(0, step, 2).length(0), 2);
  }
}

TEST(Plan, ManyStepsKeepTheirShortEnd) {
  // Half a step in 4e9: within 1e-9 relative, but no round-off.
  EXPECT_EQ(plan(0, 1, 4e9 + 0.5).last(), 4000000001);
}

TEST(Plan, RefusesWhatWouldNeverEnd) {
  EXPECT_THROW(plan(0, 0, 1), InputError);
  EXPECT_THROW(plan(0, -0.1, 1), InputError);
  EXPECT_THROW(plan(0, 1e-300, 1), InputError);
  EXPECT_THROW(plan(0, 0.1, -1), InputError);
}

}  // namespace
}  // namespace ricochet::plan_test
