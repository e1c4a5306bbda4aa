#pragma once
// An optimal control problem solved, and the motion integrated again beside it.

#include "design_outcome.hpp"
#include "ricochet/design/replay.hpp"

namespace ricochet::cli {

struct Controlled {
  ControlSolution solution;
  Trajectory guess;
  Scenario scenario;  // with the solution, or the best iterate, as its schedule
};
Controlled solve_control(const Scenario& scenario, const ControlProgress& progress);

// The solution into the summary of its run.
void add_control(const Controlled& controlled, const Impacts& impacts, Summary& summary);

// Names joined, "no impact" if there is none.
std::string sequence_name(const ControlProblem& problem, const std::vector<int>& impacts);

}  // namespace ricochet::cli
