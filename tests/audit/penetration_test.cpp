#include "ricochet/audit/penetration.hpp"

#include <gtest/gtest.h>

#include "support/subjects.hpp"

namespace ricochet::penetration_test {
namespace {

TEST(Penetration, CollisionIntegratorsStayOutside) {
  // Impact points are roots to a few ε of coordinates of size 1.
  for (const IntegratorOptions& options : {collision(0.02), collision(0.02, "galerkin"), subjects::reference(0.02)}) {
    const auto m = measure_penetration(subjects::star(options), 200);
    EXPECT_LE(*m.grid, 1e-14);
    EXPECT_LE(*m.between, 1e-13);
    EXPECT_EQ(m.steps, 200);
  }
}

TEST(Penetration, IsMeasuredBetweenTheGridPoints) {
  // A method that knows no floor: y = −t/2 + 5t² starts at 0, dips to −0.0125 at h/2 and is back at 0 after h = 0.1.
  Model m;
  const Expr y = m.coordinate("y");
  m.lagrangian = square(dot(y)) / 2 + 10 * y;
  const Subject blind = subjects::make(m, subjects::smooth(0.1), {0}, {-0.5}, 1);
  EXPECT_FALSE(measure_penetration(blind, 1).grid);  // no contacts: nothing to measure
  m.contacts = {{.name = "floor", .gap = y}};
  const System system(m);
  Gaps gaps(system);
  const Walk walk(blind, 0.1);
  const auto work = walk.method().workspace();
  EXPECT_NEAR(depth_within_step(walk.method(), *work, blind.start, 0.1, gaps), 0.0125, 1e-15);
}

}  // namespace
}  // namespace ricochet::penetration_test
