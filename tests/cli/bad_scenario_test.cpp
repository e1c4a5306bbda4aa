// A bad scenario exits 3, says why, and leaves nothing behind.

#include "cli/program.hpp"
#include "scenario/bad_scenarios.hpp"

namespace ricochet::bad_scenario_test {
namespace {

using BadScenario = test::Workplace;

TEST_F(BadScenario, Exits3AndWritesNothing) {
  for (const test::BadScenario& bad : test::bad_scenarios()) {
    file("bad.toml", test::scenario_with(bad.line, bad.text));
    const test::Outcome o = program({"run", "bad.toml", "-o", "out"});
    EXPECT_EQ(o.exit_code, 3) << bad.name << ": " << o.err;
    EXPECT_NE(o.err.find("bad.toml:" + std::to_string(bad.error_line) + ":"), std::string::npos)
        << bad.name << ": " << o.err;
    EXPECT_NE(o.err.find(bad.key), std::string::npos) << bad.name << ": " << o.err;
    EXPECT_EQ(o.out, "") << bad.name;
    EXPECT_FALSE(test::fs::exists(here() / "out")) << bad.name;
    EXPECT_FALSE(test::fs::exists(here() / "runs")) << bad.name;
  }
}

TEST_F(BadScenario, FilesThatCannotBeReadOrWritten) {
  file("good.toml", test::scenario_with(-1, ""));
  file("plain", "");
  const std::vector<std::vector<std::string>> all{{"run", "none.toml"},
                                                  {"run", here().string()},
                                                  {"run", "good.toml", "-o", "plain"},
                                                  {"run", "good.toml", "-o", "plain/below"},
                                                  {"resume", "none"},
                                                  {"export", "none", "--csv"}};
  for (const auto& arguments : all) {
    const test::Outcome o = program(arguments);
    EXPECT_EQ(o.exit_code, 3) << arguments.back() << ": " << o.err;
    EXPECT_NE(o.err.find("ricochet: "), std::string::npos);
    EXPECT_FALSE(test::fs::exists(here() / "runs"));
    EXPECT_FALSE(test::fs::exists(here() / "none"));
  }
}

TEST_F(BadScenario, AnOverrideIsBlamedByItsOwnText) {
  const test::Outcome o = program({"run", "pendulum", "--set", "integrator.step=-1"});
  EXPECT_EQ(o.exit_code, 3);
  EXPECT_NE(o.err.find("--set integrator.step=-1: integrator.step: expected a step above 0"), std::string::npos)
      << o.err;
}

}  // namespace
}  // namespace ricochet::bad_scenario_test
