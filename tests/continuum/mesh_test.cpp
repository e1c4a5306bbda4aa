#include "ricochet/continuum/mesh.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace ricochet::continuum::mesh_test {
namespace {

TEST(Mesh, EqualCellsAreEqualToTheLastBit) {
  const std::vector<double> dx = cell_lengths({0.3, 0.7, 49, 1});
  for (const double d : dx) EXPECT_EQ(d, 0.7 / 49);
  EXPECT_EQ(node_positions({0.3, 0.7, 49, 1}).back(), 0.3 + 0.7);
}

TEST(Mesh, GradedCellsHaveOneRatioAndFillTheBar) {
  for (const double grading : {20.0, 0.05, 1.0001}) {
    const BarMesh mesh{-1, 3, 40, grading};
    const std::vector<double> dx = cell_lengths(mesh), X = node_positions(mesh);
    EXPECT_NEAR(dx.back() / dx.front(), grading, 1e-12 * grading);  // 40 roundings of exp
    EXPECT_NEAR(std::accumulate(dx.begin(), dx.end(), 0.0), 3, 1e-13);
    for (std::size_t i = 0; i < dx.size(); ++i) {
      EXPECT_NEAR(X[i + 1] - X[i], dx[i], 1e-13);
      if (i > 0) {
        EXPECT_NEAR(dx[i] / dx[i - 1], dx[1] / dx[0], 1e-12);
      }
    }
  }
}

TEST(Mesh, OneCellNeedsNoGrading) {
  EXPECT_EQ(cell_lengths({0, 2, 1, 5}), std::vector<double>{2});
  EXPECT_EQ(node_positions({1, 2, 1, 5}), (std::vector<double>{1, 3}));
}

}  // namespace
}  // namespace ricochet::continuum::mesh_test
