#pragma once
// Functions of the language that are formulas of other functions.
//
//   hypot(a, b, …)  = √(a² + b² + …)
//   clamp(x, l, h)  = min(max(x, l), h)
//   distance_segment(x, y, x1, y1, x2, y2), from the point (x, y) to the segment: with s along it from its beginning, w
//     across and L its length, √(max(0, −s)² + max(0, s − L)² + w²), which is continuously differentiable off the
//     segment
//   distance_box(x, y, a, b), to |x| <= a, |y| <= b:  √(max(0, x − a)² + max(0, −x − a)² + …), 0 inside
//   distance_polygon(x, y, x1, y1, x2, y2, …), to the edges of the closed polygon: the least of their distances

#include <span>
#include <string_view>
#include <vector>

#include "ricochet/formula/expr.hpp"

namespace ricochet::formula {

struct Composite {
  std::string_view name;
  std::size_t fewest;     // arguments
  std::size_t step;       // more of them by so many; 0: no more
  std::string_view form;  // for messages
  Expr (*make)(std::span<const Expr> arguments);

  bool takes(std::size_t count) const {
    return count == fewest || (step > 0 && count > fewest && (count - fewest) % step == 0);
  }
};

std::span<const Composite> composites();
const Composite* find_composite(std::string_view name);  // nullptr: there is none

}  // namespace ricochet::formula
