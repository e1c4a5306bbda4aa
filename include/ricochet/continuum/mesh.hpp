#pragma once
// A bar cut into cells. With n cells and grading r = (last cell)/(first cell) the lengths are a geometric sequence,
//   dx_i = dx_0 q^i,  q = r^{1/(n−1)},  dx_0 = length (q − 1)/(qⁿ − 1),
// and all equal to length/n, to the last bit, for r = 1.

#include <cstdint>
#include <vector>

namespace ricochet::continuum {

struct BarMesh {
  double from = 0, length = 1;
  std::int64_t cells = 1;
  double grading = 1;
};

std::vector<double> cell_lengths(const BarMesh& mesh);
std::vector<double> node_positions(const BarMesh& mesh);  // cells + 1; the last is from + length

}  // namespace ricochet::continuum
