#pragma once
// `solve` of a scenario with [optimize].

#include "outcome.hpp"

namespace ricochet::cli {

int solve_control_problem(const Scenario& scenario, const std::filesystem::path& directory, const Voice& voice);

}  // namespace ricochet::cli
