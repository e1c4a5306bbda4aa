#include "ricochet/report/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ricochet {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) out += c;
    }
  }
  return out;
}

Svg::Svg(double width, double height, const std::string& title)
    : body_(fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" "
                        "height=\"{1:g}\" font-family=\"system-ui, sans-serif\" font-size=\"13\" role=\"img\">\n"
                        "<title>{2}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
                        width, height, escaped(title))) {}

void Svg::line(const std::vector<Point>& points, const std::string& style, bool closed) {
  std::string path, previous;
  bool pen = false;
  for (const auto& [x, y] : points) {
    if (!std::isfinite(x) || !std::isfinite(y)) {
      pen = false;
      continue;
    }
    std::string here = fmt::format("{:.1f} {:.1f}", x, y);
    if (pen && here == previous) continue;
    path += (pen ? "L" : "M") + here;
    previous = std::move(here);
    pen = true;
  }
  if (path.empty()) return;
  body_ +=
      fmt::format("<path d=\"{}{}\" fill=\"none\" stroke-linejoin=\"round\" {}/>\n", path, closed ? "Z" : "", style);
}

void Svg::dots(const std::vector<Point>& points, double radius, const std::string& style) {
  std::string path, previous;  // a line of no length with round ends is a dot
  for (const auto& [x, y] : points) {
    if (!std::isfinite(x) || !std::isfinite(y)) continue;
    std::string here = fmt::format("M{:.1f} {:.1f}h0", x, y);
    if (here != previous) path += here;
    previous = std::move(here);
  }
  if (path.empty()) return;
  body_ += fmt::format("<path d=\"{}\" stroke-linecap=\"round\" stroke-width=\"{:g}\" {}/>\n", path, 2 * radius, style);
}

void Svg::ellipse(Point centre, double a, double b, double degrees, const std::string& style) {
  if (!std::isfinite(centre.first + centre.second + a + b + degrees)) return;
  body_ +=
      fmt::format("<ellipse rx=\"{:.1f}\" ry=\"{:.1f}\" transform=\"translate({:.1f} {:.1f}) rotate({:.1f})\" {}/>\n",
                  std::abs(a), std::abs(b), centre.first, centre.second, degrees, style);
}

void Svg::text(Point at, const std::string& words, const std::string& style) {
  body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", at.first, at.second, style, escaped(words));
}

void Svg::rectangle(Point corner, double width, double height, const std::string& style) {
  body_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" {}/>\n", corner.first,
                       corner.second, width, height, style);
}

const std::string& plot_color(std::size_t k) {
  static const std::vector<std::string> colors{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                               "#56b4e9", "#e69f00", "#4d4d4d", "#9a8a00"};
  return colors[k % colors.size()];
}

std::vector<double> round_ticks(double from, double to, double count) {
  const double wanted = (to - from) / std::max(count, 1.0);
  if (!(wanted > 0) || !std::isfinite(wanted)) return {from};
  const double power = std::pow(10, std::floor(std::log10(wanted))), lead = wanted / power;
  const double step = power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
  std::vector<double> ticks;
  for (double k = std::ceil(from / step - 1e-9); k * step <= to + 1e-9 * step && ticks.size() < 100; ++k)
    ticks.push_back(k * step);
  return ticks;
}

std::vector<std::string> tick_labels(const std::vector<double>& ticks) {
  double largest = 0;
  for (const double tick : ticks) largest = std::max(largest, std::abs(tick));
  const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : largest;
  const int power =
      largest > 0 && (largest >= 1e5 || largest < 1e-3) ? static_cast<int>(std::floor(std::log10(largest) + 1e-9)) : 0;
  const double scale = std::pow(10, power);
  const int digits = step > 0 ? std::clamp(static_cast<int>(-std::floor(std::log10(step / scale) + 1e-9)), 0, 9) : 0;
  std::vector<std::string> labels;
  for (const double tick : ticks) {
    std::string label = fmt::format("{:.{}f}", std::abs(tick) < 1e-6 * step ? 0.0 : tick / scale, digits);
    if (power != 0 && tick != 0) label += fmt::format("e{}", power);
    for (std::size_t at; (at = label.find('-')) != std::string::npos;) label.replace(at, 1, "−");
    labels.push_back(std::move(label));
  }
  return labels;
}

}  // namespace ricochet
