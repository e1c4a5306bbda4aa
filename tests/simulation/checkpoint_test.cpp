// Stopped, failed and killed runs go on with the same bits.

#include "ricochet/simulation/checkpoint.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <random>

#include "ricochet/simulation/archive.hpp"
#include "ricochet/simulation/ledger_fields.hpp"
#include "ricochet/simulation/record_fields.hpp"
#include "toy_stepper.hpp"

namespace ricochet::checkpoint_test {
namespace {

namespace fs = std::filesystem;

void expect_equal_results(const fs::path& a, const fs::path& b) {
  EXPECT_EQ(text_of(a / "ledger.csv"), text_of(b / "ledger.csv"));
  auto one = nlohmann::json::parse(text_of(a / "summary.json")),
       two = nlohmann::json::parse(text_of(b / "summary.json"));
  one.erase("wall_seconds");
  two.erase("wall_seconds");
  EXPECT_EQ(one, two);
  const ArchiveReader x(a / "trajectory.h5"), y(b / "trajectory.h5");
  ASSERT_EQ(x.sizes().rows, y.sizes().rows);
  ASSERT_EQ(x.sizes().impacts, y.sizes().impacts);
  EXPECT_EQ(x.header().state_hash, y.header().state_hash);
  EXPECT_EQ(x.read_integers("step", 0, x.sizes().rows), y.read_integers("step", 0, y.sizes().rows));
  for (const RecordField& f : record_fields())
    EXPECT_EQ(x.read(f.dataset, 0, x.sizes().rows), y.read(f.dataset, 0, x.sizes().rows)) << f.dataset;
  for (const LedgerField& f : ledger_fields()) {
    if (!f.dataset || !f.exists(x.header().labels)) continue;
    const std::string name = fmt::format("impacts/{}", f.dataset);
    const std::int64_t rows = x.sizes().impacts;
    if (std::holds_alternative<LedgerField::Integer>(f.value) ||
        std::holds_alternative<LedgerField::LawOfContacts>(f.value)) {
      EXPECT_EQ(x.read_integers(name, 0, rows), y.read_integers(name, 0, rows)) << name;
    } else {
      EXPECT_EQ(x.read(name, 0, rows), y.read(name, 0, rows)) << name;
    }
  }
  for (const auto& entry : fs::directory_iterator(a)) {
    EXPECT_NE(entry.path().extension(), ".partial") << entry.path();
    EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
    EXPECT_NE(entry.path().extension(), ".cbor") << entry.path();
  }
}

RunSettings long_settings() {
  RunSettings s = toy_settings(1e-3, 400);
  s.duration += 0.0004;  // a shortened last step
  s.every = 13;          // so that the last step is no multiple
  return s;
}

MakeStepper maker(const RunSettings& settings) {
  return [settings](const RunDescription& about) -> std::pair<std::unique_ptr<Stepper>, RunSettings> {
    EXPECT_EQ(about.scenario_text, toy_description().scenario_text);
    return {std::make_unique<ToyStepper>(), settings};
  };
}

TEST(Checkpoint, EveryBitComesBack) {
  const TemporaryDirectory d;
  Checkpoint c;
  c.about = toy_description();
  c.settings = {0.1, 0.2, -1, 7, 3, false};
  c.step = std::int64_t{1} << 60;
  c.impacts = 5;
  c.recorded_step = -1;
  const std::uint64_t odd_bits = 0x7ff0000000000123;  // a signalling NaN: bits, not a number
  double odd;
  std::memcpy(&odd, &odd_bits, sizeof odd);
  c.stepper = {0.1, -0.0, 5e-324, odd};
  c.statistics = {};
  c.archive = {11, 12};
  c.ledger_bytes = 13;
  c.wall_seconds = 0.25;
  write_checkpoint(d.path / "c", c);
  const Checkpoint r = read_checkpoint(d.path / "c");
  EXPECT_EQ(r.about.scenario_text, c.about.scenario_text);
  EXPECT_EQ(r.about.overrides, c.about.overrides);
  EXPECT_EQ(r.settings.step, 0.2);
  EXPECT_EQ(r.settings.every, 3);
  EXPECT_FALSE(r.settings.ledger);
  EXPECT_EQ(r.step, c.step);
  EXPECT_EQ(r.recorded_step, -1);
  ASSERT_EQ(r.stepper.size(), c.stepper.size());
  EXPECT_EQ(std::memcmp(r.stepper.data(), c.stepper.data(), 4 * sizeof(double)), 0);
  EXPECT_TRUE(r.statistics.empty());
  EXPECT_EQ(r.archive.impacts, 12);
  EXPECT_EQ(r.ledger_bytes, 13);
}

TEST(Checkpoint, DamageIsAnInputError) {
  const TemporaryDirectory d;
  EXPECT_THROW(read_checkpoint(d.path / "none"), InputError);
  std::ofstream(d.path / "bad") << "not CBOR at all";
  EXPECT_THROW(read_checkpoint(d.path / "bad"), InputError);
}

TEST(Resume, InterruptedRunsEndWithTheSameBits) {
  const TemporaryDirectory d;
  const RunSettings settings = long_settings();
  ToyStepper whole;
  run(whole, settings, toy_description(), d.path / "whole");
  // Stopped again and again, at steps that are no multiple of `every`: the stepper pulls the stop flag itself.
  struct Stopping : ToyStepper {
    std::atomic<bool> stop{false};
    int left = 0;
    void advance(double t0, double h) override {
      ToyStepper::advance(t0, h);
      if (--left == 0) stop = true;
    }
  };
  Stopping first;
  first.left = 123457;
  RunControl control;
  control.stop = &first.stop;
  Summary s = run(first, settings, toy_description(), d.path / "parts", control);
  EXPECT_EQ(s.steps, 123457);
  for (int parts = 0; s.status == "interrupted"; ++parts) {
    ASSERT_LT(parts, 10);
    EXPECT_EQ(s.exit_code, 130);
    RunControl again;
    s = resume(
        d.path / "parts",
        [&](const RunDescription&) -> std::pair<std::unique_ptr<Stepper>, RunSettings> {
          auto next = std::make_unique<Stopping>();
          next->left = 100003;
          again.stop = &next->stop;
          return {std::move(next), settings};
        },
        again);
  }
  EXPECT_EQ(s.status, "completed");
  expect_equal_results(d.path / "parts", d.path / "whole");
}

TEST(Resume, CompletedRunGivesItsSummaryAgain) {
  const TemporaryDirectory d;
  ToyStepper stepper;
  const Summary s = run(stepper, toy_settings(0.1, 2), toy_description(), d.path);
  const Summary again = resume(d.path, [](const RunDescription&) -> std::pair<std::unique_ptr<Stepper>, RunSettings> {
    ADD_FAILURE() << "nothing is left to do";
    return {};
  });
  EXPECT_EQ(again.status, "completed");
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_EQ(again.state_hash, s.state_hash);
  EXPECT_EQ(again.description.scenario_text, s.description.scenario_text);
}

TEST(Resume, FailedRunGoesOnWhenTheCauseIsGone) {
  const TemporaryDirectory d;
  const RunSettings settings = toy_settings(0.01, 20);
  ToyStepper whole, failing;
  run(whole, settings, toy_description(), d.path / "whole");
  failing.fail_at = 9.995;
  EXPECT_EQ(run(failing, settings, toy_description(), d.path / "failed").exit_code, 4);
  EXPECT_EQ(resume(d.path / "failed", maker(settings)).exit_code, 0);
  expect_equal_results(d.path / "failed", d.path / "whole");
}

TEST(Resume, SaysWhyItCannot) {
  const TemporaryDirectory d;
  EXPECT_THROW(resume(d.path / "none", maker({})), InputError);
  EXPECT_THROW(resume(d.path, maker({})), InputError);
  ToyStepper failing;
  failing.fail_at = 1;
  run(failing, toy_settings(0.01, 20), toy_description(), d.path);
  EXPECT_THROW(resume(d.path, maker(toy_settings(0.02, 20))), InputError) << "another step";
}

// 20 runs killed at random moments, some of them in a directory with earlier results, some twice. Kills that come
// before the first checkpoint or after the end do not count.
TEST(Resume, KilledRunsAreReadableAndEndWithTheSameBits) {
  const TemporaryDirectory d;
  RunSettings settings = long_settings();
  settings.duration *= 2;
  RunControl control;
  control.flush_seconds = 0.004;
  ToyStepper whole;
  const Summary reference = run(whole, settings, toy_description(), d.path / "whole", control);
  fs::create_directory(d.path / "killed");
  int really_killed = 0;
  for (unsigned seed = 0; really_killed < 20; ++seed) {
    ASSERT_LT(seed, 200u) << "most kills must hit a running child for the test to mean something";
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> moment(0, reference.wall_seconds);
    const fs::path at = d.path / ("run" + std::to_string(seed));
    const bool earlier = seed % 3 == 0;
    if (earlier) {
      ToyStepper other;
      run(other, toy_settings(0.1, 1), {}, at);
    }
    const std::string before = text_of(at / "summary.json");
    const auto killed_child = [&](bool fresh) {
      const pid_t child = fork();
      if (child == 0) {
        try {
          ToyStepper stepper;
          if (fresh)
            run(stepper, settings, toy_description(), at, control);
          else
            resume(at, maker(settings), control);
        } catch (...) {
          _exit(1);
        }
        _exit(0);
      }
      usleep(static_cast<useconds_t>(1e6 * moment(random)));
      kill(child, SIGKILL);
      int status = 0;
      waitpid(child, &status, 0);
      EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0) << "the child itself failed";
      return WIFSIGNALED(status);
    };
    const fs::path checkpoint = at / (earlier ? "checkpoint.cbor.partial" : "checkpoint.cbor");
    bool killed = killed_child(true);
    if (seed % 4 == 1 && fs::exists(checkpoint)) killed = killed_child(false);
    const bool complete = text_of(at / "summary.json") != before;
    if (!complete && !fs::exists(checkpoint)) continue;  // killed before there was anything to resume
    const fs::path partial = at / "trajectory.h5.partial";
    const fs::path archive = fs::exists(partial) ? partial : at / "trajectory.h5";
    if (killed) {
      ++really_killed;
      const ArchiveReader r(archive), all(d.path / "whole" / "trajectory.h5");
      EXPECT_EQ(r.read("q", 0, r.sizes().rows), all.read("q", 0, r.sizes().rows)) << "seed " << seed;
      fs::copy_file(archive, d.path / "killed" / (std::to_string(seed) + ".h5"));
    }
    EXPECT_EQ(resume(at, maker(settings), control).exit_code, 0);
    expect_equal_results(at, d.path / "whole");
  }
  // What anyone's h5py sees.
  std::ofstream(d.path / "read.py")
      << "import h5py, glob, sys\n"
         "files = glob.glob(sys.argv[1] + '/*.h5')\n"
         "for name in files:\n"
         "    f = h5py.File(name, 'r', swmr=True)\n"
         "    n = min(len(f[k]) for k in ('t', 'q', 'v', 'p', 'energy', 'momenta', 'gaps'))\n"
         "    assert n >= 1 and abs(f['q'][:n]).max() < 2 and f.attrs['format'] == 1\n"
         "    f['impacts/lambda'][:]\n"
         "sys.exit(0 if files else 2)\n";
  const std::string python = "/usr/bin/python3 -c 'import h5py' 2>/dev/null";
  if (std::system(python.c_str()) == 0) {
    const std::string read = "/usr/bin/python3 " + (d.path / "read.py").string() + " " + (d.path / "killed").string();
    EXPECT_EQ(std::system(read.c_str()), 0);
  }
}

}  // namespace
}  // namespace ricochet::checkpoint_test
