#include "ricochet/numerics/scaled_lu.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "support/random_matrices.hpp"

namespace ricochet::scaled_lu_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using random_matrices::Units;
using Exact = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using ExactVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

template <int N>
bool solve(const MatrixXd& a, const VectorXd& b, VectorXd& x) {
  ScaledLu<N> lu(static_cast<int>(a.rows()));
  x.resize(a.rows());
  if (!lu.factorize(a.data())) return false;
  lu.solve(b.data(), x.data());
  return true;
}

// The size is known to the compiler where it can be.
bool solve(const MatrixXd& a, const VectorXd& b, VectorXd& x) {
  switch (a.rows()) {
    case 1: return solve<1>(a, b, x);
    case 2: return solve<2>(a, b, x);
    case 3: return solve<3>(a, b, x);
    case 4: return solve<4>(a, b, x);
    case 5: return solve<5>(a, b, x);
    case 6: return solve<6>(a, b, x);
    default: return solve<0>(a, b, x);
  }
}

// Against full pivoting in extended precision, in units where the diagonal of M is about 1: the errors relative to the
// largest unknown.
TEST(ScaledLu, AsExactAsPartialPivotingOnKktMatrices) {
  std::mt19937 random(11);
  std::vector<double> ours, partial;
  double log_ours = 0, log_partial = 0;
  const int samples = 10000;
  for (int k = 0; k < samples; ++k) {
    const int n = 1 + k % 12, m = k % 3 == 0 ? 0 : static_cast<int>(random() % n);
    const MatrixXd a = random_matrices::kkt(random, n, m, k % 2 == 0 ? 0.0 : 0.3);
    const VectorXd b = random_matrices::vector(random, n + m);
    const ExactVector exact = Exact(a.cast<long double>()).fullPivLu().solve(ExactVector(b.cast<long double>()));
    const double size = static_cast<double>(exact.cwiseAbs().maxCoeff());
    const auto error = [&](const VectorXd& x) {
      return std::fmax(1e-17, static_cast<double>((x.cast<long double>() - exact).cwiseAbs().maxCoeff()) / size);
    };
    VectorXd x;
    ASSERT_TRUE(solve(a, b, x)) << k;
    ours.push_back(error(x));
    partial.push_back(error(a.partialPivLu().solve(b)));
    log_ours += std::log(ours.back()) / samples;
    log_partial += std::log(partial.back()) / samples;
  }
  std::sort(ours.begin(), ours.end());
  std::sort(partial.begin(), partial.end());
  RecordProperty("mean", std::to_string(std::exp(log_ours)) + " " + std::to_string(std::exp(log_partial)));
  // On the average and in the worst cases. 1.5: a growth of at most (1 + 1/0.1) a column instead of 2 must not show.
  EXPECT_LT(std::exp(log_ours - log_partial), 1.5) << std::exp(log_ours) << " " << std::exp(log_partial);
  for (const int rank : {samples * 9 / 10, samples * 99 / 100, samples * 999 / 1000})
    EXPECT_LT(ours[rank], 1.5 * partial[rank]) << rank;
}

// One object for many matrices [M −C; Cᵀ 0] of one pattern, with more than 64 unknowns too, each with other entries of
// the pattern at zero, so that pivots and fill change: what is skipped is zero, whatever was there before. The bits are
// those of a new object that knows no pattern; tolerance: condition up to 1e6.
TEST(ScaledLu, SkipsZerosAlone) {
  std::mt19937 random(5);
  const auto number = [&] { return random_matrices::vector(random, 1)[0]; };
  int regular = 0;
  for (const int n : {7, 40, 64, 65, 100, 130}) {
    const int masses = 2 * n / 3;
    std::vector<std::pair<int, int>> pattern;
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < 3; ++k) pattern.emplace_back(i, static_cast<int>(random() % masses));
    std::vector<int> places;
    for (int i = 0; i < masses; ++i) places.push_back(i + n * i);
    for (const auto& [i, j] : pattern) places.insert(places.end(), {i + n * j, j + n * i});
    ScaledLu<0> lu(n, places);
    for (int sample = 0; sample < 40; ++sample) {
      MatrixXd a = MatrixXd::Zero(n, n);
      for (const auto& [i, j] : pattern) {
        if (random() % 8 == 0) continue;
        a(i, j) = number();
        a(j, i) = i < masses ? a(i, j) : -a(i, j);
      }
      for (int i = 0; i < masses; ++i) a(i, i) = 8 + number();
      const VectorXd b = random_matrices::vector(random, n);
      ScaledLu<0> fresh(n);
      VectorXd x(n), y(n);
      const bool solved = lu.factorize(a.data());
      ASSERT_EQ(solved, fresh.factorize(a.data())) << n << " " << sample;
      const Eigen::FullPivLU<MatrixXd> full(a);
      const bool is_regular = full.isInvertible() && full.rcond() > 1e-6;
      EXPECT_TRUE(solved || !is_regular) << n << " " << sample;
      if (!solved) continue;
      lu.solve(b.data(), x.data());
      fresh.solve(b.data(), y.data());
      EXPECT_EQ(x, y) << n << " " << sample;
      if (!is_regular) continue;
      ++regular;
      EXPECT_LT((a * x - b).norm(), 1e-9 * b.norm()) << n << " " << sample;
    }
  }
  EXPECT_GT(regular, 60);
}

// Rows and columns in other units: the same digits.
TEST(ScaledLu, UnitsChangeNoDigit) {
  std::mt19937 random(12);
  for (int k = 0; k < 5000; ++k) {
    const int n = 1 + k % 12, m = k % 3 == 0 ? 0 : static_cast<int>(random() % n);
    const MatrixXd a =
        k % 5 == 0 ? random_matrices::full(random, n + m) : random_matrices::kkt(random, n, m, k % 2 == 0 ? 0.0 : 0.5);
    const VectorXd b = random_matrices::vector(random, n + m);
    const Units units(random, n + m, 40);
    VectorXd x, y;
    const bool regular = solve(a, b, x);
    ASSERT_EQ(solve(units.matrix(a), units.right(b), y), regular) << k;
    if (!regular) continue;
    const VectorXd back = units.unknowns_back(y);
    for (int i = 0; i < n + m; ++i) ASSERT_EQ(back[i], x[i]) << k << " " << i;
  }
}

// Mixed units against the twin: relative to the units of each unknown nothing is lost.
TEST(ScaledLu, MixedUnitsAgainstFullPivoting) {
  std::mt19937 random(13);
  for (int k = 0; k < 3000; ++k) {
    const int n = 1 + k % 8, m = static_cast<int>(random() % n);
    const MatrixXd a = random_matrices::kkt(random, n, m, 0.3);
    const VectorXd b = random_matrices::vector(random, n + m);
    const ExactVector exact = Exact(a.cast<long double>()).fullPivLu().solve(ExactVector(b.cast<long double>()));
    const Units units(random, n + m, 60);
    VectorXd y;
    ASSERT_TRUE(solve(units.matrix(a), units.right(b), y));
    const double condition = a.jacobiSvd().singularValues()(0) / a.jacobiSvd().singularValues()(n + m - 1);
    const double error =
        static_cast<double>((units.unknowns_back(y).cast<long double>() - exact).cwiseAbs().maxCoeff());
    // n² ε κ: the bound of backward stability
    EXPECT_LT(error, (n + m) * (n + m) * 2.3e-16 * condition * static_cast<double>(exact.norm())) << k;
  }
}

TEST(ScaledLu, SingularMatricesInAllUnits) {
  std::mt19937 random(14);
  for (int k = 0; k < 2000; ++k) {
    const int n = 2 + k % 8, m = k % 2 == 0 ? 0 : 2;
    MatrixXd a = random_matrices::kkt(random, n + m, m, 0.0);
    const int i = n + m + (m > 0 ? 0 : -2), j = i + 1;  // two constraints, or two coordinates, become one
    const double factor = std::ldexp(1.0, static_cast<int>(random() % 5) - 2);
    a.row(j) = factor * a.row(i);
    a.col(j) = factor * a.col(i);
    if (m == 0) a(j, j) = factor * factor * a(i, i), a(i, j) = a(j, i) = factor * a(i, i);
    const Units units(random, static_cast<int>(a.rows()), 60);
    VectorXd x;
    const VectorXd b = random_matrices::vector(random, static_cast<int>(a.rows()));
    EXPECT_FALSE(solve(a, b, x)) << k;
    EXPECT_FALSE(solve(units.matrix(a), units.right(b), x)) << k;
  }
  VectorXd x;
  for (int n = 1; n < 8; ++n) {  // a row and a column of zeros; nothing at all
    MatrixXd a = random_matrices::kkt(random, n, 0, 0.0);
    a.row(n / 2).setZero();
    EXPECT_FALSE(solve(a, VectorXd::Ones(n), x));
    a = random_matrices::kkt(random, n, 0, 0.0);
    a.col(n / 2).setZero();
    EXPECT_FALSE(solve(a, VectorXd::Ones(n), x));
    EXPECT_FALSE(solve(MatrixXd::Zero(n, n), VectorXd::Ones(n), x));
    a(0, 0) = NAN;
    EXPECT_FALSE(solve(a, VectorXd::Ones(n), x));
  }
}

TEST(ScaledLu, DiagonalsOfZeros) {
  // permutations, cyclic and with any units: nothing on the diagonal tells a size
  std::mt19937 random(15);
  for (int n = 2; n < 8; ++n)
    for (int k = 0; k < 50; ++k) {
      MatrixXd a = MatrixXd::Zero(n, n);
      VectorXd b(n), x;
      for (int i = 0; i < n; ++i) {
        a(i, (i + 1) % n) = std::ldexp(1.0 + (random() % 100) / 100.0, static_cast<int>(random() % 80) - 40);
        b[i] = a(i, (i + 1) % n) * (i + 1);
      }
      ASSERT_TRUE(solve(a, b, x));
      for (int i = 0; i < n; ++i) EXPECT_NEAR(x[(i + 1) % n], i + 1, 1e-14);
    }
  // a light body beside a heavy one is not singular
  VectorXd x;
  EXPECT_TRUE(
      solve(VectorXd((VectorXd(2) << 1, 1e-200).finished()).asDiagonal().toDenseMatrix(), VectorXd::Ones(2), x));
}

}  // namespace
}  // namespace ricochet::scaled_lu_test
