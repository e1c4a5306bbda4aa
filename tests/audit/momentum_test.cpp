#include "ricochet/audit/momentum.hpp"

#include <gtest/gtest.h>

#include "support/subjects.hpp"

namespace ricochet::momentum_test {
namespace {

TEST(Momentum, AngularMomentumOfKeplerIsKept) {
  // Round-off of 1000 steps.
  const Subject subject = subjects::make(models::kepler(), subjects::smooth(0.01), {0.4, 0}, {0, 2}, 10);
  const auto momenta = measure_momenta(subject, 1000);
  ASSERT_EQ(momenta.size(), 1u);
  EXPECT_EQ(momenta[0].name, "angular momentum");
  EXPECT_DOUBLE_EQ(momenta[0].initial, 0.8);
  EXPECT_LT(momenta[0].max_deviation, 1e-13);
}

TEST(Momentum, WhatIsNoSymmetryDeviates) {
  // Vertical momentum of a falling particle: 1 m before the floor, |p_y| changes by g t.
  Model m = models::particle(9.81);
  m.symmetries = {{"vertical momentum", {m.graph->constant(0), m.graph->constant(1)}}};
  const Subject subject = subjects::make(m, collision(0.01), {0, 100}, {0, 0}, 1);
  EXPECT_FALSE(subject.warnings.empty());
  EXPECT_NEAR(measure_momenta(subject, 100)[0].max_deviation, 9.81, 1e-12);
}

}  // namespace
}  // namespace ricochet::momentum_test
