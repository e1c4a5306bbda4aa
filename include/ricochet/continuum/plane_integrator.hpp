#pragma once
// What both integrators of bodies in the plane hold, and how they find the impulses of their contacts.

#include "ricochet/continuum/cell_forces.hpp"
#include "ricochet/continuum/closest_points.hpp"
#include "ricochet/continuum/integrator.hpp"
#include "ricochet/continuum/plane_contact.hpp"

namespace ricochet::continuum {

class PlaneIntegrator : public Integrator {
 public:
  PlaneIntegrator(const Solid& solid, PlaneContacts& contacts, unsigned threads);  // keeps references
  const std::vector<double>& velocities() const override { return v_; }
  const Balance& balance() const override { return balance_; }
  std::span<const ContactForce> contacts() const override { return forces_; }
  double gap(std::size_t pair) const override { return contacts_.gap(pair); }
  std::int64_t updates() const override { return updates_; }

 protected:
  std::array<double, 2> mobility(int node, const std::array<double, 2>& J) const {
    return solid_.mobility(node, J[0], J[1]);
  }
  // Impulses of multiplier and decomposed in a step h, added to v_; `before` is the velocity that restitution takes.
  // Throws SolverError.
  void respond(double h, const double* before);

  const Solid& solid_;
  PlaneContacts& contacts_;
  ContactResponse<NodeContact> response_;
  ClosestPoints closest_;
  Team team_;
  std::vector<double> u_, v_;
  std::vector<int> hold_of_;  // of a node, or −1
  std::vector<ContactForce> forces_;
  Balance balance_;
  std::int64_t updates_ = 0;
};

}  // namespace ricochet::continuum
