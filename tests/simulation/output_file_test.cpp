#include "ricochet/simulation/output_file.hpp"

#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "toy_stepper.hpp"

namespace ricochet::output_file_test {
namespace {

namespace fs = std::filesystem;

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(OutputFile, AppearsAsAWhole) {
  const TemporaryDirectory d;
  write_atomically(d.path / "a", "one");
  {
    OutputFile file(d.path / "a");
    file.write("two");
    file.sync();
    EXPECT_EQ(text_of(d.path / "a"), "one");
    file.appear();
    EXPECT_EQ(text_of(d.path / "a"), "two");
    file.write(std::string(100000, 'x'));
    file.sync();
    EXPECT_EQ(text_of(d.path / "a"), "two" + std::string(100000, 'x')) << "writing may go on";
  }
  EXPECT_EQ(files_in(d.path), 1u);
}

TEST(OutputFile, WhatDoesNotAppearVanishes) {
  const TemporaryDirectory d;
  {
    OutputFile file(d.path / "a");
    file.write("lost");
    OutputFile moved = std::move(file);
    moved.flush();
    EXPECT_EQ(files_in(d.path), 1u);
  }
  EXPECT_EQ(files_in(d.path), 0u);
}

TEST(OutputFile, LinksAreReplacedAndNotFollowed) {
  const TemporaryDirectory d;
  write_atomically(d.path / "target", "precious");
  fs::create_symlink("target", d.path / "link");
  write_atomically(d.path / "link", "new");
  EXPECT_EQ(text_of(d.path / "target"), "precious");
  EXPECT_FALSE(fs::is_symlink(d.path / "link"));
}

TEST(OutputFile, HasTheRightsOfAnyNewFile) {
  const TemporaryDirectory d;
  const mode_t mask = umask(0027);
  write_atomically(d.path / "a", "");
  umask(mask);
  EXPECT_EQ(static_cast<int>(fs::status(d.path / "a").permissions()), 0640);
}

TEST(OutputFile, DevicesAreWrittenAsTheyAre) {
  write_atomically("/dev/null", "gone");
  EXPECT_FALSE(fs::is_regular_file("/dev/null"));
  EXPECT_THROW(write_atomically("/dev/full", "no"), WriteError);
  EXPECT_FALSE(fs::is_regular_file("/dev/full"));
}

TEST(OutputFile, ErrorsNameTheFileAndTheReason) {
  const TemporaryDirectory d;
  for (const fs::path& bad : {d.path, d.path / "none" / "a", fs::path(std::string(300, 'a'))}) {
    try {
      write_atomically(bad, "x");
      ADD_FAILURE() << bad;
    } catch (const WriteError& e) {
      EXPECT_EQ(std::string(e.what()).find(bad.string() + ": cannot be written: "), 0u) << e.what();
    }
  }
  EXPECT_EQ(files_in(d.path), 0u);
}

TEST(OutputFile, PlacesAreReadBackWithZerosBeyondTheEnd) {
  const TemporaryDirectory d;
  OutputFile file(d.path / "a");
  file.write_at(5, "hello", 5);
  char text[8];
  file.read_at(4, text, 8);
  EXPECT_EQ(std::string(text, 8), std::string("\0hello\0\0", 8));
  file.resize(7);
  file.appear();
  EXPECT_EQ(text_of(d.path / "a"), std::string("\0\0\0\0\0he", 7));
}

TEST(OutputFile, FoldersAreMadeOnceAndNotOverFiles) {
  const TemporaryDirectory d;
  EXPECT_TRUE(make_folder(d.path / "a" / "b"));
  EXPECT_FALSE(make_folder(d.path / "a" / "b"));
  write_atomically(d.path / "file", "");
  EXPECT_THROW(make_folder(d.path / "file"), InputError);
  EXPECT_THROW(make_folder(d.path / "file" / "c"), InputError);
  EXPECT_THROW(make_folder("/proc/self/c"), WriteError);
}

TEST(OutputFile, SweepRemovesOnlyWhatNobodyWrites) {
  const TemporaryDirectory d;
  std::ofstream(d.path / ".ricochet-0123456789abcdef.tmp") << "left by a kill";
  std::ofstream(d.path / "mine.tmp") << "not ours";
  OutputFile living(d.path / "a");
  EXPECT_EQ(files_in(d.path), 3u);
  sweep_temporaries(d.path);
  EXPECT_EQ(files_in(d.path), 2u);
  living.appear();
  EXPECT_TRUE(fs::exists(d.path / "a"));
  EXPECT_TRUE(fs::exists(d.path / "mine.tmp"));
}

}  // namespace
}  // namespace ricochet::output_file_test
