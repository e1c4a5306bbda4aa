#include "ricochet/numerics/nonnegative_least_squares.hpp"

#include <gtest/gtest.h>

#include <random>

namespace ricochet {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

double value(const MatrixXd& gram, const VectorXd& c, const VectorXd& y) { return y.dot(gram * y) / 2 + c.dot(y); }

// The least value over all sets of indices that are free: those whose solution is not negative count.
double brute_force(const MatrixXd& gram, const VectorXd& c) {
  const int n = static_cast<int>(c.size());
  double best = 0;  // y = 0
  for (int set = 1; set < (1 << n); ++set) {
    std::vector<int> free;
    for (int i = 0; i < n; ++i)
      if ((set >> i) & 1) free.push_back(i);
    const VectorXd z = gram(free, free).completeOrthogonalDecomposition().solve(-c(free));
    if (z.minCoeff() < 0) continue;
    VectorXd y = VectorXd::Zero(n);
    y(free) = z;
    best = std::min(best, value(gram, c, y));
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
    EXPECT_NEAR(value(gram, c, y), best, 1e-10 * (1 + std::abs(best))) << k;
  }
}

TEST(NonnegativeLeastSquares, RepeatedAndDependentDirections) {
  // More contacts than coordinates, some twice: Δ is singular, the value of the minimum is not.
  std::mt19937 random(8);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 500; ++k) {
    MatrixXd N(2, 5);
    for (double& x : N.reshaped()) x = normal(random);
    N.col(3) = N.col(0);
    VectorXd p(2);
    for (double& x : p) x = normal(random);
    const MatrixXd gram = N.transpose() * N;
    const VectorXd c = N.transpose() * p;  // bounded below because c is in the range of Nᵀ
    const VectorXd y = nonnegative_least_squares(gram, c);
    expect_optimal(gram, c, y);
    EXPECT_NEAR(value(gram, c, y), brute_force(gram, c), 1e-9) << k;
  }
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
}  // namespace ricochet
