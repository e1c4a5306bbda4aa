#include "ricochet/design/sensitivity.hpp"

#include <gtest/gtest.h>

#include "shots.hpp"

namespace ricochet {
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
    EXPECT_NEAR(monodromy(course).determinant(), std::pow(ball.e, 2 * bounces), 1e-12);
    const Sensitivity adjoint = sensitivity_adjoint(shot, course, end_state(shot));
    EXPECT_LE((adjoint.by_theta - forward.by_theta).cwiseAbs().maxCoeff(),
              1e-12 * forward.by_theta.cwiseAbs().maxCoeff());
  }
}

}  // namespace
}  // namespace ricochet
