#pragma once
// --methods a,b,…: each method as NAME[:DISCRETIZATION][,PARAMETER=VALUE]…, as in
// variational-collision:galerkin,degree=3,impact_energy=continuous. An item with = belongs to the method before it.
// What is not said has the method's default; the step is the scenario's. For bodies: verlet or avi[,courant=VALUE].

#include <filesystem>
#include <string>
#include <vector>

#include "ricochet/error.hpp"
#include "ricochet/scenario/scenario.hpp"

namespace ricochet::cli {

struct MethodSpec {
  std::string label;                     // as typed
  std::vector<std::string> overrides{};  // --set that bring it about; none: the scenario's own
};

// For a scenario of this kind. Throws UsageError.
std::vector<MethodSpec> parse_methods(const std::string& list, const Scenario& scenario);

// The scenario with this method. A misspelt method or parameter is a UsageError; an integrator that cannot do these
// bodies an InputError.
Scenario read_with(const std::filesystem::path& file, const std::vector<std::string>& overrides,
                   const MethodSpec& spec);

// Throws InputError if no method can do the scenario: there is nothing to show then. Of Audits or Compareds.
template <class Results>
void refuse_all(const Results& results, const std::string& place) {
  std::string reasons;
  for (const auto& r : results) {
    if (r.refused.empty()) return;
    reasons += "\n  " + r.label + ": " + r.refused;
  }
  if (!reasons.empty()) throw InputError(place + ": none of the methods can do this scenario:" + reasons);
}

inline constexpr const char* methods_help =
    "methods, separated by commas, each NAME[:DISCRETIZATION][,PARAMETER=VALUE]…, as in "
    "variational-collision:galerkin,degree=3";

}  // namespace ricochet::cli
