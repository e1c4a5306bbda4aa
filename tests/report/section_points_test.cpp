#include "ricochet/report/section_points.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/scenarios.hpp"
#include "ricochet/report/report.hpp"

namespace ricochet::section_points_test {
namespace {

const std::string sections = ball_view +
                             "[[output.section]]\nname='hits'\nimpact='floor'\nquantities=['x', \"y'\"]\n"
                             "[[output.section]]\nname='apex'\ncrosses=\"y'\"\ndirection='down'\nquantities=['y']\n";

TEST(SectionPoints, are_those_of_the_run) {
  const TemporaryDirectory directory;
  run_ball(directory.path, "Ball", "10.0", sections);
  const std::vector<SectionPoints> all = section_points(ArchiveReader(directory.path / "trajectory.h5"), 1000);
  ASSERT_EQ(all.size(), 2u);
  const double fall = std::sqrt(2 / 9.81);
  const auto impacts = static_cast<std::size_t>((10 / fall + 1) / 2);
  ASSERT_EQ(all[0].t.size(), impacts);
  EXPECT_EQ(all[0].count, static_cast<std::int64_t>(impacts));
  const ArchiveReader archive(directory.path / "trajectory.h5");
  const auto times = archive.read("impacts/time", 0, all[0].count),
             before = archive.read("impacts/v_before", 0, all[0].count);
  // Each impact changes the energy by at most κ = g²h²/8 = 1.2e-3 and so the speed, 4.43, by 2.7e-4, and the time of
  // flight by twice that over g: after eleven impacts by less than 4e-3 in all.
  for (std::size_t k = 0; k < impacts; ++k) {
    EXPECT_EQ(all[0].t[k], times[k]);
    EXPECT_EQ(all[0].values[1][k], before[2 * k + 1]);
    EXPECT_NEAR(all[0].t[k], (2 * static_cast<double>(k) + 1) * fall, 4e-3);
    EXPECT_NEAR(all[0].values[0][k], 0.5 * all[0].t[k], 1e-11);
    EXPECT_NEAR(all[0].values[1][k], -9.81 * fall, 4e-3);
  }
  for (const double y : all[1].values[0]) EXPECT_NEAR(y, 1, 2e-3);  // κ/g an impact
  const nlohmann::json page = nlohmann::json::parse(run_report_data(directory.path).json);
  EXPECT_EQ(page["sections"][0]["name"], "hits");
  EXPECT_EQ(page["sections"][0]["at_impacts"], true);
  EXPECT_EQ(page["sections"][1]["quantities"][0], "y");
}

TEST(SectionPoints, are_chosen_evenly_where_there_are_many) {
  const TemporaryDirectory directory;
  run_ball(directory.path, "Ball", "100.0", sections);
  const std::vector<SectionPoints> all = section_points(ArchiveReader(directory.path / "trajectory.h5"), 10);
  EXPECT_EQ(all[0].t.size(), 10u);
  EXPECT_GT(all[0].count, 100);
  EXPECT_GT(all[0].t.back(), 80);
}

TEST(SectionPoints, none_without_a_section) {
  const TemporaryDirectory directory;
  run_ball(directory.path, "Ball", "1.0");
  EXPECT_TRUE(section_points(ArchiveReader(directory.path / "trajectory.h5"), 10).empty());
  EXPECT_FALSE(nlohmann::json::parse(run_report_data(directory.path).json).contains("sections"));
}

}  // namespace
}  // namespace ricochet::section_points_test
