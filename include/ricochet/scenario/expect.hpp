#pragma once
// [expect]: what a scenario says its summary.json will hold, and whether it does.

#include <string>
#include <vector>

#include "ricochet/scenario/scenario.hpp"

namespace ricochet {

struct FailedExpectation {
  std::string path;         // "energy.relative_range"
  std::string wanted, got;  // "at most 0.001", "0.02"
  std::string where;        // file:line
};

std::vector<FailedExpectation> failed_expectations(const Scenario& scenario, const std::string& summary_json);

}  // namespace ricochet
