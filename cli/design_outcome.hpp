#pragma once
// What a design problem adds to a run: quantities, derivatives, the solution beside the motion integrated again.

#include "ricochet/scenario/scenario.hpp"

namespace ricochet::cli {

// The impacts of a run, for quantities that ask for one of them. Set as RunControl::impact.
using Impacts = std::vector<Impact>;

// The problem that [shoot] poses, solved, and the scenario with the solution (or the best iterate) in its place.
struct Solved {
  ShootingProblem problem;
  std::vector<double> guess;
  ShootingSolution solution;
  Scenario scenario;
};
Solved solve_scenario(const Scenario& scenario, ShootingProblem problem, const SolveControl& control);

// [output] quantities of a run into its summary.
void add_quantities(const Scenario& scenario, const Impacts& impacts, Summary& summary);
// Conditions in a run.
DesignSummary::Named condition_values(const Model& model, const std::vector<Quantity>& conditions,
                                      const Impacts& impacts, const Summary& summary);
// Throws InputError where there can be no derivatives.
void check_derivatives(const Scenario& scenario);
// Derivatives of the final state and the quantities by everything that may be unknown.
void add_sensitivities(const Scenario& scenario, const std::atomic<bool>* stop, Summary& summary);
// The solution, and its conditions in a run of it.
void add_solution(const Solved& solved, const Impacts& impacts, Summary& summary);

}  // namespace ricochet::cli
