#include <gtest/gtest.h>

#include "ricochet/scenario/scenario.hpp"

namespace ricochet::design_problem_test {
namespace {

const std::string text = R"toml(
[system]
coordinates = ["x", "y"]
lagrangian = "m[1]/2*x'^2 + m[2]/2*y'^2 - w*y"
parameters = { m = [1.0, 2.0], g = 9.81, w = "m[2]*g" }
[[system.contact]]
name = "floor"
gap = "y"
law = "newton"
restitution = 0.5
[initial]
position = { y = "g/10" }
velocity = [1.0, 0.0]
[integrator]
method = "variational-collision"
step = 0.01
[run]
duration = 1.0
[shoot]
unknowns = [
  { name = "parameters.g" }, { name = "parameters.m[2]", guess = 2.5 }, { name = "velocity.x", guess = 1.5 },
  { name = "contact.floor.restitution", max = 0.9 }, { name = "duration", guess = 1.26 },
]
conditions = ["x - 1", { at = 1, side = "after", equation = "y' - 2*g/10", name = "up" }]
)toml";

TEST(DesignProblem, NamesBecomeParametersWithTheirGuesses) {
  const ShootingProblem problem = shooting_problem(read_scenario_text(text, "p.toml"));
  const auto value = [&](const std::string& name) {
    for (const formula::Parameter& p : problem.shot.model.graph->parameters())
      if (p.name == name) return p.value;
    return -1.0;
  };
  EXPECT_EQ(value("parameters.g"), 9.81);
  EXPECT_EQ(value("parameters.m[2]"), 2.5);
  EXPECT_EQ(value("velocity.x"), 1.5);
  EXPECT_EQ(value("contact.floor.restitution"), 0.5);
  EXPECT_EQ(value("duration"), 1.26);
  EXPECT_DOUBLE_EQ(problem.shot.run.step, 0.01);  // N = 126
  EXPECT_EQ(problem.unknowns[3].min, 0);
  EXPECT_EQ(problem.unknowns[3].max, 0.9);
  EXPECT_EQ(problem.conditions[1].at, 1);
  EXPECT_TRUE(problem.conditions[1].after);
  EXPECT_EQ(problem.conditions[1].name, "up");
}

// The settings of a solution give the same motion as the problem's own.
TEST(DesignProblem, ASolutionIsAListOfSettings) {
  const Scenario scenario = read_scenario_text(text, "p.toml");
  ShootingProblem problem = shooting_problem(scenario);
  const Course course = fly(problem.shot, Derivatives::none);
  const Scenario solved = read_scenario_text(text, "p.toml", solution_overrides(scenario, problem));
  std::vector<std::string> warnings;
  const auto stepper = make_stepper(solved, warnings);
  const Summary summary = run(*stepper, solved.run, {});
  EXPECT_EQ(summary.steps, 126);
  EXPECT_EQ(summary.impacts, static_cast<std::int64_t>(course.impacts.size()));
  for (int i = 0; i < 2; ++i) {  // the same formulas, folded or not: a few roundings
    EXPECT_NEAR(summary.position[i], course.end.q[i], 1e-13);
    EXPECT_NEAR(summary.velocity[i], course.v[i], 1e-12);
  }
}

// What is not asked for stays a number: the same bits as without [shoot].
TEST(DesignProblem, AnOrdinaryRunDoesNotKnowTheProblem) {
  const Scenario with = read_scenario_text(text, "p.toml"),
                 without = read_scenario_text(text.substr(0, text.find("[shoot]")), "p.toml");
  EXPECT_TRUE(with.model.graph->parameters().empty());
  std::vector<std::string> warnings;
  EXPECT_EQ(run(*make_stepper(with, warnings), with.run, {}).state_hash,
            run(*make_stepper(without, warnings), without.run, {}).state_hash);
}

TEST(DesignProblem, AParameterOfARangeHasNoDerivative) {
  std::string ranged = text;
  ranged.replace(ranged.find("\"x\", \"y\""), 8, "\"x\", \"y\", \"u[1..n]\"");
  ranged.replace(ranged.find("- w*y"), 5, "- w*y + sum(i in 1..n, u[i]'^2)");
  ranged.replace(ranged.find("g = 9.81"), 8, "n = 2, g = 9.81");
  ranged.replace(ranged.find("velocity = [1.0, 0.0]"), 21, "velocity = { x = 1.0 }");
  ranged.replace(ranged.find("{ name = \"parameters.g\" }"), 25, "{ name = \"parameters.n\" }");
  try {
    shooting_problem(read_scenario_text(ranged, "p.toml"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("parameters.n decides on a number of things"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace ricochet::design_problem_test
