#include "ricochet/numerics/linear_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/random_matrices.hpp"

namespace ricochet::linear_solver_test {
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
  for (const int size : {2, LinearSolver::dense_limit + 8}) {
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
  for (const int size : {2, LinearSolver::dense_limit + 8}) {
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
    EXPECT_NEAR(rest, 0.5, 1e-14);  // no solution: (1, −1) of (2, 0) is left
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

// A KKT matrix, its pattern full or embedded in a larger one with the identity.
LinearSolver solver(const Eigen::MatrixXd& a) {
  const int n = static_cast<int>(a.rows());
  LinearSolver::Pattern pattern;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (i == j || a(i, j) != 0) pattern.emplace_back(i, j);
  LinearSolver result(n, pattern);
  for (const auto& [i, j] : pattern) result.values()[result.slot(i, j)] = a(i, j);
  return result;
}

// Blocks of KKT matrices along the diagonal, coupled by weak springs: dense, or large and sparse.
Eigen::MatrixXd chain(std::mt19937& random, int blocks, int n, int m) {
  const int size = n + m;
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(blocks * size, blocks * size);
  for (int k = 0; k < blocks; ++k) {
    a.block(k * size, k * size, size, size) = random_matrices::kkt(random, n, m, 0.3);
    if (k > 0) a(k * size, (k - 1) * size) = a((k - 1) * size, k * size) = 0.1;
  }
  return a;
}

TEST(LinearSolver, UnitsChangeNoDigitDenseAndSparse) {
  std::mt19937 random(21);
  for (int k = 0; k < 300; ++k) {
    const int blocks = k % 2 == 0 ? 2 : 12, size = 5 * blocks;  // 10 or 60 unknowns
    const Eigen::MatrixXd a = chain(random, blocks, 3, 2);
    const Eigen::VectorXd b = random_matrices::vector(random, size);
    const random_matrices::Units units(random, size, 30);
    LinearSolver one = solver(a), other = solver(units.matrix(a));
    Eigen::VectorXd x(size), y(size);
    ASSERT_TRUE(one.factorize());
    ASSERT_TRUE(other.factorize());
    one.solve(b.data(), x.data());
    other.solve(units.right(b).eval().data(), y.data());
    ASSERT_EQ(units.unknowns_back(y), x) << k;
    EXPECT_LT((a * x - b).norm(), 1e-12 * a.norm() * x.norm());  // backward stable: size · ε
  }
}

TEST(LinearSolver, SizesOfRowsMakeResidualsComparable) {
  std::mt19937 random(23);
  for (int k = 0; k < 200; ++k) {
    const int blocks = k % 2 == 0 ? 2 : 12, size = 5 * blocks;
    const Eigen::MatrixXd a = chain(random, blocks, 3, 2);
    const random_matrices::Units units(random, size, 30);
    Eigen::VectorXd r(size), s(size);
    solver(a).row_sizes(r.data());
    solver(units.matrix(a)).row_sizes(s.data());
    const Eigen::VectorXd one = Eigen::VectorXd::Ones(size);
    const Eigen::VectorXd residual = one.cwiseQuotient(r), other = units.right(one).cwiseQuotient(s);
    for (int i = 0; i < size; ++i) ASSERT_EQ(residual[i] / residual[0], other[i] / other[0]) << k;
    EXPECT_EQ(r[0], 1);
    for (int i = 1; i < size; ++i) {
      if (a(i, i) == 0) continue;
      EXPECT_EQ(r[i], std::sqrt(std::abs(a(i, i)) / std::abs(a(0, 0))));
    }
  }
}

TEST(LinearSolver, MinimumNormsAndNullVectorsHaveNoUnits) {
  std::mt19937 random(22);
  for (int k = 0; k < 200; ++k) {
    const int n = 3 + k % 4, size = n + 2;
    Eigen::MatrixXd a = random_matrices::kkt(random, n, 2, 0.0);
    a.row(n + 1) = 2 * a.row(n);  // one constraint twice, written in another way
    a.col(n + 1) = 2 * a.col(n);
    Eigen::VectorXd b = random_matrices::vector(random, size), x(size), y(size);
    b[n + 1] = 2 * b[n];
    const random_matrices::Units units(random, size, 30);
    LinearSolver one = solver(a), other = solver(units.matrix(a));
    ASSERT_FALSE(one.factorize());
    double rest = 1, other_rest = 1;
    one.solve_minimum_norm(b.data(), x.data(), &rest);
    other.solve_minimum_norm(units.right(b).eval().data(), y.data(), &other_rest);
    ASSERT_EQ(units.unknowns_back(y), x) << k;
    EXPECT_EQ(rest, other_rest);
    EXPECT_LT(rest, 1e-12);  // solvable: size · ε · condition
    // Least multipliers: both do the same, 2ν' = ν, whatever the factor with which a constraint is written.
    EXPECT_NEAR(x[n], 2 * x[n + 1], 1e-11 * x.norm());
    const std::vector<double> null = one.null_vector(size), other_null = other.null_vector(size);
    ASSERT_EQ(null.size(), static_cast<std::size_t>(size));
    const Eigen::VectorXd u = Eigen::Map<const Eigen::VectorXd>(null.data(), size);
    EXPECT_LT((a * u).norm(), 1e-12 * a.norm() * u.norm());
    const Eigen::VectorXd v = units.unknowns_back(Eigen::Map<const Eigen::VectorXd>(other_null.data(), size));
    const int largest = n;  // the multipliers alone are free
    EXPECT_NEAR((v / v[largest] - u / u[largest]).norm(), 0, 1e-12);
    EXPECT_TRUE(one.null_vector(n).empty());
  }
}

// Constraints that nearly repeat each other: the second one turned by t out of the first. Their matrix has a singular
// value t, the whole one t². As long as the rows are not the same to 1e-12 both hold, and the third (the first again)
// repeats them.
TEST(LinearSolver, ConstraintsAreJudgedByTheirRows) {
  std::mt19937 random(5);
  for (int k = 0; k < 60; ++k) {
    const int n = 4, size = n + 3;
    const double t = std::pow(10, -k % 11);
    Eigen::MatrixXd a = random_matrices::kkt(random, n, 3, 0.0);
    const Eigen::RowVectorXd c = a.row(n).head(n), other = a.row(n + 1).head(n);
    a.row(n + 1).head(n) = c + t * other;
    a.row(n + 2).head(n) = c;
    for (int j = 1; j < 3; ++j) a.col(n + j).head(n) = -a.row(n + j).head(n).transpose();
    a.col(n).head(n) = -c.transpose();
    Eigen::VectorXd b = random_matrices::vector(random, size), x(size);
    b.tail(3).setZero();
    solver(a).solve_minimum_norm(b.data(), x.data());
    const Eigen::VectorXd v = x.head(n);
    EXPECT_LT(std::abs(c.dot(v)), 1e-13 * c.norm() * v.norm()) << k;
    EXPECT_LT(std::abs(other.dot(v)), 1e-14 / t * other.norm() * v.norm()) << k;  // ε of c and of c + t·other, over t
    const Eigen::VectorXd rest = a.topRows(n) * x - b.head(n);
    EXPECT_LT(rest.norm(), 1e-13 * (b.norm() + x.norm() * a.norm())) << k;
  }
}

TEST(LinearSolver, ARowOfZerosCannotBeMet) {
  LinearSolver a = matrix(2, {{2, 0}, {0, 0}});
  std::vector<double> b{4, 1e-30}, x(2);
  double rest = 0;
  a.solve_minimum_norm(b.data(), x.data(), &rest);
  EXPECT_EQ(rest, 1);
  EXPECT_EQ(x[0], 2);
  EXPECT_EQ(x[1], 0);
  b[1] = 0;
  a.solve_minimum_norm(b.data(), x.data(), &rest);
  EXPECT_EQ(rest, 0);
}

}  // namespace
}  // namespace ricochet::linear_solver_test
