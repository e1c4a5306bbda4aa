#include "ricochet/audit/order.hpp"

#include <algorithm>
#include <cmath>

#include "ricochet/error.hpp"

namespace ricochet {

namespace {

constexpr int sizes = 20, fewest = 12;
constexpr int runs = 3;                  // at each size, with almost the same step
constexpr double wide = 16, narrow = 8;  // between the largest and the smallest step
constexpr std::int64_t parts = 4;        // of the horizon, at whose ends states are compared

// The states after each quarter, and the impacts.
struct Quarters {
  std::vector<State> states;
  std::vector<double> impacts;
};

Quarters quarters(const Subject& subject, double T, std::int64_t steps_of_a_part) {
  Walk walk(subject, T / static_cast<double>(parts * steps_of_a_part));
  Quarters result;
  for (std::int64_t k = 1; k <= parts * steps_of_a_part; ++k) {
    walk.step();
    for (const Impact& impact : walk.impacts()) result.impacts.push_back(impact.time - subject.start.t);
    if (k % steps_of_a_part == 0) result.states.push_back(walk.state());
  }
  return result;
}

// The root mean square over the quarters that do not end near an impact; the last never does.
double error_of(const Quarters& mine, const Quarters& exact, double T, double h, const MotionUnits& units) {
  double sum = 0, count = 0;
  for (std::size_t k = 0; k < exact.states.size(); ++k) {
    const double time = T * static_cast<double>(k + 1) / parts;
    const bool near =
        k + 1 < exact.states.size() && std::any_of(exact.impacts.begin(), exact.impacts.end(),
                                                   [&](double t) { return std::abs(t - time) < clear_of_impacts * h; });
    if (near) continue;
    sum += std::pow(distance(mine.states[k], exact.states[k], units).value_or(INFINITY), 2);
    ++count;
  }
  return std::sqrt(sum / count);
}

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
    result.note = "its accuracy is set by its tolerance, not by the step";
    return result;
  }
  const double T = horizon.time;
  const auto steps_for = [&](double h) { return std::max<std::int64_t>(1, std::llround(T / h / parts)); };
  const Quarters exact = quarters(truth.subject, T, steps_for(subject.options.step) * truth.substeps);
  double coarsest = std::fmin(subject.options.step, T / parts);
  // Errors of the truth itself: its own round-off and tolerance, carried along by the motion; and if it is the method
  // with smaller steps, what half as many steps change.
  double floor = 1e-12 * std::fmax(1, horizon.growth) * horizon.units.reach;
  if (truth.itself) {
    const Quarters half = quarters(truth.subject, T, steps_for(subject.options.step) * truth.substeps / 2);
    floor = std::fmax(floor, 3 * error_of(half, exact, T, coarsest, horizon.units));
  }
  for (double range = wide;; range = narrow, coarsest *= 2) {
    result.points.clear();
    std::vector<double> x, y;
    std::int64_t before = 0;
    bool drowned = false;  // finer steps are left out from there on: keeping only the larger errors would bend the line
    for (int j = 0; j < sizes; ++j) {
      const std::int64_t steps = std::max(before + 1, steps_for(coarsest * std::pow(range, -j / (sizes - 1.0))));
      before = steps;
      const std::int64_t middle = steps + runs / 2;
      OrderPoint point{T / static_cast<double>(parts * middle), 0, true};
      try {
        for (int run = 0; run < runs; ++run) {
          const Quarters mine = quarters(subject, T, steps + run);
          point.error += std::pow(error_of(mine, exact, T, coarsest, horizon.units), 2) / runs;
          point.used &= mine.impacts.size() == exact.impacts.size();
        }
      } catch (const SolverError& error) {
        result.note = error.what();
        continue;
      }
      point.error = std::sqrt(point.error);
      drowned |= point.error <= floor;
      point.used &= !drowned && point.error < 0.3;
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
    if (!drowned || 2 * coarsest * parts > T) {
      if (result.note.empty())
        result.note = drowned ? "the errors are as small as those of what they are compared with"
                              : "at too few step sizes are the impacts those of the solution that it is compared with";
      return result;
    }
  }
}

}  // namespace ricochet
