#include "ricochet/report/strobe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "ricochet/report/svg.hpp"

namespace ricochet {

namespace {

using Place = std::array<double, 3>;

// Right and up of the paper. Plane scenes: x and y. Scenes in space: seen along (−0.62, 0.68, −0.4), z up.
struct Projection {
  Place right{1, 0, 0}, up{0, 1, 0};
  Svg::Point operator()(const Place& p) const {
    return {p[0] * right[0] + p[1] * right[1] + p[2] * right[2], p[0] * up[0] + p[1] * up[1] + p[2] * up[2]};
  }
};

Projection projection(int dimension) {
  if (dimension == 2) return {};
  return {{0.739, 0.674, 0}, {-0.269, 0.295, 0.917}};
}

class Painter {
 public:
  Painter(const Drawing& drawing, const std::vector<StrobeFrame>& frames, const StrobeOptions& options)
      : drawing_(drawing),
        frames_(frames),
        svg_(options.width, options.height, options.title),
        options_(options),
        project_(projection(drawing.dimension())) {
    measure();
  }

  // Frames up to which what moves stays in a window of at most four to one; all if it never does, or if it does not run
  // away: its range no longer grows in the second half.
  static std::size_t readable(const Drawing& drawing, const std::vector<StrobeFrame>& frames) {
    constexpr std::size_t fewest = 12;
    const Projection project = projection(drawing.dimension());
    double min[2] = {1e300, 1e300}, max[2] = {-1e300, -1e300};
    std::size_t best = 0;
    double half = 0, whole = 0;  // the longer side
    for (std::size_t k = 0; k < frames.size(); ++k) {
      for (const DrawnShape& shape : drawing.shapes()) {
        if (!shape.values.contains("at") || !moves(shape)) continue;
        const auto [x, y] = project(place(shape, "at", frames[k]));
        const double r = shape.kind == "plane" ? 0 : reach(shape, frames[k]);
        if (!std::isfinite(x + y + r)) continue;
        min[0] = std::min(min[0], x - r), max[0] = std::max(max[0], x + r);
        min[1] = std::min(min[1], y - r), max[1] = std::max(max[1], y + r);
      }
      const double width = max[0] - min[0], height = max[1] - min[1];
      whole = std::max(width, height);
      if (k == frames.size() / 2) half = whole;
      if (k + 1 >= fewest && width <= 4 * height && height <= 4 * width) best = k + 1;
    }
    return best > 0 && whole > 1.4 * half ? best : frames.size();
  }

  std::string paint() {
    paths();
    const auto last = static_cast<std::int64_t>(frames_.size()) - 1;
    const int flashes = static_cast<int>(std::min<std::int64_t>(options_.flashes, last + 1));
    for (const DrawnShape& shape : drawing_.shapes())
      if (!moves(shape)) draw(shape, frames_.front(), 1);
    for (int k = 0; k < flashes; ++k) {
      const std::int64_t at = flashes > 1 ? last * k / (flashes - 1) : last;
      const double opacity = flashes > 1 ? 0.25 + 0.75 * k / (flashes - 1) : 1;
      for (const DrawnShape& shape : drawing_.shapes())
        if (moves(shape)) draw(shape, frames_[static_cast<std::size_t>(at)], opacity);
    }
    if (!options_.title.empty())
      svg_.text({16, 26}, options_.title, "fill=\"#1c2330\" font-size=\"16\" font-weight=\"600\"");
    return svg_.finish();
  }

 private:
  static bool moves(const DrawnShape& shape) {
    for (const auto& [key, numbers] : shape.values)
      for (const DrawnNumber& n : numbers)
        if (n.track >= 0) return true;
    return false;
  }
  static double value(const DrawnNumber& n, const StrobeFrame& frame) {
    return n.track < 0 ? n.constant : frame.values[static_cast<std::size_t>(n.track)];
  }
  static double number(const DrawnShape& shape, const char* key, const StrobeFrame& frame, std::size_t k = 0) {
    const auto found = shape.values.find(key);
    return found == shape.values.end() || found->second.size() <= k ? 0 : value(found->second[k], frame);
  }
  static Place place(const DrawnShape& shape, const char* key, const StrobeFrame& frame) {
    return {number(shape, key, frame, 0), number(shape, key, frame, 1), number(shape, key, frame, 2)};
  }
  static double reach(const DrawnShape& shape, const StrobeFrame& frame) {
    double r =
        std::max({number(shape, "radius", frame), number(shape, "radii", frame, 0), number(shape, "radii", frame, 1),
                  std::hypot(number(shape, "size", frame, 0), number(shape, "size", frame, 1)) / 2});
    for (const auto& point : shape.points) r = std::max(r, std::hypot(point[0], point[1]));
    return r;
  }

  void measure() {
    double min[2] = {1e300, 1e300}, max[2] = {-1e300, -1e300};
    const auto add = [&](Svg::Point p, double r) {
      if (!std::isfinite(p.first + p.second + r)) return;
      min[0] = std::min(min[0], p.first - r), max[0] = std::max(max[0], p.first + r);
      min[1] = std::min(min[1], p.second - r), max[1] = std::max(max[1], p.second + r);
    };
    for (const StrobeFrame& frame : frames_)
      for (const DrawnShape& shape : drawing_.shapes()) {
        if (shape.values.contains("from")) {
          const double r = reach(shape, frame);
          add(project_(place(shape, "from", frame)), r), add(project_(place(shape, "to", frame)), r);
        } else if (shape.kind == "polygon" && !shape.values.contains("at")) {
          for (const auto& point : shape.points)
            add(project_({point[0], point[1], point.size() > 2 ? point[2] : 0}), 0);
        } else if (shape.kind != "trail") {
          add(project_(place(shape, "at", frame)), shape.kind == "plane" ? 0 : reach(shape, frame));
        }
      }
    if (min[0] > max[0]) min[0] = min[1] = -1, max[0] = max[1] = 1;
    const double margin = 24, header = options_.title.empty() ? margin : 44;
    const double size = std::max({max[0] - min[0], max[1] - min[1], 1e-12}), least = 0.02 * size;
    scale_ = std::min((options_.width - 2 * margin) / std::max(max[0] - min[0], least),
                      (options_.height - header - margin) / std::max(max[1] - min[1], least));
    origin_ = {options_.width / 2 - scale_ * (min[0] + max[0]) / 2,
               (header + options_.height - margin) / 2 + scale_ * (min[1] + max[1]) / 2};
  }
  Svg::Point pixel(const Place& p) const {
    const Svg::Point on = project_(p);
    return {origin_.first + scale_ * on.first, origin_.second - scale_ * on.second};
  }

  // Of every place that moves, once.
  void paths() {
    std::vector<std::vector<int>> done;
    for (const DrawnShape& shape : drawing_.shapes()) {
      const auto at = shape.values.find("at");
      if (at == shape.values.end() || frames_.size() < 2) continue;
      std::vector<int> tracks;
      bool moving = false;
      for (const DrawnNumber& n : at->second) tracks.push_back(n.track), moving = moving || n.track >= 0;
      if (!moving || std::find(done.begin(), done.end(), tracks) != done.end()) continue;
      done.push_back(tracks);
      std::vector<Svg::Point> points;
      for (const StrobeFrame& frame : frames_) points.push_back(pixel(place(shape, "at", frame)));
      svg_.line(points, fmt::format("stroke=\"{}\" stroke-width=\"1\" stroke-opacity=\"0.7\"", plot_color(1)));
    }
  }

  void draw(const DrawnShape& shape, const StrobeFrame& frame, double opacity) {
    const bool body = moves(shape), wire = shape.kind == "segment" || shape.kind == "spring" || shape.kind == "plane";
    const std::string ink = !shape.color.empty() ? escaped(shape.color) : body && !wire ? plot_color(0) : "#1c2330";
    const std::string stroke =
        fmt::format("stroke=\"{}\" stroke-width=\"1.4\" stroke-opacity=\"{:.2f}\"", ink, opacity);
    const std::string filled =
        body || !shape.color.empty()
            ? fmt::format("style=\"fill:{}\" fill-opacity=\"{:.2f}\" {}", ink, 0.25 * opacity, stroke)
            : "style=\"fill:none\" " + stroke;
    const Place at = place(shape, "at", frame);
    const double angle = number(shape, shape.kind == "box" ? "rotation" : "angle", frame);
    if (shape.kind == "point") {
      svg_.ellipse(pixel(at), 3.5, 3.5, 0, fmt::format("fill=\"{}\" fill-opacity=\"{:.2f}\"", ink, opacity));
    } else if (shape.kind == "circle" || shape.kind == "sphere") {
      const double r = std::max(1.5, scale_ * number(shape, "radius", frame));
      svg_.ellipse(pixel(at), r, r, 0, filled);
    } else if (shape.kind == "ellipse") {
      svg_.ellipse(pixel(at), scale_ * number(shape, "radii", frame, 0), scale_ * number(shape, "radii", frame, 1),
                   -angle * 180 / std::numbers::pi, filled);
    } else if (shape.kind == "polygon") {
      outline(shape.points, at, angle, filled);
    } else if (shape.kind == "box") {
      const double x = number(shape, "size", frame, 0) / 2, y = number(shape, "size", frame, 1) / 2;
      outline({{-x, -y}, {x, -y}, {x, y}, {-x, y}}, at, angle, filled);
    } else if (shape.kind == "segment") {
      svg_.line({pixel(place(shape, "from", frame)), pixel(place(shape, "to", frame))}, stroke);
    } else if (shape.kind == "cylinder") {
      cylinder(place(shape, "from", frame), place(shape, "to", frame), number(shape, "radius", frame), stroke);
    } else if (shape.kind == "spring") {
      spring(pixel(place(shape, "from", frame)), pixel(place(shape, "to", frame)), shape.coils, stroke);
    } else if (shape.kind == "plane" && drawing_.dimension() == 2) {
      plane(pixel(at), place(shape, "normal", frame), stroke);
    }
  }

  void outline(const std::vector<std::vector<double>>& corners, const Place& at, double angle,
               const std::string& style) {
    std::vector<Svg::Point> points;
    points.reserve(corners.size());
    const double c = std::cos(angle), s = std::sin(angle);
    for (const auto& p : corners)
      points.push_back(
          pixel({at[0] + c * p[0] - s * p[1], at[1] + s * p[0] + c * p[1], at[2] + (p.size() > 2 ? p[2] : 0)}));
    svg_.line(points, style, true);
  }

  // Its lines along the axis a, in the directions of two vectors u, w across it.
  void cylinder(const Place& from, const Place& to, double r, const std::string& style) {
    const Place a{to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    const double length = std::hypot(a[0], a[1], a[2]);
    if (!(length > 0)) return;
    const std::size_t k = std::abs(a[2]) > 0.9 * length ? 0 : 2;  // an axis that is not along a
    Place e{0, 0, 0};
    e[k] = 1;
    const auto cross = [](const Place& x, const Place& y) {
      const Place c{x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
      const double n = std::hypot(c[0], c[1], c[2]);
      return Place{c[0] / n, c[1] / n, c[2] / n};
    };
    const Place u = cross(a, e), w = cross(a, u);
    for (int i = 0; i < 24; ++i) {
      const double c = r * std::cos(std::numbers::pi * i / 12), s = r * std::sin(std::numbers::pi * i / 12);
      const auto shifted = [&](const Place& p) {
        return pixel({p[0] + c * u[0] + s * w[0], p[1] + c * u[1] + s * w[1], p[2] + c * u[2] + s * w[2]});
      };
      svg_.line({shifted(from), shifted(to)}, style);
    }
  }

  void spring(Svg::Point from, Svg::Point to, int coils, const std::string& style) {
    const double dx = to.first - from.first, dy = to.second - from.second, length = std::max(std::hypot(dx, dy), 1e-9);
    std::vector<Svg::Point> points{from};
    for (int k = 0; k < 2 * coils; ++k) {
      const double s = 0.08 + 0.84 * (k + 0.5) / (2 * coils), side = k % 2 == 0 ? 5 : -5;
      points.emplace_back(from.first + s * dx - side * dy / length, from.second + s * dy + side * dx / length);
    }
    points.push_back(to);
    svg_.line(points, style);
  }

  // A line across the picture, hatched on the side that is closed.
  void plane(Svg::Point at, const Place& normal, const std::string& style) {
    const double length = std::max(std::hypot(normal[0], normal[1]), 1e-12);
    const double nx = normal[0] / length, ny = -normal[1] / length, ax = -ny, ay = nx;
    const double span = options_.width + options_.height;
    const double nearest = (options_.width / 2 - at.first) * ax + (options_.height / 2 - at.second) * ay;
    const auto on = [&](double s, double depth) {
      return Svg::Point{at.first + s * ax - depth * nx, at.second + s * ay - depth * ny};
    };
    svg_.line({on(nearest - span, 0), on(nearest + span, 0)}, style);
    const double gap = std::numeric_limits<double>::quiet_NaN();
    std::vector<Svg::Point> hatching;
    for (double s = std::floor((nearest - span / 2) / 12) * 12; s < nearest + span / 2; s += 12)
      hatching.insert(hatching.end(), {on(s, 0), on(s - 7, 8), {gap, gap}});
    svg_.line(hatching, "stroke=\"#9aa3af\"");
  }

  const Drawing& drawing_;
  const std::vector<StrobeFrame>& frames_;
  Svg svg_;
  StrobeOptions options_;
  Projection project_;
  double scale_ = 1;
  Svg::Point origin_;
};

}  // namespace

std::size_t readable_frames(const Drawing& drawing, const std::vector<StrobeFrame>& frames) {
  return Painter::readable(drawing, frames);
}

std::string svg_strobe(const Drawing& drawing, const std::vector<StrobeFrame>& frames, const StrobeOptions& options) {
  return Painter(drawing, frames, options).paint();
}

}  // namespace ricochet
