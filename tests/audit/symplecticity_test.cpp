#include "ricochet/audit/symplecticity.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/subjects.hpp"

namespace ricochet::symplecticity_test {
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

TEST(Symplecticity, WhereContactsHoldEverythingNothingIsMeasured) {
  // A ball at rest on a floor, and one in a V-groove: the tangent space has no direction left.
  const IntegratorOptions gvi{
      .method = "generalized-variational", .discretization = "midpoint", .step = 0.01, .parameters = {}};
  Model floor;
  const Expr y = floor.coordinate("y");
  floor.lagrangian = square(dot(y)) / 2 - 9.8 * y;
  floor.contacts = {{.name = "floor", .gap = y}};
  Model groove;
  const Expr a = groove.coordinate("a"), b = groove.coordinate("b");
  groove.lagrangian = (square(dot(a)) + square(dot(b))) / 2 - 9.8 * b;
  groove.contacts = {{.name = "left", .gap = b + a}, {.name = "right", .gap = b - a}};
  for (const IntegratorOptions& options : {gvi, collision(0.01)})
    for (const Subject& s :
         {subjects::make(floor, options, {0}, {0}, 1), subjects::make(groove, options, {0, 0}, {0, 0}, 1)}) {
      const auto m = measure_symplecticity(s, 10);
      EXPECT_FALSE(m.smooth);
      EXPECT_EQ(m.held + m.without_derivative, 10);
      EXPECT_NE(m.note, "");
    }
  // One that slides along the groove's third direction is free, and judged.
  const Expr c = groove.coordinate("c");
  groove.lagrangian = groove.lagrangian + square(dot(c)) / 2;
  const auto m = measure_symplecticity(subjects::make(groove, gvi, {0, 0, 0}, {0, 0, 1}, 1), 10);
  EXPECT_EQ(m.held, 0);
  EXPECT_LT(m.smooth.value_or(1), 1e-12);
}

TEST(Symplecticity, MethodsWithoutDerivativeHaveNone) {
  const auto m = measure_symplecticity(subjects::particle(subjects::reference(0.01)), 10);
  EXPECT_FALSE(m.smooth);
  EXPECT_FALSE(m.impact);
  EXPECT_NE(m.note, "");
}

TEST(Symplecticity, OnTheManifoldOfConstraints) {
  // A pendulum with a rod against a wall. On tangent vectors the form is kept to round-off, smooth and through impacts;
  // on all vectors the step, which projects onto the manifold, cannot keep it.
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - y;
  m.holonomic = {{"rod", sqrt(square(x) + square(y)) - 1}};
  m.contacts = {{.name = "wall", .gap = x + 0.5}};
  const Subject subject = subjects::make(m, collision(0.02), {std::sin(1.2), -std::cos(1.2)}, {0, 0}, 20);
  const auto measured = measure_symplecticity(subject, 1000);
  ASSERT_TRUE(measured.smooth && measured.impact);
  EXPECT_LT(*measured.smooth, 1e-13);
  EXPECT_LT(*measured.impact, 1e-12);
  EXPECT_GT(measured.impact_steps, 3);
  Walk walk(subject, 0.02);
  StepJacobian J;
  walk.step(&J);
  EXPECT_GT(symplecticity_defect(J.matrix), 1e-3);
}

TEST(Symplecticity, OnTheManifoldOfContactsThatStayClosed) {
  // Two particles sliding on the inside of a circle: generalized-variational without reflections [KP12 5.2].
  const IntegratorOptions gvi{.method = "generalized-variational",
                              .discretization = "midpoint",
                              .step = 0.1,
                              .parameters = {{"reflections", false}}};
  const auto m = measure_symplecticity(
      subjects::make(models::spring_and_sphere(), gvi, {4, -3, 3, -4}, {0.6, 0.8, 0.8, 0.6}, 20), 100);
  ASSERT_TRUE(m.smooth);
  EXPECT_EQ(m.smooth_steps, 100);
  EXPECT_LT(*m.smooth, 1e-11);
}

}  // namespace
}  // namespace ricochet::symplecticity_test
