#pragma once
// The one way in which files are written. A file is made under a name that nobody can have planted, in the folder of
// its own, and takes its own name when it is on the disk: whoever reads sees the old file or the new one, never a part.
// What has not taken its name when the writer goes vanishes. Devices and pipes are written as they are.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace ricochet {

class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path);  // here and below: throws WriteError
  ~OutputFile();
  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) noexcept;

  void write(std::string_view bytes);  // after those before; buffered
  void flush();                        // what is buffered
  void sync();                         // flushed, and on the disk
  void appear();                       // synced, and under its own name; writing may go on
  const std::filesystem::path& path() const { return path_; }

  // For HDF5, which writes where it likes; not buffered.
  void write_at(std::uint64_t offset, const char* data, std::size_t size);
  void read_at(std::uint64_t offset, char* data, std::size_t size) const;  // zeros beyond the end
  void resize(std::uint64_t size);

 private:
  [[noreturn]] void fail(int reason) const;
  void put(const char* data, std::size_t size);

  std::filesystem::path path_, temporary_;  // temporary_ is empty once the file has its own name
  int descriptor_ = -1;
  bool special_ = false;  // a device or pipe
  std::string buffer_;
};

// A whole file at once.
void write_atomically(const std::filesystem::path& path, std::string_view text);

void rename_file(const std::filesystem::path& from, const std::filesystem::path& to);
void remove_file(const std::filesystem::path& path);  // if it is there

// Renames and removals in a folder are on the disk after this.
void sync_folder(const std::filesystem::path& folder);

// Removes what writers that were killed have left in a folder; what is being written stays.
void sweep_temporaries(const std::filesystem::path& folder);

}  // namespace ricochet
