// Nonnegative least squares against all active sets.
#include "../src/contact/law_cone.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace ricochet {
namespace {

struct Problem {
  Eigen::MatrixXd gram;
  Eigen::VectorXd b;
};

Eigen::VectorXd solve(const Problem& p) {
  Cone<double> cone;
  const int n = static_cast<int>(p.b.size());
  cone.resize(n);
  for (int i = 0; i < n; ++i) {
    cone.b(i) = p.b[i];
    for (int j = 0; j < n; ++j) cone.gram(i, j) = p.gram(i, j);
  }
  cone.solve();
  Eigen::VectorXd y(n);
  for (int i = 0; i < n; ++i) y[i] = cone.y(i);
  return y;
}

double value_at(const Problem& p, const Eigen::VectorXd& y) { return y.dot(p.gram * y) / 2 + p.b.dot(y); }

// The least value over every set of positive ones.
double brute_force(const Problem& p) {
  const int n = static_cast<int>(p.b.size());
  double best = 0;
  for (int set = 1; set < 1 << n; ++set) {
    std::vector<int> in;
    for (int i = 0; i < n; ++i)
      if (set >> i & 1) in.push_back(i);
    const Eigen::VectorXd z = p.gram(in, in).completeOrthogonalDecomposition().solve(-p.b(in));
    // directions that nearly oppose each other: impulses without bound, whose value is all round-off
    if (z.minCoeff() < 0 || z.maxCoeff() > 1e3 * p.b.norm() / p.gram.diagonal().minCoeff()) continue;
    Eigen::VectorXd y = Eigen::VectorXd::Zero(n);
    y(in) = z;
    best = std::min(best, value_at(p, y));
  }
  return best;
}

TEST(LawCone, IsTheBestOfAllActiveSetsRepeatedDirectionsToo) {
  // Directions in a space of lower dimension repeat each other; b stays in their range, as speeds of contacts do.
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 2000; ++k) {
    const int n = 1 + k % 6, dimension = 1 + static_cast<int>(random() % 6);
    Eigen::MatrixXd j(n, dimension);
    Eigen::VectorXd v(dimension);
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < dimension; ++b) j(a, b) = normal(random);
    for (int b = 0; b < dimension; ++b) v[b] = normal(random);
    if (k % 3 == 0 && n > 1) j.row(n - 1) = j.row(0);       // the same contact twice
    if (k % 5 == 0 && n > 2) j.row(n - 2) = -3 * j.row(1);  // and its opposite
    const Problem p{j * j.transpose(), j * v};
    const Eigen::VectorXd y = solve(p);
    ASSERT_GE(y.minCoeff(), 0) << k;
    const double scale = v.squaredNorm();
    ASSERT_NEAR(value_at(p, y), brute_force(p), 1e-9 * scale) << k;
    const Eigen::VectorXd w = p.gram * y + p.b;  // no descent is left
    for (int i = 0; i < n; ++i) ASSERT_GE(w[i], -1e-7 * j.row(i).norm() * v.norm()) << k;
  }
}

TEST(LawCone, TheDualPartIsTheDerivativeOnTheActiveSet) {
  // ½·2y² − (3 + ε)y: y = (3 + ε)/2; the second is not active.
  Cone<Dual> cone;
  cone.resize(2);
  cone.gram(0, 0) = Dual(2, 0);
  cone.gram(1, 1) = Dual(1, 1);
  cone.b(0) = Dual(-3, -1);
  cone.b(1) = Dual(1, 5);
  cone.solve();
  EXPECT_EQ(cone.y(0).value, 1.5);
  EXPECT_EQ(cone.y(0).derivative, 0.5);
  EXPECT_EQ(cone.y(1).value, 0);
  EXPECT_EQ(cone.y(1).derivative, 0);
}

}  // namespace
}  // namespace ricochet
