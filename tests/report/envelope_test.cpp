#include "ricochet/report/envelope.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace ricochet::envelope_test {
namespace {

TEST(Envelope, keeps_every_record_of_a_short_run) {
  Envelope e(2, 100);
  for (int i = 0; i < 100; ++i) {
    const double values[] = {1.0 * i, -1.0 * i};
    e.add(0.5 * i, values);
  }
  ASSERT_EQ(e.t().size(), 100u);
  EXPECT_FALSE(e.thinned());
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(e.t()[static_cast<std::size_t>(i)], 0.5 * i);
    EXPECT_EQ(e.curve(1)[static_cast<std::size_t>(i)], -1.0 * i);
  }
}

// A single high and a single low record, wherever they are, are in the result; and the number of points is bounded.
TEST(Envelope, loses_no_peak_of_a_long_run) {
  const int records = 123457;
  for (const int peak : {0, 1, 4000, 61727, 123455, 123456}) {
    Envelope e(1, 400);
    for (int i = 0; i < records; ++i) {
      const double value = i == peak ? 7 : i == records - 1 - peak ? -7 : std::sin(0.1 * i);
      e.add(i, &value);
    }
    const std::vector<double> t = e.t(), y = e.curve(0);
    ASSERT_EQ(t.size(), y.size());
    EXPECT_LE(t.size(), 400u);
    EXPECT_GE(t.size(), 200u);  // half of them at least are used
    EXPECT_TRUE(e.thinned());
    EXPECT_EQ(*std::max_element(y.begin(), y.end()), 7);
    EXPECT_EQ(*std::min_element(y.begin(), y.end()), -7);
    const auto at = static_cast<std::size_t>(std::max_element(y.begin(), y.end()) - y.begin());
    EXPECT_NEAR(t[at], peak, 1024);  // a bucket: 123457 records in at least 100 buckets, rounded up to a power of two
    EXPECT_TRUE(std::is_sorted(t.begin(), t.end()));
  }
}

TEST(Envelope, keeps_the_order_of_high_and_low_in_a_bucket) {
  for (const bool rising : {true, false}) {
    Envelope e(1, 4);
    for (int i = 0; i < 64; ++i) {
      const double value = rising ? i : -i;
      e.add(i, &value);
    }
    const std::vector<double> y = e.curve(0);
    EXPECT_TRUE(rising ? std::is_sorted(y.begin(), y.end()) : std::is_sorted(y.rbegin(), y.rend()));
  }
}

}  // namespace
}  // namespace ricochet::envelope_test
