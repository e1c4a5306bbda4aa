#include "ricochet/report/svg_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/report/svg.hpp"

namespace ricochet {

namespace {

constexpr double width = 760, height = 420, right = 24, top = 44, bottom = 56;

struct Extent {
  double min = std::numeric_limits<double>::infinity(), max = -min;
  void add(double x) {
    if (std::isfinite(x)) min = std::min(min, x), max = std::max(max, x);
  }
  void pad(double share) {
    if (!(min <= max)) min = 0, max = 1;
    const double room = max > min ? share * (max - min) : std::max(std::abs(max) * 0.1, 1e-300);
    min -= room, max += room;
  }
};

struct Axis {
  Extent range;
  std::vector<double> ticks;
  std::vector<std::string> labels;
  double from = 0, to = 0;  // pixels
  double operator()(double value) const { return from + (value - range.min) / (range.max - range.min) * (to - from); }
};

Axis make_axis(Extent range, double count, bool logarithmic) {
  Axis axis{range, {}, {}};
  if (!logarithmic) {
    axis.ticks = round_ticks(range.min, range.max, count);
    axis.labels = tick_labels(axis.ticks);
    return axis;
  }
  const bool few = range.max - range.min < 2;  // decades: 2 and 5 are labelled too
  for (double power = std::floor(range.min); power <= range.max; ++power)
    for (const double lead : {1.0, 2.0, 5.0}) {
      const double at = power + std::log10(lead);
      if ((lead > 1 && !few) || at < range.min || at > range.max) continue;
      axis.ticks.push_back(at);
      axis.labels.push_back(fmt::format("{:g}", lead * std::pow(10, power)));
    }
  return axis;
}

std::vector<Svg::Point> placed(const SvgCurve& curve, const Axis& x, const Axis& y, bool logarithmic) {
  std::vector<Svg::Point> points;
  for (std::size_t k = 0; k < curve.x.size(); ++k)
    points.emplace_back(x(logarithmic ? std::log10(curve.x[k]) : curve.x[k]),
                        y(logarithmic ? std::log10(curve.y[k]) : curve.y[k]));
  return points;
}

void draw_axes(Svg& svg, const SvgPlot& plot, const Axis& x, const Axis& y) {
  const std::string grid = "stroke=\"#e2e6ec\"", words = "fill=\"#5a6473\"";
  for (std::size_t k = 0; k < x.ticks.size(); ++k) {
    const double at = x(x.ticks[k]);
    svg.line({{at, top}, {at, height - bottom}}, grid);
    svg.text({at, height - bottom + 18}, x.labels[k], words + " text-anchor=\"middle\"");
  }
  for (std::size_t k = 0; k < y.ticks.size(); ++k) {
    const double at = y(y.ticks[k]);
    svg.line({{x.from, at}, {width - right, at}}, grid);
    svg.text({x.from - 8, at + 4}, y.labels[k], words + " text-anchor=\"end\"");
  }
  svg.rectangle({x.from, top}, width - right - x.from, height - bottom - top, "fill=\"none\" stroke=\"#b4bcc8\"");
  svg.text({(x.from + width - right) / 2, height - 14}, plot.x_label, words + " text-anchor=\"middle\"");
  const double middle = (top + height - bottom) / 2;
  svg.text({16, middle}, plot.y_label,
           fmt::format("{} text-anchor=\"middle\" transform=\"rotate(-90 16 {:.1f})\"", words, middle));
  svg.text({x.from, 26}, plot.title, "fill=\"#1c2330\" font-size=\"16\" font-weight=\"600\"");
}

void draw_legend(Svg& svg, const SvgPlot& plot, double left) {
  if (plot.curves.size() < 2) return;
  std::size_t longest = 0;
  for (const SvgCurve& curve : plot.curves) longest = std::max(longest, curve.name.size());
  const double box_width = 40 + 7.2 * static_cast<double>(longest),
               box_height = 10 + 18 * static_cast<double>(plot.curves.size());
  svg.rectangle({left + 8, top + 8}, box_width, box_height,
                "fill=\"#ffffff\" fill-opacity=\"0.85\" stroke=\"#e2e6ec\"");
  for (std::size_t k = 0; k < plot.curves.size(); ++k) {
    const double at = top + 22 + 18 * static_cast<double>(k);
    svg.line({{left + 14, at}, {left + 34, at}}, fmt::format("stroke=\"{}\" stroke-width=\"3\"", plot_color(k)));
    svg.text({left + 40, at + 4}, plot.curves[k].name, "fill=\"#1c2330\"");
  }
}

}  // namespace

std::string svg_plot(const SvgPlot& plot) {
  Extent xs, ys;
  for (const SvgCurve& curve : plot.curves)
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
      const double x = plot.logarithmic ? std::log10(curve.x[k]) : curve.x[k];
      const double y = plot.logarithmic ? std::log10(curve.y[k]) : curve.y[k];
      if (std::isfinite(x) && std::isfinite(y)) xs.add(x), ys.add(y);
    }
  xs.pad(plot.logarithmic ? 0.05 : 0.01);
  ys.pad(0.05);
  Axis x = make_axis(xs, 8, plot.logarithmic), y = make_axis(ys, 6, plot.logarithmic);
  std::size_t longest = 0;
  for (const std::string& label : y.labels) longest = std::max(longest, label.size());
  x.from = 42 + 7.5 * static_cast<double>(longest), x.to = width - right;
  y.from = height - bottom, y.to = top;

  Svg svg(width, height, plot.title);
  draw_axes(svg, plot, x, y);
  for (std::size_t k = 0; k < plot.curves.size(); ++k) {
    const SvgCurve& curve = plot.curves[k];
    const auto points = placed(curve, x, y, plot.logarithmic);
    const std::string color = fmt::format("stroke=\"{}\"", plot_color(k));
    if (!curve.points || plot.logarithmic) svg.line(points, color + " stroke-width=\"1.4\"");
    if (curve.points) svg.dots(points, plot.logarithmic ? 3 : 0.8, color);
  }
  draw_legend(svg, plot, x.from);
  return svg.finish();
}

}  // namespace ricochet
