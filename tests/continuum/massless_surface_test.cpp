#include "ricochet/continuum/massless_surface.hpp"

#include <gtest/gtest.h>

#include <random>

#include "ricochet/continuum/cell_forces.hpp"
#include "support/solids.hpp"

namespace ricochet::continuum::massless_surface_test {
namespace {

struct Inertia {
  double mass = 0, x = 0, y = 0, polar = 0;
  Inertia(const Solid& solid, const SolidPart& part) {
    for (std::size_t i = part.first_node; i < part.last_node; ++i) {
      const double X = solid.X[2 * i], Y = solid.X[2 * i + 1], m = solid.mass[i];
      mass += m, x += m * X, y += m * Y, polar += m * (X * X + Y * Y);
    }
  }
};

// Mass, centre and moment of inertia of every mesh are those of the mesh with mass everywhere.
TEST(MasslessSurface, TheBodyKeepsItsInertia) {
  for (const PlaneMesh& mesh : {test::disc(0.3, 0.2, 1, 6), test::box(0.1, 0.2, 2, 1, 9, 5),
                                test::ring(0, 0, 1, 0.5, 4), test::box(-1, -1, 3, 1, 20, 4)}) {
    Model model = test::plane({test::solid("a", mesh, NeoHookean{1, 1}, 0, 0, 1.7)});
    const Solid whole(model);
    model.plane->walls = {{"floor", false, {0, -9}, {0, 1}, 0}};
    model.contacts = {{"a", "floor", Treatment::redistributed}};
    const Solid inside(model);
    const Inertia a(whole, whole.parts[0]), b(inside, inside.parts[0]);
    EXPECT_NEAR(a.mass, b.mass, 1e-13 * a.mass);
    EXPECT_NEAR(a.x, b.x, 1e-13 * a.polar);
    EXPECT_NEAR(a.y, b.y, 1e-13 * a.polar);
    EXPECT_NEAR(a.polar, b.polar, 1e-13 * a.polar);
    for (const Segment& s : inside.surfaces[0]) EXPECT_EQ(inside.mass[s[0]], 0);
  }
}

// At any positions of the inner nodes: forces on the surface balance those of the contacts, nothing penetrates,
// nothing pulls, and what does not touch does not push.
TEST(MasslessSurface, IsInEquilibrium) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> noise(-0.01, 0.01);
  Team team(1);
  int pressed = 0;
  for (int trial = 0; trial < 20; ++trial) {
    Model model = test::two_discs(5, Treatment::redistributed, 0.1 * trial / 2);
    const Solid solid(model);
    PlaneContacts contacts(solid, model);
    MasslessSurface surface(solid);
    std::vector<double> u(2 * solid.nodes(), 0.0), v(u.size(), 0.0);
    NodeForces elastic(solid);
    for (std::size_t i = 0; i < solid.nodes(); ++i) {
      u[2 * i] = noise(random) + (static_cast<std::size_t>(i) < solid.parts[0].last_node ? 0.03 : -0.03);
      u[2 * i + 1] = noise(random);
    }
    surface.settle(u.data(), v.data(), nullptr, 0.2, contacts, team);
    ASSERT_TRUE(elastic.find(solid, team, u.data()));
    std::vector<double> sum(u.size(), 0.0);
    double largest = 0;
    for (const int i : surface.nodes()) {
      const double* force = elastic.of(i);
      for (int d = 0; d < 2; ++d) sum[2 * i + d] = force[d];
    }
    for (const NodeContact& c : contacts.found()) {
      EXPECT_GE(c.push[0], 0);
      EXPECT_GT(c.gap, -1e-13);
      EXPECT_TRUE(c.push[0] == 0 || c.gap < 1e-12);
      largest = std::max(largest, c.push[0]);
      for (int i = 0; i < 3; ++i)
        for (int d = 0; d < 2; ++d) sum[2 * c.node[i] + d] += c.push[0] * c.row[0][i][d];
    }
    pressed += largest > 0;
    for (const double s : sum) EXPECT_NEAR(s, 0, 1e-13) << trial;
  }
  EXPECT_GT(pressed, 10);
}

}  // namespace
}  // namespace ricochet::continuum::massless_surface_test
