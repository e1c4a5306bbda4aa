#include "ricochet/discrete/share_friction.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace ricochet::share_friction_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Tangents T in few dimensions: the force Tτ stays, Στ²/λ is the least, against its closed form by the pseudo-inverse.
TEST(ShareFriction, KeepsTheForceAndLoadsAsPressed) {
  std::mt19937 engine(1);
  std::normal_distribution<double> normal;
  ShareFriction share;
  for (int round = 0; round < 200; ++round) {
    const int m = 2 + round % 5, n = 1 + round % 3;
    const MatrixXd T = MatrixXd::NullaryExpr(n, m, [&] { return normal(engine); });
    VectorXd tau = VectorXd::NullaryExpr(m, [&] { return normal(engine); });
    const VectorXd pressure = VectorXd::NullaryExpr(m, [&] { return std::exp(normal(engine)); });
    const VectorXd force = T * tau;
    const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> gram = T.transpose() * T;
    share({gram.data(), static_cast<std::size_t>(m * m)}, {pressure.data(), static_cast<std::size_t>(m)},
          {tau.data(), static_cast<std::size_t>(m)});
    const VectorXd root = pressure.cwiseSqrt();
    const MatrixXd scaled = T * root.asDiagonal();
    const VectorXd best = root.asDiagonal() * scaled.completeOrthogonalDecomposition().solve(force);
    // round-off of a matrix that is multiplied twice
    EXPECT_LE((T * tau - force).norm(), 1e-7 * (1 + force.norm())) << round;
    EXPECT_LE((tau - best).norm(), 1e-6 * (1 + best.norm())) << round;
  }
}

TEST(ShareFriction, TwoCornersOnASlope) {
  const double gram[] = {1, 1, 1, 1}, pressure[] = {1, 3};
  double tau[] = {-2, 0};
  ShareFriction()(gram, pressure, tau);
  EXPECT_DOUBLE_EQ(tau[0], -0.5);
  EXPECT_DOUBLE_EQ(tau[1], -1.5);
}

}  // namespace
}  // namespace ricochet::share_friction_test
