#include "ricochet/simulation/drift.hpp"

#include <cmath>
#include <stdexcept>

namespace ricochet {

void DriftMeter::add(double time, double value) {
  if (count_ == 0) first_t_ = time, first_e_ = value;
  // From the first point on, so that the means are small and lose no digits.
  const double t = time - first_t_, e = value - first_e_;
  count_ += 1;
  const double dt = t - mean_t_;
  mean_t_ += dt / count_;
  mean_e_ += (e - mean_e_) / count_;
  s_tt_ += dt * (t - mean_t_);
  s_te_ += dt * (e - mean_e_);
  last_t_ = t;
  sum_ += e;
  if (++filled_ < length_) return;
  means_.push_back(sum_ / length_);
  sum_ = filled_ = 0;
  if (means_.size() < most) return;
  for (std::size_t k = 0; k < most / 2; ++k) means_[k] = (means_[2 * k] + means_[2 * k + 1]) / 2;
  means_.resize(most / 2);
  length_ *= 2;
}

Drift DriftMeter::measure() const {
  Drift drift;
  if (s_tt_ > 0) drift.slope = s_te_ / s_tt_;
  if (count_ < static_cast<double>(most) || !(s_tt_ > 0)) return drift;
  const std::size_t blocks = means_.size();
  const double increments = static_cast<double>(blocks - 1), mean = (means_.back() - means_.front()) / increments;
  double variance = 0;
  for (std::size_t k = 1; k < blocks; ++k) variance += std::pow(means_[k] - means_[k - 1] - mean, 2) / (increments - 1);
  const double duration = last_t_ / (count_ - 1) * length_;  // of a block
  drift.uncertainty = std::sqrt(1.2 * 1.5 * variance / duration / last_t_);
  const auto spread = [&](std::size_t apart) {
    double sum = 0;
    for (std::size_t k = apart; k < blocks; ++k) sum += std::pow(means_[k] - means_[k - apart], 2);
    return sum / static_cast<double>(blocks - apart);
  };
  const double near = spread(blocks / 8), far = spread(4 * (blocks / 8));
  drift.spread_exponent = near > 0 && far > 0 ? std::log(far / near) / std::log(4.0) : 0;
  return drift;
}

std::vector<double> DriftMeter::save() const {
  std::vector<double> out{count_, first_t_, first_e_, last_t_, mean_t_, mean_e_, s_tt_, s_te_, length_, filled_, sum_};
  out.insert(out.end(), means_.begin(), means_.end());
  return out;
}

void DriftMeter::load(std::span<const double> s) {
  constexpr std::size_t head = 11;
  if (s.size() < head || s.size() >= head + most) throw std::invalid_argument("a saved drift of a wrong length");
  std::size_t at = 0;
  for (double* x :
       {&count_, &first_t_, &first_e_, &last_t_, &mean_t_, &mean_e_, &s_tt_, &s_te_, &length_, &filled_, &sum_})
    *x = s[at++];
  means_.assign(s.begin() + head, s.end());
}

}  // namespace ricochet
