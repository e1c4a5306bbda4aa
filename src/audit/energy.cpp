#include "ricochet/audit/energy.hpp"

#include <algorithm>
#include <cmath>

#include "ricochet/audit/order.hpp"

namespace ricochet {

namespace {

constexpr std::size_t blocks = 32, fewest_values = 64;

}  // namespace

Drift measure_drift(const std::vector<double>& values, double spacing) {
  std::vector<double> t(values.size()), e(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    t[k] = static_cast<double>(k) * spacing;
    e[k] = values[k] - values[0];  // small numbers lose no digits in the sums
  }
  const std::size_t length = e.size() / blocks;
  std::vector<double> increments;
  double before = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    double mean = 0;
    for (std::size_t k = 0; k < length; ++k) mean += e[b * length + k] / static_cast<double>(length);
    if (b > 0) increments.push_back(mean - before);
    before = mean;
  }
  double mean = 0, variance = 0;
  for (const double d : increments) mean += d / static_cast<double>(increments.size());
  for (const double d : increments) variance += (d - mean) * (d - mean) / static_cast<double>(increments.size() - 1);
  const double diffusion = 1.5 * variance / (static_cast<double>(length) * spacing);
  return {fit_line(t, e).slope, std::sqrt(1.2 * diffusion / t.back())};
}

EnergyMeasurement measure_energy(const Subject& subject, std::int64_t steps) {
  Walk walk(subject, subject.options.step);
  EnergyMeasurement m;
  m.initial = m.min = m.max = walk.energy();
  std::vector<double> values{m.initial};
  while (walk.steps() < steps) {
    walk.step();
    m.impacts += static_cast<std::int64_t>(walk.impacts().size());
    values.push_back(walk.energy());
    m.min = std::min(m.min, values.back());
    m.max = std::max(m.max, values.back());
    if (subject.run.impacts >= 0 && m.impacts >= subject.run.impacts) break;
  }
  m.steps = walk.steps();
  if (m.initial != 0) m.relative_range = (m.max - m.min) / std::abs(m.initial);
  if (values.size() >= fewest_values) {
    const Drift drift = measure_drift(values, walk.h());
    m.drift_per_time = drift.slope;
    m.drift_uncertainty = drift.uncertainty;
  }
  return m;
}

}  // namespace ricochet
