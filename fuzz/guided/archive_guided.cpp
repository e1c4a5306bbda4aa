// Any bytes as trajectory.h5, and every row of it.

#include "guided.hpp"
#include "ricochet/simulation/archive.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ricochet::fuzz::InputFile file;
  file.put(data, size);
  ricochet::fuzz::expect_input_error([&] { ricochet::ArchiveReader(file.path()).verify(); });
  return 0;
}
