#pragma once
// Distances between states in units of the motion, so that no figure depends on where the origin is or on the units of
// the coordinates. With the inertias w_i = ∂²L/∂v_i² at the start,
//
//   d² = Σ w_i Δq_i² / Q² + Σ Δp_i²/w_i / P²,   Q² = Σ w_i (max q_i − min q_i)²,   P² = max Σ p_i²/w_i
//
// over the path of the truth. What one step of the forces at the start would do, p = h L_q and q = h² L_q/w, counts as
// motion too: of a body at rest there is no other. A coordinate without inertia has w_i = 1/(max q_i − min q_i)² of the
// path, and its momentum is left out.

#include <optional>
#include <vector>

#include "ricochet/audit/subject.hpp"

namespace ricochet {

struct MotionUnits {
  std::vector<double> inertia{};  // w; 0: none
  std::vector<double> extent{};   // max q − min q
  double position = 0;            // Q
  double momentum = 0;            // P
  double reach = 1;  // (Σ w max |q|²)^½ / Q, at least 1: an error of round-off is as many times larger in units of Q
};

class MotionExtent {
 public:
  explicit MotionExtent(const Subject& subject);  // has its start already
  void add(const State& state);
  MotionUnits units() const;

 private:
  std::vector<double> w_, low_, high_;
  double still_q_ = 0, still_p_ = 0, p_ = 0;  // squares
};

// None if nothing moves and no force wants to, but the states differ.
std::optional<double> distance(const State& a, const State& b, const MotionUnits& units);

MotionUnits units_of(const Subject& subject, double duration, std::int64_t steps);

}  // namespace ricochet
