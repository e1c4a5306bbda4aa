#include "../src/scenario/expect_reader.hpp"

#include <gtest/gtest.h>

#include "scenario/bad_scenarios.hpp"

namespace ricochet::expect_reader_test {
namespace {

TEST(ExpectReader, AllForms) {
  const Scenario s = read_scenario_text(
      test::scenario_with(
          0,
          "[[system.symmetry]]\nname='h m'\ngenerator=['1','0']\n[expect]\nsteps = 100\nstatus = 'completed'\n"
          "energy.min = { min = 1, max = 2 }\nenergy.final = { value = 1, tolerance = 0.5 }\n"
          "momentum.'h m'.initial = 3\nfinal.position = [1, { max = 2 }]\n"),
      "s.toml");
  ASSERT_EQ(s.expect.size(), 7u);
  EXPECT_EQ(s.expect[0].equal, 100);
  EXPECT_EQ(s.expect[0].where, "s.toml:21");
  EXPECT_EQ(s.expect[1].text, "completed");
  EXPECT_EQ(s.expect[2].path, "energy.min");
  EXPECT_EQ(s.expect[2].min, 1);
  EXPECT_EQ(s.expect[3].tolerance, 0.5);
  EXPECT_EQ(s.expect[4].keys, (std::vector<std::string>{"momentum", "h m", "initial"}));
  EXPECT_EQ(s.expect[6].keys, (std::vector<std::string>{"final", "position", "1"}));
}

TEST(ExpectReader, CountersAreThoseOfTheMethod) {
  const std::string expect = "[[system.contact]]\ngap='10+x'\n[expect]\ngrazing_fallbacks = 0\n";
  EXPECT_THROW(read_scenario_text(test::scenario_with(0, "[expect]\ngrazing_fallbacks = 0\n"), "s.toml"), InputError);
  const Scenario s =
      read_scenario_text(test::scenario_with(0, expect), "s.toml", {"integrator.method=variational-collision"});
  EXPECT_EQ(s.expect.size(), 1u);
}

TEST(ExpectReader, RunningScalarsHaveDotsInTheirNames) {
  const std::string force = "[[system.force]]\nname = 'drag'\ncomponents = [\"-x'\", '0']\n";
  const Scenario s = read_scenario_text(
      test::scenario_with(0, force + "[expect]\nscalars.\"work.drag\".final = { max = 0 }\n"), "s.toml");
  ASSERT_EQ(s.expect.size(), 1u);
  EXPECT_EQ(s.expect[0].keys, (std::vector<std::string>{"scalars", "work.drag", "final"}));
  for (const std::string& wrong :
       {force + "[expect]\nscalars.\"work.darg\".final = 0\n", force + "[expect]\nscalars.\"work.drag\".mean = 0\n",
        force + "[expect]\nscalars.work.drag.final = 0\n", std::string("[expect]\nscalars.\"work.drag\".final = 0\n")})
    EXPECT_THROW(read_scenario_text(test::scenario_with(0, wrong), "s.toml"), InputError) << wrong;
}

TEST(ExpectReader, Refuses) {
  for (const char* text : {"steps = {}", "steps = true", "steps = [1]", "final.position = [1]", "energy = 1",
                           "steps = { value = 1, tolerance = -1 }", "steps = { value = 1, tolerance = 1, min = 0 }",
                           "steps = nan", "momentum = { p = 1 }"})
    EXPECT_THROW(read_scenario_text(test::scenario_with(0, std::string("[expect]\n") + text), "s.toml"), InputError)
        << text;
}

}  // namespace
}  // namespace ricochet::expect_reader_test
