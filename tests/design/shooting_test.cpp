#include "ricochet/design/shooting.hpp"

#include <gtest/gtest.h>

#include "shots.hpp"

namespace ricochet {
namespace {

// EQUATIONS.md section E; the trapezoidal rule is exact for linear gravity.
TEST(Shooting, CircleToAPointAtAnAngle) {
  ShootingProblem problem = circle();
  const ShootingSolution solution = solve(problem);
  ASSERT_EQ(solution.status, ShootingSolution::Status::solved) << solution.message;
  EXPECT_LE(solution.iterations, 6);
  EXPECT_NEAR(solution.unknowns[0], 1.954131961894, 1e-11);
  EXPECT_NEAR(solution.unknowns[1], 2.744429844883, 1e-11);
  EXPECT_NEAR(solution.unknowns[2], 1.586382117713, 1e-11);
  for (const double r : solution.residuals) EXPECT_LE(std::abs(r), 1e-10);
}

}  // namespace
}  // namespace ricochet
