#include "ricochet/audit/motion_units.hpp"

#include <algorithm>
#include <cmath>

#include "ricochet/error.hpp"

namespace ricochet {

MotionExtent::MotionExtent(const Subject& subject)
    : w_(subject.start.q.size(), 0.0), low_(subject.start.q), high_(subject.start.q) {
  const State& s = subject.start;
  const std::size_t n = s.q.size();
  Lagrangian lagrangian(*subject.system);
  std::vector<double> v(n, 0.0);
  try {
    lagrangian.velocity(s.q.data(), s.p.data(), s.t, v.data());
  } catch (const SolverError&) {  // the run will say so; inertias at rest are as good a unit
  }
  lagrangian.evaluate(2, s.q.data(), v.data(), s.t);
  for (std::size_t k = 0; k < lagrangian.pattern().size(); ++k) {
    const auto [i, j] = lagrangian.pattern()[k];
    if (i == j && i >= n && i < 2 * n) w_[i - n] = std::abs(lagrangian.hessian(k));
  }
  const double h = subject.options.step;
  for (std::size_t i = 0; i < n; ++i) {
    const double force = lagrangian.Lq()[i];
    if (w_[i] == 0 || !std::isfinite(force)) continue;
    still_p_ += std::pow(h * force, 2) / w_[i];
    still_q_ += std::pow(h * h * force, 2) / w_[i];
  }
  add(s);
}

void MotionExtent::add(const State& state) {
  double p = 0;
  for (std::size_t i = 0; i < w_.size(); ++i) {
    low_[i] = std::min(low_[i], state.q[i]);
    high_[i] = std::max(high_[i], state.q[i]);
    if (w_[i] > 0) p += state.p[i] * state.p[i] / w_[i];
  }
  p_ = std::max(p_, p);
}

MotionUnits MotionExtent::units() const {
  MotionUnits u{.inertia = w_, .extent = {}};
  double moved = 0, size = 0;
  for (std::size_t i = 0; i < w_.size(); ++i) {
    const double extent = high_[i] - low_[i];
    u.extent.push_back(extent);
    moved += w_[i] * extent * extent;
    size += w_[i] * std::pow(std::max(std::abs(low_[i]), std::abs(high_[i])), 2);
  }
  u.position = std::sqrt(std::max(moved, still_q_));
  u.momentum = std::sqrt(std::max(p_, still_p_));
  if (u.position > 0) u.reach = std::max(1.0, std::sqrt(size) / u.position);
  return u;
}

std::optional<double> distance(const State& a, const State& b, const MotionUnits& units) {
  double q = 0, p = 0, free = 0;
  for (std::size_t i = 0; i < a.q.size(); ++i) {
    const double dq = a.q[i] - b.q[i], dp = a.p[i] - b.p[i], w = units.inertia[i];
    if (w > 0)
      q += w * dq * dq, p += dp * dp / w;
    else if (dq != 0)
      free += units.extent[i] > 0 ? std::pow(dq / units.extent[i], 2) : INFINITY;
  }
  const auto relative = [](double square, double unit) { return square == 0 ? 0 : square / (unit * unit); };
  const double d = std::sqrt(relative(q, units.position) + relative(p, units.momentum) + free);
  return std::isfinite(d) ? std::optional(d) : std::nullopt;
}

MotionUnits units_of(const Subject& subject, double duration, std::int64_t steps) {
  MotionExtent extent(subject);
  Walk walk(subject, duration / static_cast<double>(steps));
  while (walk.steps() < steps) {
    walk.step();
    extent.add(walk.state());
  }
  return extent.units();
}

}  // namespace ricochet
