#pragma once
// One impact: one instant with a nonzero impulse, however many contacts close in it. One ledger line. Where lasting
// contact begins, changes or ends there is a line without an impulse.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ricochet {

// The laws of contact, and what lasting contact writes when it begins, changes and ends.
enum class ImpactLaw : std::uint8_t { elastic, newton, coulomb, plastic, rest, stick, slide, release };
const char* name(ImpactLaw law);

struct ContactImpulse {
  int contact;    // number of the contact
  double lambda;  // p⁺ − p⁻ = Σ λ ∇g + tangential impulses + reactions of the constraints
  std::array<double, 2> tangential{};  // along the tangents of the contact; one in the plane
  ImpactLaw law = ImpactLaw::elastic;  // that acted on it
};

struct Impact {
  double time = 0;
  double alpha = 0;                            // (time − t_step) / step
  std::vector<ContactImpulse> contacts;        // those with an impulse
  double gap = 0;                              // at the impact, the largest |g| of them
  double energy_before = 0, energy_after = 0;  // H(q̃, p̃∓)
  ImpactLaw law = ImpactLaw::elastic;          // of the whole line; elastic: what the contacts say
  double requested_restitution = 1, obtained_restitution = 1;
  double residual = 0;
  int iterations = 0;
  double discrete_energy_before = 0, discrete_energy_after = 0;
  double momentum_change = 0;     // |p⁺ − p⁻|
  double constraint_impulse = 0;  // |p⁺ − p⁻ − Σ λ ∇g|: what the constraints add to the contacts
  // With impulses Λ, contact velocities c∓ = Jv∓ + J_t: loss = ½Λᵀ(c⁺ + c⁻), obstacle_work = −ΛᵀJ_t. Their sum is the
  // change of H.
  double loss = 0, obstacle_work = 0;
  std::vector<double> q, v_before, v_after;  // the state at the impact; empty if the method does not tell
  std::size_t after = 0;                     // of a line without impulse: so many impacts of the step come before it

  double impulse() const {
    double sum = 0;
    for (const ContactImpulse& c : contacts) sum += c.lambda;
    return sum;
  }
  void clear();  // as a new one, but for the capacity of its vectors
};

// The law of a line as the ledger writes it: one word where it is the same for all contacts, else that of each, joined
// by +.
std::string law_names(const Impact& impact);

// The impacts of a step. An element is used again and again, so that after the first few an impact allocates nothing.
class ImpactList {
 public:
  Impact& add() {  // a cleared element at the end; references to others are lost, as with a vector
    if (count_ == items_.size()) items_.emplace_back();
    Impact& impact = items_[count_++];
    impact.clear();
    return impact;
  }
  void pop() { --count_; }
  void erase(std::size_t k) {
    std::rotate(items_.begin() + static_cast<std::ptrdiff_t>(k), items_.begin() + static_cast<std::ptrdiff_t>(k) + 1,
                items_.begin() + static_cast<std::ptrdiff_t>(count_));
    pop();
  }
  void clear() { count_ = 0; }
  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  Impact& operator[](std::size_t k) { return items_[k]; }
  const Impact& operator[](std::size_t k) const { return items_[k]; }
  const Impact& front() const { return items_.front(); }
  Impact& back() { return items_[count_ - 1]; }
  const Impact& back() const { return items_[count_ - 1]; }
  Impact* begin() { return items_.data(); }
  Impact* end() { return items_.data() + count_; }
  const Impact* begin() const { return items_.data(); }
  const Impact* end() const { return items_.data() + count_; }
  std::span<const Impact> span() const { return {items_.data(), count_}; }

 private:
  std::vector<Impact> items_;
  std::size_t count_ = 0;
};

}  // namespace ricochet
