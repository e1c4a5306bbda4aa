#pragma once
// Bodies as a Stepper; those on a line here, those in the plane in plane_stepper.hpp: fields x, v at the nodes and
// stress in the cells, energies, works and contact forces as running scalars, episodes of contact, probes.

#include <memory>
#include <string>
#include <vector>

#include "ricochet/continuum/bar.hpp"
#include "ricochet/simulation/stepper.hpp"

namespace ricochet::continuum {

// Throws ModelError. Warnings (a Courant number of AVI that invites resonance) are appended.
std::unique_ptr<Stepper> make_stepper(const Model& model, std::vector<std::string>& warnings);

double step_of(const Model& model);  // the step that a run takes; throws ModelError

// The names of what a run of this model reports.
std::vector<std::string> scalar_names(const Model& model);
std::vector<std::string> momentum_names(const Model& model);  // "linear x"; in the plane "linear y" and "angular" too

}  // namespace ricochet::continuum
