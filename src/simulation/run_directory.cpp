#include "ricochet/simulation/run_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <initializer_list>

#include "ricochet/error.hpp"

namespace ricochet {

namespace fs = std::filesystem;

namespace {

fs::path make_directory(const fs::path& directory, RunDirectory::Purpose purpose) {
  std::error_code error;
  if (purpose == RunDirectory::Purpose::fresh) fs::create_directories(directory, error);
  if (!error && !fs::is_directory(directory, error))
    throw InputError(fmt::format("{}: is no directory", directory.string()));
  if (error) throw InputError(fmt::format("{}: cannot be made: {}", directory.string(), error.message()));
  if (access(directory.c_str(), W_OK | X_OK) != 0)
    throw InputError(fmt::format("{}: cannot be written: {}", directory.string(), std::strerror(errno)));
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

void write_atomically(const fs::path& path, const std::string& text) {
  const fs::path temporary = path.string() + ".tmp";
  {
    std::ofstream out(temporary, std::ios::binary);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    if (!out.flush())
      throw std::runtime_error(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno)));
  }
  fs::rename(temporary, path);
}

RunDirectory::RunDirectory(const fs::path& directory, Purpose purpose)
    : directory_(make_directory(directory, purpose)), lock_(directory_) {
  if (!lock_.held()) throw InputError(fmt::format("{}: another run is writing here", directory_.string()));
  const auto partial = [&](const char* name) { return directory_ / (std::string(name) + ".partial"); };
  if (purpose == Purpose::resume) {
    partial_ = fs::exists(partial(checkpoint_name));
    return;
  }
  for (const char* name : {checkpoint_name, archive_name, ledger_name, summary_name}) {
    fs::remove(partial(name));
    partial_ = partial_ || fs::exists(directory_ / name);
  }
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
        fs::rename(written(name), directory_ / name);
      else if (std::strcmp(name, ledger_name) == 0)
        fs::remove(directory_ / name);
    }
    if (keep_checkpoint) fs::rename(written(checkpoint_name), directory_ / checkpoint_name);
  }
  if (!keep_checkpoint) {
    fs::remove(directory_ / checkpoint_name);
    fs::remove(written(checkpoint_name));
  }
}

}  // namespace ricochet
