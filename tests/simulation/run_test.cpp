#include "ricochet/simulation/run.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "ricochet/simulation/archive.hpp"
#include "ricochet/simulation/checkpoint.hpp"
#include "ricochet/simulation/ledger.hpp"
#include "ricochet/simulation/summary.hpp"
#include "toy_stepper.hpp"

namespace ricochet::run_test {
namespace {

namespace fs = std::filesystem;

std::vector<std::int64_t> recorded_steps(const fs::path& directory) {
  const ArchiveReader r(directory / "trajectory.h5");
  return r.read_integers("step", 0, r.sizes().rows);
}

TEST(Run, GivesTheStatesOfAPlainLoop) {
  ToyStepper a, b;
  const Summary s = run(a, toy_settings(0.01, 5), toy_description());
  for (int k = 0; k < 500; ++k) b.advance(k * 0.01, 0.01);
  Observables end;
  b.observe(end);
  EXPECT_EQ(s.position, end.q);
  EXPECT_EQ(s.momentum, end.p);
  EXPECT_EQ(s.steps, 500);
  EXPECT_EQ(s.time_end, 500 * 0.01);
  EXPECT_EQ(s.status, "completed");
  EXPECT_EQ(s.exit_code, 0);
  EXPECT_EQ(s.counters.at(0).count, s.impacts);
  EXPECT_GT(s.impacts, 0);
}

TEST(Run, LastStepIsShortenedToEndOnTheDuration) {
  ToyStepper stepper;
  stepper.keep_lengths = true;
  const Summary s = run(stepper, toy_settings(0.3, 1), {});
  EXPECT_EQ(s.time_end, 1.0);
  EXPECT_EQ(stepper.lengths, (std::vector<double>{0.3, 0.3, 0.3, 1.0 - 3 * 0.3}));
}

TEST(Run, RecordsEachKthStepAndAlwaysFirstAndLast) {
  const TemporaryDirectory d;
  for (const auto& [every, steps] : std::vector<std::pair<int, std::vector<std::int64_t>>>{
           {1, {0, 1, 2, 3, 4, 5, 6, 7}}, {3, {0, 3, 6, 7}}, {7, {0, 7}}, {0, {0, 7}}, {100, {0, 7}}}) {
    ToyStepper stepper;
    RunSettings settings = toy_settings(0.1, 0.7);
    settings.every = every;
    run(stepper, settings, {}, d.path);
    EXPECT_EQ(recorded_steps(d.path), steps) << "every = " << every;
  }
}

TEST(Run, EndsWithTheStepThatReachesTheImpacts) {
  const TemporaryDirectory d;
  ToyStepper stepper;
  RunSettings settings = toy_settings(0.01, -1);
  settings.impacts = 3;
  const Summary s = run(stepper, settings, {}, d.path);
  EXPECT_EQ(s.impacts, 3);
  const ArchiveReader r(d.path / "trajectory.h5");
  ASSERT_EQ(r.sizes().impacts, 3);
  EXPECT_EQ(r.read_integers("impacts/step", 2, 1).at(0), s.steps - 1);
  EXPECT_EQ(recorded_steps(d.path).back(), s.steps);
  // With both, the first reached ends the run.
  ToyStepper again;
  settings.duration = 0.05;
  EXPECT_EQ(run(again, settings, {}).steps, 5);
}

TEST(Run, WritesTheSameAsItReturns) {
  const TemporaryDirectory d;
  ToyStepper stepper;
  const Summary s = run(stepper, toy_settings(0.01, 5), toy_description(), d.path / "made" / "new");
  const fs::path at = d.path / "made" / "new";
  EXPECT_EQ(text_of(at / "summary.json"), summary_json(s));
  const ArchiveReader r(at / "trajectory.h5");
  EXPECT_EQ(r.header().state_hash, s.state_hash);
  EXPECT_EQ(r.read("q", 500, 1), s.position);
  const std::string ledger = text_of(at / "ledger.csv");
  EXPECT_EQ(std::count(ledger.begin(), ledger.end(), '\n'), 1 + s.impacts);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(at)) ++files;
  EXPECT_EQ(files, 3u) << "no checkpoint and no temporary file is left";
}

TEST(Run, EnergyIsOverRecordedPointsAndGapOverEveryStep) {
  // The oscillator of period 2π recorded twice a period has seen no wall; its gap has.
  ToyStepper stepper;
  RunSettings settings = toy_settings(0.01, 3);
  settings.every = 0;
  const Summary s = run(stepper, settings, {});
  EXPECT_LT(s.extremes.gap_min, 0);
  ToyStepper naive;
  double gap = naive.extremes().gap_min;
  for (int k = 0; k < 300; ++k) {
    naive.advance(k * 0.01, 0.01);
    gap = std::min(gap, naive.extremes().gap_min);
  }
  EXPECT_EQ(s.extremes.gap_min, gap);
  Observables end;
  naive.observe(end);
  EXPECT_EQ(s.energy.max - s.energy.min, std::abs(end.energy - s.energy.initial)) << "two points";
}

TEST(Run, FailureKeepsTheResultsSoFar) {
  const TemporaryDirectory d;
  ToyStepper stepper;
  stepper.fail_at = 0.35;
  const Summary s = run(stepper, toy_settings(0.1, 10), {}, d.path);
  EXPECT_EQ(s.status, "failed");
  EXPECT_EQ(s.exit_code, 4);
  EXPECT_EQ(s.steps, 4);
  for (const char* part : {"step 4", "t = 0.4", "Newton did not converge", "0.25", "50 iterations", "smaller step"})
    EXPECT_NE(s.message.find(part), std::string::npos) << part << " in: " << s.message;
  EXPECT_EQ(recorded_steps(d.path), (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(nlohmann::json::parse(text_of(d.path / "summary.json"))["status"], "failed");
}

TEST(Run, NotANumberIsAFailureAtItsStep) {
  // Not seen by gaps, and found long after when nothing is recorded: the last finite state is found again.
  for (const std::int64_t every : {1, 7, 0}) {
    const TemporaryDirectory d;
    ToyStepper stepper;
    stepper.break_at = 15.005;  // the step from 15.01 is the first that breaks
    RunSettings settings = toy_settings(0.01, 50);
    settings.every = every;
    const Summary s = run(stepper, settings, {}, d.path);
    EXPECT_EQ(s.exit_code, 4);
    EXPECT_EQ(s.steps, 1501);
    EXPECT_NE(s.message.find("step 1501"), std::string::npos) << s.message;
    EXPECT_NE(s.message.find("infinite or not a number; try a smaller step"), std::string::npos) << s.message;
    ToyStepper naive;
    for (int k = 0; k < 1501; ++k) naive.advance(k * 0.01, 0.01);
    Observables end;
    naive.observe(end);
    EXPECT_EQ(s.position, end.q);
    EXPECT_EQ(recorded_steps(d.path).back(), 1501);
    for (const char* file : {"summary.json", "ledger.csv"})
      EXPECT_EQ(text_of(d.path / file).find("nan"), std::string::npos);
  }
}

TEST(Run, StopFlagWritesACheckpoint) {
  const TemporaryDirectory d;
  ToyStepper stepper;
  std::atomic<bool> stop{true};
  RunControl control;
  control.stop = &stop;
  const Summary s = run(stepper, toy_settings(0.1, 10), {}, d.path, control);
  EXPECT_EQ(s.status, "interrupted");
  EXPECT_EQ(s.exit_code, 130);
  EXPECT_EQ(s.steps, 0);
  EXPECT_EQ(read_checkpoint(d.path / "checkpoint.cbor").step, 0);
  EXPECT_EQ(nlohmann::json::parse(text_of(d.path / "summary.json"))["exit_code"], 130);
}

TEST(Run, ProgressComesAFewTimesASecond) {
  ToyStepper stepper;
  RunSettings settings = toy_settings(1e-6, -1);
  settings.duration = 1e9;
  settings.every = 0;
  std::atomic<bool> stop{false};
  std::vector<double> fractions;
  RunControl control;
  control.stop = &stop;
  control.progress = [&](double fraction, std::int64_t, std::int64_t) {
    fractions.push_back(fraction);
    stop = fractions.size() == 3;
  };
  const Summary s = run(stepper, settings, {}, control);
  EXPECT_EQ(fractions.size(), 3u);
  EXPECT_GE(s.wall_seconds, 0.3);
  EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
}

TEST(Run, EarlierResultsStayUntilThereAreNewOnes) {
  const TemporaryDirectory d;
  ToyStepper first;
  run(first, toy_settings(0.1, 1), {}, d.path);
  const std::string before = text_of(d.path / "summary.json");
  ToyStepper second;
  RunSettings settings = toy_settings(1e-6, 1e9);
  settings.ledger = false;
  std::atomic<bool> stop{false};
  RunControl control;
  control.stop = &stop;
  control.progress = [&](double, std::int64_t, std::int64_t) {
    EXPECT_EQ(text_of(d.path / "summary.json"), before);
    EXPECT_TRUE(fs::exists(d.path / "trajectory.h5.partial"));
    EXPECT_EQ(ArchiveReader(d.path / "trajectory.h5").sizes().rows, 11);
    stop = true;
  };
  settings.every = 0;
  run(second, settings, {}, d.path, control);
  EXPECT_NE(text_of(d.path / "summary.json"), before);
  EXPECT_FALSE(fs::exists(d.path / "ledger.csv")) << "the old ledger does not belong to the new run";
  EXPECT_FALSE(fs::exists(d.path / "trajectory.h5.partial"));
  EXPECT_TRUE(fs::exists(d.path / "checkpoint.cbor"));
}

TEST(Run, LineWithoutImpulseIsNoImpact) {
  struct Resting : ToyStepper {
    std::vector<Impact> ends{Impact{}};
    std::span<const Impact> impacts() const override { return ends; }
  };
  const TemporaryDirectory d;
  Resting stepper;
  stepper.ends[0].contacts = {{0, 0.0}};
  stepper.ends[0].law = ImpactLaw::rest;
  EXPECT_EQ(run(stepper, toy_settings(0.1, 0.5), {}, d.path).impacts, 0);
  EXPECT_EQ(ArchiveReader(d.path / "trajectory.h5").sizes().impacts, 5);
}

TEST(Run, BrokenImpactIsAFailureThatNamesItsField) {
  struct Broken : ToyStepper {
    std::vector<Impact> none, bad{Impact{}};
    bool late = false;
    void advance(double t0, double h) override {
      ToyStepper::advance(t0, h);
      late = t0 > 0.35;
    }
    std::span<const Impact> impacts() const override { return late ? bad : none; }
  };
  const TemporaryDirectory d;
  Broken stepper;
  stepper.bad[0].obtained_restitution = std::nan("");
  const Summary s = run(stepper, toy_settings(0.1, 5), {}, d.path);
  EXPECT_EQ(s.exit_code, 4);
  EXPECT_EQ(s.steps, 4);
  EXPECT_NE(s.message.find("obtained_restitution of an impact became"), std::string::npos) << s.message;
  EXPECT_EQ(recorded_steps(d.path).back(), 4);
  EXPECT_EQ(text_of(d.path / "ledger.csv"), ledger_header(stepper.labels()) + ",check\n");
}

// A full disk, played by a limit on the size of files in a child process.
TEST(Run, FullDiskIsAClearErrorAndTheRunCanGoOn) {
  const TemporaryDirectory d;
  const RunSettings settings = toy_settings(1e-3, 200);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1 << 20, 1 << 20};
    setrlimit(RLIMIT_FSIZE, &limit);
    ToyStepper stepper;
    try {
      RunControl control;
      control.flush_seconds = 1e-3;
      run(stepper, settings, toy_description(), d.path, control);
    } catch (const std::runtime_error& e) {
      _exit(std::string(e.what()).find((d.path / "trajectory.h5").string() + ": cannot ") == 0 ? 7 : 8);
    }
    _exit(9);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  ASSERT_EQ(WEXITSTATUS(status), 7);
  const Summary s = resume(d.path, [&](const RunDescription&) -> std::pair<std::unique_ptr<Stepper>, RunSettings> {
    return {std::make_unique<ToyStepper>(), settings};
  });
  ToyStepper whole;
  EXPECT_EQ(s.state_hash, run(whole, settings, {}).state_hash);
}

TEST(Run, BadSettingsWriteNothing) {
  const TemporaryDirectory d;
  ToyStepper stepper;
  EXPECT_THROW(run(stepper, toy_settings(0, 1), {}, d.path / "new"), InputError);
  stepper.load(std::vector<double>{0, std::nan(""), 0, 0, 0, 0});
  EXPECT_THROW(run(stepper, toy_settings(0.1, 1), {}, d.path / "new"), InputError);
  EXPECT_FALSE(fs::exists(d.path / "new"));
}

TEST(Run, UnusableDirectoryIsNamed) {
  const TemporaryDirectory d;
  std::ofstream(d.path / "file") << "";
  for (const fs::path& bad : {d.path / "file", d.path / "file" / "inside"}) {
    ToyStepper stepper;
    try {
      run(stepper, toy_settings(0.1, 1), {}, bad);
      ADD_FAILURE();
    } catch (const InputError& e) {
      EXPECT_EQ(std::string(e.what()).find(bad.string() + ":"), 0u) << e.what();
    }
  }
}

}  // namespace
}  // namespace ricochet::run_test
