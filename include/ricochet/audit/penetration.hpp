#pragma once
// The deepest penetration max(0, −min g): at the grid points and impacts of a run, and between them.
//
// Between: from each grid point the method itself flies on by h/8, 2h/8 … 7h/8, impacts included. For a method that
// splits its steps at impacts these are points of its path up to the first impact of the step, and of a path within
// O(h²) of it after that; for one that does not split they show where its step passes through.

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
