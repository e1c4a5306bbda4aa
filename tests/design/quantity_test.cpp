#include "ricochet/design/quantity.hpp"

#include <gtest/gtest.h>

#include "ricochet/error.hpp"
#include "shots.hpp"

namespace ricochet::quantity_test {
namespace {

TEST(Quantity, AtTheEndAndAtAnImpact) {
  const Ball ball;
  const Shot shot = ball.shot();
  const Course course = fly(shot, Derivatives::none);
  const Expr y = shot.model.q()[0], v = shot.model.v()[0], t = shot.model.graph->time();
  const double speed = std::sqrt(ball.v0 * ball.v0 + 2 * ball.g * ball.y0);  // at the floor
  EXPECT_DOUBLE_EQ(evaluate({"end", y + t}, course, false).value, course.end.q[0] + ball.T);
  EXPECT_NEAR(evaluate({"before", v, 1}, course, false).value, -speed, 1e-13);
  EXPECT_NEAR(evaluate({"after", v, 1, true}, course, false).value, ball.e * speed, 1e-13);
  EXPECT_NEAR(evaluate({"when", t, 1}, course, false).value, (ball.v0 + speed) / ball.g, 1e-14);
}

TEST(Quantity, AnImpactThatDoesNotHappenIsSaid) {
  const Shot shot = Ball().shot();
  const Course course = fly(shot, Derivatives::none);
  try {
    evaluate({"far", shot.model.q()[0], 99}, course, false);
    FAIL();
  } catch (const SolverError& error) {
    EXPECT_NE(std::string(error.what()).find("far is asked for at impact 99, but the motion has 2"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace ricochet::quantity_test
