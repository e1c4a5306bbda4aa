#include "composites.hpp"

#include <algorithm>
#include <iterator>

namespace ricochet::formula {

namespace {

using Arguments = std::span<const Expr>;

Expr positive_squared(Expr x) { return square(max(x.graph->constant(0), x)); }

Expr hypot(Arguments a) {
  Expr sum = square(a[0]);
  for (const Expr& x : a.subspan(1)) sum = sum + square(x);
  return sqrt(sum);
}

Expr clamp(Arguments a) { return min(max(a[0], a[1]), a[2]); }

Expr distance_segment(Arguments a) {
  const Expr dx = a[4] - a[2], dy = a[5] - a[3], length = sqrt(square(dx) + square(dy));
  const Expr x = a[0] - a[2], y = a[1] - a[3];
  const Expr s = (x * dx + y * dy) / length, w = (x * dy - y * dx) / length;
  return sqrt(positive_squared(-s) + positive_squared(s - length) + square(w));
}

Expr distance_box(Arguments a) {
  Expr sum = positive_squared(a[0] - a[2]) + positive_squared(-a[0] - a[2]);
  return sqrt(sum + positive_squared(a[1] - a[3]) + positive_squared(-a[1] - a[3]));
}

Expr distance_polygon(Arguments a) {
  const std::size_t corners = a.size() / 2 - 1;
  Expr least{};
  for (std::size_t k = 0; k < corners; ++k) {
    const std::size_t from = 2 + 2 * k, to = 2 + 2 * ((k + 1) % corners);
    const Expr edge[] = {a[0], a[1], a[from], a[from + 1], a[to], a[to + 1]};
    const Expr d = distance_segment(edge);
    least = least ? min(least, d) : d;
  }
  return least;
}

constexpr Composite list[] = {
    {"hypot", 2, 1, "hypot(a, b, …)", hypot},
    {"clamp", 3, 0, "clamp(x, low, high)", clamp},
    {"distance_segment", 6, 0, "distance_segment(x, y, x1, y1, x2, y2)", distance_segment},
    {"distance_box", 4, 0, "distance_box(x, y, a, b)", distance_box},
    {"distance_polygon", 8, 2, "distance_polygon(x, y, x1, y1, x2, y2, x3, y3, …)", distance_polygon},
};

}  // namespace

std::span<const Composite> composites() { return list; }

const Composite* find_composite(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(list), std::end(list), [&](const Composite& c) { return c.name == name; });
  return found == std::end(list) ? nullptr : found;
}

}  // namespace ricochet::formula
