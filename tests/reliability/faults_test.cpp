// Every change of a file fails once, in every way, as SQLite tests itself: each verb then says so with exit code 1 or
// goes on as if nothing had been; earlier results are intact, nothing temporary is left, and when the disk works again
// the run gives the same bits.

#include "../simulation/toy_stepper.hpp"
#include "cli/program.hpp"
#include "ricochet/simulation/archive.hpp"

namespace ricochet::faults_test {
namespace {

namespace fs = std::filesystem;
using test::Outcome;

struct Case {
  std::string name;
  std::vector<std::string> run;  // a short run
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

const Case cases[] = {
    {"Smooth", {"run", "pendulum", "--quiet", "--set", "run.duration=0.2"}},
    {"Colliding", {"run", "bouncing-particle", "--quiet", "--set", "run.impacts=2"}},
    {"Constrained", {"run", "newtons-cradle", "--quiet", "--set", "run.duration=0.1"}},
};

bool is_long() { return std::getenv("RICOCHET_LONG") != nullptr; }

// All reasons for each n behind --long; else a full disk for each, and the others by turns.
std::vector<std::string> reasons(long n) {
  const std::vector<std::string> others{"large", "broken", "interrupted", "short"};
  if (!is_long()) return {"full", others[static_cast<std::size_t>(n) % others.size()]};
  std::vector<std::string> all = others;
  all.emplace_back("full");
  return all;
}
bool is_error(const std::string& reason) { return reason != "interrupted" && reason != "short"; }

class Faults : public test::Workplace, public testing::WithParamInterface<Case> {
 protected:
  Faults() : Workplace(memory_directory()) {}

  Outcome with_fault(long n, const std::string& reason, const std::vector<std::string>& arguments) const {
    return wait(start(arguments, {{"LD_PRELOAD", RICOCHET_FAULTS},
                                  {"ASAN_OPTIONS", "verify_asan_link_order=0:detect_leaks=0"},
                                  {"RICOCHET_FAULT", std::to_string(n) + " " + reason},
                                  {"RICOCHET_FAULT_COUNT", (here() / "count").string()}}));
  }
  long count(const std::vector<std::string>& arguments) const {
    EXPECT_EQ(with_fault(0, "none", arguments).exit_code, 0);
    return std::stol(test::text_of(here() / "count"));
  }

  std::vector<std::string> run_into(const std::string& directory, const std::string& more = "") const {
    std::vector<std::string> words = GetParam().run;
    words.insert(words.end(), {"-o", directory});
    if (!more.empty()) words.insert(words.end(), {"--set", more});
    return words;
  }

  static std::string bytes_of_results(const fs::path& directory) {
    std::string all;
    for (const char* name : {"trajectory.h5", "ledger.csv", "summary.json"}) all += test::text_of(directory / name);
    return all;
  }

  void expect_nothing_temporary(const fs::path& directory) const {
    if (!fs::exists(directory)) return;
    for (const auto& entry : fs::directory_iterator(directory))
      EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
  }

  void expect_same_results(const fs::path& a, const fs::path& b) const {
    for (const auto& entry : fs::directory_iterator(a)) {
      EXPECT_NE(entry.path().extension(), ".partial") << entry.path();
      EXPECT_NE(entry.path().extension(), ".cbor") << entry.path();
    }
    auto one = nlohmann::json::parse(test::text_of(a / "summary.json")),
         two = nlohmann::json::parse(test::text_of(b / "summary.json"));
    one.erase("wall_seconds"), two.erase("wall_seconds");
    EXPECT_EQ(one, two);
    EXPECT_EQ(test::text_of(a / "ledger.csv"), test::text_of(b / "ledger.csv"));
    const ArchiveReader x(a / "trajectory.h5"), y(b / "trajectory.h5");
    ASSERT_EQ(x.sizes().rows, y.sizes().rows);
    ASSERT_EQ(x.sizes().impacts, y.sizes().impacts);
    EXPECT_EQ(x.read_integers("check", 0, x.sizes().rows), y.read_integers("check", 0, y.sizes().rows));
    EXPECT_EQ(x.read_integers("impacts/check", 0, x.sizes().impacts),
              y.read_integers("impacts/check", 0, y.sizes().impacts));
  }

  void expect_told(const Outcome& o, const std::string& reason) const {
    if (!is_error(reason)) {
      EXPECT_EQ(o.exit_code, 0) << o.err;
      return;
    }
    EXPECT_EQ(o.exit_code, 1) << o.err;
    const char* text = reason == "full"    ? "No space left on device"
                       : reason == "large" ? "File too large"
                                           : "Input/output error";
    EXPECT_NE(o.err.find(text), std::string::npos) << o.err;
    EXPECT_NE(o.err.find("cannot be "), std::string::npos) << o.err;
  }

  // The disk works again: a run that left a checkpoint is resumed, another one begun again.
  void expect_to_go_on(const std::string& directory, const std::vector<std::string>& again) const {
    const bool resumable = fs::exists(here() / directory / "checkpoint.cbor") ||
                           fs::exists(here() / directory / "checkpoint.cbor.partial");
    const Outcome o = program(resumable ? std::vector<std::string>{"resume", directory, "--quiet"} : again);
    EXPECT_EQ(o.exit_code, 0) << o.err;
    expect_same_results(here() / directory, here() / "whole");
  }
};

TEST_P(Faults, Run) {
  ASSERT_EQ(program(run_into("whole")).exit_code, 0);
  ASSERT_EQ(program(run_into("earlier", "integrator.step=0.002")).exit_code, 0);
  const std::string earlier = bytes_of_results(here() / "earlier");
  fs::copy(here() / "earlier", here() / "counted");
  const long changes = count(run_into("counted")), changes_of_new = count(run_into("new"));
  EXPECT_GT(changes_of_new, 50);
  for (long n = 1; n <= changes; ++n) {
    for (const std::string& reason : reasons(n)) {
      SCOPED_TRACE(testing::Message() << "change " << n << " of " << changes << ": " << reason);
      fs::remove_all(here() / "a");
      const bool over = n % 3 != 0 || n > changes_of_new;  // earlier results, or into a new directory
      if (over) fs::copy(here() / "earlier", here() / "a");
      const Outcome o = with_fault(n, reason, run_into("a"));
      expect_told(o, reason);
      expect_nothing_temporary(here() / "a");
      if (over && o.exit_code != 0 && fs::exists(here() / "a/trajectory.h5.partial")) {
        EXPECT_TRUE(bytes_of_results(here() / "a") == earlier) << "earlier results are not intact";
      }
      if (o.exit_code == 0)
        expect_same_results(here() / "a", here() / "whole");
      else
        expect_to_go_on("a", run_into("a"));
      if (HasFailure()) return;
    }
  }
}

// Killed within a write, of which the kernel has finished whole pages only.
TEST_P(Faults, KilledWithinAWrite) {
  ASSERT_EQ(program(run_into("whole")).exit_code, 0);
  const long changes = count(run_into("counted"));
  EXPECT_GT(changes, 50);
  int kills = 0;
  for (long n = 1; n <= changes; ++n) {
    SCOPED_TRACE(testing::Message() << "change " << n << " of " << changes);
    fs::remove_all(here() / "a");
    const Outcome o = with_fault(n, "torn", run_into("a"));
    kills += o.exit_code != 0;
    if (o.exit_code != 0) expect_to_go_on("a", run_into("a"));
    if (HasFailure()) return;
  }
  EXPECT_GT(kills, changes / 2);
}

TEST_P(Faults, Resume) {
  ASSERT_EQ(program(run_into("whole")).exit_code, 0);
  // A run that was stopped by a full disk near its end.
  const long all = count(run_into("counted"));
  long last = all;
  do {
    fs::remove_all(here() / "stopped");
    ASSERT_EQ(with_fault(last, "full", run_into("stopped")).exit_code, 1);
    last -= 5;
  } while (!fs::exists(here() / "stopped/checkpoint.cbor"));
  fs::copy(here() / "stopped", here() / "resumed");
  const long changes = count({"resume", "resumed", "--quiet"});
  EXPECT_GT(changes, 50);
  for (long n = 1; n <= changes; ++n) {
    for (const std::string& reason : reasons(n)) {
      SCOPED_TRACE(testing::Message() << "change " << n << " of " << changes << ": " << reason);
      fs::remove_all(here() / "a");
      fs::copy(here() / "stopped", here() / "a");
      const Outcome o = with_fault(n, reason, {"resume", "a", "--quiet"});
      expect_told(o, reason);
      expect_nothing_temporary(here() / "a");
      expect_to_go_on("a", {"resume", "a", "--quiet"});
      if (HasFailure()) return;
    }
  }
}

TEST_P(Faults, WhatIsMadeOfARun) {
  fs::create_directory(here() / "scenarios");  // a small gallery
  for (const char* name : {"pendulum.toml", "bouncing-particle.toml", "newtons-cradle.toml"})
    fs::copy_file(fs::path(RICOCHET_SOURCE_DIR) / "scenarios" / name, here() / "scenarios" / name);
  setenv("RICOCHET_SCENARIOS", (here() / "scenarios").c_str(), 1);
  ASSERT_EQ(program(run_into("whole")).exit_code, 0);
  const std::string results = bytes_of_results(here() / "whole");
  std::vector<std::vector<std::string>> verbs{
      {"export", "whole", "--csv", "-o", "made"}, {"export", "whole", "--vtk", "-o", "made"}, {"report", "whole"}};
  if (is_long())
    verbs.insert(verbs.end(),
                 {{"plot", "whole", "-o", "made.svg"},
                  {"audit", "pendulum", "--set", "run.duration=1", "-o", "made"},
                  {"compare", "pendulum", "--methods", "variational", "--set", "run.duration=1", "-o", "made"},
                  {"gallery", "-o", "made"}});
  for (const std::vector<std::string>& verb : verbs) {
    const fs::path made = verb[0] == "report" ? here() / "whole/report.html" : here() / verb.back();
    fs::remove_all(made);
    const long changes = count(verb);
    EXPECT_GT(changes, 3);
    for (long n = 1; n <= changes; ++n) {
      for (const std::string& reason : reasons(n)) {
        SCOPED_TRACE(testing::Message() << verb[0] << ", change " << n << " of " << changes << ": " << reason);
        fs::remove_all(made);
        const Outcome o = with_fault(n, reason, verb);
        expect_told(o, reason);
        expect_nothing_temporary(here());
        expect_nothing_temporary(here() / "whole");
        EXPECT_EQ(bytes_of_results(here() / "whole"), results);
        if (HasFailure()) return;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scenarios, Faults, testing::ValuesIn(cases), [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace ricochet::faults_test
