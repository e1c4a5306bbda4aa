#include "ricochet/simulation/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "ricochet/error.hpp"

namespace ricochet {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view prefix = ".ricochet-", suffix = ".tmp";
constexpr std::size_t buffer_size = 1 << 16;

// Interrupted calls are repeated.
template <class Call>
auto persist(const Call& call) {
  decltype(call()) result;
  do result = call();
  while (result < 0 && errno == EINTR);
  return result;
}

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

// Not to be replaced by a regular file: a device, a pipe, and the links of the system to files that are open.
bool is_special(const fs::path& path) {
  struct stat target = {}, link = {};
  if (stat(path.c_str(), &target) != 0 || S_ISDIR(target.st_mode)) return false;
  if (!S_ISREG(target.st_mode)) return true;
  if (lstat(path.c_str(), &link) != 0 || !S_ISLNK(link.st_mode)) return false;
  std::error_code error;
  const std::string folder = fs::canonical(folder_of(path), error).string();
  return folder == "/dev" || folder.starts_with("/proc/") || folder.starts_with("/dev/fd");
}

std::uint64_t random_bits() {
  std::uint64_t bits = 0;
  if (getrandom(&bits, sizeof bits, 0) != sizeof bits) bits = static_cast<std::uint64_t>(getpid());
  return bits;
}

// Some file systems cannot sync a folder or a file: then there is nothing to wait for.
bool cannot_sync(int reason) { return reason == EINVAL || reason == ENOTSUP || reason == EROFS; }

[[noreturn]] void cannot_write(const fs::path& path, int reason) {
  throw WriteError(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(reason)));
}

}  // namespace

void OutputFile::fail(int reason) const { cannot_write(path_, reason); }

OutputFile::OutputFile(fs::path path) : path_(std::move(path)), special_(is_special(path_)) {
  const int flags = O_CLOEXEC | O_NOCTTY;
  if (special_) {
    descriptor_ = persist([&] { return open(path_.c_str(), flags | O_WRONLY | O_TRUNC); });
    if (descriptor_ < 0) fail(errno);
    return;
  }
  std::error_code error;
  if (fs::is_directory(path_, error)) fail(EISDIR);
  for (int attempt = 0; attempt < 100 && descriptor_ < 0; ++attempt) {
    temporary_ = folder_of(path_) / fmt::format("{}{:016x}{}", prefix, random_bits(), suffix);
    descriptor_ =
        persist([&] { return open(temporary_.c_str(), flags | O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0666); });
    if (descriptor_ < 0 && errno != EEXIST) break;
  }
  if (descriptor_ < 0) {
    temporary_.clear();
    fail(errno);
  }
  flock(descriptor_, LOCK_EX | LOCK_NB);  // while it is written: sweep_temporaries lets it be
}

OutputFile::~OutputFile() {
  if (descriptor_ < 0) return;
  if (!temporary_.empty()) unlink(temporary_.c_str());
  close(descriptor_);
}

OutputFile::OutputFile(OutputFile&& o) noexcept
    : path_(std::move(o.path_)),
      temporary_(std::exchange(o.temporary_, {})),
      descriptor_(std::exchange(o.descriptor_, -1)),
      special_(o.special_),
      buffer_(std::move(o.buffer_)) {}

OutputFile& OutputFile::operator=(OutputFile&& o) noexcept {
  std::swap(path_, o.path_);
  std::swap(temporary_, o.temporary_);
  std::swap(descriptor_, o.descriptor_);
  std::swap(special_, o.special_);
  std::swap(buffer_, o.buffer_);
  return *this;
}

void OutputFile::write(std::string_view bytes) {
  buffer_ += bytes;
  if (buffer_.size() >= buffer_size) flush();
}

void OutputFile::flush() {
  const std::string pending = std::exchange(buffer_, {});  // what fails is not tried again by a later call
  put(pending.data(), pending.size());
}

void OutputFile::put(const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t done = persist([&] { return ::write(descriptor_, data, size); });
    if (done <= 0) fail(done < 0 ? errno : ENOSPC);
    data += done;
    size -= static_cast<std::size_t>(done);
  }
}

void OutputFile::write_at(std::uint64_t offset, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t done = persist([&] { return pwrite(descriptor_, data, size, static_cast<off_t>(offset)); });
    if (done <= 0) fail(done < 0 ? errno : ENOSPC);
    data += done;
    offset += static_cast<std::uint64_t>(done);
    size -= static_cast<std::size_t>(done);
  }
}

void OutputFile::read_at(std::uint64_t offset, char* data, std::size_t size) const {
  while (size > 0) {
    const ssize_t done = persist([&] { return pread(descriptor_, data, size, static_cast<off_t>(offset)); });
    if (done < 0) fail(errno);
    if (done == 0) {
      std::memset(data, 0, size);
      return;
    }
    data += done;
    offset += static_cast<std::uint64_t>(done);
    size -= static_cast<std::size_t>(done);
  }
}

void OutputFile::resize(std::uint64_t size) {
  if (persist([&] { return ftruncate(descriptor_, static_cast<off_t>(size)); }) != 0) fail(errno);
}

void OutputFile::sync() {
  flush();
  if (special_) return;
  if (persist([&] { return fsync(descriptor_); }) != 0 && !cannot_sync(errno)) fail(errno);
}

void OutputFile::appear() {
  sync();
  if (temporary_.empty()) return;
  rename_file(temporary_, path_);
  temporary_.clear();
  flock(descriptor_, LOCK_UN);  // other programs lock what they read
  sync_folder(folder_of(path_));
}

void write_atomically(const fs::path& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.appear();
}

void rename_file(const fs::path& from, const fs::path& to) {
  if (persist([&] { return rename(from.c_str(), to.c_str()); }) != 0) cannot_write(to, errno);
}

void remove_file(const fs::path& path) {
  if (persist([&] { return unlink(path.c_str()); }) != 0 && errno != ENOENT)
    throw WriteError(fmt::format("{}: cannot be removed: {}", path.string(), std::strerror(errno)));
}

void sync_folder(const fs::path& folder) {
  const int descriptor = persist([&] { return open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  if (descriptor < 0) cannot_write(folder, errno);
  const int result = persist([&] { return fsync(descriptor); }), reason = errno;
  close(descriptor);
  if (result != 0 && !cannot_sync(reason)) cannot_write(folder, reason);
}

void sweep_temporaries(const fs::path& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix) || !name.ends_with(suffix) || entry.is_symlink(error)) continue;
    const int descriptor = open(entry.path().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) continue;
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) unlink(entry.path().c_str());
    close(descriptor);
  }
}

}  // namespace ricochet
