// The target of scenario_fuzz, guided by coverage.

#define main unguided_main
#include "../scenario_fuzz.cpp"
#undef main

#include "guided.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  target(ricochet::fuzz::text(data, size));
  return 0;
}
