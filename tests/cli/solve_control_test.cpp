// ricochet solve of [optimize]: exit codes, what is written, what is said.

#include "cli/program.hpp"

namespace ricochet::solve_control_test {
namespace {

using test::Outcome;
using SolveControl = test::Workplace;

const std::string good = R"toml(controls = ["u"]
impacts = ["floor"]
intervals = [8, 8]
running = "u^2/2"
conditions = ["y - 1", "y'"]
)toml";

// A ball with a vertical thrust over a floor; `optimize` is the text of [optimize].
std::string ball(const std::string& optimize, const std::string& law = "newton\"\nrestitution = 0.8 #") {
  return R"toml(title = "ball"
[system]
coordinates = ["y"]
lagrangian = "y'^2/2 - 9.81*y"
[[system.contact]]
name = "floor"
gap = "y"
law = ")toml" +
         law + R"toml("
[[system.force]]
name = "thrust"
components = ["u"]
[initial]
position = [1.0]
velocity = [0.0]
[integrator]
method = "variational-collision"
step = 0.01
[run]
duration = 1.0
[optimize]
)toml" + optimize;
}

TEST_F(SolveControl, WritesTheMotionUnderControl) {
  file("ball.toml", ball(good));
  const Outcome o = program({"solve", "ball.toml", "-o", "r"});
  ASSERT_EQ(o.exit_code, 0) << o.err;
  const nlohmann::json all = summary("r"), s = all["solution"];
  EXPECT_EQ(s["status"], "solved");
  EXPECT_EQ(s["times"].size(), 2U);
  EXPECT_EQ(all["impacts"], 1);
  EXPECT_EQ(all["steps"], 16);
  EXPECT_LE(s["residual"].get<double>(), 1e-8);
  EXPECT_LE(s["mismatch"].get<double>(), 1e-9);  // the same equations, solved step by step
  EXPECT_NEAR(all["final"]["position"][0].get<double>(), 1, 1e-8);
  EXPECT_TRUE(all["scalars"].contains("control.u"));
  EXPECT_TRUE(all["scalars"].contains("costate.momentum.y"));
  EXPECT_TRUE(all["scalars"].contains("multiplier.gap of floor"));
  EXPECT_EQ(s["multipliers"].size(), 2U);
  EXPECT_NE(test::text_of(here() / "r/report.html").find("control.u"), std::string::npos);
  EXPECT_EQ(program({"report", "r"}).exit_code, 0);
  EXPECT_EQ(program({"export", "r", "--csv"}).exit_code, 0);
}

// Without control the ball falls freely, as any run.
TEST_F(SolveControl, RunIsWithoutControl) {
  file("ball.toml", ball(good));
  ASSERT_EQ(program({"run", "ball.toml", "-o", "r"}).exit_code, 0);
  EXPECT_EQ(summary("r")["scalars"]["work.thrust"]["final"], 0);
}

TEST_F(SolveControl, WhatCannotBeReachedExitsWith4AndNamesConditions) {
  file("ball.toml", ball(good + "bounds = { u = [-0.1, 0.1] }\n"));
  const Outcome o = program({"solve", "ball.toml", "-o", "r", "--quiet"});
  EXPECT_EQ(o.exit_code, 4) << o.err;
  EXPECT_NE(o.err.find("not solved"), std::string::npos) << o.err;
  EXPECT_NE(o.err.find("residual"), std::string::npos) << o.err;
  EXPECT_NE(o.err.find("integrated again"), std::string::npos) << o.err;  // what the conditions came to
  EXPECT_EQ(summary("r")["solution"]["status"], "failed");
}

TEST_F(SolveControl, BadProblemsExitWith3AndWriteNothing) {
  const std::pair<std::string, std::string> cases[] = {
      {ball("intervals = [8, 8]\n"), "optimize.controls"},
      {ball(good, "coulomb\"\nrestitution = 0.5\nfriction = 0.1\ntangent = [[\"1\"]] #"), "has no derivative"},
      {ball(good, "elastic"), "continuous"},
      {ball(good + "bounds = { w = [0, 1] }\n"), "optimize.bounds.w"},
      {ball(good + "bounds = { u = [1, 0] }\n"), "min is above max"},
      {ball(good + "bounds = { y = [2, 3] }\n"), "outside its bounds"},
      {ball(good + "times = [0.2, 0.3]\n"), "one for each impact"},
      {ball(good + "duration = -1\n"), "optimize.duration"},
      {ball(good + "free = [\"velocity.z\"]\n"), "optimize.free"},
      {ball(good + "refin = 1e-3\n"), "refine"},
      {ball(good + "final = \"u\"\n"), "optimize.final"},
      {ball(good + "path = [{ formula = \"y\" }]\n"), "min, max"},
      {ball("controls = [\"u\", \"y\"]\nintervals = 8\n"), "optimize.controls"},
      {ball(good) + "[shoot]\nunknowns = [{ name = \"velocity.y\" }]\nconditions = [\"y\"]\n", "one problem"},
      {ball("controls = [\"u\"]\nimpacts = [\"flor\"]\nintervals = 8\n"), "floor"},
      {ball("controls = [\"u\"]\nimpacts = [\"floor\"]\nintervals = [8]\n"), "expected 2 numbers"},
      {ball("controls = [\"u\"]\nintervals = 0\n"), "optimize.intervals"},
  };
  for (const auto& [text, expected] : cases) {
    file("ball.toml", text);
    const Outcome o = program({"solve", "ball.toml", "-o", "r"});
    EXPECT_EQ(o.exit_code, 3) << expected << "\n" << o.err;
    EXPECT_NE(o.err.find(expected), std::string::npos) << expected << "\n" << o.err;
    EXPECT_NE(o.err.find("ball.toml:"), std::string::npos) << o.err;
    EXPECT_FALSE(test::fs::exists(here() / "r")) << expected;
  }
}

// An iteration of a large problem is waited for.
TEST_F(SolveControl, InterruptedKeepsTheBestIterate) {
  std::string large = good;
  large.replace(large.find("[8, 8]"), 6, "[1500, 1500]");
  file("ball.toml", ball(large));
  const pid_t child = start({"solve", "ball.toml", "-o", "r"});
  while (test::text_of(here() / ".out").find("     0  ") == std::string::npos)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  kill(child, SIGINT);
  const Outcome o = wait(child);
  EXPECT_EQ(o.exit_code, 130) << o.err;
  EXPECT_NE(o.err.find("the best iterate is in"), std::string::npos) << o.err;
  EXPECT_EQ(summary("r")["solution"]["status"], "interrupted");
}

// Upside down for ten seconds: round-off grows by exp(√g 10) = 4e13, and the files are those of a motion that shows it.
TEST_F(SolveControl, AnUnstableMotionIsSaid) {
  std::string text = ball(
      "controls = [\"u\"]\nintervals = 100\nrunning = \"u^2/2\"\nduration = 10\nconditions = [\"y - 1\", "
      "\"y'\"]\n");
  text.replace(text.find("- 9.81*y"), 8, "+ 4.905*(y - 1)^2");
  text.replace(text.find("position = [1.0]"), 16, "position = [1.3]");
  file("ball.toml", text);
  const Outcome o = program({"solve", "ball.toml", "-o", "r", "--quiet"});
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_GT(summary("r")["solution"]["mismatch"].get<double>(), 1e-4);
  EXPECT_NE(o.err.find("unstable"), std::string::npos) << o.err;
}

// The best sequence is the one of one bounce: without any, the thrust carries the weight all the time.
TEST_F(SolveControl, SearchesTheSequence) {
  file("ball.toml", ball("controls = [\"u\"]\nimpacts = \"search\"\nmax_impacts = 2\nintervals = 8\nrunning = "
                         "\"u^2/2\"\nconditions = [\"y - 1\", \"y'\"]\n"));
  ASSERT_EQ(program({"solve", "ball.toml", "-o", "r"}).exit_code, 0);
  const nlohmann::json s = summary("r")["solution"];
  ASSERT_EQ(s["candidates"].size(), 3U);
  EXPECT_EQ(s["candidates"][0]["impacts"], "floor");
  EXPECT_EQ(s["candidates"][0]["cost"], s["cost"]);
}

}  // namespace
}  // namespace ricochet::solve_control_test
