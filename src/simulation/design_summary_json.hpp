#pragma once
// DesignSummary in summary.json and back.

#include <cmath>
#include <nlohmann/json.hpp>

#include "ricochet/simulation/design_summary.hpp"

namespace ricochet {

// Null where none is finite.
inline nlohmann::ordered_json number(double x) {
  return std::isfinite(x) ? nlohmann::ordered_json(x) : nlohmann::ordered_json(nullptr);
}

void write_design(nlohmann::ordered_json& summary, const DesignSummary& design);
DesignSummary read_design(const nlohmann::ordered_json& summary);

}  // namespace ricochet
