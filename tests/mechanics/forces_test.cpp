#include "ricochet/mechanics/forces.hpp"

#include <gtest/gtest.h>

#include <random>

#include "ricochet/error.hpp"
#include "ricochet/formula/substitute.hpp"
#include "ricochet/mechanics/symmetry.hpp"
#include "support/models.hpp"

namespace ricochet::forces_test {
namespace {

// Two forces on a particle: one with kinks, one with time.
Model pushed_particle() {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y"), u = dot(x), v = dot(y), t = m.time();
  m.lagrangian = (square(u) + square(v)) / 2;
  m.forces = {{"drag", {-0.3 * u * abs(u), -0.2 * v * max(abs(u), m.graph->constant(0.5))}},
              {"drive", {cos(2 * t) * y, min(x, y) * v - square(x)}}};
  return m;
}

TEST(Forces, SumAndPowers) {
  const System system(pushed_particle());
  EXPECT_TRUE(system.velocity_forces());
  EXPECT_FALSE(system.autonomous());
  Forces forces(system);
  ASSERT_EQ(forces.count(), 2);
  const double q[2] = {0.4, -0.7}, v[2] = {-1.5, 0.8}, t = 0.3;
  const double drag[2] = {0.3 * 1.5 * 1.5, -0.2 * 0.8 * 1.5}, drive[2] = {std::cos(0.6) * -0.7, -0.7 * 0.8 - 0.16};
  forces.evaluate(0, q, v, t);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(forces.F()[i], drag[i] + drive[i], 1e-15);  // a few roundings
  double work[2] = {1, 2};
  forces.add_powers(0.5, q, v, t, work);
  EXPECT_NEAR(work[0], 1 + 0.5 * (drag[0] * v[0] + drag[1] * v[1]), 1e-15);
  EXPECT_NEAR(work[1], 2 + 0.5 * (drive[0] * v[0] + drive[1] * v[1]), 1e-15);
}

TEST(Forces, DerivativeAgreesWithFiniteDifferences) {
  // Central differences at random points: δ² + ε/δ ~ 1e-10 for δ = 1e-5; the formulas are quadratic or kinked there,
  // and a point nearer than δ to a kink does not come up.
  const System system(pushed_particle());
  Forces forces(system);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-2, 2);
  for (int sample = 0; sample < 200; ++sample) {
    double x[5], y[2];
    for (double& value : x) value = number(random);
    for (int k = 0; k < 5; ++k) {
      double up[5], down[5], unit[5] = {}, F_up[2];
      std::copy(x, x + 5, up), std::copy(x, x + 5, down);
      up[k] += 1e-5, down[k] -= 1e-5, unit[k] = 1;
      forces.evaluate(0, up, up + 2, up[4]);
      std::copy(forces.F(), forces.F() + 2, F_up);
      forces.evaluate(0, down, down + 2, down[4]);
      const double slope[2] = {(F_up[0] - forces.F()[0]) / 2e-5, (F_up[1] - forces.F()[1]) / 2e-5};
      forces.evaluate(1, x, x + 2, x[4]);
      forces.apply_derivative(unit, y);
      for (int i = 0; i < 2; ++i) EXPECT_NEAR(y[i], slope[i], 2e-9) << i << " by " << k;
    }
  }
}

TEST(Forces, SlopesThatAreNotNumbers) {
  Model m;
  const Expr x = m.coordinate("x"), v = dot(x);
  m.lagrangian = square(v) / 2;
  m.forces = {{"drag", {-v * sqrt(square(v))}}};
  const System system(m);
  Forces drag(system);
  const double zero = 0, one = 1;
  drag.evaluate(1, &zero, &zero, 0);
  EXPECT_EQ(drag.F()[0], 0);
  EXPECT_EQ(drag.derivative(0), 0);
  EXPECT_TRUE(drag.is_smooth());
  drag.evaluate(1, &zero, &one, 0);
  EXPECT_EQ(drag.derivative(0), -2);
  m.forces = {{"root", {-sqrt(x)}}};
  const System rough(m);
  Forces root(rough);
  root.evaluate(1, &zero, &zero, 0);
  EXPECT_FALSE(root.is_smooth());
  root.evaluate(1, &one, &zero, 0);
  EXPECT_TRUE(root.is_smooth());
}

TEST(Forces, NoneIsEmpty) {
  const System system(models::pendulum());
  EXPECT_TRUE(Forces(system).empty());
  EXPECT_FALSE(system.forced());
}

TEST(Forces, WrongNumberOfComponentsIsAnError) {
  Model m = models::pendulum();
  m.forces = {{"push", {m.graph->constant(1), m.graph->constant(1)}}};
  try {
    const System system(m);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.key, "system.force.push.components");
    EXPECT_NE(std::string(error.what()).find("2 components for 1 coordinate"), std::string::npos);
  }
}

TEST(Forces, BreakTheSymmetryOnWhichTheyWork) {
  // A radial force does no work on rotations, a uniform one does.
  for (const bool radial : {true, false}) {
    Model m = models::kepler();
    const Expr x = m.q()[0], y = m.q()[1], zero = m.graph->constant(0), one = m.graph->constant(1);
    m.forces = {
        {"wind", radial ? std::vector<Expr>{x * sin(m.time()), y * sin(m.time())} : std::vector<Expr>{one, zero}}};
    const auto broken = broken_symmetries(System(m), {1, 0.2}, {0, 1}, 0);
    ASSERT_EQ(broken.size(), radial ? 0u : 1u);
    for (const std::string& sentence : broken) EXPECT_NE(sentence.find("force 'wind'"), std::string::npos);
  }
}

TEST(Forces, ReversedModelHasTheForceOfTheReversedMotion) {
  // F(q, −v, 2T − t), which turns drag into its opposite.
  const Model forward = pushed_particle();
  const System system(forward), backward(reversed(forward, 0.9));
  Forces f(system), b(backward);
  const double q[2] = {0.4, -0.7}, v[2] = {-1.5, 0.8}, minus_v[2] = {1.5, -0.8};
  f.evaluate(0, q, v, 0.3);
  b.evaluate(0, q, minus_v, 1.5);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(f.F()[i], b.F()[i], 1e-15);  // a rounding of 2T − t
}

}  // namespace
}  // namespace ricochet::forces_test
