#pragma once
// Order of accuracy through the impacts: the error of (q, p) at the horizon for 16 step sizes, a straight line through
// its logarithm.
//
// The constant in front of h^p depends on where in its step an impact falls, so that the errors scatter: hence many
// sizes, and an uncertainty (one standard error of the slope). The sizes go from the scenario's step down to 1/32 of
// it; where errors drown in those of the truth they span a factor of 4 and move up by factors of 2. Sizes with another number of impacts
// than the truth are not used.

#include <optional>
#include <string>
#include <vector>

#include "ricochet/audit/truth.hpp"

namespace ricochet {

struct OrderPoint {
  double h, error;
  bool used;
};

struct OrderMeasurement {
  std::optional<double> order, uncertainty;
  std::vector<OrderPoint> points;
  std::string note;  // why there is no order
};

struct LineFit {
  double slope = 0, slope_error = 0;
};
LineFit fit_line(const std::vector<double>& x, const std::vector<double>& y);  // three points at least

OrderMeasurement measure_order(const Subject& subject, const Truth& truth, const Horizon& horizon);

}  // namespace ricochet
