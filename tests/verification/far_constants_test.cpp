// Gaps and constraints that are made of constants far larger than the coordinates: a circle whose centre is far away.
// How exact a position can be is then said by the constants.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/flight.hpp"
#include "support/rough.hpp"

namespace ricochet::far_constants_test {
namespace {

constexpr double g = 9.81, epsilon = std::numeric_limits<double>::epsilon();
constexpr double radii[] = {1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};

struct Way {
  const char *method, *rule;
};

IntegratorOptions with(const Way& way, double h) {
  return {.method = way.method, .discretization = way.rule, .step = h, .parameters = {}};
}

// A pendulum whose lowest point is the origin, written as a distance and as a square. For a short time t it moves by vt
// but for the part (Ωt)² + (vt/R)² with Ω² = g/R, as its way is R sin θ and |θ''| <= Ω²|θ|.
TEST(FarConstants, ABeadOnALargeCircle) {
  for (const Way& way : {Way{"variational-collision", "trapezoidal"}, Way{"variational-collision", "midpoint"},
                         Way{"nonholonomic-symmetric", "midpoint"}, Way{"generalized-variational", "midpoint"}})
    for (const double R : radii)
      for (const double v : {1.0, 1e-3, 1e-5})
        for (const double h : {0.01, 0.001})
          for (const bool squared : {false, true}) {
            Model m;
            const Expr x = m.coordinate("x"), y = m.coordinate("y");
            m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - g * y;
            const Expr distance = square(x) + square(y - R);
            m.holonomic = {{"circle", squared ? distance - R * R : sqrt(distance) - R}};
            Flight flight(m, with(way, h), {0, 0}, {v, 0});
            const std::string words = std::string(way.method) + way.rule + " R " + std::to_string(R) + " v " +
                                      std::to_string(v) + (squared ? " squared" : "");
            for (int k = 1; k <= 20; ++k) {
              ASSERT_NO_THROW(flight.step()) << words << " step " << k;
              const double t = k * h, part = g / R * t * t + std::pow(v * t / R, 2);
              ASSERT_NEAR(flight.state.q[0], v * t, part * v * t + 1e-12 * v * t) << words << " step " << k;
              // off the circle by the round-off of terms of size R, for which the way along the normal is measured
              ASSERT_LE(std::abs(flight.state.q[1]), v * t * v * t / R + 8 * epsilon * R) << words << " step " << k;
            }
          }
}

// A ball that bounces in a large bowl, and comes to rest or rolls on without friction.
TEST(FarConstants, ABallInALargeBowl) {
  for (const Way& way : {Way{"variational-collision", "trapezoidal"}, Way{"variational-collision", "midpoint"},
                         Way{"nonholonomic-symmetric", "midpoint"}})
    for (const double R : radii)
      for (const double h : {0.01, 0.0037})
        for (const bool rubs : {false, true}) {
          Model m;
          const Expr x = m.coordinate("x"), y = m.coordinate("y");
          m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - g * y;
          m.contacts = {rough(m, "bowl", R - sqrt(square(x) + square(y - R)), {x, y}, 0.3, 0.5)};
          if (!rubs) {
            m.contacts[0].law = "newton";
            m.contacts[0].friction = {};
            m.contacts[0].point = {};
          }
          Flight flight(m, with(way, h), {0, 1}, {1, 0});
          const std::string words =
              std::string(way.method) + way.rule + " R " + std::to_string(R) + (rubs ? " rubs" : "");
          while (flight.k * h < 2) ASSERT_NO_THROW(flight.step()) << words << " step " << flight.k;
          EXPECT_GE(flight.work->gap_min, -8 * epsilon * R) << words;
          EXPECT_EQ(flight.state.modes[0], rubs ? 2 : 1) << words;
          // the slope x/R of its way of about 2 turns what it has of a speed of 5 by as much at each of its bounces
          EXPECT_NEAR(flight.state.p[0], rubs ? 0 : 1, 20 * 2 / R + 1e-9) << words;
        }
}

}  // namespace
}  // namespace ricochet::far_constants_test
