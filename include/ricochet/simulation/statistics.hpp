#pragma once
// Running statistics of a run: energy range and drift, momentum deviations, running scalars, extremes. Constant memory;
// part of the checkpoint.

#include <limits>
#include <span>
#include <vector>

#include "ricochet/simulation/drift.hpp"
#include "ricochet/simulation/run.hpp"

namespace ricochet {

class Statistics {
 public:
  void record(const Observables& o);  // a recorded point; finite
  void step(const Extremes& e) {      // every step
    if (e.gap_min < extremes_.gap_min) extremes_.gap_min = e.gap_min;
    if (e.holonomic_max > extremes_.holonomic_max) extremes_.holonomic_max = e.holonomic_max;
    if (e.nonholonomic_max > extremes_.nonholonomic_max) extremes_.nonholonomic_max = e.nonholonomic_max;
  }
  // relative_range and drift_per_time are NaN where they have no meaning; summary.json says null.
  void summarize(const Labels& labels, Summary& out) const;

  std::vector<double> save() const;
  void load(std::span<const double> saved);

 private:
  DriftMeter drift_;
  double count_ = 0, energy_initial_ = 0, energy_final_ = 0, energy_min_ = 0, energy_max_ = 0;
  Extremes extremes_{std::numeric_limits<double>::infinity(), -1, -1};
  std::vector<double> momenta_initial_, momenta_deviation_;
  std::vector<double> scalars_initial_, scalars_final_, scalars_min_, scalars_max_;
};

}  // namespace ricochet
