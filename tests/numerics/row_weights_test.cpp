#include "ricochet/numerics/row_weights.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <vector>

namespace ricochet::row_weights_test {
namespace {

struct Weights {
  std::vector<double> row, column;
};

Weights weights(const Eigen::MatrixXd& a) {
  const int n = static_cast<int>(a.rows());
  Weights w{std::vector<double>(n), std::vector<double>(n)};
  for (int i = 0; i < n; ++i) w.row[i] = std::abs(a(i, i));
  complete_weights(n, w.row.data(), w.column.data(), [&](int k, auto&& f) {
    for (int i = 0; i < n; ++i)
      if (i != k) f(i, a(k, i), a(i, k));
  });
  return w;
}

TEST(RowWeights, ADiagonalIsItsOwnWeight) {
  const Weights w = weights((Eigen::MatrixXd(2, 2) << 4, 1, 1, -9).finished());
  EXPECT_EQ(w.row, (std::vector<double>{4, 9}));
  EXPECT_EQ(w.column, w.row);
}

TEST(RowWeights, AConstraintHasThatOfItsGramMatrix) {
  // Σ c_i²/m_i = 9/4 + 4/2
  const Weights w = weights((Eigen::MatrixXd(3, 3) << 4, 0, -3, 0, 2, -2, 3, 2, 0).finished());
  EXPECT_EQ(w.row, (std::vector<double>{4, 2, 4.25}));
}

TEST(RowWeights, ACoordinateWithoutMassGetsItsWeightFromItsConstraint) {
  // mass 4, none; constraint 2 x + 3 y: w = 4/4 = 1, then 9/1
  const Weights w = weights((Eigen::MatrixXd(3, 3) << 4, 0, 2, 0, 0, 3, 2, 3, 0).finished());
  EXPECT_EQ(w.row, (std::vector<double>{4, 9, 1}));
}

TEST(RowWeights, RowsWithoutAPartner) {
  // row 1 reaches column 0 (weight 4) alone: 2²/4; column 1 is reached by row 0 alone: 6²/4
  const Weights w = weights((Eigen::MatrixXd(2, 2) << 4, 0, 2, 0).finished());
  EXPECT_EQ(w.row, (std::vector<double>{4, 1}));
  EXPECT_EQ(w.column, (std::vector<double>{4, 0}));
  const Weights u = weights((Eigen::MatrixXd(2, 2) << 4, 6, 0, 0).finished());
  EXPECT_EQ(u.row, (std::vector<double>{4, 0}));
  EXPECT_EQ(u.column, (std::vector<double>{4, 9}));
}

}  // namespace
}  // namespace ricochet::row_weights_test
