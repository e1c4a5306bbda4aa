#pragma once
// The collision integrator of variational_collision.cpp as a part: other methods run it with other sub-steps.

#include <memory>
#include <string>

#include "event_loop.hpp"
#include "registry.hpp"
#include "ricochet/discrete/sub_step.hpp"

namespace ricochet {

struct CollisionSettings {
  Tableau tableau;
  NewtonSettings newton;
  EventLoopSettings events;
  bool constrain_at_end = false;  // nonholonomic constraints at the end of a sub-step: the adjoint scheme
};

// The parameters of a method that collides: tolerance, impact_energy, simultaneous, eps_g, max_impacts.
std::vector<ParameterDoc> collision_parameters();
// Those that do not depend on the flow: simultaneous, eps_g, max_impacts.
std::vector<ParameterDoc> event_parameters();
EventLoopSettings event_settings(const IntegratorOptions& options);
CollisionSettings collision_settings(const Tableau& tableau, const IntegratorOptions& options);
std::unique_ptr<Method> make_collision(const Descriptor& about, std::shared_ptr<const System> system,
                                       const CollisionSettings& settings);

}  // namespace ricochet
