// The contract of the command line, through the built program.

#include "cli/program.hpp"

namespace ricochet::cli_test {
namespace {

using test::Outcome;
using Cli = test::Workplace;

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(Cli, RunWritesItsFilesAndATable) {
  const Outcome o = program({"run", "pendulum"});
  EXPECT_EQ(o.exit_code, 0) << o.err;
  for (const char* word : {"steps", "10000", "time", "energy", "relative range", "wall time", "runs/pendulum"})
    EXPECT_TRUE(says(o.out, word)) << word << "\n" << o.out;
  EXPECT_EQ(o.err, "");  // no progress bar: this is no terminal
  EXPECT_TRUE(test::fs::exists(here() / "runs/pendulum/trajectory.h5"));
  EXPECT_EQ(summary("runs/pendulum")["status"], "completed");
}

TEST_F(Cli, MomentaAreInTheTable) { EXPECT_TRUE(says(program({"run", "kepler"}).out, "angular momentum  0.8")); }

TEST_F(Cli, SetReachesKeysAndJsonIsTheSummary) {
  const Outcome o = program({"run", "pendulum", "--json", "-o", "out", "--set", "integrator.step=0.02", "--set",
                             "initial.position=[0.5]", "--set", "system.parameters.m=2*1"});
  ASSERT_EQ(o.exit_code, 0) << o.err;
  const auto printed = nlohmann::json::parse(o.out);
  EXPECT_EQ(printed["step"], 0.02);
  EXPECT_EQ(printed["steps"], 5000);
  EXPECT_EQ(printed["state_hash"], summary("out")["state_hash"]);
}

TEST_F(Cli, QuietIsSilent) {
  const Outcome o = program({"run", "pendulum", "--quiet"});
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.out + o.err, "");
}

TEST_F(Cli, HelpAndVersion) {
  EXPECT_EQ(program({"--version"}).exit_code, 0);
  EXPECT_TRUE(says(program({"--version"}).out, "ricochet "));
  for (const char* verb : {"run", "check", "list", "methods", "export", "resume"}) {
    EXPECT_TRUE(says(program({"--help"}).out, verb));
    EXPECT_EQ(program({verb, "--help"}).exit_code, 0);
  }
}

TEST_F(Cli, MisspellingsSuggest) {
  struct Case {
    std::vector<std::string> arguments;
    int exit_code;
    std::string suggestion;
  };
  const Case cases[]{
      {{"rnu", "pendulum"}, 2, "did you mean run?"},
      {{"run", "pendulum", "--jsno"}, 2, "did you mean --json?"},
      {{"--vresion"}, 2, "did you mean --version?"},
      {{"methods", "varitional"}, 2, "did you mean variational?"},
      {{"run", "pendulm"}, 3, "did you mean pendulum?"},
      {{"run", "pendulum", "--set", "integrator.stpe=1"}, 3, "did you mean \"step\"?"},
      {{"run", "pendulum", "--set", "integrator.method=varational"}, 3, "did you mean \"variational\"?"}};
  for (const Case& c : cases) {
    const Outcome o = program(c.arguments);
    EXPECT_EQ(o.exit_code, c.exit_code) << o.err;
    EXPECT_TRUE(says(o.err, c.suggestion)) << o.err;
  }
}

TEST_F(Cli, UsageErrors) {
  const std::vector<std::vector<std::string>> all{{},
                                                  {"run"},
                                                  {"run", "pendulum", "--set", "nothing"},
                                                  {"export", "x"},
                                                  {"export", "x", "--csv", "--vtk"},
                                                  {"list", "extra"}};
  for (const auto& arguments : all) {
    const Outcome o = program(arguments);
    EXPECT_EQ(o.exit_code, 2) << o.err;
    EXPECT_NE(o.err, "");
  }
}

TEST_F(Cli, ListAndMethodsSayWhatThereIs) {
  const Outcome list = program({"list"});
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_TRUE(says(list.out, "pendulum") && says(list.out, "Kepler orbit"));
  EXPECT_TRUE(says(program({"methods"}).out, "variational"));
  const Outcome galerkin = program({"methods", "galerkin"});
  EXPECT_EQ(galerkin.exit_code, 0);
  EXPECT_TRUE(says(galerkin.out, "degree") && says(galerkin.out, "default 2"));
}

TEST_F(Cli, CheckPassesTheGalleryAndWritesNothing) {
  const Outcome o = program({"check"});
  EXPECT_EQ(o.exit_code, 0) << o.out;
  EXPECT_TRUE(says(o.out, "pass  pendulum"));
  EXPECT_FALSE(test::fs::exists(here() / "runs"));
}

TEST_F(Cli, CheckNamesFailedExpectations) {
  const Outcome o = program({"check", "pendulum", "kepler", "--set", "expect.steps={ max = 7 }"});
  EXPECT_EQ(o.exit_code, 5);
  EXPECT_TRUE(says(o.out, "FAIL  pendulum") && says(o.out, "steps: wanted at most 7, got 10000")) << o.out;
  EXPECT_TRUE(says(o.out, "FAIL  kepler")) << o.out;
  std::string wrong = test::text_of(RICOCHET_SOURCE_DIR "/scenarios/pendulum.toml");
  const std::size_t at = wrong.find("= 10000");
  ASSERT_NE(at, std::string::npos);
  wrong.replace(at, 7, "= 10001");
  const auto line = 1 + std::count(wrong.begin(), wrong.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  file("wrong.toml", wrong);
  const Outcome located = program({"check", "wrong.toml"});
  EXPECT_EQ(located.exit_code, 5);
  EXPECT_TRUE(says(located.out, "wrong.toml:" + std::to_string(line) + ": steps: wanted 10001, got 10000"))
      << located.out;
}

TEST_F(Cli, CheckGoesOnAfterABadScenario) {
  file("bad.toml", "title = 3\n");
  const Outcome o = program({"check", "bad.toml", "pendulum"});
  EXPECT_EQ(o.exit_code, 3);
  EXPECT_TRUE(says(o.out, "bad.toml:1:9: title") && says(o.out, "pass  pendulum")) << o.out;
}

// A step of several swings: Newton's method finds no solution sooner or later.
TEST_F(Cli, AFailedSolveKeepsTheResultsAndExits4) {
  const Outcome o =
      program({"run", "double-pendulum", "-o", "out", "--set", "integrator.step=5", "--set", "run.duration=5000"});
  EXPECT_EQ(o.exit_code, 4) << o.out;
  EXPECT_TRUE(says(o.err, "failed: step") && says(o.err, "residual") && says(o.err, "results so far are in out"))
      << o.err;
  EXPECT_EQ(summary("out")["status"], "failed");
  EXPECT_TRUE(test::fs::exists(here() / "out/trajectory.h5"));
}

TEST_F(Cli, GalleryByEnvironment) {
  file("mine.toml", test::text_of(RICOCHET_SOURCE_DIR "/scenarios/pendulum.toml"));
  setenv("RICOCHET_SCENARIOS", here().c_str(), 1);
  const Outcome list = program({"list"}), run = program({"run", "mine", "--quiet"});
  unsetenv("RICOCHET_SCENARIOS");
  EXPECT_EQ(list.out, "  mine  Pendulum swinging high\n");
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

}  // namespace
}  // namespace ricochet::cli_test
