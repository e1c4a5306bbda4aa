#include "ricochet/scenario/scenario.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "ricochet/error.hpp"
#include "ricochet/formula/program.hpp"
#include "scenario/bad_scenarios.hpp"

namespace ricochet::scenario_test {
namespace {

TEST(Scenario, GalleryIsReadable) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(RICOCHET_SOURCE_DIR "/scenarios")) {
    if (entry.path().extension() != ".toml") continue;
    const Scenario s = read_scenario(entry.path());
    EXPECT_EQ(s.name, entry.path().stem());
    EXPECT_EQ(s.title, read_title(entry.path()));
    EXPECT_FALSE(s.expect.empty()) << entry.path();
    EXPECT_NE(s.shapes.empty(), !s.continuum) << entry.path();  // bodies are drawn as they are
    ++count;
  }
  EXPECT_GE(count, 7);
}

TEST(Scenario, TitleNeedsNoFormulas) {
  // `ricochet list` reads titles alone and so answers at once: formulas that could not be read do not matter.
  const auto file = std::filesystem::temp_directory_path() / fmt::format("ricochet_title_{}.toml", getpid());
  std::ofstream(file) << "title = \"T\"\n[system]\ncoordinates = [\"x\"]\nlagrangian = \"sum(i in 1..10^9, x'^2 +\"\n";
  EXPECT_EQ(read_title(file), "T");
  EXPECT_THROW(read_scenario(file), InputError);
  std::filesystem::remove(file);
}

TEST(Scenario, PlacesOfKeys) {
  const Scenario s = read_scenario_text(
      test::scenario_with(0, "[[system.force]]\nname = \"drag\"\nfor = \"k in 1..2\"\ncomponents = [\"0\", \"0\"]"),
      "s.toml");
  EXPECT_EQ(s.place("system.lagrangian"), "s.toml:4:14");
  EXPECT_EQ(s.place("system.force.drag.components"), "s.toml:20:14");
  EXPECT_EQ(s.place("system.force.drag[2].components"), "s.toml:20:14");
  EXPECT_EQ(s.place("initial.momentum"), "s.toml:8:1");  // not there: its table
  EXPECT_EQ(s.place("nowhere"), "s.toml:1:1");
}

TEST(Scenario, ModelErrorsAreLocated) {
  const Scenario s = read_scenario_text(test::scenario_with(-1, ""), "s.toml");
  EXPECT_STREQ(located(ModelError("integrator.step", "no"), s).what(), "s.toml:14:8: integrator.step: no");
}

TEST(Scenario, OverridesAreAppliedKeptAndBlamed) {
  const std::string text = test::scenario_with(-1, "");
  const Scenario s = read_scenario_text(text, "s.toml", {"integrator.step=0.5", "system.parameters.g=m*2"});
  EXPECT_EQ(s.integrator.step, 0.5);
  EXPECT_EQ(s.run.step, 0.5);
  EXPECT_EQ(s.text, text);
  const RunDescription about = describe(s);
  EXPECT_EQ(about.overrides.size(), 2u);
  EXPECT_EQ(about.scenario_text, text);
  EXPECT_EQ(about.discretization, "trapezoidal");
  try {
    read_scenario_text(text, "s.toml", {"integrator.step=-1"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("--set integrator.step=-1: integrator.step: ", 0), 0u) << error.what();
  }
}

TEST(Scenario, OverridesResizeASystem) {
  const Scenario s = read_scenario(RICOCHET_SOURCE_DIR "/scenarios/spring-chain.toml", {"system.parameters.n=20"});
  EXPECT_EQ(s.model.coordinates.size(), 20u);
  EXPECT_EQ(s.position.size(), 20u);
}

TEST(Scenario, TitleDefaultsToTheName) {
  EXPECT_EQ(read_scenario_text(test::scenario_with(1, ""), "runs/ball.toml").title, "ball");
}

TEST(Scenario, MakesAStepper) {
  const Scenario s = read_scenario_text(test::scenario_with(-1, ""), "s.toml");
  std::vector<std::string> warnings;
  const auto stepper = make_stepper(s, warnings);
  stepper->advance(0, 0.01);
  Observables o;
  stepper->observe(o);
  EXPECT_NEAR(o.q[0], 0.01, 1e-15);  // free motion in x: exact but for round-off
  EXPECT_TRUE(warnings.empty());
}

TEST(Scenario, BackwardReturnsToTheStart) {
  const std::string text = test::scenario_with(
      0, "direction = \"backward\"\nstart = 2\n[[view.shape]]\nkind = \"point\"\nat = [\"t\", \"0\"]");
  const Scenario back = read_scenario_text(text, "s.toml");
  EXPECT_TRUE(back.integrator.backward);
  std::vector<std::string> warnings;
  const auto stepper = make_stepper(back, warnings);
  Observables o;
  stepper->observe(o);
  EXPECT_EQ(o.v, (std::vector<double>{1, 0}));  // the physical ones
  EXPECT_EQ(o.p, (std::vector<double>{1, 0}));
  stepper->advance(2, 0.5);
  stepper->observe(o);
  EXPECT_EQ(o.t, 2.5);                   // elapsed
  EXPECT_NEAR(o.q[0], -0.5, 1e-15);      // x' = 1 half a unit of time ago
  EXPECT_NEAR(o.v[1], 9.81 / 2, 1e-15);  // it was still rising
  // the picture sees the physical time 2·2 − 2.5
  const formula::Program at({back.shapes[0].formulas.at("at")[0]}, {back.model.graph->time()});
  formula::Evaluator<double> picture(at);
  picture.inputs()[0] = 2.5;
  picture.run();
  EXPECT_EQ(picture.output(0), 1.5);
}

TEST(Scenario, DirectionIsRefusedWhereItStandsIfTheMethodHasNoAdjoint) {
  std::string text = test::scenario_with(0, "direction = \"backward\"");
  text.replace(text.find("\"variational\""), 13, "\"generalized-variational\"");
  std::vector<std::string> warnings;
  try {
    make_stepper(read_scenario_text(text, "s.toml"), warnings);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("s.toml:17:13: run.direction: ", 0), 0u) << error.what();
  }
}

}  // namespace
}  // namespace ricochet::scenario_test
