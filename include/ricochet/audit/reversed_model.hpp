#pragma once
// The same motion run backwards: velocities v → −v and time t → t_sum − t in every formula. A solution q(t) of the
// model gives the solution q(t_sum − t) of the reversed one, also with moving obstacles, magnetic fields and driving.

#include "ricochet/mechanics/model.hpp"

namespace ricochet {

Model reversed_model(const Model& model, double t_sum);

}  // namespace ricochet
