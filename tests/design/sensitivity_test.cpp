#include "ricochet/design/sensitivity.hpp"

#include <gtest/gtest.h>

#include <complex>

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

// The derivatives of the closed form by complex steps would need complex square roots in its branches; differences of
// fourth order of the closed form itself, δ = 1e-3: δ⁴ and ε/δ are both about 1e-12.
TEST(Sensitivity, BouncingBallInClosedForm) {
  for (const double T : {0.3, 0.9, 1.3, 1.62, 2.0}) {
    Ball ball{.T = T};
    const Shot shot = ball.shot();
    const Course course = fly(shot, Derivatives::steps);
    ASSERT_EQ(course.reason, "");
    int bounces = 0;
    const auto [y, v] = ball.exact(bounces);
    ASSERT_EQ(static_cast<int>(course.impacts.size()), bounces);
    EXPECT_NEAR(course.end.q[0], y, 1e-13);
    EXPECT_NEAR(course.v[0], v, 1e-13);
    const Sensitivity forward = sensitivity_forward(shot, course, end_state(shot));
    for (int k = 0; k < 5; ++k) {
      const double delta = 1e-3;
      double dy = 0, dv = 0;
      bool same = true;
      for (const auto& [shift, weight] : {std::pair{1, 8.0}, {-1, -8.0}, {2, -1.0}, {-2, 1.0}}) {
        Ball other = ball;
        other.*ball_parameters[k] += shift * delta;
        int count = 0;
        const auto [yy, vv] = other.exact(count);
        same = same && count == bounces;
        dy += weight * yy / (12 * delta);
        dv += weight * vv / (12 * delta);
      }
      ASSERT_TRUE(same);
      EXPECT_NEAR(forward.by_theta(0, k), dy, 3e-11) << T << " " << k;
      EXPECT_NEAR(forward.by_theta(1, k), dv, 3e-11) << T << " " << k;
    }
    EXPECT_NEAR(monodromy(course).determinant(), std::pow(ball.e, 2 * bounces), 1e-12);
    const Sensitivity adjoint = sensitivity_adjoint(shot, course, end_state(shot));
    EXPECT_LE((adjoint.by_theta - forward.by_theta).cwiseAbs().maxCoeff(),
              1e-12 * forward.by_theta.cwiseAbs().maxCoeff());
  }
}

}  // namespace
}  // namespace ricochet
