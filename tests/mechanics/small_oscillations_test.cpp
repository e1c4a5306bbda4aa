#include "ricochet/mechanics/small_oscillations.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/models.hpp"

namespace ricochet::small_oscillations_test {
namespace {

SmallOscillations of(const Model& m, const std::vector<double>& q, std::vector<double> v = {}) {
  v.resize(q.size());
  return small_oscillations(System(m), q, v, 0);
}

TEST(SmallOscillations, OfADoublePendulumHaveTheKnownFrequencies) {
  // Unit masses and lengths: ω² = g(2 ± √2).
  EXPECT_NEAR(of(models::double_pendulum(), {0, 0}).fastest, std::sqrt(9.81 * (2 + std::sqrt(2))), 1e-12);
}

TEST(SmallOscillations, OfAPendulumUpsideDownThereAreNone) { EXPECT_EQ(of(models::pendulum(), {M_PI}).fastest, 0); }

TEST(SmallOscillations, UnitsDoNotCount) {
  for (const double unit : {1e-12, 1.0, 1e12}) {
    Model m;
    const Expr x = m.coordinate("x"), y = m.coordinate("y");
    m.lagrangian =
        (square(dot(x)) / (unit * unit) + square(dot(y))) / 2 - 9 * square(x) / (2 * unit * unit) - square(y) / 2;
    EXPECT_NEAR(of(m, {0, 0}).fastest, 3, 1e-12);
    // Held to x/unit = y, in units of their own: ω² = (9 + 1)/2.
    m.holonomic = {{"wire", unit * (x / unit - y)}};
    EXPECT_NEAR(of(m, {0, 0}).fastest, std::sqrt(5), 1e-12);
  }
}

TEST(SmallOscillations, AMagneticFieldTurnsAtItsCyclotronFrequency) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 + 5 * x * dot(y);
  EXPECT_NEAR(of(m, {0, 0}).fastest, 5, 1e-12);
}

TEST(SmallOscillations, ConstraintsTakeAwayWhatTheyHold) {
  // A stiff spring across a wire, a soft one along it.
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - 2 * square(x) - 1e6 * square(y);
  EXPECT_NEAR(of(m, {0, 0}).fastest, std::sqrt(2e6), 1e-6);
  m.holonomic = {{"wire", y}};
  EXPECT_NEAR(of(m, {0, 0}).fastest, 2, 1e-12);
}

TEST(SmallOscillations, NegativeKineticEnergyIsNamed) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = (square(dot(x)) - square(dot(y))) / 2;
  EXPECT_EQ(of(m, {0, 0}).negative, "y");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 + 2 * dot(x) * dot(y);  // eigenvalues 3 and −1
  EXPECT_FALSE(of(m, {0, 0}).negative.empty());
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 + 0.99 * dot(x) * dot(y);
  EXPECT_TRUE(of(m, {0, 0}).negative.empty());
  m.lagrangian = square(dot(x)) / 2 - square(y - x) / 2;  // degenerate is not negative
  EXPECT_TRUE(of(m, {0, 0}).negative.empty());
}

}  // namespace
}  // namespace ricochet::small_oscillations_test
