// A run killed at its n-th change of a file, for many n: what a kill at a random moment meets only once in a million
// times. HDF5 writes through pwrite and ftruncate; this program's own versions of them come first and can end the
// process.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ricochet/simulation/archive.hpp"
#include "ricochet/simulation/run_directory.hpp"
#include "toy_stepper.hpp"

namespace {
long writes_left = -1;  // negative: never killed
void count_down() {
  if (writes_left > 0 && --writes_left == 0) kill(getpid(), SIGKILL);
}
}  // namespace

extern "C" ssize_t pwrite(int file, const void* data, size_t count, off_t offset) {
  count_down();
  return syscall(SYS_pwrite64, file, data, count, offset);
}
extern "C" int ftruncate(int file, off_t length) noexcept {
  count_down();
  return static_cast<int>(syscall(SYS_ftruncate, file, length));
}

namespace ricochet::kill_points_test {
namespace {

namespace fs = std::filesystem;

RunSettings settings() { return toy_settings(1e-3, 4); }

// True if it was killed.
bool killed_after(long writes, const fs::path& directory) {
  const pid_t child = fork();
  if (child == 0) {
    writes_left = writes;
    ToyStepper stepper;
    RunControl control;
    control.flush_seconds = 0;
    try {
      run(stepper, settings(), toy_description(), directory, control);
    } catch (...) {
      _exit(1);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
  return WIFSIGNALED(status);
}

TEST(KillPoints, EveryWriteLeavesAReadableArchiveAndARunToResume) {
  const TemporaryDirectory d(memory_directory());
  ToyStepper stepper;
  const Summary whole = run(stepper, settings(), toy_description(), d.path / "whole");
  const ArchiveReader all(d.path / "whole" / archive_name);
  fs::create_directory(d.path / "killed");
  const char* stride = std::getenv("RICOCHET_KILL_STRIDE");
  int readable = 0;
  for (long n = 1;; n += stride ? std::atol(stride) : 5) {
    const fs::path at = d.path / std::to_string(n);
    if (!killed_after(n, at)) break;
    if (!fs::exists(at / archive_name)) continue;  // before the first point
    SCOPED_TRACE(testing::Message() << "killed at write " << n);
    fs::copy_file(at / archive_name, d.path / "killed" / (std::to_string(n) + ".h5"));
    {
      const ArchiveReader r(at / archive_name);
      ASSERT_GE(r.sizes().rows, 1);
      EXPECT_EQ(r.read("q", 0, r.sizes().rows), all.read("q", 0, r.sizes().rows));
    }
    if (!fs::exists(at / checkpoint_name)) continue;
    ++readable;
    const Summary s = resume(at, [](const RunDescription&) -> std::pair<std::unique_ptr<Stepper>, RunSettings> {
      return {std::make_unique<ToyStepper>(), settings()};
    });
    EXPECT_EQ(s.state_hash, whole.state_hash);
    const ArchiveReader r(at / archive_name);
    EXPECT_EQ(r.read("q", 0, r.sizes().rows), all.read("q", 0, all.sizes().rows));
    EXPECT_EQ(text_of(at / ledger_name), text_of(d.path / "whole" / ledger_name));
    fs::remove_all(at);
  }
  EXPECT_GT(readable, 20) << "the run must write often enough for the test to mean something";
  if (std::system("/usr/bin/python3 -c 'import h5py' 2>/dev/null") != 0) return;
  std::ofstream(d.path / "read.py") << "import h5py, glob, sys\n"
                                       "bad = 0\n"
                                       "for name in glob.glob(sys.argv[1] + '/*.h5'):\n"
                                       "    try:\n"
                                       "        f = h5py.File(name, 'r', swmr=True)\n"
                                       "        assert abs(f['q'][:]).max() < 2 and f['impacts/lambda'].ndim == 2\n"
                                       "    except Exception as e:\n"
                                       "        bad += 1\n"
                                       "        print(name, e)\n"
                                       "sys.exit(bad > 0)\n";
  const std::string read = "/usr/bin/python3 " + (d.path / "read.py").string() + " " + (d.path / "killed").string();
  EXPECT_EQ(std::system(read.c_str()), 0);
}

}  // namespace
}  // namespace ricochet::kill_points_test
