#pragma once
// A node against a simplex in D dimensions (a segment in the plane, a triangle in space), or a node or a point of a
// simplex against an obstacle, as rows on velocities: row 0 is the rate of the gap, rows 1 … D − 1 are the slip of the
// node over the simplex. Each row of two bodies is invariant under rigid motions, so that an impulse along it keeps
// momentum and angular momentum:
//   gap   n at the node, −w_i n at the corners, where the closest point Σ w_i x_i lies on the line along n
//   slip  t at the node, −w_i t at the corners, and the couple ±(gap/size) n_face that undoes their moment

#include <array>

namespace ricochet::continuum {

template <int D>
struct ContactRows {
  static constexpr int dimension = D;
  using Vec = std::array<double, D>;
  int pair = 0;
  std::array<int, D + 1> node;                // −1: of an obstacle
  std::array<std::array<Vec, D + 1>, D> row;  // [row][node]
  double gap = 0;
  double restitution = 0, friction = 0;
  // found by the response (contact_response.hpp)
  double bound = 0;                            // b
  std::array<double, D> compliance{}, push{};  // of each row; impulses of the rows, push[0] = λ
  double rate(int r, const double* v) const {
    double sum = 0;
    for (int i = 0; i <= D; ++i)
      if (node[i] >= 0)
        for (int k = 0; k < D; ++k) sum += row[r][i][k] * v[D * node[i] + k];
    return sum;
  }
};

}  // namespace ricochet::continuum
