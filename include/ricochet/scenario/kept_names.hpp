#pragma once
// Names that stay symbols of the graph while a scenario is read, so that derivatives by them exist.

#include <map>
#include <optional>
#include <string>

namespace ricochet {

struct KeptNames {
  std::map<std::string, std::optional<double>> guesses;  // each with the value that it gets, default that of the file
  bool all = false;                                      // all that there are, each beside its value: θ = 0
};

}  // namespace ricochet
