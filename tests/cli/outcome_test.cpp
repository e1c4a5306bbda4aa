// How runs end that cannot go on: with results, a place, and the right exit code.

#include "cli/program.hpp"

namespace ricochet::outcome_test {
namespace {

using test::Outcome;

class EndOfARun : public test::Workplace {
 protected:
  test::fs::path scenario(const std::string& system, const std::string& position) const {
    return file("s.toml", "[initial]\nposition = [" + position +
                              "]\nvelocity = [3]\n[integrator]\nmethod = \"variational-collision\"\nstep = 0.1\n[run]\n"
                              "duration = 1\n[system]\ncoordinates = [\"x\"]\n" +
                              system);
  }
};

TEST_F(EndOfARun, AFailureBeforeTheFirstStepLeavesResultsAndAPlace) {
  scenario("lagrangian = \"x'^4\"", "0");  // no mass at rest, where the search for the velocity begins
  const Outcome o = program({"run", "s.toml", "-o", "r"});
  ASSERT_EQ(o.exit_code, 4) << o.err;
  EXPECT_NE(o.err.find("s.toml:1:1: failed: step 0, t = 0: the velocity could not be found"), std::string::npos)
      << o.err;
  EXPECT_EQ(summary("r")["status"], "failed");
  EXPECT_EQ(summary("r")["steps"], 0);
  EXPECT_TRUE(summary("r")["energy"]["initial"].is_null());
  EXPECT_TRUE(test::fs::exists(here() / "r/trajectory.h5"));
  EXPECT_FALSE(test::fs::exists(here() / "r/checkpoint.cbor"));
  EXPECT_EQ(program({"check", "s.toml"}).exit_code, 4);
  const Outcome resumed = program({"resume", "r"});
  EXPECT_EQ(resumed.exit_code, 3);
  EXPECT_NE(resumed.err.find("checkpoint.cbor is missing"), std::string::npos) << resumed.err;
}

TEST_F(EndOfARun, AnInfiniteStartNamesTheLine) {
  scenario("lagrangian = \"x'^2/2\"\n[[system.contact]]\nname = \"floor\"\ngap = \"1e300*x\"\n", "1e10");
  const Outcome o = program({"run", "s.toml", "-o", "r"});
  EXPECT_EQ(o.exit_code, 3);
  EXPECT_NE(o.err.find("s.toml:2:12: initial.position: the gap of the start is infinite"), std::string::npos) << o.err;
  EXPECT_FALSE(test::fs::exists(here() / "r"));
}

TEST_F(EndOfARun, AnEmptyArchiveIsBadInput) {
  test::fs::create_directory(here() / "r");
  file("r/trajectory.h5", "");
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"report", "r"}, {"export", "r", "--csv"}, {"plot", "r"}}) {
    const Outcome o = program(words);
    EXPECT_EQ(o.exit_code, 3) << o.err;
    EXPECT_NE(o.err.find("r/trajectory.h5: "), std::string::npos) << o.err;
  }
}

TEST_F(EndOfARun, ADeletedCheckpointIsNotAnsweredByResume) {
  const pid_t child =
      start({"run", "kepler", "--quiet", "--set", "run.duration=2e5", "--set", "output.every=0", "-o", "r"});
  while (!test::fs::exists(here() / "r/checkpoint.cbor")) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  kill(child, SIGINT);
  ASSERT_EQ(wait(child).exit_code, 130);
  test::fs::remove(here() / "r/checkpoint.cbor");
  const Outcome o = program({"resume", "r"});
  EXPECT_EQ(o.exit_code, 3);
  EXPECT_NE(o.err.find("run it again"), std::string::npos) << o.err;
  EXPECT_EQ(o.err.find("ricochet resume"), std::string::npos) << o.err;
}

TEST_F(EndOfARun, WholeNumbersGoTo2To53) {
  const std::vector<std::string> run{"run", "bouncing-particle", "--quiet", "-o", "r", "--set", "run.duration=0.1"};
  for (const std::string key : {"output.every", "run.impacts", "output.impacts", "contact.rest.max_impacts_per_step"}) {
    std::vector<std::string> words = run;
    words.insert(words.end(), {"--set", key + "=9007199254740992"});
    EXPECT_EQ(program(words).exit_code, 0) << key;
    words.back() = key + "=9007199254740993";
    const Outcome o = program(words);
    EXPECT_EQ(o.exit_code, 3) << key;
    EXPECT_NE(o.err.find("from -2^53 to 2^53"), std::string::npos) << o.err;
    EXPECT_NE(o.err.find("got 9007199254740993"), std::string::npos) << o.err;
  }
}

TEST_F(EndOfARun, StoredImpactsAreLimitedAndItIsSaid) {
  const std::vector<std::string> words{"run", "bouncing-particle", "-o", "r", "--set", "run.impacts=20", "--set"};
  const auto stored = [&](const std::string& value) {
    std::vector<std::string> run = words;
    run.push_back("output.impacts=" + value);
    const Outcome o = program(run);
    EXPECT_EQ(o.exit_code, 0) << o.err;
    EXPECT_EQ(summary("r")["impacts"], 20);
    EXPECT_EQ(o.err.find("of 20 lines of the ledger are stored") != std::string::npos,
              summary("r")["impacts_stored"] < 20)
        << o.err;
    const std::string ledger = test::text_of(here() / "r/ledger.csv");
    EXPECT_EQ(std::count(ledger.begin(), ledger.end(), '\n'), 1 + summary("r")["impacts_stored"].get<int>());
    return summary("r")["impacts_stored"].get<int>();
  };
  EXPECT_EQ(stored("false"), 0);
  EXPECT_EQ(stored("7"), 7);
  EXPECT_EQ(stored("true"), 20);
}

}  // namespace
}  // namespace ricochet::outcome_test
