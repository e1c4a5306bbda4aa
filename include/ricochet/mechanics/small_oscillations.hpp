#pragma once
// The motion linearised at a state: M δa + G δv + K δq = 0 with M = ∂²L/∂v∂v, G = C − Cᵀ, C = ∂²L/∂v∂q, K = −∂²L/∂q∂q,
// on the tangent space of the holonomic constraints (whose forces, and the rates of M and C, are left out). What a step
// must resolve, and whether the kinetic energy is one.

#include <string>
#include <vector>

#include "ricochet/mechanics/system.hpp"

namespace ricochet {

struct SmallOscillations {
  std::string negative{};  // a direction of the coordinates in which the kinetic energy is negative, in words
  double fastest = 0;      // the largest frequency; 0: nothing oscillates, or too many coordinates to tell
};

SmallOscillations small_oscillations(const System& system, const std::vector<double>& q, const std::vector<double>& v,
                                     double t);

}  // namespace ricochet
