#pragma once
// --methods a,b,…: each method as NAME[:DISCRETIZATION][,PARAMETER=VALUE]…, as in
// variational-collision:galerkin,degree=3,impact_energy=continuous. An item with = belongs to the method before it.
// What is not said has the method's default; the step is the scenario's.

#include <filesystem>
#include <string>
#include <vector>

#include "ricochet/scenario/scenario.hpp"

namespace ricochet::cli {

struct MethodSpec {
  std::string label;     // as typed
  std::string override;  // --set that brings it about; empty: the scenario's own
};

// Throws UsageError.
std::vector<MethodSpec> parse_methods(const std::string& list, double step);

// The scenario with this method. A misspelt method or parameter is a UsageError.
Scenario read_with(const std::filesystem::path& file, const std::vector<std::string>& overrides,
                   const MethodSpec& spec);

inline constexpr const char* methods_help =
    "methods, separated by commas, each NAME[:DISCRETIZATION][,PARAMETER=VALUE]…, as in "
    "variational-collision:galerkin,degree=3";

}  // namespace ricochet::cli
