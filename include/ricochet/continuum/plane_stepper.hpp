#pragma once
// Bodies in the plane as a Stepper: fields x, v at the nodes and the true stress (xx, yy, xy) in the cells, energies,
// works, impulses and contact forces as running scalars, episodes of contact.

#include <memory>
#include <string>
#include <vector>

#include "ricochet/continuum/model.hpp"
#include "ricochet/simulation/stepper.hpp"

namespace ricochet::continuum {

std::unique_ptr<Stepper> make_plane_stepper(const Model& model);  // throws ModelError
double plane_step_of(const Model& model);
std::vector<std::string> plane_scalar_names();  // before those of the contacts
inline const std::vector<std::string> plane_momenta{"linear x", "linear y", "angular"};

}  // namespace ricochet::continuum
