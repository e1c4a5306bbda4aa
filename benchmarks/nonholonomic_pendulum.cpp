// The spherical pendulum in a cylinder under φ' = f(θ)θ' [RAC 4.3], (+) scheme with the rectangle rule: formulas
// against a hand-written Newton iteration of fixed size with derivatives by hand and the same stopping rule.
//
// L = 2(θ'² + sin²θ φ'²) − 19.6 cos θ,  f = π + cos²θ,  W = (−f, 1). Unknowns w = (q1 − q0)/h and μ; all at q0:
//   R = L_v(w) − h L_q(w) − p0 − Wᵀμ = 0,   W w = 0;   p1 = L_v(q0, w), brought to W(q1)M⁻¹p1 = 0.
// Reduced: μ eliminated by hand, which leaves one unknown, θ's velocity. No library does that for its user.
// After an impact at q̃ the velocity allowed by the constraint is a number, given by E_d(q̃, w) = E_d(q0, w before).

#include <Eigen/Dense>
#include <limits>

#include "ricochet/numerics/find_root.hpp"
#include "ricochet/numerics/newton.hpp"
#include "stepping.hpp"

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using ricochet::Expr;
using ricochet::Model;

constexpr double h = 1e-3, pi = 3.14159265358979323846;
constexpr int steps = 5000, same_steps = 5000;  // three impacts

template <bool reduced>
struct Pendulum {
  double q[2] = {0.75 * pi, 0}, p[2], w[2];
  int impacts = 0;

  Pendulum() {
    const double v = 0.25 * pi;
    p[0] = 4 * v;
    p[1] = 2 * (pi + 0.5) * v;  // 4 sin²θ = 2
  }

  double f, s2, sc, pull;  // of the point q: f, sin²θ, sin θ cos θ, 19.6 sin θ
  void at(double theta) {
    const double s = std::sin(theta), c = std::cos(theta);
    f = pi + c * c, s2 = s * s, sc = s * c, pull = 19.6 * s;
  }
  static double gap(double theta) { return 1.5 - 2 * std::abs(std::sin(theta)); }
  static double potential(double theta) { return 19.6 * std::cos(theta); }
  double kinetic() const { return 2 * (w[0] * w[0] + s2 * w[1] * w[1]); }

  Vector3d R;
  Matrix3d J;
  double norm, scale;
  template <bool jacobian>
  void evaluate(const Vector3d& x, double length) {
    const double Lv[2] = {4 * x[0], 4 * s2 * x[1]}, Lq = 4 * sc * x[1] * x[1] + pull;
    const double p0[2] = {p[0] - f * x[2], p[1] + x[2]};
    R[0] = Lv[0] - length * Lq - p0[0];
    R[1] = Lv[1] - p0[1];
    R[2] = x[1] - f * x[0];
    scale = std::max({std::abs(p0[0]), std::abs(p0[1]), std::abs(Lv[0]), std::abs(Lv[1]), std::abs(length * Lq)});
    const double fastest = std::fmax(std::abs(x[0]), std::abs(x[1]));
    const double farthest = std::fmax(std::abs(q[0] + length * x[0]), std::abs(q[1] + length * x[1]));
    const double velocity_scale = fastest + farthest / length + 1e-300;
    norm = std::fmax(std::fmax(std::abs(R[0]), std::abs(R[1])) / scale, std::abs(R[2]) / velocity_scale);
    if constexpr (jacobian) J << 4, -8 * length * sc * x[1], f, 0, 4 * s2, -1, -f, 1, 0;
  }

  // The stopping rule of numerics/newton.hpp, without its line search, which never acts here.
  void solve(double length) {
    if constexpr (reduced) return solve_reduced(length);
    const double tolerance = ricochet::NewtonSettings{}.tolerance,
                 round_off = 8 * std::numeric_limits<double>::epsilon();
    Vector3d x = Vector3d::Zero();
    evaluate<true>(x, length);
    double r = norm;
    bool has_jacobian = true;
    while (r > round_off) {
      if (!has_jacobian) evaluate<true>(x, length);
      const Vector3d before = x;
      x -= J.partialPivLu().solve(R);
      has_jacobian = !(r <= 1e-6);
      has_jacobian ? evaluate<true>(x, length) : evaluate<false>(x, length);
      const bool stagnates = norm > r / 4 && norm <= tolerance;
      if (stagnates && norm > r) x = before;
      r = std::fmin(r, norm);
      if (stagnates) break;
    }
    w[0] = x[0], w[1] = x[1];
  }

  // a u − length (b u² + pull) − c = 0 for u = w_θ
  void solve_reduced(double length) {
    const double tolerance = ricochet::NewtonSettings{}.tolerance,
                 round_off = 8 * std::numeric_limits<double>::epsilon();
    const double a = 4 * (1 + s2 * f * f), b = 4 * sc * f * f, c = p[0] + f * p[1];
    double u = 0, r = std::numeric_limits<double>::infinity();
    for (;;) {
      const double residual = a * u - length * (b * u * u + pull) - c;
      const double size = std::fmax(std::abs(a * u), std::abs(c)), now = std::abs(residual) / size;
      if (now <= round_off || (now > r / 4 && now <= tolerance)) break;
      r = now;
      u -= residual / (a - 2 * length * b * u);
    }
    w[0] = u, w[1] = f * u;
  }

  // From the point q, with its velocity w, over a length; the momentum is brought to the constraint at the end.
  void accept(double length) {
    p[0] = 4 * w[0], p[1] = 4 * s2 * w[1];
    for (int i = 0; i < 2; ++i) q[i] += length * w[i];
    at(q[0]);
    if constexpr (reduced) {
      const double v = (p[0] + f * p[1]) / (4 * (1 + s2 * f * f));
      p[0] = 4 * v, p[1] = 4 * s2 * f * v;
      return;
    }
    Matrix3d mass;
    mass << 4, 0, f, 0, 4 * s2, -1, -f, 1, 0;
    const Vector3d v = mass.partialPivLu().solve(Vector3d(p[0], p[1], 0));
    p[0] = 4 * v[0], p[1] = 4 * s2 * v[1];
  }

  void step() {
    at(q[0]);
    solve(h);
    const double at_end = gap(q[0] + h * w[0]);
    if (at_end >= 0) return accept(h);
    const auto path = [&](double s) {
      solve(s);
      return gap(q[0] + s * w[0]);
    };
    const double s = ricochet::find_root(path, 0, h, gap(q[0]), at_end).x;
    solve(s);
    const double energy = kinetic() + potential(q[0]), coming = w[0];
    accept(s);
    const double speed = std::sqrt((energy - potential(q[0])) / (2 * (1 + s2 * f * f)));
    w[0] = -std::copysign(speed, coming);
    w[1] = f * w[0];
    accept(h - s);
    ++impacts;
  }
};

template <bool reduced>
Pendulum<reduced> by_hand(int count) {
  Pendulum<reduced> pendulum;
  for (int k = 0; k < count; ++k) pendulum.step();
  return pendulum;
}

template <bool reduced>
void hand(benchmark::State& state) {
  measure(
      state, [] { return by_hand<reduced>(steps); }, 1, steps);
}

void formulas(benchmark::State& state) {
  Model model;
  const Expr theta = model.coordinate("theta"), phi = model.coordinate("phi");
  model.lagrangian = 2.0 * (square(dot(theta)) + square(sin(theta)) * square(dot(phi))) - 19.6 * cos(theta);
  model.nonholonomic = {{"screw", dot(phi) - (pi + square(cos(theta))) * dot(theta)}};
  model.contacts = {{.name = "cylinder", .gap = 1.5 - 2.0 * abs(sin(theta))}};
  const Pendulum<false> start;
  Stepping stepping(model, "rectangle", {start.q[0], start.q[1]}, {start.p[0], start.p[1]}, "nonholonomic-collision");
  const Pendulum<false> full = by_hand<false>(same_steps);
  const Pendulum<true> reduced = by_hand<true>(same_steps);
  if (full.impacts != 3 || reduced.impacts != 3) return state.SkipWithError("a hand-written loop misses an impact");
  const std::vector<double> end = stepping.after(same_steps, h).q;
  if (!same_end(state, end, full.q) || !same_end(state, end, reduced.q)) return;
  measure(
      state, [&] { return stepping.after(steps, h); }, 1, steps);
}

BENCHMARK(hand<false>)->Name("nonholonomic pendulum/by hand");
BENCHMARK(hand<true>)->Name("nonholonomic pendulum/by hand, reduced");
BENCHMARK(formulas)->Name("nonholonomic pendulum/formulas");

}  // namespace
