#include "ricochet/simulation/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace ricochet {

void Statistics::record(const Observables& o) {
  if (count_ == 0) {
    energy_initial_ = energy_min_ = energy_max_ = o.energy;
    momenta_initial_ = o.momenta;
    momenta_deviation_.assign(o.momenta.size(), 0);
    scalars_initial_ = scalars_min_ = scalars_max_ = o.scalars;
  }
  scalars_final_ = o.scalars;
  for (std::size_t i = 0; i < o.scalars.size(); ++i) {
    scalars_min_[i] = std::min(scalars_min_[i], o.scalars[i]);
    scalars_max_[i] = std::max(scalars_max_[i], o.scalars[i]);
  }
  energy_final_ = o.energy;
  energy_min_ = std::min(energy_min_, o.energy);
  energy_max_ = std::max(energy_max_, o.energy);
  for (std::size_t i = 0; i < o.momenta.size(); ++i)
    momenta_deviation_[i] = std::max(momenta_deviation_[i], std::abs(o.momenta[i] - momenta_initial_[i]));
  count_ += 1;
  drift_.add(o.t, o.energy);
}

void Statistics::summarize(const Labels& labels, Summary& out) const {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EnergySummary& e = out.energy;
  e.initial = energy_initial_;
  e.final = energy_final_;
  e.min = energy_min_;
  e.max = energy_max_;
  e.relative_range = energy_initial_ == 0 ? nan : (energy_max_ - energy_min_) / std::abs(energy_initial_);
  const Drift drift = drift_.measure();
  e.drift_per_time = drift.slope;
  e.drift_uncertainty = drift.uncertainty;
  e.spread_exponent = drift.spread_exponent;
  out.momenta.clear();
  for (std::size_t i = 0; i < momenta_initial_.size(); ++i)
    out.momenta.push_back({labels.momenta.at(i), momenta_initial_[i], momenta_deviation_[i]});
  out.scalars.clear();
  for (std::size_t i = 0; i < scalars_final_.size(); ++i)
    out.scalars.push_back(
        {labels.scalars.at(i), scalars_initial_[i], scalars_final_[i], scalars_min_[i], scalars_max_[i]});
  out.extremes = extremes_;
}

std::vector<double> Statistics::save() const {
  const std::vector<double> drift = drift_.save();
  std::vector<double> out{count_,
                          energy_initial_,
                          energy_final_,
                          energy_min_,
                          energy_max_,
                          extremes_.gap_min,
                          extremes_.holonomic_max,
                          extremes_.nonholonomic_max,
                          static_cast<double>(momenta_initial_.size()),
                          static_cast<double>(drift.size())};
  out.insert(out.end(), drift.begin(), drift.end());
  for (const auto* part :
       {&momenta_initial_, &momenta_deviation_, &scalars_initial_, &scalars_final_, &scalars_min_, &scalars_max_})
    out.insert(out.end(), part->begin(), part->end());
  return out;
}

void Statistics::load(std::span<const double> s) {
  constexpr std::size_t head = 10;
  const std::size_t momenta = s.size() < head ? 0 : static_cast<std::size_t>(s[8]),
                    drift = s.size() < head ? 0 : static_cast<std::size_t>(s[9]);
  std::size_t at = head + drift;
  if (s.size() < at + 2 * momenta || (s.size() - at - 2 * momenta) % 4 != 0)
    throw std::invalid_argument("saved statistics of a wrong length");
  count_ = s[0], energy_initial_ = s[1], energy_final_ = s[2], energy_min_ = s[3], energy_max_ = s[4];
  extremes_ = {s[5], s[6], s[7]};
  drift_.load(s.subspan(head, drift));
  const std::size_t scalars = (s.size() - at - 2 * momenta) / 4;
  const auto take = [&](std::vector<double>& to, std::size_t count) {
    const auto part = s.subspan(at, count);
    to.assign(part.begin(), part.end());
    at += count;
  };
  for (auto* part : {&momenta_initial_, &momenta_deviation_}) take(*part, momenta);
  for (auto* part : {&scalars_initial_, &scalars_final_, &scalars_min_, &scalars_max_}) take(*part, scalars);
}

}  // namespace ricochet
