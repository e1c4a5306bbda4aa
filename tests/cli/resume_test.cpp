// Interrupted or killed, a resumed run ends with the same bits as one that was left alone.

#include <random>

#include "cli/program.hpp"

namespace ricochet::resume_test {
namespace {

using test::Outcome;

// Two million steps: most of a second, so that a signal within the first third finds the run going.
const std::vector<std::string> long_run{
    "run", "kepler", "--quiet", "--set", "run.duration=20000", "--set", "output.every=1000", "-o"};

class Resume : public test::Workplace {
 protected:
  std::vector<std::string> run_in(const std::string& directory) const {
    std::vector<std::string> words = long_run;
    words.push_back(directory);
    return words;
  }
  // Starts the run, waits until its checkpoint is there, sends a signal after some milliseconds.
  Outcome stop(const std::string& directory, int signal, int milliseconds) const {
    const pid_t child = start(run_in(directory));
    for (int k = 0; k < 2000 && !test::fs::exists(here() / directory / "checkpoint.cbor"); ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    kill(child, signal);
    return wait(child);
  }
};

TEST_F(Resume, AfterInterruptions) {
  ASSERT_EQ(program(run_in("whole")).exit_code, 0);
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string directory = "stopped" + std::to_string(signal);
    const Outcome stopped = stop(directory, signal, 20);
    ASSERT_EQ(stopped.exit_code, 130) << stopped.err;
    EXPECT_NE(stopped.err.find("ricochet resume " + directory), std::string::npos) << stopped.err;
    EXPECT_EQ(summary(directory)["status"], "interrupted");
    const Outcome resumed = program({"resume", directory});
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_EQ(summary(directory)["status"], "completed");
    EXPECT_EQ(summary(directory)["state_hash"], summary("whole")["state_hash"]);
    EXPECT_EQ(summary(directory)["energy"], summary("whole")["energy"]);
  }
}

TEST_F(Resume, AfterKills) {
  ASSERT_EQ(program(run_in("whole")).exit_code, 0);
  std::mt19937 random(7);
  int killed = 0;
  for (int k = 0; k < 6; ++k) {
    const std::string directory = "killed" + std::to_string(k);
    killed += stop(directory, SIGKILL, static_cast<int>(random() % 200)).exit_code == 128 + SIGKILL;
    const Outcome exported = program({"export", directory, "--csv"});
    EXPECT_EQ(exported.exit_code, 0) << exported.err;  // readable as it was left
    const Outcome resumed = program({"resume", directory, "--quiet"});
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_EQ(summary(directory)["state_hash"], summary("whole")["state_hash"]);
  }
  EXPECT_GE(killed, 3);  // the others had ended before
}

TEST_F(Resume, WhatWasNeverARunIsRefused) {
  test::fs::create_directory(here() / "empty");
  EXPECT_EQ(program({"resume", "empty"}).exit_code, 3);
}

}  // namespace
}  // namespace ricochet::resume_test
