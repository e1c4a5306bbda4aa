#pragma once
// One impact: one instant with a nonzero impulse, however many contacts close in it. One ledger line.

#include <cstdint>
#include <vector>

namespace ricochet {

struct ContactImpulse {
  int contact;    // number of the contact
  double lambda;  // p⁺ − p⁻ = Σ λ ∇g + reactions of the constraints
};

enum class ImpactLaw : std::uint8_t { elastic, newton, coulomb, plastic, rest };
const char* name(ImpactLaw law);

struct Impact {
  double time = 0;
  double alpha = 0;                            // (time − t_step) / step
  std::vector<ContactImpulse> contacts;        // those with an impulse
  double gap = 0;                              // at the impact, the largest |g| of them
  double energy_before = 0, energy_after = 0;  // H(q̃, p̃∓)
  ImpactLaw law = ImpactLaw::elastic;
  double requested_restitution = 1, obtained_restitution = 1;
  double residual = 0;
  int iterations = 0;
  double discrete_energy_before = 0, discrete_energy_after = 0;
  double momentum_change = 0;     // |p⁺ − p⁻|
  double constraint_impulse = 0;  // |p⁺ − p⁻ − Σ λ ∇g|: what the constraints add to the contacts
  double impulse() const {
    double sum = 0;
    for (const ContactImpulse& c : contacts) sum += c.lambda;
    return sum;
  }
};

}  // namespace ricochet
