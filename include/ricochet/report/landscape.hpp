#pragma once
// Where a system may be, over the plane that stands for it when a scenario has no [view]: time and the coordinate, or
// the first two coordinates. The smallest gap on a grid of that plane; its zero line is the contact boundary. A gap
// that depends on what the plane does not show (a third coordinate, with two coordinates also t) is left out and named.

#include <string>
#include <vector>

#include "ricochet/mechanics/model.hpp"

namespace ricochet {

struct Landscape {
  std::string x, y;                 // names of the axes
  double from[2], to[2];            // corners of the plane
  int columns = 0, rows = 0;        // of the grid; 0: no gap can be shown
  std::vector<float> gap;           // row by row from below, at the centres of the cells; NaN where it has no value
  std::vector<std::string> hidden;  // gaps that are not shown
};

// Ranges of t and of the first one or two coordinates over the run; the plane is a tenth larger on each side, but in t.
struct Span {
  double min, max;
};
Landscape landscape(const Model& model, Span t, Span first, Span second);

}  // namespace ricochet
