#pragma once
// The fields of bodies on a line over time, thinned for pictures: positions of the edges and mean stresses of groups of
// neighbouring cells, at so many records. As an x–t diagram: places to the right, time upwards, stress as colour.

#include <cstdint>
#include <string>
#include <vector>

#include "ricochet/simulation/archive.hpp"
#include "ricochet/simulation/stepper.hpp"

namespace ricochet {

// Colours of stress: pressure blue, tension red, none grey, in so many levels of each.
inline constexpr int stress_levels = 7;
std::string stress_colour(int level);

class FieldHistory {
 public:
  FieldHistory(const Labels& labels, std::size_t max_cells);
  void add(double t, const double* x, const double* stress);  // one record: the whole fields

  std::vector<std::string> bodies;
  std::vector<std::size_t> cells;  // groups of each body
  std::vector<double> t;
  std::vector<float> x, stress;  // frame after frame, body after body: cells + 1 edges, cells
  double largest = 0;            // |stress|

 private:
  struct Body {
    std::size_t first_node, first_cell, cells, groups;
  };
  std::vector<Body> layout_;
};

// At most so many frames, evenly chosen, the first and the last among them.
FieldHistory read_field_history(const ArchiveReader& archive, std::int64_t max_frames, std::size_t max_cells);

std::string svg_field_history(const FieldHistory& history, const std::string& title, int width, int height);

}  // namespace ricochet
