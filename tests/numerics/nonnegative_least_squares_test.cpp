#include "ricochet/numerics/nonnegative_least_squares.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "ricochet/formula/dual.hpp"
#include "support/allocations.hpp"

namespace ricochet::nonnegative_least_squares_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

double value_at(const MatrixXd& gram, const VectorXd& c, const VectorXd& y) { return y.dot(gram * y) / 2 + c.dot(y); }

template <class T>
void fill(NonnegativeLeastSquares<T>& problem, const MatrixXd& gram, const VectorXd& c) {
  const int n = static_cast<int>(c.size());
  problem.resize(n);
  for (int i = 0; i < n; ++i) {
    problem.b(i) = c[i];
    for (int j = 0; j < n; ++j) problem.gram(i, j) = gram(i, j);
  }
}

VectorXd nonnegative_least_squares(const MatrixXd& gram, const VectorXd& c) {
  NonnegativeLeastSquares<double> problem;
  fill(problem, gram, c);
  problem.solve();
  VectorXd y(c.size());
  for (int i = 0; i < c.size(); ++i) y[i] = problem.y(i);
  return y;
}

// The least value over all sets of indices that are free: those whose solution is not negative count.
double brute_force(const MatrixXd& gram, const VectorXd& c) {
  const int n = static_cast<int>(c.size());
  double best = 0;  // y = 0
  for (int set = 1; set < (1 << n); ++set) {
    std::vector<int> free;
    for (int i = 0; i < n; ++i)
      if ((set >> i) & 1) free.push_back(i);
    const VectorXd z = gram(free, free).completeOrthogonalDecomposition().solve(-c(free));
    // directions that nearly oppose each other: impulses without bound, whose value is all round-off
    if (z.minCoeff() < 0 || z.maxCoeff() > 1e3 * c.norm() / gram.diagonal().minCoeff()) continue;
    VectorXd y = VectorXd::Zero(n);
    y(free) = z;
    best = std::min(best, value_at(gram, c, y));
  }
  return best;
}

// y >= 0, Δy + c >= 0 and orthogonal, each up to round-off of the numbers in it.
void expect_optimal(const MatrixXd& gram, const VectorXd& c, const VectorXd& y) {
  const VectorXd slack = gram * y + c;
  const double size = c.cwiseAbs().maxCoeff() + (gram.cwiseAbs() * y).maxCoeff();
  EXPECT_GE(y.minCoeff(), 0);
  EXPECT_GE(slack.minCoeff(), -1e-11 * size);
  EXPECT_NEAR(y.dot(slack), 0, 1e-11 * size * (1 + y.maxCoeff()));
}

TEST(NonnegativeLeastSquares, AgreesWithBruteForceOverActiveSets) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 2000; ++k) {
    const int contacts = 1 + k % 6, coordinates = contacts + 1;
    MatrixXd N(coordinates, contacts);
    VectorXd c(contacts);
    for (double& x : N.reshaped()) x = normal(random);
    for (double& x : c) x = normal(random);
    const MatrixXd gram = N.transpose() * N;
    const VectorXd y = nonnegative_least_squares(gram, c);
    expect_optimal(gram, c, y);
    const double best = brute_force(gram, c);
    EXPECT_NEAR(value_at(gram, c, y), best, 1e-10 * (1 + std::abs(best))) << k;
  }
}

TEST(NonnegativeLeastSquares, RepeatedAndDependentDirections) {
  // Directions in a space of lower dimension repeat each other; c stays in their range, as speeds of contacts do.
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 2000; ++k) {
    const int n = 1 + k % 6, dimension = 1 + static_cast<int>(random() % 6);
    MatrixXd j(n, dimension);
    VectorXd v(dimension);
    for (double& x : j.reshaped()) x = normal(random);
    for (double& x : v) x = normal(random);
    if (k % 3 == 0 && n > 1) j.row(n - 1) = j.row(0);       // the same contact twice
    if (k % 5 == 0 && n > 2) j.row(n - 2) = -3 * j.row(1);  // and its opposite
    const MatrixXd gram = j * j.transpose();
    const VectorXd c = j * v, y = nonnegative_least_squares(gram, c);
    ASSERT_GE(y.minCoeff(), 0) << k;
    ASSERT_NEAR(value_at(gram, c, y), brute_force(gram, c), 1e-9 * v.squaredNorm()) << k;
    const VectorXd w = gram * y + c;  // no descent is left
    for (int i = 0; i < n; ++i) ASSERT_GE(w[i], -1e-7 * j.row(i).norm() * v.norm()) << k;
  }
}

TEST(NonnegativeLeastSquares, TheDualPartIsTheDerivativeOnTheActiveSet) {
  // ½·2y² − (3 + ε)y: y = (3 + ε)/2; the second is not active.
  using Dual = formula::Dual<double>;
  NonnegativeLeastSquares<Dual> problem;
  problem.resize(2);
  problem.gram(0, 0) = Dual(2, 0);
  problem.gram(1, 1) = Dual(1, 1);
  problem.b(0) = Dual(-3, -1);
  problem.b(1) = Dual(1, 5);
  problem.solve();
  EXPECT_EQ(problem.y(0).value, 1.5);
  EXPECT_EQ(problem.y(0).derivative, 0.5);
  EXPECT_EQ(problem.y(1).value, 0);
  EXPECT_EQ(problem.y(1).derivative, 0);
}

TEST(NonnegativeLeastSquares, TheSecondOfASizeAllocatesNothing) {
  const MatrixXd gram = MatrixXd::Identity(4, 4) + MatrixXd::Constant(4, 4, 0.3);
  const VectorXd c = VectorXd::LinSpaced(4, -2, 1);
  NonnegativeLeastSquares<double> problem;
  fill(problem, gram, c);
  problem.solve();
  const std::size_t before = test::allocations();
  fill(problem, gram, c);
  problem.solve();
  EXPECT_EQ(test::allocations(), before);
}

TEST(NonnegativeLeastSquares, UnitsChangeNoDigit) {
  std::mt19937 random(9);
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> exponent(-40, 40);
  for (int k = 0; k < 1000; ++k) {
    const int contacts = 1 + k % 6, coordinates = k % 3 == 0 ? 2 : contacts + 1;  // too few coordinates: dependent
    MatrixXd N(coordinates, contacts);
    VectorXd p(coordinates), unit(contacts);
    for (double& x : N.reshaped()) x = normal(random);
    for (double& x : p) x = normal(random);
    for (double& x : unit) x = std::ldexp(1.0, exponent(random));
    const double energy = std::ldexp(1.0, exponent(random));
    if (contacts > 2) N.col(1) = N.col(0);
    const MatrixXd gram = N.transpose() * N;
    const VectorXd c = N.transpose() * p;
    const VectorXd y = nonnegative_least_squares(gram, c);
    const VectorXd other = nonnegative_least_squares(energy * (unit.asDiagonal() * gram * unit.asDiagonal()),
                                                     energy * unit.cwiseProduct(c));
    for (int i = 0; i < contacts; ++i) ASSERT_EQ(other[i] * unit[i], y[i]) << k;
  }
}

TEST(NonnegativeLeastSquares, ADirectionThatDoesNothing) {
  MatrixXd gram = MatrixXd::Zero(2, 2);
  gram(1, 1) = 2;
  const VectorXd y = nonnegative_least_squares(gram, VectorXd::Constant(2, -1.0));
  EXPECT_EQ(y[0], 0);
  EXPECT_NEAR(y[1], 0.5, 1e-15);
  EXPECT_EQ(nonnegative_least_squares(MatrixXd::Zero(2, 2), VectorXd::Constant(2, -1.0)).norm(), 0);
}

TEST(NonnegativeLeastSquares, NothingToDo) {
  const MatrixXd gram = MatrixXd::Identity(3, 3);
  EXPECT_EQ(nonnegative_least_squares(gram, VectorXd::Constant(3, 1.0)).norm(), 0);
  EXPECT_EQ(nonnegative_least_squares(gram, VectorXd::Zero(3)).norm(), 0);
}

}  // namespace
}  // namespace ricochet::nonnegative_least_squares_test
