#include "ricochet/contact/safe_horizon.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {

SafeHorizon::SafeHorizon(int n) : n_(n), center_(n), radius_(n), w_before_(n, 0.0), box_(n) {}

double SafeHorizon::reach(int i, const double* w, double h) const {
  return h * (2 * std::abs(w[i]) + std::abs(w[i] - w_before_[i]));
}

bool SafeHorizon::covers(double t, const double* q, const double* w, double h) const {
  if (!active_ || t < t_begin_ || t + h > t_end_) return false;
  bool inside = true;
  for (int i = 0; i < n_; ++i) inside &= std::abs(q[i] - center_[i]) + reach(i, w, h) <= radius_[i];
  return inside;
}

bool SafeHorizon::extend(Gaps& gaps, double t, const double* q, const double* w, double h) {
  for (int steps = std::min(4 * steps_, 4096); steps >= 1; steps /= 4) {
    for (int i = 0; i < n_; ++i) {
      center_[i] = q[i];
      // one more than needed, so that round-off in covers() cannot spoil the proof
      radius_[i] = (steps + 1e-6) * reach(i, w, h) + 1e-15 * std::abs(q[i]);
      box_[i] = {q[i] - radius_[i] * (1 + 1e-12), q[i] + radius_[i] * (1 + 1e-12)};
    }
    gaps.enclose(box_.data(), {t, t + (steps + 1) * h});
    bound_ = std::numeric_limits<double>::infinity();
    for (int gap = 0; gap < gaps.count(); ++gap) bound_ = std::fmin(bound_, gaps.lower_bound(gap));
    if (!(bound_ > 0)) continue;
    steps_ = steps;
    t_begin_ = t;
    t_end_ = t + (steps + 1) * h;
    return active_ = true;
  }
  steps_ = 1;
  return active_ = false;
}

void SafeHorizon::remember(const double* w) { std::copy(w, w + n_, w_before_.begin()); }

}  // namespace ricochet
