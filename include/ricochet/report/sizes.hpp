#pragma once
// The sizes of what a run should keep, over some of its records: what deviations are compared with, so that no verdict
// depends on units. A momentum map p·ξ(q) that is zero has terms that are not: Σ|p_i ξ_i|. A constraint f(q) = 0
// changes with the size of the motion by Σ|∂f/∂q_i q_i|, one on velocities by Σ|∂f/∂v_i v_i|, and a gap by
// Σ|∂g/∂q_i q_i| though it may be closed all the time. Of bodies: continuum/momentum_sizes.hpp.

#include <optional>
#include <vector>

#include "ricochet/scenario/scenario.hpp"
#include "ricochet/simulation/archive.hpp"

namespace ricochet {

struct Sizes {
  std::vector<double> momenta;                        // of each that the run reports
  std::optional<double> holonomic{}, nonholonomic{};  // the smallest of all constraints, if there are any
  std::optional<double> gaps{};                       // the largest
};

Sizes measure_sizes(const Scenario& scenario, const ArchiveReader& archive);

}  // namespace ricochet
