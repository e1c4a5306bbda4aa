#include "ricochet/mechanics/symmetry.hpp"

#include <gtest/gtest.h>

#include "support/models.hpp"

namespace ricochet::symmetry_test {
namespace {

std::vector<std::string> broken(const Model& m) {
  const System system(m);
  const std::vector<double> q(system.n(), 0.7), v(system.n(), -0.4);
  return broken_symmetries(system, q, v, 0.2);
}

TEST(Symmetry, WhatIsKept) {
  EXPECT_TRUE(broken(models::kepler()).empty());
  EXPECT_TRUE(broken(models::particle(9.81)).empty());
  EXPECT_TRUE(broken(models::pair(false)).empty());
  EXPECT_TRUE(broken(models::spring_and_sphere()).empty());
}

// Each part of a model can break a symmetry, and is named.
TEST(Symmetry, WhatIsBrokenIsNamed) {
  const auto expect_named = [](const Model& m, const char* part) {
    const std::vector<std::string> sentences = broken(m);
    ASSERT_EQ(sentences.size(), 1u) << part;
    EXPECT_NE(sentences[0].find(part), std::string::npos) << sentences[0];
  };
  Model m = models::kepler();
  const Expr x = m.q()[0], y = m.q()[1];
  m.lagrangian = m.lagrangian + 1e-6 * x;
  expect_named(m, "the Lagrangian");
  m = models::kepler();
  m.contacts = {{.name = "wall", .gap = 3 - m.q()[0]}};
  expect_named(m, "the gap of contact 'wall'");
  m = models::kepler();
  m.holonomic = {{"line", m.q()[0] - m.q()[1]}};
  expect_named(m, "the constraint 'line'");
  m = models::kepler();
  m.forces = {{"wind", {m.graph->constant(1), m.graph->constant(0)}}};
  expect_named(m, "the force 'wind'");
  m = models::kepler();  // a drag turns with the motion, but takes angular momentum
  m.forces = {{"central", {-m.q()[0], -m.q()[1]}}};
  EXPECT_TRUE(broken(m).empty());
  (void)y;
}

}  // namespace
}  // namespace ricochet::symmetry_test
