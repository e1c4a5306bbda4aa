#include "ricochet/report/reel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "report/scenarios.hpp"

namespace ricochet::reel_test {
namespace {

std::vector<Reel> reels_of(std::int64_t records, const std::vector<double>& impacts, std::int64_t max_frames) {
  const Scenario scenario = read_scenario_text(ball_text("Ball", "1.0", ball_view), "ball.toml");
  Drawing drawing(scenario);
  Reels reels(drawing, records, impacts, max_frames);
  for (std::int64_t i = 0; i < records; ++i) {
    const double q[] = {static_cast<double>(i), i == 3 ? NAN : 0.0}, v[] = {0, 0};
    reels.add(static_cast<double>(i), q, v);
  }
  return reels.reels();
}

TEST(Reels, a_short_run_is_shown_whole) {
  const auto reels = reels_of(100, {3.5}, 100);
  ASSERT_EQ(reels.size(), 1u);
  EXPECT_EQ(reels[0].stride, 1);
  ASSERT_EQ(reels[0].t.size(), 100u);
  EXPECT_EQ(reels[0].tracks[0][42], 42);
  EXPECT_TRUE(std::isnan(reels[0].tracks[1][3]));  // a formula without a value is not drawn
}

TEST(Reels, a_long_run_has_its_beginning_and_end_and_no_impact_is_jumped_over) {
  const std::vector<double> impacts{0.5, 5000.25, 5000.75, 77777.5};
  const auto reels = reels_of(100000, impacts, 1000);
  ASSERT_EQ(reels.size(), 3u);
  EXPECT_LE(reels[0].t.size(), 1000u);
  EXPECT_GT(reels[0].t.size(), 900u);
  EXPECT_EQ(reels[0].t.front(), 0);
  EXPECT_EQ(reels[0].t.back(), 99999);
  for (const double time : impacts)
    for (const double near : {std::floor(time), std::ceil(time)})
      EXPECT_TRUE(std::binary_search(reels[0].t.begin(), reels[0].t.end(), near)) << near;
  EXPECT_EQ(std::adjacent_find(reels[0].t.begin(), reels[0].t.end(), std::greater_equal<>()), reels[0].t.end());
  EXPECT_EQ(reels[1].t.size(), 1000u);
  EXPECT_EQ(reels[1].t.back(), 999);
  EXPECT_EQ(reels[2].t.front(), 99000);
}

TEST(Reels, many_impacts_do_not_burst_the_frames) {
  std::vector<double> impacts;
  for (int i = 0; i < 50000; ++i) impacts.push_back(2 * i + 0.5);
  EXPECT_LE(reels_of(100000, impacts, 1000)[0].t.size(), 1000u);
}

TEST(EvenlyChosen, takes_as_many_as_asked_and_the_first) {
  for (const std::int64_t total : {10, 99, 100, 101, 12345}) {
    std::int64_t count = 0;
    for (std::int64_t k = 0; k < total; ++k) count += evenly_chosen(k, total, 100) ? 1 : 0;
    EXPECT_EQ(count, std::min<std::int64_t>(total, 100));
    EXPECT_TRUE(evenly_chosen(0, total, 100));
  }
}

}  // namespace
}  // namespace ricochet::reel_test
