#include "ricochet/report/report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/scenarios.hpp"
#include "ricochet/error.hpp"

namespace ricochet::report_test {
namespace {

using Json = nlohmann::json;

TEST(Report, holds_what_the_run_was) {
  const TemporaryDirectory directory;
  const Scenario scenario = run_ball(directory.path, "Ball", "10.0");
  const ReportData data = run_report_data(directory.path);
  EXPECT_FALSE(data.space);
  const Json j = Json::parse(data.json);
  EXPECT_EQ(j["format"], 1);
  EXPECT_EQ(j["kind"], "run");
  EXPECT_EQ(j["records"], 1001);
  EXPECT_EQ(j["scenario"]["text"], scenario.text);
  // First impact at sqrt(2/g), then one every twice that.
  const int impacts = static_cast<int>((10 / std::sqrt(2 / 9.81) + 1) / 2);
  EXPECT_EQ(j["summary"]["impacts"], impacts);
  EXPECT_EQ(j["impacts"]["lines"], impacts);
  ASSERT_EQ(j["plots"].size(), 4u);
  EXPECT_EQ(j["plots"][0]["key"], "energy");
  EXPECT_EQ(j["plots"][1]["curves"][0]["name"], "horizontal momentum");
  EXPECT_EQ(j["phase"].size(), 2u);
  EXPECT_EQ(j["drawing"]["shapes"].size(), 3u);
  EXPECT_EQ(j["drawing"]["reels"].size(), 1u);
  // 1001 doubles are 8008 bytes: 2670 groups of three, of four characters each.
  EXPECT_EQ(j["t"].get<std::string>().size(), 10680u);
}

TEST(Report, shows_where_the_energy_went) {
  const TemporaryDirectory directory;
  run_ball(directory.path, "Ball in air", "3.0",
           "[[system.force]]\nname = 'air'\ncomponents = { x = \"-0.3*x'\", y = \"-0.3*y'\" }\n");
  const Json j = Json::parse(run_report_data(directory.path).json);
  ASSERT_EQ(j["plots"].size(), 5u);
  EXPECT_EQ(j["plots"][0]["key"], "energy");
  EXPECT_EQ(j["plots"][1]["key"], "balance");
  std::vector<std::string> names;
  for (const Json& curve : j["plots"][1]["curves"]) names.push_back(curve["name"]);
  EXPECT_EQ(names,
            (std::vector<std::string>{"change of energy", "sum of works and losses", "work.air", "loss.impact"}));
  const Json& s = j["summary"];
  EXPECT_LT(s["scalars"]["work.air"]["final"], -1);
  const double change = s["energy"]["final"].get<double>() - s["energy"]["initial"].get<double>();
  const double sum =
      s["scalars"]["work.air"]["final"].get<double>() + s["scalars"]["loss.impact"]["final"].get<double>();
  EXPECT_NEAR(change, sum, 1e-3);  // order 2: h² times the rates (10, squared) of this motion
}

TEST(Report, is_bounded_for_a_long_run) {
  const TemporaryDirectory directory;
  run_ball(directory.path, "Ball", "2000.0");  // 200001 records
  const ReportData data = run_report_data(directory.path);
  EXPECT_LT(data.json.size(), 3000000u);
  const Json j = Json::parse(data.json);
  EXPECT_EQ(j["records"], 200001);
  EXPECT_EQ(j["drawing"]["reels"].size(), 3u);
  std::size_t curves = 1;  // the times
  for (const Json& plot : j["plots"]) curves += plot["curves"].size();
  EXPECT_LE(j["t"].get<std::string>().size() * curves, 200000u * 11);  // of 8 bytes each, in base64
  EXPECT_GE(j["t"].get<std::string>().size(), 4001u * 8);
}

TEST(Report, of_a_killed_run_says_what_was_recorded) {
  const TemporaryDirectory directory;
  run_ball(directory.path, "Ball", "1.0");
  std::filesystem::remove(directory.path / "summary.json");
  const Json j = Json::parse(run_report_data(directory.path).json);
  EXPECT_EQ(j["summary"]["status"], "interrupted");
  EXPECT_EQ(j["summary"]["steps"], 100);
  EXPECT_NEAR(j["summary"]["energy"]["initial"].get<double>(), 9.81 + 0.125, 1e-12);
}

TEST(Report, is_written_whole) {
  const TemporaryDirectory directory;
  run_ball(directory.path, "A </script> title", "1.0");
  write_report(directory.path);
  const std::string page = text_of(directory.path / report_name);
  EXPECT_NE(page.find("A \\u003c/script\\u003e title"), std::string::npos);
  EXPECT_NE(page.find("</html>"), std::string::npos);
}

TEST(Report, without_an_archive_is_an_error_that_names_the_place) {
  const TemporaryDirectory directory;
  try {
    write_report(directory.path);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(directory.path.string()), std::string::npos);
  }
}

}  // namespace
}  // namespace ricochet::report_test
