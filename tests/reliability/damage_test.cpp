// Damaged results: each damage is recognised, with its place, or harmless, as everything read is the same as before.
// Nothing hangs and nothing crashes: damages are tried in child processes, with a limit of time that only a hang meets.

#include "damage.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../simulation/toy_stepper.hpp"
#include "cli/program.hpp"
#include "ricochet/simulation/archive.hpp"
#include "ricochet/simulation/ledger_reader.hpp"
#include "ricochet/simulation/summary.hpp"

namespace ricochet::damage_test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t damages = 2000, batch = 250;
constexpr unsigned hang = 300;  // seconds for a batch that takes one or two

RunSettings settings() { return toy_settings(0.01, 20); }
MakeStepper maker() {
  return [](const RunDescription&) -> std::pair<std::unique_ptr<Stepper>, RunSettings> {
    return {std::make_unique<ToyStepper>(), settings()};
  };
}

// All that can be read of a run, as text; a wall time is no result.
std::string everything(const fs::path& directory) {
  nlohmann::json summary = nlohmann::json::parse(read_summary_text(directory / "summary.json"));
  summary.erase("wall_seconds");
  const ArchiveReader archive(directory / "trajectory.h5");
  const ArchiveHeader& h = archive.header();
  std::string all = summary.dump() + h.about.title + h.about.method + h.about.scenario_text + h.state_hash + h.version;
  const auto add = [&](const auto& numbers) {
    all.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * 8);
  };
  const std::int64_t rows = archive.sizes().rows, impacts = archive.sizes().impacts;
  for (const char* name : {"t", "q", "v", "p", "energy", "momenta", "gaps", "scalars"})
    add(archive.read(name, 0, rows));
  for (const char* name : {"impacts/time", "impacts/lambda", "impacts/q", "impacts/v_after", "impacts/loss"})
    add(archive.read(name, 0, impacts));
  add(archive.read_integers("step", 0, rows));
  add(archive.read_integers("check", 0, rows));
  add(archive.read_integers("impacts/check", 0, impacts));
  read_ledger(directory / "ledger.csv", h.labels, -1, [&](const std::string& line) { all += line; });
  return all;
}

class Damage : public testing::Test {
 protected:
  // `read` gives what it read of the damaged directory `a`; `names` are the damaged file by turns.
  void try_damages(const std::string& name, const std::function<std::string(const fs::path&)>& read,
                   const std::string& original) {
    const std::string good = text_of(from / name);
    for (std::uint64_t first = 0; first < damages; first += batch) {
      const pid_t child = fork();
      if (child == 0) {
        alarm(hang);
        _exit(batch_fails(name, good, first, read, original) ? 1 : 0);
      }
      int status = 0;
      waitpid(child, &status, 0);
      ASSERT_TRUE(WIFEXITED(status)) << name << ": signal " << WTERMSIG(status) << " in damages from " << first;
      ASSERT_EQ(WEXITSTATUS(status), 0) << name;
      std::uint64_t recognised = 0;
      std::ifstream(directory.path / "recognised") >> recognised;
      total_ += recognised;
    }
    RecordProperty(name + " recognised", std::to_string(total_));
    EXPECT_GT(total_, damages / 4) << name;
  }

  bool batch_fails(const std::string& name, const std::string& good, std::uint64_t first,
                   const std::function<std::string(const fs::path&)>& read, const std::string& original) const {
    std::uint64_t recognised = 0;
    for (std::uint64_t seed = first; seed < first + batch; ++seed) {
      const fs::path at = directory.path / "a";
      fs::remove_all(at);
      fs::copy(from, at);
      std::ofstream(at / name, std::ios::binary) << test::damaged(good, seed);
      std::string found, error;
      try {
        found = read(at);
      } catch (const InputError& e) {
        error = e.what();
      } catch (const std::exception& e) {
        std::cerr << name << ", damage " << seed << ": not an InputError: " << e.what() << "\n";
        return true;
      }
      if (error.empty() ? found != original : error.find(name) == std::string::npos) {
        std::cerr << name << ", damage " << seed << ": " << (error.empty() ? "accepted other results" : error) << "\n";
        return true;
      }
      recognised += !error.empty();
    }
    std::ofstream(directory.path / "recognised") << recognised;
    return false;
  }

  TemporaryDirectory directory{memory_directory()};
  fs::path from = directory.path / "from";

 private:
  std::uint64_t total_ = 0;
};

class DamageOfACompletedRun : public Damage, public testing::WithParamInterface<const char*> {};
TEST_P(DamageOfACompletedRun, IsRecognisedOrHarmless) {
  ToyStepper stepper;
  run(stepper, settings(), toy_description(), from);
  const auto read = [](const fs::path& at) {
    resume(at, maker());  // looks at everything
    return everything(at);
  };
  try_damages(GetParam(), read, everything(from));
}
INSTANTIATE_TEST_SUITE_P(Files, DamageOfACompletedRun, testing::Values("trajectory.h5", "ledger.csv", "summary.json"));

class DamageOfAStoppedRun : public Damage, public testing::WithParamInterface<const char*> {};
TEST_P(DamageOfAStoppedRun, IsRefusedOrResumedToTheSameBits) {
  struct Stopping : ToyStepper {
    std::atomic<bool> stop{false};
    int left = 1500;
    void advance(double t0, double h) override {
      ToyStepper::advance(t0, h);
      if (--left == 0) stop = true;
    }
  };
  Stopping stepper;
  RunControl control;
  control.stop = &stepper.stop;
  ASSERT_EQ(run(stepper, settings(), toy_description(), from, control).status, "interrupted");
  ToyStepper whole;
  run(whole, settings(), toy_description(), directory.path / "whole");
  try_damages(
      GetParam(),
      [](const fs::path& at) {
        resume(at, maker());
        return everything(at);
      },
      everything(directory.path / "whole"));
}
INSTANTIATE_TEST_SUITE_P(Files, DamageOfAStoppedRun, testing::Values("trajectory.h5", "ledger.csv", "checkpoint.cbor"));

// The same through the program: exit code 3 with the file named, or the same output as before.
class DamageAndVerbs : public test::Workplace {
 protected:
  DamageAndVerbs() : Workplace(memory_directory()) {}
};
TEST_F(DamageAndVerbs, EndWithAMessageOrTheSameOutput) {
  ASSERT_EQ(program({"run", "bouncing-particle", "-o", "good", "--quiet", "--set", "run.impacts=40"}).exit_code, 0);
  ASSERT_EQ(program({"export", "good", "--csv", "-o", "good.csv"}).exit_code, 0);
  ASSERT_EQ(program({"plot", "good", "-o", "good.svg"}).exit_code, 0);
  for (const std::string name : {"trajectory.h5", "summary.json", "ledger.csv"}) {
    const std::string good = test::text_of(here() / "good" / name);
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      SCOPED_TRACE(testing::Message() << name << ", damage " << seed);
      test::fs::remove_all(here() / "a");
      test::fs::copy(here() / "good", here() / "a");
      std::ofstream(here() / "a" / name, std::ios::binary) << test::damaged(good, seed);
      for (const std::vector<std::string>& verb :
           std::vector<std::vector<std::string>>{{"export", "a", "--csv", "-o", "a.csv"},
                                                 {"plot", "a", "-o", "a.svg"},
                                                 {"report", "a"},
                                                 {"resume", "a"}}) {
        // under the sanitizers, HDF5 leaks what it had of a damaged file
        const test::Outcome o = wait(start(verb, {{"ASAN_OPTIONS", "detect_leaks=0"}}));
        ASSERT_TRUE(o.exit_code == 0 || o.exit_code == 3) << verb[0] << " " << o.exit_code << o.err;
        if (o.exit_code == 3) {
          EXPECT_NE(o.err.find(name), std::string::npos) << o.err;
          continue;
        }
        const bool unread = verb[0] == "resume" || (verb[0] == "report" && name == "summary.json");  // has a wall time
        if (unread) continue;
        const auto [made, expected] = verb[0] == "export" ? std::pair("a.csv", "good.csv")
                                      : verb[0] == "plot" ? std::pair("a.svg", "good.svg")
                                                          : std::pair("a/report.html", "good/report.html");
        EXPECT_EQ(test::text_of(here() / made), test::text_of(here() / expected));
      }
    }
  }
}

}  // namespace
}  // namespace ricochet::damage_test
