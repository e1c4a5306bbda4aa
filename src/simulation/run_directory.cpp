#include "ricochet/simulation/run_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <initializer_list>

#include "ricochet/error.hpp"
#include "ricochet/simulation/output_file.hpp"

namespace ricochet {

namespace fs = std::filesystem;

namespace {

fs::path make_directory(const fs::path& directory, RunDirectory::Purpose purpose, bool& made) {
  std::error_code error;
  if (purpose == RunDirectory::Purpose::fresh) made = fs::create_directories(directory, error);
  if (!error && !fs::is_directory(directory, error))
    throw InputError(fmt::format("{}: is no directory", directory.string()));
  if (error == std::errc::not_a_directory || error == std::errc::file_exists)
    throw InputError(fmt::format("{}: is no directory: {}", directory.string(), error.message()));
  if (error) throw WriteError(fmt::format("{}: cannot be made: {}", directory.string(), error.message()));
  if (access(directory.c_str(), W_OK | X_OK) != 0)
    throw WriteError(fmt::format("{}: cannot be written: {}", directory.string(), std::strerror(errno)));
  return directory;
}

}  // namespace

DirectoryLock::DirectoryLock(const fs::path& directory)
    : descriptor_(open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ >= 0) held_ = flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

DirectoryLock::~DirectoryLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

RunDirectory::RunDirectory(const fs::path& directory, Purpose purpose)
    : directory_(make_directory(directory, purpose, made_)), lock_(directory_) {
  if (!lock_.held()) throw InputError(fmt::format("{}: another run is writing here", directory_.string()));
  sweep_temporaries(directory_);
  const auto partial = [&](const char* name) { return directory_ / (std::string(name) + ".partial"); };
  if (purpose == Purpose::resume) {
    partial_ = fs::exists(partial(checkpoint_name));
    return;
  }
  for (const char* name : {checkpoint_name, archive_name, ledger_name, summary_name}) {
    remove_file(partial(name));
    partial_ = partial_ || fs::exists(fs::symlink_status(directory_ / name));  // a link to nowhere is a file, too
  }
  abandoned_ = true;
}

RunDirectory::~RunDirectory() {
  if (!std::exchange(abandoned_, false) || fs::exists(written(checkpoint_name))) return;
  std::error_code ignored;
  for (const char* name : {archive_name, ledger_name, summary_name}) fs::remove(written(name), ignored);
  if (made_) fs::remove(directory_, ignored);  // if it is empty
}

fs::path RunDirectory::written(const char* name) const {
  return directory_ / (partial_ ? std::string(name) + ".partial" : name);
}

fs::path RunDirectory::existing(const char* name) const {
  const fs::path path = written(name);
  return fs::exists(path) ? path : directory_ / name;
}

void RunDirectory::publish(bool keep_checkpoint) {
  if (partial_) {
    for (const char* name : {archive_name, ledger_name, summary_name}) {
      if (fs::exists(written(name)))
        rename_file(written(name), directory_ / name);
      else if (std::strcmp(name, ledger_name) == 0)
        remove_file(directory_ / name);
    }
    if (keep_checkpoint) rename_file(written(checkpoint_name), directory_ / checkpoint_name);
  }
  if (!keep_checkpoint) {
    remove_file(directory_ / checkpoint_name);
    remove_file(written(checkpoint_name));
  }
  sync_folder(directory_);
  abandoned_ = false;
}

}  // namespace ricochet
