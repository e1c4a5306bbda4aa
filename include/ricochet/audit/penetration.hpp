#pragma once
// The deepest penetration max(0, −min g): at the grid points and impacts of a run, and between them.
//
// Between: sixteen points of every piece of path that the step took, from impact to impact; of a method that does not
// split its steps, of the chord between grid points.

#include <optional>

#include "ricochet/audit/subject.hpp"
#include "ricochet/mechanics/gaps.hpp"

namespace ricochet {

struct PenetrationMeasurement {
  std::optional<double> grid, between;  // none without contacts
  std::int64_t steps = 0;
};

// The largest −min g inside one step from a state: negative if it stays outside.
double depth_within_step(const Method& method, Workspace& workspace, const State& start, double h, Gaps& gaps);

PenetrationMeasurement measure_penetration(const Subject& subject, std::int64_t steps);

}  // namespace ricochet
