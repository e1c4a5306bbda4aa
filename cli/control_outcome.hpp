#pragma once
// An optimal control problem solved, and the motion integrated again beside it.

#include "design_outcome.hpp"

namespace ricochet::cli {

struct Controlled {
  ControlSolution solution;
  Trajectory guess;
  Scenario scenario;  // with the solution, or the best iterate, as its schedule
};
Controlled solve_control(const Scenario& scenario, const ControlProgress& progress);

// The solution into the summary of its run. The run must meet the same contacts in the same order; a message tells
// where it does not (between the grid points the motion may touch what it leaves alone at them).
void add_control(const Controlled& controlled, const Impacts& impacts, Summary& summary);
std::string impact_difference(const Controlled& controlled, const Impacts& impacts);

// Names joined, "no impact" if there is none.
std::string sequence_name(const ControlProblem& problem, const std::vector<int>& impacts);

}  // namespace ricochet::cli
