// HDF5 closes in peace and the failure is told, wherever the disk begins to fail.

#include "../../src/simulation/hdf5_driver.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ricochet/simulation/archive.hpp"
#include "toy_stepper.hpp"

namespace ricochet::hdf5_driver_test {
namespace {

TEST(Hdf5Driver, AfterAFailureReadsSeeWhatWasWritten) {
  const TemporaryDirectory d;
  signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  hdf5::Driver driver(OutputFile(d.path / "a"));
  const std::string text(10000, 'x');
  driver.write(0, text.data(), 3000);
  const rlimit limit{4000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &limit);
  driver.write(3000, text.data(), text.size());
  driver.write(1000, "hello", 5);
  driver.resize(1);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_THROW(driver.throw_failure(), WriteError);
  std::string read(13000, '\0');
  driver.read(0, read.data(), read.size());
  EXPECT_EQ(read, std::string(1000, 'x') + "hello" + std::string(11995, 'x'));
  driver.file().read_at(1000, read.data(), 5);
  EXPECT_EQ(read.substr(0, 5), "xxxxx") << "the disk is left alone";
}

// Each size at which a file may not grow: a message, no crash at the end of the program, and a file without its name.
TEST(Hdf5Driver, EverySizeOfAFullDisk) {
  const TemporaryDirectory d;
  const Labels labels{{"x"}, {}, {"floor"}};
  for (rlim_t most = 0; most < 40000; most += 1500) {
    const pid_t child = fork();
    if (child == 0) {
      signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{most, most};
      setrlimit(RLIMIT_FSIZE, &limit);
      try {
        Archive archive(d.path / "a.h5", toy_description(), labels);
        for (int k = 0; k < 3000; ++k) archive.record(k, {0, {1}, {2}, {3}, 4, {}, {5}, {}});
        archive.close("0123456789abcdef");
      } catch (const WriteError& e) {
        std::exit(std::string(e.what()).find("a.h5: cannot be written: File too large") != std::string::npos ? 7 : 8);
      }
      std::exit(9);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status)) << most;
    EXPECT_EQ(WEXITSTATUS(status), 7) << most;
    EXPECT_TRUE(std::filesystem::is_empty(d.path)) << most;
  }
}

}  // namespace
}  // namespace ricochet::hdf5_driver_test
