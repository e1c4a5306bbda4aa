#include "ricochet/design/trajectory.hpp"

#include <gtest/gtest.h>

namespace ricochet::trajectory_test {

namespace {

// A motion that is linear in time is the same on the finer grid, exactly for powers of two.
TEST(Trajectory, DoubledKeepsALinearMotion) {
  Trajectory coarse;
  coarse.times = {0, 4};
  TrajectoryArc& arc = coarse.arcs.emplace_back();
  arc.q = Eigen::RowVectorXd::LinSpaced(5, 0, 8);
  arc.p = arc.v = Eigen::RowVectorXd::Constant(5, 2);
  arc.u = Eigen::RowVectorXd::LinSpaced(4, 0, 3);
  const Trajectory fine = doubled(coarse);
  EXPECT_EQ(fine.arcs[0].intervals(), 8);
  for (int k = 0; k <= 8; ++k) {
    EXPECT_EQ(fine.arcs[0].q(0, k), 2 * fine.time(0, k));
    EXPECT_EQ(fine.arcs[0].v(0, k), 2);
  }
  for (int k = 0; k < 8; ++k) EXPECT_EQ(fine.arcs[0].u(0, k), k / 2);
}

}  // namespace

}  // namespace ricochet::trajectory_test
