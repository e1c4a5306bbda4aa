#pragma once
// DesignSummary in summary.json and back.

#include <nlohmann/json.hpp>

#include "ricochet/simulation/design_summary.hpp"

namespace ricochet {

void write_design(nlohmann::ordered_json& summary, const DesignSummary& design);
DesignSummary read_design(const nlohmann::ordered_json& summary);

}  // namespace ricochet
