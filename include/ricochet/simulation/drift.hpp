#pragma once
// The drift of a series e(t) with its uncertainty, and how the series spreads. Constant memory; part of a checkpoint.
//
// The drift is the least-squares slope, from running means and centred sums (Welford), which do not cancel:
//   n, t̄, ē, S_tt = Σ(t−t̄)², S_te = Σ(t−t̄)(e−ē);  slope = S_te / S_tt.
// Impacts make the energy of a collision integrator a random walk, for which the textbook uncertainty of a slope is far
// too small. So: blocks of equally many values (32 to 63 of them; where there would be 64, pairs become one),
// increments d of their means with variance s² about their mean. A random walk of variance D t has s² = (2/3) D Δ with
// Δ the length of a block, and its least-squares slope over T has variance (6/5) D/T. For a bounded oscillation faster
// than a block this is an upper bound.
//
// The spread: V(k), the mean square of differences of block means k blocks apart, grows as k^exponent: 0 for what stays
// bounded, 1 for a random walk, 2 for a drift. Measured between an eighth and a half of the series.

#include <limits>
#include <span>
#include <vector>

namespace ricochet {

struct Drift {
  double slope = std::numeric_limits<double>::quiet_NaN();  // NaN: of a single time
  double uncertainty = std::numeric_limits<double>::quiet_NaN();
  double spread_exponent = std::numeric_limits<double>::quiet_NaN();  // both NaN: fewer than 64 values
};

class DriftMeter {
 public:
  void add(double t, double e);  // times in order and equally far apart
  Drift measure() const;

  std::vector<double> save() const;
  void load(std::span<const double> saved);  // throws std::invalid_argument

 private:
  static constexpr std::size_t most = 64;
  double count_ = 0, first_t_ = 0, first_e_ = 0, last_t_ = 0, mean_t_ = 0, mean_e_ = 0, s_tt_ = 0, s_te_ = 0;
  double length_ = 1, filled_ = 0, sum_ = 0;  // values in a block, in the present one, and their sum
  std::vector<double> means_;                 // of the full blocks
};

}  // namespace ricochet
