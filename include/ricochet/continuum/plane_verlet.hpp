#pragma once
// Verlet's method in the plane, as verlet.hpp on a line:
//   v^{n+½} = v^{n−½} + h M⁻¹ (f(uⁿ) + contact),  uⁿ⁺¹ = uⁿ + h v^{n+½}.
// Kept: momentum and angular momentum Σ m x × v, to round-off, through every contact (rows of contacts are invariant
// under rigid motions, and taken at xⁿ, where the impulses act); for linear materials the half-step energy, whose
// change is the work of the other forces. For other materials ½(W(uⁿ⁻¹) + W(uⁿ)) stands in it, and it oscillates by
// O(h²).

#include "ricochet/continuum/massless_surface.hpp"
#include "ricochet/continuum/plane_integrator.hpp"

namespace ricochet::continuum {

class PlaneVerlet : public PlaneIntegrator {
 public:
  PlaneVerlet(const Solid& solid, PlaneContacts& contacts, unsigned threads);  // keeps references
  void advance(double t0, double h) override;
  void bring_to(double, std::vector<double>& u) const override { u = u_; }
  Energies energies() const override;
  void save(std::vector<double>& out) const override;
  void load(std::span<const double>& in) override;

 private:
  void kick(double by);
  void hold(double t, double h);
  void push(double h, double by);
  void account(double by);
  void look(double h);  // forces and contacts at the new positions
  void search(double h);
  void settle(double h);
  void forces();

  MasslessSurface massless_;
  std::vector<NodeContact> kept_, found_before_;  // of massless surfaces
  NodeForces elastic_;                            // at u
  std::vector<double> before_;                    // velocities before the kick
  std::vector<double> u_before_;
  std::vector<double> torques_;                 // of weight on blocks of nodes
  std::vector<double> held_impulse_;            // of contacts and springs on held nodes
  std::vector<std::array<double, 2>> targets_;  // where motions lead
  double h_;
  std::vector<ContactForce> forces_before_;
  bool all_linear_ = true;
  double total_mass_ = 0;
  std::int64_t steps_ = 0;
};

}  // namespace ricochet::continuum
