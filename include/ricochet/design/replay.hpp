#pragma once
// The solution of an optimal control problem, integrated again by the method on its own grid, with the contacts found
// anew: what the program saw only at grid points is seen on the whole way here.

#include <span>

#include "ricochet/design/control_problem.hpp"
#include "ricochet/design/trajectory.hpp"
#include "ricochet/simulation/scheduled_stepper.hpp"

namespace ricochet {

// Grid and controls of a motion.
Schedule schedule_of(const ControlProblem& problem, const Trajectory& motion);

// The real impacts of the motion. Throws SolverError where it cannot go on.
std::vector<Impact> replay(const ControlProblem& problem, const Trajectory& motion);

// Those that change a velocity by more than 1e3 tolerances of its largest value: a motion that runs along a contact
// touches it with what is left of the solver's residuals.
std::vector<Impact> real_impacts(const ControlProblem& problem, const Trajectory& motion,
                                 std::span<const Impact> impacts);

// A motion that ends on a contact with some speed strikes it at its last instant, or by round-off just not: the end of
// the solution is the state before. That impact, or none.
const Impact* last_instant(const ControlProblem& problem, const Trajectory& motion, std::span<const Impact> impacts);

// The first impact that is not as the problem has it, in words; empty: none.
std::string impact_difference(const ControlProblem& problem, const Trajectory& motion, std::span<const Impact> impacts);

// Throws ModelError where the given start strikes a contact at once: that is no impact at a free time.
void check_start(const ControlProblem& problem);

}  // namespace ricochet
