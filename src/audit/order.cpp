#include "ricochet/audit/order.hpp"

#include <algorithm>
#include <cmath>

#include "ricochet/error.hpp"

namespace ricochet {

namespace {

constexpr int sizes = 16, fewest = 8;
constexpr double wide = 32, narrow = 4;  // between the largest and the smallest step
constexpr std::int64_t fewest_steps = 4;

}  // namespace

LineFit fit_line(const std::vector<double>& x, const std::vector<double>& y) {
  const double n = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0, sxx = 0, sxy = 0, residual = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mean_x += x[i] / n, mean_y += y[i] / n;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sxx += (x[i] - mean_x) * (x[i] - mean_x);
    sxy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  const double slope = sxy / sxx;
  for (std::size_t i = 0; i < x.size(); ++i) residual += std::pow(y[i] - mean_y - slope * (x[i] - mean_x), 2);
  return {slope, std::sqrt(residual / (n - 2) / sxx)};
}

OrderMeasurement measure_order(const Subject& subject, const Truth& truth, const Horizon& horizon) {
  OrderMeasurement result;
  if (subject.options.method == "reference") {
    result.note = "its step is not its accuracy: the error control is";
    return result;
  }
  const double T = horizon.time;
  const auto truth_steps = static_cast<std::int64_t>(std::ceil(T / subject.options.step)) * truth.substeps;
  const Solution exact = solve(truth.subject, T, truth_steps);
  // Errors of the truth itself: its own round-off and tolerance, carried along by the motion.
  const double floor = 1e-12 * std::fmax(1, horizon.growth);
  double coarsest = std::fmin(subject.options.step, T / static_cast<double>(fewest_steps));
  for (double range = wide;; range = narrow, coarsest *= 2) {
    result.points.clear();
    std::vector<double> x, y;
    std::int64_t before = 0;
    for (int j = 0; j < sizes; ++j) {
      const double h = coarsest * std::pow(range, -j / (sizes - 1.0));
      const std::int64_t steps = std::max<std::int64_t>(before + 1, std::llround(T / h));
      before = steps;
      OrderPoint point{T / static_cast<double>(steps), 0, false};
      try {
        const Solution s = solve(subject, T, steps);
        point.error = distance(s.end, exact.end);
        point.used = s.impacts.size() == exact.impacts.size() && point.error > floor && point.error < 0.3;
      } catch (const SolverError& error) {
        result.note = error.what();
        continue;
      }
      if (point.used) x.push_back(std::log(point.h)), y.push_back(std::log(point.error));
      result.points.push_back(point);
    }
    if (static_cast<int>(x.size()) >= fewest) {
      const LineFit fit = fit_line(x, y);
      result.order = fit.slope;
      result.uncertainty = fit.slope_error;
      result.note.clear();
      return result;
    }
    const bool drowned =
        std::any_of(result.points.begin(), result.points.end(), [&](const OrderPoint& p) { return p.error <= floor; });
    if (!drowned || 2 * coarsest * static_cast<double>(fewest_steps) > T) {
      if (result.note.empty())
        result.note =
            drowned ? "errors drown in those of the truth" : "too few step sizes with the impacts of the truth";
      return result;
    }
  }
}

}  // namespace ricochet
