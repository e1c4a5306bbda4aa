// Double pendulum, midpoint rule: formulas against a hand-written Newton iteration of fixed size with derivatives by
// hand.
//
// With m = l = 1:  L = a'² + b'²/2 + a'b' cos(a−b) + g (2 cos a + cos b).
// Unknown w = (q1 − q0)/h; all at q = q0 + h/2 w:  R = L_v − h/2 L_q − p0 = 0,  p1 = p0 + h L_q.

#include <algorithm>
#include <limits>

#include "ricochet/numerics/newton.hpp"
#include "stepping.hpp"

namespace {

using ricochet::Expr;
using ricochet::Model;

constexpr double g = 9.81, h = 0.005;

struct Pendulum {
  double q[2] = {2.0, 2.5}, p[2] = {0.0, 0.0};

  double R[2], Lq[2], J[4], norm, scale;
  template <bool jacobian>
  void evaluate(const double* w) {
    const double a = q[0] + h / 2 * w[0], b = q[1] + h / 2 * w[1];
    const double c = std::cos(a - b), s = std::sin(a - b), sin_a = std::sin(a), sin_b = std::sin(b);
    const double product = w[0] * w[1];
    const double Lv[2] = {2 * w[0] + w[1] * c, w[1] + w[0] * c};
    Lq[0] = -product * s - 2 * g * sin_a;
    Lq[1] = product * s - g * sin_b;
    norm = 0;
    scale = 1e-300;
    for (int i = 0; i < 2; ++i) {
      R[i] = Lv[i] - h / 2 * Lq[i] - p[i];
      norm = std::fmax(norm, std::abs(R[i]));
      scale = std::max({scale, std::abs(p[i]), std::abs(Lv[i]), std::abs(h * Lq[i])});
    }
    if constexpr (jacobian) {
      // J = L_vv + h/2 (L_vq − L_qv) − h²/4 L_qq
      const double Lqq_aa = -product * c - 2 * g * std::cos(a), Lqq_ab = product * c,
                   Lqq_bb = -product * c - g * std::cos(b);
      const double skew = h / 2 * s * (w[0] + w[1]);  // of L_vq − L_qv, whose diagonal is zero
      J[0] = 2 - h * h / 4 * Lqq_aa;
      J[1] = c + skew - h * h / 4 * Lqq_ab;
      J[2] = c - skew - h * h / 4 * Lqq_ab;
      J[3] = 1 - h * h / 4 * Lqq_bb;
    }
  }

  // The stopping rule of numerics/newton.hpp, without its line search, which never acts here.
  void step() {
    const double tolerance = ricochet::NewtonSettings{}.tolerance,
                 round_off = 8 * std::numeric_limits<double>::epsilon();
    double w[2] = {0, 0};
    evaluate<true>(w);
    double r = norm;
    bool has_jacobian = true;
    while (r > round_off * scale) {
      if (!has_jacobian) evaluate<true>(w);
      const double determinant = J[0] * J[3] - J[1] * J[2], before[2] = {w[0], w[1]};
      w[0] -= (J[3] * R[0] - J[1] * R[1]) / determinant;
      w[1] -= (J[0] * R[1] - J[2] * R[0]) / determinant;
      has_jacobian = !(r <= 1e-6 * scale);
      has_jacobian ? evaluate<true>(w) : evaluate<false>(w);
      const bool stagnates = norm > r / 4 && norm <= tolerance * scale;
      if (stagnates && norm > r) {
        std::copy(before, before + 2, w);
        evaluate<false>(w);
      }
      r = std::fmin(r, norm);
      if (stagnates) break;
    }
    for (int i = 0; i < 2; ++i) {
      q[i] += h * w[i];
      p[i] += h * Lq[i];
    }
  }
};

Pendulum by_hand() {
  Pendulum pendulum;
  for (int k = 0; k < steps_per_iteration; ++k) pendulum.step();
  return pendulum;
}

void hand(benchmark::State& state) { measure(state, by_hand); }

void formulas(benchmark::State& state) {
  Model model;
  const Expr a = model.coordinate("a"), b = model.coordinate("b");
  model.lagrangian = square(dot(a)) + square(dot(b)) / 2.0 + dot(a) * dot(b) * cos(a - b) + g * (2.0 * cos(a) + cos(b));
  Stepping stepping(model, "midpoint", {2.0, 2.5}, {0.0, 0.0});
  if (!same_end(state, stepping.after(steps_per_iteration, h).q, by_hand().q)) return;
  measure(state, [&] { return stepping.after(steps_per_iteration, h); });
}

BENCHMARK(hand)->Name("double pendulum, midpoint/by hand");
BENCHMARK(formulas)->Name("double pendulum, midpoint/formulas");

}  // namespace
