// Any text as --set of a scenario of the gallery.

#include "guided.hpp"
#include "ricochet/scenario/scenario.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string scenario =
      ricochet::fuzz::read(RICOCHET_FUZZ_DIRECTORY "/../scenarios/bouncing-particle.toml");
  ricochet::fuzz::expect_input_error(
      [&] { ricochet::read_scenario_text(scenario, "fuzz.toml", {ricochet::fuzz::text(data, size)}); });
  return 0;
}
