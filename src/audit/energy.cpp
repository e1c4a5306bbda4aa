#include "ricochet/audit/energy.hpp"

#include <algorithm>
#include <cmath>

#include "ricochet/simulation/drift.hpp"

namespace ricochet {

EnergyMeasurement measure_energy(const Subject& subject, std::int64_t steps) {
  Walk walk(subject, subject.options.step);
  EnergyMeasurement m;
  m.initial = m.min = m.max = walk.energy();
  DriftMeter meter;
  meter.add(0, m.initial);
  while (walk.steps() < steps) {
    walk.step();
    m.impacts += static_cast<std::int64_t>(walk.impacts().size());
    const double energy = walk.energy();
    meter.add(static_cast<double>(walk.steps()) * walk.h(), energy);
    m.min = std::min(m.min, energy);
    m.max = std::max(m.max, energy);
    if (subject.run.impacts >= 0 && m.impacts >= subject.run.impacts) break;
  }
  m.steps = walk.steps();
  if (m.initial != 0) m.relative_range = (m.max - m.min) / std::abs(m.initial);
  const Drift drift = meter.measure();
  if (std::isfinite(drift.uncertainty)) {
    m.drift_per_time = drift.slope;
    m.drift_uncertainty = drift.uncertainty;
  }
  return m;
}

}  // namespace ricochet
