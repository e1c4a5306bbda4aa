#pragma once
// What the programs of libFuzzer share. An exception that is no InputError ends them, and so is a finding.

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "ricochet/error.hpp"

namespace ricochet::fuzz {

inline std::string text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

inline std::string read(const std::filesystem::path& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

template <class Body>
void expect_input_error(const Body& body) {
  try {
    body();
  } catch (const InputError&) {
  }
}

// A file in memory that goes with the program.
class InputFile {
 public:
  InputFile() {
    std::string name = "/dev/shm/ricochet-fuzz-XXXXXX";
    if (close(mkstemp(name.data())) != 0) std::abort();
    path_ = name;
  }
  ~InputFile() { std::filesystem::remove(path_); }
  const std::filesystem::path& path() const { return path_; }
  void put(const std::uint8_t* data, std::size_t size) const {
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  }

 private:
  std::filesystem::path path_;
};

}  // namespace ricochet::fuzz
