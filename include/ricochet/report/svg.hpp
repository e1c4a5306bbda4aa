#pragma once
// The few elements of SVG that our pictures need. Coordinates are pixels, with one decimal.

#include <string>
#include <utility>
#include <vector>

namespace ricochet {

// Text for SVG and HTML: & < > " ' as entities, control characters dropped.
std::string escaped(const std::string& text);

class Svg {
 public:
  using Point = std::pair<double, double>;
  Svg(double width, double height, const std::string& title);

  // `style`: further attributes, such as stroke="#000". Points that are not finite interrupt a line.
  void line(const std::vector<Point>& points, const std::string& style, bool closed = false);
  void dots(const std::vector<Point>& points, double radius, const std::string& style);
  void ellipse(Point centre, double a, double b, double degrees, const std::string& style);
  void text(Point at, const std::string& words, const std::string& style);
  void rectangle(Point corner, double width, double height, const std::string& style);
  void raw(const std::string& markup) { body_ += markup; }
  std::string finish() const { return body_ + "</svg>\n"; }

 private:
  std::string body_;
};

// Colours of Okabe and Ito, which people with colour blindness tell apart.
const std::string& plot_color(std::size_t k);

// Round numbers from `from` to `to`, about `count` of them, and their labels with the digits that tell them apart.
std::vector<double> round_ticks(double from, double to, double count);
std::vector<std::string> tick_labels(const std::vector<double>& ticks);

}  // namespace ricochet
