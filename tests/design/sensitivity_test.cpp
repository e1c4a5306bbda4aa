#include "ricochet/design/sensitivity.hpp"

#include <gtest/gtest.h>

#include "shots.hpp"

namespace ricochet::sensitivity_test {
namespace {

using Eigen::MatrixXd;

std::vector<Quantity> end_state(const Shot& shot) {
  std::vector<Quantity> quantities;
  for (const Expr& x : shot.model.q()) quantities.push_back({"q", x});
  for (const Expr& x : shot.model.v()) quantities.push_back({"v", x});
  return quantities;
}

// The trapezoidal rule is exact here, so the derivatives are those of the closed form, which dual numbers give.
// Round-off: 130 to 200 steps of 1e-16 each, times what derivatives of size 10 make of them.
TEST(Sensitivity, BouncingBallInClosedForm) {
  for (const double T : {0.3, 0.9, 1.3, 1.62, 2.0}) {
    const Ball ball{.T = T};
    const Shot shot = ball.shot();
    const Course course = fly(shot, Derivatives::steps);
    ASSERT_EQ(course.reason, "");
    const Sensitivity forward = sensitivity_forward(shot, course, end_state(shot));
    int bounces = 0;
    for (int k = 0; k < 5; ++k) {
      const auto [y, v] = ball.exact(k, bounces);
      ASSERT_EQ(static_cast<int>(course.impacts.size()), bounces);
      EXPECT_NEAR(course.end.q[0], y.value, 1e-13);
      EXPECT_NEAR(course.v[0], v.value, 1e-13);
      EXPECT_NEAR(forward.by_theta(0, k), y.derivative, 1e-12 * (1 + std::abs(y.derivative))) << T << " " << k;
      EXPECT_NEAR(forward.by_theta(1, k), v.derivative, 1e-12 * (1 + std::abs(v.derivative))) << T << " " << k;
    }
    EXPECT_NEAR(fly_forward(shot).derivative.monodromy.determinant(), std::pow(ball.e, 2 * bounces), 1e-12);
    const Sensitivity adjoint = sensitivity_adjoint(shot, course, end_state(shot));
    EXPECT_LE((adjoint.by_theta - forward.by_theta).cwiseAbs().maxCoeff(),
              1e-12 * forward.by_theta.cwiseAbs().maxCoeff());
  }
}

// A run that ends with an impact before its duration is over: the plan, not what was flown, is stretched.
TEST(Sensitivity, DurationOfARunThatAnImpactEnds) {
  Shot shot = Ball().shot();
  shot.run.impacts = 1;
  const std::vector<Quantity> quantities{{"y", shot.model.q()[0]}, {"t", shot.model.graph->time()}};
  const Course course = fly(shot, Derivatives::steps);
  ASSERT_LT(course.times.back(), 0.6);
  const Sensitivity s = sensitivity_forward(shot, course, quantities);
  const double delta = 1e-4;
  double ends[2], times[2];
  for (const int side : {0, 1}) {
    shot.model.graph->set_parameter(4, 1.3 + (side == 0 ? -delta : delta));
    const Course other = fly(shot, Derivatives::none);
    ends[side] = other.end.q[0], times[side] = other.end.t;
  }
  EXPECT_NEAR(s.by_theta(0, 4), (ends[1] - ends[0]) / (2 * delta), 1e-7);  // δ² of third derivatives of size 10
  EXPECT_NEAR(s.by_theta(1, 4), (times[1] - times[0]) / (2 * delta), 1e-11);
}

}  // namespace
}  // namespace ricochet::sensitivity_test
