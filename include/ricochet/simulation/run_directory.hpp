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

// Writes `text` so that a reader sees the old file or the new one, never a part.
void write_atomically(const std::filesystem::path& path, const std::string& text);

class RunDirectory {
 public:
  enum class Purpose { fresh, resume };
  // Throws InputError, naming the path, if it cannot be made, written, or another run is writing there.
  RunDirectory(const std::filesystem::path& directory, Purpose purpose);

  std::filesystem::path written(const char* name) const;   // where it is written now
  std::filesystem::path existing(const char* name) const;  // where the run to be resumed left it
  // The run has ended: its files take their final names. A name that the run did not write disappears.
  void publish(bool keep_checkpoint);

 private:
  std::filesystem::path directory_;
  DirectoryLock lock_;
  bool partial_ = false;
};

}  // namespace ricochet
