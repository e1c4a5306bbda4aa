#include "ricochet/numerics/scaled_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random_matrices.hpp"

namespace ricochet::scaled_solver_test {
namespace {

ScaledSolver<double> solved(const Eigen::MatrixXd& a, const Eigen::VectorXd& b, const Eigen::VectorXd& r,
                            const Eigen::VectorXd& s) {
  ScaledSolver<double> solver;
  const int n = static_cast<int>(b.size());
  solver.resize(n);
  for (int i = 0; i < n; ++i) {
    solver.b(i) = b[i];
    solver.row_scale(i) = r[i];
    solver.column_scale(i) = s[i];
    for (int j = 0; j < n; ++j) solver.a(i, j) = a(i, j);
  }
  solver.solve();
  return solver;
}

TEST(ScaledSolver, IsEigensSolutionInAnyUnits) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> exponent(-40, 40);
  for (int k = 0; k < 1000; ++k) {
    const bool sparse = k % 2 == 1;  // as of a pile: few entries beside the diagonal
    const int n = 1 + k % (sparse ? 25 : 6);
    Eigen::MatrixXd a(n, n);
    Eigen::VectorXd b(n), row(n), column(n), one = Eigen::VectorXd::Ones(n);
    for (double& x : a.reshaped()) x = normal(random);
    for (int i = 0; i < n && sparse; ++i)
      for (int j = 0; j < n; ++j)
        if (i != j && std::abs(a(i, j)) < 1.3) a(i, j) = 0;
    for (double& x : b) x = normal(random);
    for (double& x : row) x = std::ldexp(1.0, exponent(random));
    for (double& x : column) x = std::ldexp(1.0, exponent(random));
    const Eigen::VectorXd truth = a.fullPivLu().solve(b);
    const ScaledSolver<double> plain = solved(a, b, one, one);
    const ScaledSolver<double> other = solved(row.asDiagonal() * a * column.asDiagonal(), row.cwiseProduct(b),
                                              row.array().square(), column.array().square());
    for (int j = 0; j < n; ++j) {
      EXPECT_NEAR(plain.x(j), truth[j], 1e-11 * truth.norm() * a.inverse().norm()) << k;  // round-off times condition
      EXPECT_EQ(other.x(j) * column[j], plain.x(j)) << k;
    }
  }
}

TEST(ScaledSolver, WhatFollowsFromOthersGetsNothing) {
  Eigen::MatrixXd a(3, 3);
  a << 2, 2, 0, 2, 2, 0, 0, 0, 1;  // the second direction repeats the first
  const ScaledSolver<double> s =
      solved(a, Eigen::Vector3d(4, 4, 3), Eigen::Vector3d(2, 2, 1), Eigen::Vector3d(2, 2, 1));
  EXPECT_EQ(s.x(0) + s.x(1), 2);
  EXPECT_EQ(s.x(0) * s.x(1), 0);
  EXPECT_EQ(s.x(2), 3);
  const Eigen::MatrixXd two = a.topLeftCorner(2, 2);
  const ScaledSolver<double> t = solved(two, Eigen::Vector2d(4, 4), Eigen::Vector2d(2, 2), Eigen::Vector2d(2, 2));
  EXPECT_EQ(t.x(0) + t.x(1), 2);
  EXPECT_EQ(t.x(0) * t.x(1), 0);
}

}  // namespace
}  // namespace ricochet::scaled_solver_test
