#pragma once
// The files of a run, and which of them is being written.
//
// A directory without results is written in place. If it holds results of an earlier run, the new ones are written
// beside them as NAME.partial and renamed over the old ones when the run ends (completed, failed or interrupted): an
// earlier result is not lost before there is a new one. The checkpoint is renamed or removed last, so that a run killed
// between the renames can still be resumed.

#include <filesystem>
#include <string>
#include <utility>

namespace ricochet {

inline constexpr const char* archive_name = "trajectory.h5";
inline constexpr const char* ledger_name = "ledger.csv";
inline constexpr const char* summary_name = "summary.json";
inline constexpr const char* checkpoint_name = "checkpoint.cbor";

// One writer in a directory. The lock goes with the process, however it ends; file systems without locks have none.
class DirectoryLock {
 public:
  explicit DirectoryLock(const std::filesystem::path& directory);
  ~DirectoryLock();
  DirectoryLock(DirectoryLock&& o) noexcept : descriptor_(std::exchange(o.descriptor_, -1)), held_(o.held_) {}
  DirectoryLock& operator=(DirectoryLock&&) = delete;
  bool held() const { return held_; }

 private:
  int descriptor_ = -1;
  bool held_ = true;
};

class RunDirectory {
 public:
  enum class Purpose { fresh, resume };
  // Throws an error that names the path: InputError if it is no directory or another run is writing there, WriteError
  // if it cannot be made or written.
  RunDirectory(const std::filesystem::path& directory, Purpose purpose);
  // A run that ends without its files published and without a checkpoint leaves nothing.
  ~RunDirectory();
  RunDirectory(RunDirectory&& o) noexcept
      : made_(o.made_),
        directory_(std::move(o.directory_)),
        lock_(std::move(o.lock_)),
        partial_(o.partial_),
        abandoned_(std::exchange(o.abandoned_, false)) {}

  std::filesystem::path written(const char* name) const;   // where it is written now
  std::filesystem::path existing(const char* name) const;  // where the run to be resumed left it
  // The run has ended: its files take their final names. A name that the run did not write disappears.
  void publish(bool keep_checkpoint);

 private:
  bool made_ = false;  // by this run
  std::filesystem::path directory_;
  DirectoryLock lock_;
  bool partial_ = false;
  bool abandoned_ = false;  // a fresh run that has not been published
};

}  // namespace ricochet
