#include "ricochet/contact/hold.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace ricochet::hold_test {
namespace {

using Dual = formula::Dual<double>;

TEST(Hold, BringsTheSetToRestAndLeavesTheOthersWithoutImpulse) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 500; ++k) {
    const int rows = 1 + k % 5;
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> J(rows, rows + 1);
    for (double& x : J.reshaped()) x = normal(random);
    if (k % 4 == 0 && rows > 1) J.row(1) = J.row(0);  // a contact twice
    Eigen::VectorXd v(rows + 1);
    for (double& x : v) x = normal(random);
    const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> delta = J * J.transpose();
    const Eigen::VectorXd c = J * v;
    std::vector<int> set;
    for (int i = 0; i < rows; ++i)
      if ((k >> i) % 2 == 0) set.push_back(i);
    Eigen::VectorXd impulse(rows);
    ScaledSolver<double> solver;
    hold(delta.data(), rows, set, c.data(), impulse.data(), solver);
    const Eigen::VectorXd after = c + delta * impulse;
    for (int i = 0; i < rows; ++i)
      if (std::find(set.begin(), set.end(), i) == set.end())
        EXPECT_EQ(impulse[i], 0);
      else  // round-off times the condition of random directions
        EXPECT_NEAR(after[i], 0, 1e-10 * (1 + impulse.norm()) * (1 + delta.norm())) << k;
    // the nearest momentum with c_S = 0 loses energy: it is a projection
    EXPECT_LE((v + J.transpose() * impulse).norm(), v.norm() * (1 + 1e-12));
  }
}

TEST(Hold, TheDualPartIsTheDerivative) {
  // Λ = −c/Δ: d(−(3 + ε)/(2 + 5ε)) = −(1·2 − 3·5)/4
  const Dual delta(2, 5), c(3, 1);
  Dual impulse;
  ScaledSolver<Dual> solver;
  const int set[1] = {0};
  hold(&delta, 1, set, &c, &impulse, solver);
  EXPECT_EQ(impulse.value, -1.5);
  EXPECT_EQ(impulse.derivative, 13.0 / 4);
}

}  // namespace
}  // namespace ricochet::hold_test
