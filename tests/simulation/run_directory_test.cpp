#include "ricochet/simulation/run_directory.hpp"

#include <gtest/gtest.h>

#include "toy_stepper.hpp"

namespace ricochet::run_directory_test {
namespace {

using Purpose = RunDirectory::Purpose;

void put(const std::filesystem::path& path, const std::string& text) { std::ofstream(path) << text; }

TEST(RunDirectory, InPlaceOrBeside) {
  const TemporaryDirectory d;
  EXPECT_EQ(RunDirectory(d.path, Purpose::fresh).written(archive_name), d.path / "trajectory.h5");
  put(d.path / "ledger.csv", "old");
  EXPECT_EQ(RunDirectory(d.path, Purpose::fresh).written(archive_name), d.path / "trajectory.h5.partial");
}

TEST(RunDirectory, OneWriterAtATime) {
  const TemporaryDirectory d;
  const RunDirectory one(d.path, Purpose::fresh);
  EXPECT_THROW(RunDirectory(d.path, Purpose::fresh), InputError);
  EXPECT_FALSE(DirectoryLock(d.path).held());
}

TEST(RunDirectory, PublishRenamesAndKeepsTheCheckpoint) {
  const TemporaryDirectory d;
  for (const char* name : {archive_name, ledger_name, summary_name}) put(d.path / name, "old");
  RunDirectory files(d.path, Purpose::fresh);
  for (const char* name : {archive_name, ledger_name, summary_name, checkpoint_name}) put(files.written(name), "new");
  EXPECT_EQ(text_of(d.path / summary_name), "old");
  files.publish(true);
  for (const char* name : {archive_name, ledger_name, summary_name, checkpoint_name})
    EXPECT_EQ(text_of(d.path / name), "new");
}

TEST(RunDirectory, KilledBetweenTheRenamesIsStillFound) {
  const TemporaryDirectory d;
  put(d.path / "trajectory.h5", "new, already renamed");
  put(d.path / "ledger.csv", "old");
  put(d.path / "ledger.csv.partial", "new");
  put(d.path / "checkpoint.cbor", "old");
  put(d.path / "checkpoint.cbor.partial", "new");
  RunDirectory files(d.path, Purpose::resume);
  EXPECT_EQ(text_of(files.existing(checkpoint_name)), "new");
  EXPECT_EQ(text_of(files.existing(archive_name)), "new, already renamed");
  EXPECT_EQ(text_of(files.existing(ledger_name)), "new");
  files.publish(false);
  EXPECT_FALSE(std::filesystem::exists(d.path / "checkpoint.cbor"));
  EXPECT_FALSE(std::filesystem::exists(d.path / "checkpoint.cbor.partial"));
}

TEST(RunDirectory, ARunWithoutACheckpointLeavesNothing) {
  const TemporaryDirectory d;
  {
    const RunDirectory files(d.path / "new", Purpose::fresh);
    put(files.written(archive_name), "begun");
  }
  EXPECT_FALSE(std::filesystem::exists(d.path / "new"));
  {
    const RunDirectory files(d.path / "new", Purpose::fresh);
    put(files.written(archive_name), "begun");
    put(files.written(checkpoint_name), "to go on with");
  }
  EXPECT_EQ(text_of(d.path / "new" / archive_name), "begun");
  {
    RunDirectory files(d.path / "new", Purpose::fresh);
    const RunDirectory moved = std::move(files);
    put(moved.written(archive_name), "again");
  }
  EXPECT_EQ(text_of(d.path / "new" / archive_name), "begun") << "an earlier run is not the later one's";
  EXPECT_FALSE(std::filesystem::exists(d.path / "new" / "trajectory.h5.partial"));
}

TEST(RunDirectory, LinksAreReplacedAndNotFollowed) {
  const TemporaryDirectory d;
  put(d.path / "elsewhere", "precious");
  std::filesystem::create_directory(d.path / "run");
  std::filesystem::create_symlink(d.path / "elsewhere", d.path / "run" / "ledger.csv.partial");
  std::filesystem::create_symlink(d.path / "nowhere", d.path / "run" / ledger_name);
  ToyStepper stepper;
  run(stepper, toy_settings(0.1, 1), {}, d.path / "run");
  EXPECT_EQ(text_of(d.path / "elsewhere"), "precious");
  EXPECT_FALSE(std::filesystem::exists(d.path / "nowhere"));
  EXPECT_TRUE(std::filesystem::is_regular_file(std::filesystem::symlink_status(d.path / "run" / ledger_name)));
}

}  // namespace
}  // namespace ricochet::run_directory_test
