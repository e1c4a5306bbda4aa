#include "ricochet/scenario/expect.hpp"

#include <gtest/gtest.h>

#include "scenario/bad_scenarios.hpp"

namespace ricochet::expect_test {
namespace {

const char* summary = R"({"steps": 100, "status": "completed", "gap_min": null, "energy": {"max": 2.5},
                          "final": {"position": [1.0, 2.0]}})";

std::vector<FailedExpectation> failed(const std::string& expect) {
  return failed_expectations(read_scenario_text(test::scenario_with(0, "[expect]\n" + expect), "s.toml"), summary);
}

TEST(Expect, MetExpectationsAreSilent) {
  EXPECT_TRUE(failed("steps = 100\nstatus = 'completed'\nenergy.max = { min = 2, max = 3 }").empty());
  EXPECT_TRUE(failed("energy.max = { value = 2, tolerance = 0.5 }\nfinal.position = [1, { max = 2 }]").empty());
}

TEST(Expect, FailedOnesSayWantedGotAndWhere) {
  const auto f = failed("steps = 99\nstatus = 'failed'\nenergy.max = { max = 2 }\nfinal.position = [1, { min = 3 }]");
  ASSERT_EQ(f.size(), 4u);
  EXPECT_EQ(f[0].wanted, "99");
  EXPECT_EQ(f[0].got, "100");
  EXPECT_EQ(f[0].where, "s.toml:18");
  EXPECT_EQ(f[1].got, "\"completed\"");
  EXPECT_EQ(f[2].path, "energy.max");
  EXPECT_EQ(f[2].wanted, "at most 2");
  EXPECT_EQ(f[2].got, "2.5");
  EXPECT_EQ(f[3].path, "final.position.1");
}

TEST(Expect, NullAndMissingMeetNothing) {
  const auto f = failed("gap_min = { min = -1 }\nenergy.min = { min = -1e300 }");
  ASSERT_EQ(f.size(), 2u);
  EXPECT_EQ(f[0].got, "null");
  EXPECT_EQ(f[1].got, "null");
}

}  // namespace
}  // namespace ricochet::expect_test
