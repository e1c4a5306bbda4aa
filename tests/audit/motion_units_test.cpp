#include "ricochet/audit/motion_units.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/audit/truth.hpp"
#include "support/subjects.hpp"

namespace ricochet::motion_units_test {
namespace {

// A ball over a floor at y = shift, lengths in units of 1/L and masses in units of 1/M.
Subject ball(double shift, double L = 1, double M = 1) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = M / 2 * (square(dot(x)) + square(dot(y))) - M * 9.81 * L * y;
  m.contacts = {{.name = "floor", .gap = y - shift}};
  return subjects::make(m, collision(0.01), {shift, L + shift}, {2 * L, 0}, 3);
}

double error_of(const Subject& s) {
  const Outlook outlook = outlook_for(s);
  const auto steps = std::llround(outlook.horizon.time / s.options.step);
  const double T = static_cast<double>(steps) * s.options.step;
  return *distance(solve(s, T, steps).end, solve(outlook.truth.subject, T, steps).end, outlook.horizon.units);
}

TEST(MotionUnits, OfAHarmonicOscillatorAreItsAmplitudes) {
  // q = A cos t about q0, p = −m A sin t: extents 2A, largest momentum m A (w = m).
  Model m;
  const Expr x = m.coordinate("x");
  m.lagrangian = 3.0 / 2 * (square(dot(x)) - square(x - 7));
  const Subject s = subjects::make(m, subjects::reference(0.01), {7.5}, {0}, 10);
  const MotionUnits u = units_of(s, 7, 700);
  EXPECT_NEAR(u.position, std::sqrt(3) * 1, 1e-4);  // grid points come within h²/8 of the turning points
  EXPECT_NEAR(u.momentum, std::sqrt(3) * 0.5, 1e-4);
  const State a{.t = 0, .q = {7.5}, .p = {0}, .modes = {}}, b{.t = 0, .q = {7.4}, .p = {0.15}, .modes = {}};
  EXPECT_NEAR(*distance(a, b, u), std::hypot(0.1 / 1, 0.15 / 3 / 0.5), 1e-4);
}

TEST(MotionUnits, NeitherOriginNorUnitsChangeAnError) {
  // The path of the particle is a shift: its errors are the same to the round-off of coordinates 1000 times larger,
  // 1e3 ε over an error of about 1e-5.
  const double error = error_of(ball(0));
  EXPECT_GT(error, 1e-7);
  EXPECT_NEAR(error_of(ball(1000)) / error, 1, 1e-6);
  EXPECT_NEAR(error_of(ball(0, 1024)) / error, 1, 1e-6);
  EXPECT_NEAR(error_of(ball(0, 1, 1.0 / 4096)) / error, 1, 1e-6);
}

TEST(MotionUnits, OfABodyAtRestIsOneStepOfItsForces) {
  const Subject s = subjects::make(models::particle(10), collision(0.1), {5, 0}, {0, 0}, 1);
  const MotionUnits u = units_of(s, 1, 10);
  EXPECT_DOUBLE_EQ(u.momentum, 1);
  EXPECT_DOUBLE_EQ(u.position, 0.1);
}

TEST(MotionUnits, WhereNothingMovesThereIsNoDistance) {
  Model m;
  const Expr x = m.coordinate("x");
  m.lagrangian = square(dot(x)) / 2;
  const Subject s = subjects::make(m, subjects::smooth(0.1), {5}, {0}, 1);
  const MotionUnits u = units_of(s, 1, 10);
  State other = s.start;
  EXPECT_EQ(distance(s.start, other, u), 0);
  other.q[0] += 1e-3;
  EXPECT_FALSE(distance(s.start, other, u));
}

TEST(MotionUnits, ACoordinateWithoutInertiaCountsByItsExtent) {
  const MotionUnits u{.inertia = {1, 0}, .extent = {2, 4}, .position = 2, .momentum = 1};
  const State a{.t = 0, .q = {0, 0}, .p = {0, 0}, .modes = {}}, b{.t = 0, .q = {0, 1}, .p = {0, 99}, .modes = {}};
  EXPECT_DOUBLE_EQ(*distance(a, b, u), 0.25);
}

}  // namespace
}  // namespace ricochet::motion_units_test
