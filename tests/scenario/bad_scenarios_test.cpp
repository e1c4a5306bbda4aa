// Each bad scenario is refused with file, line, key and reason.

#include "scenario/bad_scenarios.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "ricochet/scenario/scenario.hpp"

namespace ricochet::bad_scenarios_test {
namespace {

using test::BadScenario;

std::string error_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    const Scenario scenario = read_scenario_text(text, "bad.toml", overrides);
    std::vector<std::string> warnings;
    make_stepper(scenario, warnings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

class BadScenarios : public testing::TestWithParam<BadScenario> {};

TEST_P(BadScenarios, NamesFileLineKeyAndReason) {
  const BadScenario& bad = GetParam();
  const std::string message = error_of(test::scenario_with(bad.line, bad.text));
  const std::string place = "bad.toml:" + std::to_string(bad.error_line) + ":";
  EXPECT_EQ(message.rfind(place, 0), 0u) << message;
  EXPECT_NE(message.find(bad.key.empty() ? "" : ": " + bad.key + ": "), std::string::npos) << message;
  EXPECT_NE(message.find(bad.reason), std::string::npos) << message;
  EXPECT_LT(message.size(), 1000u) << message;
}

INSTANTIATE_TEST_SUITE_P(All, BadScenarios, testing::ValuesIn(test::bad_scenarios()),
                         [](const auto& info) { return info.param.name; });

TEST(BadScenarios, TheBaseIsGood) { EXPECT_EQ(error_of(test::scenario_with(-1, "")), ""); }

TEST(BadScenarios, AreManyAndDifferent) {
  std::set<std::string> names;
  for (const BadScenario& bad : test::bad_scenarios()) names.insert(bad.name);
  EXPECT_EQ(names.size(), test::bad_scenarios().size());
  EXPECT_GE(names.size(), 45u);
}

TEST(BadScenarios, FilesThatCannotBeRead) {
  const auto message = [](const std::filesystem::path& file) -> std::string {
    try {
      read_scenario(file);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const std::filesystem::path directory = testing::TempDir();
  EXPECT_NE(message(directory / "none.toml").find("none.toml: there is no such file"), std::string::npos);
  EXPECT_NE(message(directory).find("is a directory"), std::string::npos);
  const std::filesystem::path large = directory / "large.toml";
  std::ofstream(large) << std::string(5 << 20, '#');
  EXPECT_NE(message(large).find("large.toml"), std::string::npos);
  EXPECT_NE(message(large).find("at most 4 MB"), std::string::npos);
  std::filesystem::remove(large);
}

}  // namespace
}  // namespace ricochet::bad_scenarios_test
