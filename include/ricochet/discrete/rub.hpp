#pragma once
// Friction of a contact that lasts. As a number of State::modes:
//
//   0 open,   1 closed without friction,   2 sticks,   3 + φ/2π slides, φ in [0, 2π) the angle of its slip in the frame
//                                                      of the tangents; in the plane 0 or π

#include <array>
#include <cmath>
#include <numbers>

namespace ricochet {

struct Rub {
  int tangents = 0;     // 0: no friction
  double friction = 0;  // μ
  bool sticks = false;
  std::array<double, 2> slip{};  // its direction, if it slides

  // One that sticks, or that slides along s.
  void stick() { sticks = true, slip = {}; }
  void slide(double s0, double s1) {
    const double size = tangents == 2 ? std::hypot(s0, s1) : std::abs(s0);
    sticks = false;
    slip = {s0 / size, tangents == 2 ? s1 / size : 0.0};
  }
};

inline double mode_of(const Rub& rub) {
  if (rub.tangents == 0) return 1;
  if (rub.sticks) return 2;
  if (rub.tangents == 1) return rub.slip[0] > 0 ? 3 : 3.5;
  const double turn = std::atan2(rub.slip[1], rub.slip[0]) / (2 * std::numbers::pi),
               mode = turn < 0 ? 4 + turn : 3 + turn;
  return mode < 4 ? mode : 3;
}

inline void set_mode(Rub& rub, double mode) {
  if (rub.tangents == 0) return;
  if (mode < 3) return rub.stick();
  const double angle = 2 * std::numbers::pi * (mode - 3);
  rub.slide(rub.tangents == 2 || mode == 3 ? std::cos(angle) : -1.0, std::sin(angle));
}

}  // namespace ricochet
