#include "ricochet/audit/symplecticity.hpp"

#include <gtest/gtest.h>

#include "support/subjects.hpp"

namespace ricochet {
namespace {

TEST(Symplecticity, DefectOfKnownMatrices) {
  Eigen::MatrixXd J = Eigen::MatrixXd::Identity(4, 4);
  J(0, 2) = 3;  // a shear in (q1, p1)
  EXPECT_EQ(symplecticity_defect(J), 0);
  // Stretching q by 1.1 changes the form by 0.1, relative to ‖J‖² = 1.21.
  Eigen::MatrixXd stretch = Eigen::MatrixXd::Identity(2, 2);
  stretch(0, 0) = 1.1;
  EXPECT_NEAR(symplecticity_defect(stretch), 0.1 / 1.21, 1e-15);
}

TEST(Symplecticity, OfTheTwoEnergyRules) {
  // Exact derivatives: round-off. The continuous rule is not symplectic across impacts.
  const auto discrete = measure_symplecticity(subjects::star(collision(0.01)), 500);
  ASSERT_TRUE(discrete.smooth && discrete.impact);
  EXPECT_LT(*discrete.smooth, 1e-14);
  EXPECT_LT(*discrete.impact, 1e-11);
  EXPECT_GT(discrete.impact_steps, 3);
  EXPECT_EQ(discrete.smooth_steps + discrete.impact_steps + discrete.fallbacks, 500);
  const auto continuous = measure_symplecticity(subjects::star(collision(0.01, "trapezoidal", "continuous")), 500);
  EXPECT_GT(*continuous.impact, 1e-8);
  EXPECT_LT(*continuous.smooth, 1e-14);
}

TEST(Symplecticity, MethodsWithoutDerivativeHaveNone) {
  const auto m = measure_symplecticity(subjects::particle(subjects::reference(0.01)), 10);
  EXPECT_FALSE(m.smooth);
  EXPECT_FALSE(m.impact);
  EXPECT_NE(m.note, "");
}

}  // namespace
}  // namespace ricochet
