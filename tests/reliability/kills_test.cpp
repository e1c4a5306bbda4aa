// Runs killed at random moments, and again while they are resumed: nothing is lost, and the end has the same bits.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>

#include "../simulation/toy_stepper.hpp"
#include "ricochet/simulation/archive.hpp"
#include "ricochet/simulation/ledger_reader.hpp"
#include "ricochet/simulation/summary.hpp"

namespace ricochet::kills_test {
namespace {

namespace fs = std::filesystem;

RunSettings settings() {
  RunSettings s = toy_settings(1e-3, 40);
  s.every = 7;
  return s;
}
MakeStepper maker() {
  return [](const RunDescription&) -> std::pair<std::unique_ptr<Stepper>, RunSettings> {
    return {std::make_unique<ToyStepper>(), settings()};
  };
}
RunControl control() {
  RunControl c;
  c.flush_seconds = 1e-3;
  return c;
}

void begin(const fs::path& directory) {
  ToyStepper stepper;
  run(stepper, settings(), toy_description(), directory, control());
}
void go_on(const fs::path& directory) { resume(directory, maker(), control()); }

// True if the kill found it alive.
bool killed(const std::function<void()>& body, useconds_t after) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      body();
    } catch (const std::exception& e) {
      std::cerr << e.what() << "\n";
      _exit(1);
    }
    _exit(0);
  }
  usleep(after);
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
  return WIFSIGNALED(status);
}

bool has_checkpoint(const fs::path& directory) {
  return fs::exists(directory / "checkpoint.cbor") || fs::exists(directory / "checkpoint.cbor.partial");
}

TEST(Kills, NothingIsLost) {
  const TemporaryDirectory d(memory_directory());
  const auto before = std::chrono::steady_clock::now();
  begin(d.path / "whole");
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
  const ArchiveReader whole(d.path / "whole" / "trajectory.h5");
  const auto checks = whole.read_integers("check", 0, whole.sizes().rows),
             impact_checks = whole.read_integers("impacts/check", 0, whole.sizes().impacts);
  const std::string ledger = text_of(d.path / "whole" / "ledger.csv");
  const std::string hash = read_summary(d.path / "whole" / "summary.json").state_hash;
  ToyStepper other;
  run(other, toy_settings(0.1, 3), toy_description(), d.path / "earlier");
  const std::string earlier = text_of(d.path / "earlier" / "summary.json");

  std::mt19937 random(11);
  const auto moment = [&] { return static_cast<useconds_t>(random() % static_cast<unsigned>(1e6 * took.count())); };
  const int wanted = std::getenv("RICOCHET_LONG") ? 1000 : 200;
  int kills = 0, over_earlier = 0;
  for (int k = 0; kills < wanted; ++k) {
    ASSERT_LT(k, 20 * wanted) << "the runs end before they are killed";
    SCOPED_TRACE(testing::Message() << "run " << k << " after " << kills << " kills");
    const fs::path at = d.path / "a";
    fs::remove_all(at);
    const bool over = k % 2 == 0;
    if (over) fs::copy(d.path / "earlier", at);
    bool ended = !killed([&] { begin(at); }, moment());
    kills += !ended;
    if (over && !ended && has_checkpoint(at) && fs::exists(at / "summary.json.partial") == false &&
        fs::exists(at / "trajectory.h5.partial")) {
      EXPECT_EQ(text_of(at / "summary.json"), earlier);
      ++over_earlier;
    }
    for (int again = 0; !ended && has_checkpoint(at) && again < 3; ++again) {
      ended = !killed([&] { go_on(at); }, moment());
      kills += !ended;
    }
    if (!has_checkpoint(at) && !ended) begin(at);  // killed before there was anything to go on with, or after the end
    go_on(at);
    EXPECT_EQ(read_summary(at / "summary.json").state_hash, hash);
    const ArchiveReader archive(at / "trajectory.h5");
    EXPECT_EQ(archive.read_integers("check", 0, archive.sizes().rows), checks);
    EXPECT_EQ(archive.read_integers("impacts/check", 0, archive.sizes().impacts), impact_checks);
    EXPECT_EQ(text_of(at / "ledger.csv"), ledger);
    for (const auto& entry : fs::directory_iterator(at)) {
      const std::string kind = entry.path().extension().string();
      EXPECT_TRUE(kind != ".tmp" && kind != ".partial" && kind != ".cbor") << entry.path();
    }
    if (HasFailure()) return;
  }
  RecordProperty("kills", kills);
  EXPECT_GT(over_earlier, 5) << "some kills must find a run beside earlier results";
}

}  // namespace
}  // namespace ricochet::kills_test
