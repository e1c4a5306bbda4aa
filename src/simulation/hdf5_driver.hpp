#pragma once
// HDF5 writes through this driver of its file layer into an OutputFile.
//
// HDF5 does not survive a write that fails: its caches keep what they could not write, and the library crashes when it
// closes. So no write fails here. After the first failure the disk is left alone, what HDF5 writes stays in memory,
// where it is found again, until HDF5 has closed in peace; the archive asks for the failure after each call.

#include <cstdint>
#include <exception>
#include <map>
#include <string>

#include "ricochet/simulation/output_file.hpp"

namespace ricochet::hdf5 {

class Driver {
 public:
  explicit Driver(OutputFile file) : file_(std::move(file)) {}
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  OutputFile& file() { return file_; }
  void use_in(std::int64_t access);  // a file access property list: its files are this one
  void throw_failure() const {       // the first, if there was any
    if (failure_) std::rethrow_exception(failure_);
  }

  // What HDF5 calls; none throws but for want of memory.
  void write(std::uint64_t address, const char* data, std::size_t size);
  void read(std::uint64_t address, char* data, std::size_t size) const;
  void resize(std::uint64_t size);

 private:
  void keep(std::uint64_t address, const char* data, std::size_t size);

  OutputFile file_;
  std::exception_ptr failure_;
  static constexpr std::uint64_t page = 4096;
  std::map<std::uint64_t, std::string> kept_;  // after the failure: changed pages by number
};

}  // namespace ricochet::hdf5
