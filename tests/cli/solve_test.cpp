// ricochet solve: exit codes, what is written, what is said.

#include "cli/program.hpp"

namespace ricochet::solve_test {
namespace {

using test::Outcome;
using Solve = test::Workplace;

// A ball thrown at a floor; `shoot` is the text of [shoot].
std::string ball(const std::string& shoot, const std::string& step = "0.01") {
  return R"toml(title = "ball"
[system]
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 - 9.81*y"
[[system.contact]]
name = "floor"
gap = "y"
law = "newton"
restitution = 0.8
[initial]
position = [0.0, 1.0]
velocity = [1.0, 0.0]
[integrator]
method = "variational-collision"
step = )toml" +
         step + "\n[run]\nduration = 0.8\n[shoot]\n" + shoot;
}

const std::string good = R"toml(unknowns = [{ name = "velocity.x" }, { name = "duration" }]
conditions = ["x - 1", { at = 1, equation = "x - 0.6" }]
impacts = ["floor"]
)toml";

TEST_F(Solve, WritesTheMotionThatSolvesTheProblem) {
  file("ball.toml", ball(good));
  const Outcome o = program({"solve", "ball.toml", "-o", "r"});
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_NE(o.out.find("velocity.x"), std::string::npos) << o.out;
  const nlohmann::json s = summary("r")["solution"];
  const double fall = std::sqrt(2 / 9.81);  // x = v t at the floor and at the end
  EXPECT_EQ(s["status"], "solved");
  EXPECT_NEAR(s["unknowns"]["velocity.x"].get<double>(), 0.6 / fall, 1e-12);
  EXPECT_NEAR(s["unknowns"]["duration"].get<double>(), fall / 0.6, 1e-12);
  EXPECT_NEAR(s["verified"]["x - 1"].get<double>(), 0, 1e-12);
  EXPECT_NEAR(s["verified"]["x - 0.6 at impact 1"].get<double>(), 0, 1e-12);
  EXPECT_EQ(s["history"].size(), s["iterations"].get<std::size_t>() + 1);
  EXPECT_NEAR(summary("r")["final"]["position"][0].get<double>(), 1, 1e-12);
  EXPECT_NE(test::text_of(here() / "r/report.html").find("velocity.x"), std::string::npos);
  // the directory is that of an ordinary run
  EXPECT_EQ(program({"report", "r"}).exit_code, 0);
  EXPECT_EQ(program({"export", "r", "--csv"}).exit_code, 0);
}

TEST_F(Solve, WithoutAProblemNothingIsWritten) {
  file("ball.toml", ball(good).substr(0, ball(good).find("[shoot]")));
  const Outcome o = program({"solve", "ball.toml", "-o", "r"});
  EXPECT_EQ(o.exit_code, 3);
  EXPECT_NE(o.err.find("no [shoot] and no [optimize]"), std::string::npos) << o.err;
  EXPECT_FALSE(test::fs::exists(here() / "r"));
}

TEST_F(Solve, WhatIsNotSolvedExitsWith4AndListsTheResiduals) {
  file("ball.toml",
       ball("unknowns = [{ name = \"velocity.x\" }]\nconditions = [\"x - 1\"]\nimpacts = [\"floor\", \"floor\"]\n"));
  const Outcome o = program({"solve", "ball.toml", "-o", "r", "--quiet"});
  EXPECT_EQ(o.exit_code, 4);
  EXPECT_NE(o.err.find("impact 2 should be on floor, but the motion has only 1"), std::string::npos) << o.err;
  EXPECT_NE(o.err.find("residual -0.2 of x - 1"), std::string::npos) << o.err;
  EXPECT_EQ(summary("r")["solution"]["status"], "failed");
  EXPECT_EQ(summary("r")["exit_code"], 4);
}

TEST_F(Solve, AGuessThatIsNoStartExitsWith3) {
  file("ball.toml", ball("unknowns = [{ name = \"position.y\", guess = -1 }]\nconditions = [\"x - 1\"]\n"));
  const Outcome o = program({"solve", "ball.toml", "-o", "r"});
  EXPECT_EQ(o.exit_code, 3);
  EXPECT_NE(o.err.find("inside contact 'floor'"), std::string::npos) << o.err;
  EXPECT_FALSE(test::fs::exists(here() / "r"));
}

TEST_F(Solve, ElasticContactsNeedTheContinuousRule) {
  std::string text = ball(good);
  text.replace(text.find("law = \"newton\"\nrestitution = 0.8\n"), 33, "");
  file("ball.toml", text);
  const Outcome o = program({"solve", "ball.toml", "-o", "r"});
  EXPECT_EQ(o.exit_code, 3);
  EXPECT_NE(o.err.find("write impact_energy = \"continuous\""), std::string::npos) << o.err;
}

TEST_F(Solve, InterruptedKeepsTheBestIterate) {
  file("ball.toml", ball(good, "1e-5"));
  const pid_t child = start({"solve", "ball.toml", "-o", "r"});
  while (test::text_of(here() / ".out").find("     0  ") == std::string::npos)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  kill(child, SIGINT);
  const Outcome o = wait(child);
  EXPECT_EQ(o.exit_code, 130) << o.err;
  EXPECT_EQ(summary("r")["solution"]["status"], "interrupted");
  EXPECT_EQ(summary("r")["status"], "completed");  // the run of the best iterate
}

TEST_F(Solve, SensitivitiesOfARun) {
  file("ball.toml", ball(good) + "[output]\nquantities = [\"x*y\", { name = \"hit\", at = 1, formula = \"x\" }]\n");
  const Outcome o = program({"run", "ball.toml", "-o", "r", "--sensitivities", "--quiet"});
  EXPECT_EQ(o.exit_code, 0) << o.err;
  const nlohmann::json s = summary("r");
  EXPECT_NEAR(s["sensitivities"]["position.x"]["velocity.x"].get<double>(), 0.8, 1e-13);
  EXPECT_NEAR(s["sensitivities"]["hit"]["velocity.x"].get<double>(), std::sqrt(2 / 9.81), 1e-13);
  EXPECT_NEAR(s["quantities"]["hit"].get<double>(), std::sqrt(2 / 9.81), 1e-13);
}

}  // namespace
}  // namespace ricochet::solve_test
