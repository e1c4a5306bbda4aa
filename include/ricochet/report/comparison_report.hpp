#pragma once
// audit.html and compare.html: methods side by side, with their orders and their energy over time.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "ricochet/audit/subject.hpp"
#include "ricochet/scenario/scenario.hpp"

namespace ricochet {

struct EnergyTrace {
  std::string label;              // the method as it was asked for
  std::vector<double> t, energy;  // thinned so that peaks survive
};

inline constexpr std::int64_t traced_steps = 20000;

// The energy after each of the first steps of a run, at most traced_steps; less where the method fails.
EnergyTrace trace_energy(const Subject& subject, const std::string& label);
EnergyTrace trace_energy(Stepper& stepper, const RunSettings& run, const std::string& label);

// kind: "audit" or "compare"; json: what audit.json or compare.json says. Writes DIR/KIND.html.
void write_comparison_report(const std::filesystem::path& directory, const std::string& kind, const std::string& json,
                             const std::vector<EnergyTrace>& traces, const Scenario& scenario);

}  // namespace ricochet
