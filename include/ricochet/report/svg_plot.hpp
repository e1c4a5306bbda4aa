#pragma once
// Curves with labelled axes as an SVG picture.

#include <string>
#include <vector>

namespace ricochet {

struct SvgCurve {
  std::string name;
  std::vector<double> x, y;
  bool points = false;  // dots instead of a line
};

struct SvgPlot {
  std::string title, x_label, y_label;
  std::vector<SvgCurve> curves;
  bool logarithmic = false;  // both axes; points that are not positive are left out, and dots are joined
};

std::string svg_plot(const SvgPlot& plot);

}  // namespace ricochet
