#pragma once
// Verlet's method: the discrete action of all elements at the same times,
//   S = Σ_n Σ_i ½ m_i (u_iⁿ⁺¹ − u_iⁿ)²/h − h Σ_e V_e(uⁿ),
// whose stationarity is
//   v^{n+½} = v^{n−½} + h M⁻¹ (f(uⁿ) + contact),  uⁿ⁺¹ = uⁿ + h v^{n+½};
// steps of different length h⁻, h have ½(h⁻ + h) in the kick. The state is (uⁿ, v^{n−½}). The start has v^{−½} = v⁰ −
// ½h a⁰.
//
// What is kept: momentum, to round-off, and for linear materials the half-step energy
//   E^{n−½} = ½ v M v + Σ ½ k dⁿ⁻¹ dⁿ,  d the elongation of a cell,
// exactly, as its change is the work h F·(v^{n+½} + v^{n−½})/2 of the other forces. For other materials
// ½(W(dⁿ⁻¹) + W(dⁿ)) stands for the product, and E oscillates by O(h²).

#include "ricochet/continuum/bar.hpp"
#include "ricochet/continuum/integrator.hpp"

namespace ricochet::continuum {

class Verlet : public Integrator {
 public:
  static Descriptor descriptor();
  explicit Verlet(const Bar& bar);  // keeps a reference
  void advance(double t0, double h) override;
  void bring_to(double, std::vector<double>& u) const override { u = u_; }
  const std::vector<double>& velocities() const override { return v_; }
  Energies energies() const override;
  const Balance& balance() const override { return balance_; }
  std::span<const ContactForce> contacts() const override { return forces_; }
  double gap(std::size_t touch) const override { return bar_.touches[touch].gap(u_.data()); }
  std::int64_t updates() const override { return updates_; }
  void save(std::vector<double>& out) const override;
  void load(std::span<const double>& in) override;

 private:
  struct Special {  // an end in a contact or with a prescribed motion: as it was before the step
    std::size_t node;
    double u = 0, v = 0;
  };
  void step(double t0, double h);
  void apply_contacts(double h, double kick);
  void kick_and_drift(double h, double kick);
  void kick_and_drift_linear(double h, double kick);
  double force_on(std::size_t node, bool fused) const;
  void account(double h, double kick);

  const Bar& bar_;
  std::vector<double> u_, v_;
  std::vector<double> N_;  // forces of the cells, one zero in front
  std::vector<double> q_;  // viscous part
  double h_;               // of the step before
  std::vector<double> interval_force_;
  std::vector<ContactForce> forces_;
  std::vector<Special> special_;
  std::vector<std::size_t> special_of_touch_, special_of_support_;  // two for each touch
  std::vector<double> support_force_;
  std::vector<double> stiffness_;  // of linear cells, A E/dx
  Balance balance_;
  double body_mass_ = 0;
  bool all_linear_ = true;      // else a step may turn a cell inside out, and is undone
  std::vector<double> before_;  // the state to return to then
  std::int64_t updates_ = 0, elements_ = 0;
};

}  // namespace ricochet::continuum
