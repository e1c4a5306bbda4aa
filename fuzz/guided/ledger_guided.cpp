// Any bytes as a ledger.

#include "guided.hpp"
#include "ricochet/simulation/ledger_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ricochet::fuzz::InputFile file;
  file.put(data, size);
  ricochet::fuzz::expect_input_error([&] {
    ricochet::read_ledger(file.path(), {{"x"}, {}, {"floor"}}, -1, [](const std::string&) {});
  });
  return 0;
}
