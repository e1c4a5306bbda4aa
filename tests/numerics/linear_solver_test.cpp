#include "ricochet/numerics/linear_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ricochet {
namespace {

// A matrix with entries by rows; `size` may be larger: the rest is the identity.
LinearSolver matrix(int size, const std::vector<std::vector<double>>& rows) {
  LinearSolver::Pattern pattern;
  const int n = static_cast<int>(rows.size());
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j)
      if (i == j || (i < n && j < n)) pattern.emplace_back(i, j);
  LinearSolver a(size, pattern);
  for (const auto& [i, j] : pattern) a.values()[a.slot(i, j)] = i < n ? rows[i][j] : 1.0;
  return a;
}

TEST(LinearSolver, RegularSystemsDenseAndSparse) {
  for (const int size : {2, 40}) {
    LinearSolver a = matrix(size, {{2, 1}, {1, 3}});
    ASSERT_TRUE(a.factorize());
    std::vector<double> x(size, 0.0);
    x[0] = 4, x[1] = 7;
    a.solve(x.data(), x.data());
    EXPECT_NEAR(x[0], 1, 1e-15);
    EXPECT_NEAR(x[1], 2, 1e-15);
    EXPECT_TRUE(a.null_vector(size).empty());
  }
}

TEST(LinearSolver, SingularSystems) {
  for (const int size : {2, 40}) {
    LinearSolver a = matrix(size, {{1, 1}, {1, 1}});
    if (size == 2) {  // a sparse factorisation may not notice
      EXPECT_FALSE(a.factorize());
    }
    std::vector<double> b(size, 0.0), x(size);
    b[0] = b[1] = 2;
    double rest = 1;
    a.solve_minimum_norm(b.data(), x.data(), &rest);
    EXPECT_NEAR(rest, 0, 1e-14);
    EXPECT_NEAR(x[0], 1, 1e-14);  // of all x0 + x1 = 2 the shortest
    EXPECT_NEAR(x[1], 1, 1e-14);
    b[1] = 0;
    a.solve_minimum_norm(b.data(), x.data(), &rest);
    EXPECT_NEAR(rest, 1, 1e-14);  // no solution: what is left
    const std::vector<double> null = a.null_vector(size);
    ASSERT_EQ(null.size(), static_cast<std::size_t>(size));
    EXPECT_NEAR(null[0], -null[1], 1e-14);
    EXPECT_NEAR(std::abs(null[0]), 1, 1e-14);
  }
}

TEST(LinearSolver, NullVectorsAreSoughtAmongTheLeadingUnknowns) {
  LinearSolver a = matrix(3, {{1, 0, 0}, {0, 0, 0}, {0, 0, 0}});
  EXPECT_TRUE(a.null_vector(1).empty());
  EXPECT_FALSE(a.null_vector(2).empty());
  // a small equation is an equation
  EXPECT_TRUE(matrix(2, {{1, 0}, {0, 1e-30}}).null_vector(2).empty());
}

}  // namespace
}  // namespace ricochet
