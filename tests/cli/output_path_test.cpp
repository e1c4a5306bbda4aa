// Results go where they were sent, and nowhere else.

#include "cli/program.hpp"

namespace ricochet::output_path_test {
namespace {

using test::Outcome;
using OutputPath = test::Workplace;

TEST_F(OutputPath, AScenarioWithoutANameStaysInside) {
  const std::string text = test::text_of(RICOCHET_SOURCE_DIR "/scenarios/pendulum.toml");
  test::fs::create_directory(here() / "inside");
  file("inside/...toml", text);
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"run", "inside/...toml"},
                                             {"audit", "inside/...toml"},
                                             {"compare", "inside/...toml", "--methods", "variational"}}) {
    const Outcome o = program(words);
    EXPECT_EQ(o.exit_code, 2) << o.err;
    EXPECT_NE(o.err.find("-o"), std::string::npos) << o.err;
  }
  EXPECT_FALSE(test::fs::exists(here() / "summary.json"));
  EXPECT_FALSE(test::fs::exists(here() / "runs"));
  EXPECT_EQ(program({"run", "inside/...toml", "-o", "r", "--quiet", "--set", "run.duration=1"}).exit_code, 0);
}

TEST_F(OutputPath, AScenarioIsNotOverwritten) {
  const std::string text = test::text_of(RICOCHET_SOURCE_DIR "/scenarios/pendulum.toml");
  test::fs::create_directory(here() / "r");
  file("r/ledger.csv", text);
  EXPECT_EQ(program({"run", "r/ledger.csv", "-o", "r"}).exit_code, 2);
  EXPECT_EQ(test::text_of(here() / "r/ledger.csv"), text);
}

TEST_F(OutputPath, PlantedLinksAreNotFollowed) {
  file("precious", "precious");
  test::fs::create_directory(here() / "r");
  for (const char* name :
       {"report.html.tmp", "trajectory.h5.tmp", "report.html", "summary.json", "checkpoint.cbor.tmp"})
    test::fs::create_symlink(here() / "precious", here() / "r" / name);
  const Outcome o = program({"run", "pendulum", "-o", "r", "--quiet", "--set", "run.duration=1"});
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_EQ(test::text_of(here() / "precious"), "precious");
  EXPECT_EQ(summary("r")["status"], "completed");
}

}  // namespace
}  // namespace ricochet::output_path_test
