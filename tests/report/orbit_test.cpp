#include "ricochet/report/orbit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace ricochet::orbit_test {
namespace {

TEST(Orbit, keeps_every_record_of_a_short_run) {
  Orbit orbit(50, 50);
  for (int i = 0; i < 50; ++i) orbit.add(i, i * 2, i * 3);
  orbit.finish();
  ASSERT_EQ(orbit.points().size(), 50u);
  EXPECT_EQ(orbit.points()[49].y, 147);
}

TEST(Orbit, keeps_the_outline_of_a_long_run) {
  Orbit orbit(100000, 500);
  for (int i = 0; i < 100000; ++i)
    orbit.add(i, i == 77777 ? 5 : std::cos(0.01 * i), i == 33333 ? -5 : std::sin(0.01 * i));
  orbit.finish();
  EXPECT_LE(orbit.points().size(), 500u);
  double x = 0, y = 0;
  std::int64_t before = -1;
  for (const Orbit::Point& p : orbit.points()) {
    x = std::max(x, p.x), y = std::min(y, p.y);
    EXPECT_GT(p.record, before);
    EXPECT_EQ(p.t, static_cast<double>(p.record));  // every point is a record
    before = p.record;
  }
  EXPECT_EQ(x, 5);
  EXPECT_EQ(y, -5);
}

// A circle whose period is a whole number of buckets: extremes alone would meet it at the same few places for ever.
TEST(Orbit, meets_a_periodic_curve_everywhere) {
  Orbit orbit(100000, 5000);  // 1000 buckets of 100 records; 10 buckets a period
  for (int i = 0; i < 100000; ++i) {
    const double angle = 2 * std::numbers::pi * i / 1000;
    orbit.add(i, std::cos(angle), std::sin(angle));
  }
  orbit.finish();
  std::vector<int> sectors(100, 0);
  for (const Orbit::Point& p : orbit.points()) ++sectors[static_cast<std::size_t>(p.record % 1000 / 10)];
  for (const int count : sectors) EXPECT_GT(count, 0);
}

}  // namespace
}  // namespace ricochet::orbit_test
