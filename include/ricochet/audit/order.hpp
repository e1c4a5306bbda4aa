#pragma once
// Order of accuracy through the impacts: the error of (q, p) for 20 step sizes, a straight line through its logarithm.
//
// The constant in front of h^p depends on where in its step an impact falls, and at a single time errors may cancel. So
// an error is the root mean square of three runs with almost the same step, each at the quarters of the horizon (a
// quarter that ends within four steps of an impact is left out); there are many sizes, and the slope has an uncertainty
// (one standard error). The sizes go from the scenario's step down to 1/16 of it; where errors drown in those of the
// truth they span a factor of 8 and move up by factors of 2. Sizes with another number of impacts than the truth are
// not used.

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
