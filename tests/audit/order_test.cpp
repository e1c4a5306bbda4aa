#include "ricochet/audit/order.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/subjects.hpp"

namespace ricochet::order_test {
namespace {

OrderMeasurement order_of(const Subject& subject) {
  const Outlook outlook = outlook_for(subject);
  return measure_order(subject, outlook.truth, outlook.horizon);
}

TEST(Order, LineFitAgreesWithTheClosedForm) {
  // y = 2x + 1 with residuals +e −e −e +e, which are orthogonal to the line: slope 2, s² = 4e²/2, Sxx = 5.
  const double e = 0.1;
  const LineFit fit = fit_line({0, 1, 2, 3}, {1 + e, 3 - e, 5 - e, 7 + e});
  EXPECT_NEAR(fit.slope, 2, 1e-14);
  EXPECT_NEAR(fit.slope_error, std::sqrt(2 * e * e / 5), 1e-14);
}

TEST(Order, OfSmoothDiscretizations) {
  // Known orders 1, 2, 2, 4. Smooth: hardly any scatter, only the next term of the expansion, O(h) relative: 0.02 at
  // h = 0.01.
  for (const auto& [rule, order] :
       {std::pair("rectangle", 1.0), {"trapezoidal", 2.0}, {"midpoint", 2.0}, {"galerkin", 4.0}}) {
    const OrderMeasurement m =
        order_of(subjects::make(models::double_pendulum(), subjects::smooth(0.01, rule), {1, 1.5}, {0, 0}, 2));
    ASSERT_TRUE(m.order) << rule << m.note;
    EXPECT_NEAR(*m.order, order, 0.02 * order) << rule;
    EXPECT_EQ(m.points.size(), 20u);
  }
}

TEST(Order, OfGalerkinWithAHolonomicConstraintIsTwo) {
  // The constraint holds at the ends of a step only, so that the degree does not help; as its descriptor says.
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - 9.81 * y;
  m.holonomic = {{"rod", square(x) + square(y) - 1}};
  const OrderMeasurement order =
      order_of(subjects::make(m, subjects::smooth(0.02, "galerkin"), {std::sin(1), -std::cos(1)}, {0, 0}, 2));
  ASSERT_TRUE(order.order) << order.note;
  EXPECT_NEAR(*order.order, 2, 0.04);
}

TEST(Order, ThroughImpacts) {
  // The errors scatter with α(h): three standard errors of the fit.
  for (const auto& [rule, order] :
       {std::pair("rectangle", 1.0), {"trapezoidal", 2.0}, {"midpoint", 2.0}, {"galerkin", 4.0}}) {
    const OrderMeasurement m =
        order_of(subjects::make(models::star(9.8, 0.25), collision(0.005, rule), {0, 3.5, 0}, {-2, 0, 5}, 10));
    ASSERT_TRUE(m.order) << rule << m.note;
    EXPECT_NEAR(*m.order, order, 3 * *m.uncertainty + 0.02 * order) << rule;
    EXPECT_LT(*m.uncertainty, 0.3) << rule;
  }
}

TEST(Order, StartingWithAWrongMomentumIsFirstOrder) {
  // A method that is run from a start that is off by O(h) must be seen as first order: p of h/2 later, as from
  // q1 = q0 + h v0. Done here by hand, with the fit alone.
  const Subject subject = subjects::make(models::pendulum(), subjects::smooth(0.01), {2}, {0}, 1);
  const Solution exact = solve(truth_for(subject).subject, 1, 100);
  const MotionUnits units = units_of(subject, 1, 100);
  std::vector<double> x, y;
  for (int steps = 50; steps <= 800; steps *= 2) {
    Subject off = subject;
    off.start.p[0] += std::sin(2.0) / (2.0 * steps);
    x.push_back(std::log(1.0 / steps));
    y.push_back(std::log(*distance(solve(off, 1, steps).end, exact.end, units)));
  }
  EXPECT_NEAR(fit_line(x, y).slope, 1, 0.02);
}

TEST(Order, NothingToMeasureIsSaid) {
  // Free flight is exact.
  Model m;
  const Expr x = m.coordinate("x");
  m.lagrangian = square(dot(x)) / 2;
  const OrderMeasurement exact = order_of(subjects::make(m, subjects::smooth(0.01), {0}, {1}, 1));
  EXPECT_FALSE(exact.order);
  EXPECT_NE(exact.note, "");
  EXPECT_FALSE(order_of(subjects::particle(subjects::reference(0.01))).order);
}

}  // namespace
}  // namespace ricochet::order_test
