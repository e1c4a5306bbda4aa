#pragma once
// The correction of positions [Cirak and West 2005]: what penetrates at the end of a step, because rows are linear,
// goes to the closest point outside, in the metric of the masses,
//   x += M⁻¹Nᵀν,   0 ≤ ν ⊥ gap + N M⁻¹Nᵀν ≥ 0,
// again with the rows of the new place until no node is deeper than a millionth of the shortest segment. Velocities do
// not feel how deep it was. The centre of mass stays, because rows are blind to translations. The angular momentum
// Σ m x × v would change by Nᵀν × v, the slip over the depth: each contact takes it back by the smallest change of the
// velocities of its nodes that has no momentum, a rotation about their centre of mass. Of walls, and of nodes that are
// held, it is the support's. What all this does to the energy is work of the contact.

#include <span>
#include <vector>

#include "ricochet/continuum/integrator.hpp"
#include "ricochet/continuum/plane_contact.hpp"

namespace ricochet::continuum {

class ClosestPoints {
 public:
  explicit ClosestPoints(const Solid& solid);  // keeps a reference
  // One round, with the rows of the last search, at u. Energies are those between u − back·v and u. `forces` get what
  // bodies take from each other.
  void correct(PlaneContacts& contacts, double back, double* u, double* v, Balance& balance,
               std::span<ContactForce> forces);

 private:
  double energy(const double* u, const double* v, double back);  // of the nodes that move and of their elements

  const Solid& solid_;
  ContactResponse<NodeContact> response_;
  std::vector<NodeContact> list_;
  std::vector<double> moved_, turn_, behind_;
  std::vector<int> nodes_;
  std::vector<std::size_t> cells_;
};

}  // namespace ricochet::continuum
