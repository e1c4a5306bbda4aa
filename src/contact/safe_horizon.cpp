#include "ricochet/contact/safe_horizon.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {

SafeHorizon::SafeHorizon(int n) : n_(n), low_(n), high_(n), w_before_(n, 0.0), box_(n) {}

bool SafeHorizon::covers(double t, const double* q, const double* w, double h) const {
  if (!active_ || t < t_begin_ || t + h > t_end_) return false;
  bool inside = true;
  for (int i = 0; i < n_; ++i) {
    const double end = q[i] + h * w[i], bulge = h * (std::abs(w[i]) + std::abs(w[i] - w_before_[i]));
    inside &= std::min(q[i], end) - bulge >= low_[i] && std::max(q[i], end) + bulge <= high_[i];
  }
  return inside;
}

bool SafeHorizon::extend(Gaps& gaps, double t, const double* q, const double* w, double h) {
  for (int steps = steps_; steps >= 1; steps /= 4) {
    for (int i = 0; i < n_; ++i) {
      // the k-th step from here has mean velocity w + k dw
      const double dw = w[i] - w_before_[i], last = w[i] + (steps - 1) * dw;
      const double turn = dw != 0 ? -w[i] / dw : 0;  // in steps
      const double end = q[i] + h * steps * (w[i] + last) / 2;
      low_[i] = std::min(q[i], end), high_[i] = std::max(q[i], end);
      if (turn > 0 && turn < steps) {
        const double x = q[i] + h * turn * (w[i] - dw) / 2;
        low_[i] = std::min(low_[i], x), high_[i] = std::max(high_[i], x);
      }
      // a little more than needed, so that round-off in covers() cannot spoil the proof
      const double bulge =
          h * (std::max(std::abs(w[i]), std::abs(last)) + 1.001 * std::abs(dw)) * (1 + 1e-6) + 1e-15 * std::abs(q[i]);
      low_[i] -= bulge, high_[i] += bulge;
      const double slack = 1e-12 * (high_[i] - low_[i]) + 1e-15 * std::abs(q[i]);
      box_[i] = {low_[i] - slack, high_[i] + slack};
    }
    gaps.enclose(box_.data(), {t, t + (steps + 1) * h});
    bound_ = std::numeric_limits<double>::infinity();
    for (int gap = 0; gap < gaps.count(); ++gap) bound_ = std::fmin(bound_, gaps.lower_bound(gap));
    if (!(bound_ > 0)) continue;
    steps_ = std::min(4 * steps, 4096);
    t_begin_ = t;
    t_end_ = t + (steps + 1) * h;
    active_ = true;
    if (covers(t, q, w, h)) return true;  // whatever the guess was, this step must be in the box
  }
  steps_ = 1;
  return active_ = false;
}

void SafeHorizon::remember(const double* w) { std::copy(w, w + n_, w_before_.begin()); }

}  // namespace ricochet
