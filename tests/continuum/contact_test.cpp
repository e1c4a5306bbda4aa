#include "ricochet/continuum/contact.hpp"

#include <gtest/gtest.h>

#include "ricochet/continuum/bar.hpp"
#include "support/bars.hpp"

namespace ricochet::continuum::contact_test {
namespace {

TEST(Contact, TheImpulseIsComplementaryToTheRate) {
  EXPECT_EQ(impulse(0.5, 4, 1e-16), 0);
  EXPECT_EQ(impulse(-0.5, 4, 1e-16), 0.125);  // rate after it: −0.5 + 4·0.125 = 0
  EXPECT_EQ(impulse(-1e-17, 4, 1e-16), 0);
}

// Ends in equilibrium: equal forces, equal positions; against the equation itself, to the round-off of the root.
TEST(Contact, RelaxedEndsAreInEquilibrium) {
  for (const Law& law :
       {Law(Linear{2}), Law(Quadratic{2, -1}), Law(NeoHookean{1, 1}), Law(test::gas("(J^-7 - 1)/7"))}) {
    Model model = test::two_rods(1, 2, 10, Treatment::redistributed, 0.5);
    model.bodies[1].material = {law, 1.5};
    model.bodies[1].area = 0.7;
    const Bar bar(model);
    std::vector<double> u(bar.nodes(), 0.0);
    const Touch& touch = bar.touches[0];
    u[touch.a - 1] = 0.02;
    u[touch.b + 1] = -0.01;
    const double F = relax_ends(bar, touch, u.data());
    EXPECT_GT(F, 0);
    EXPECT_NEAR(touch.gap(u.data()), 0, 1e-16);
    const double Na = stress(bar.parts[0].law, (u[touch.a] - u[touch.a - 1]) / 0.1),
                 Nb = 0.7 * stress(law, (u[touch.b + 1] - u[touch.b]) / 0.1);
    EXPECT_NEAR(Na, -F, 1e-14);
    EXPECT_NEAR(Nb, -F, 2e-14);
    u[touch.a - 1] = -0.02;
    EXPECT_EQ(relax_ends(bar, touch, u.data()), 0);
    EXPECT_EQ(u[touch.a], -0.02);  // free: no strain
  }
}

TEST(Contact, MassGoesToTheNeighbours) {
  const Bar bar(test::two_rods(1, 1, 10, Treatment::redistributed, 0.5));
  EXPECT_EQ(bar.mass[10], 0);
  EXPECT_DOUBLE_EQ(bar.mass[9], 0.15);
  EXPECT_EQ(bar.inverse_mass[11], 0);
  EXPECT_DOUBLE_EQ(bar.mass[12], 0.15);
}

TEST(Contact, AWallIsOnTheSideOfItsNormal) {
  Model model = test::bodies({test::rod("rod", 0, 1, 10)});
  model.walls = {{"floor", -0.5, 1}};
  model.contacts = {{"floor", "rod"}};
  const Bar bar(model);
  EXPECT_EQ(bar.touches[0].a, Touch::none);
  EXPECT_EQ(bar.touches[0].b, 0u);
  EXPECT_EQ(bar.touches[0].gap(bar.u.data()), 0.5);
}

// Springs share an end: two rods of half the area on one move like one of the whole area, but for round-off (here 1e-13
// of a speed of 1 after some 10⁴ steps of sums in another order).
TEST(Contact, SpringsShareAnEnd) {
  for (const Scheme scheme : {Scheme::verlet, Scheme::avi}) {
    Model whole = test::two_rods(1, 2, 20, Treatment::penalty, 0.2);
    whole.scheme = scheme;
    whole.contacts[0].stiffness = 40;
    Model halves = whole;
    halves.bodies[0].area = 0.5;
    halves.bodies.push_back(halves.bodies[0]);
    halves.bodies.back().name = "twin";
    halves.contacts.push_back({"twin", "rod2", Treatment::penalty, 40});
    const Summary a = test::run_bodies(whole, 5), b = test::run_bodies(halves, 5);
    ASSERT_EQ(b.status, "completed");
    EXPECT_GT(test::value(a.contacts, "rod1-rod2", "impulse"), 0.3);
    for (const char* name : {"rod1-rod2", "twin-rod2"}) {
      for (const char* key : {"impulse", "largest_force"})
        EXPECT_NEAR(2 * test::value(b.contacts, name, key), test::value(a.contacts, "rod1-rod2", key), 1e-13) << name;
      EXPECT_NEAR(test::value(b.contacts, name, "restitution"), test::value(a.contacts, "rod1-rod2", "restitution"),
                  1e-12);
    }
    EXPECT_NEAR(b.energy.final, a.energy.final, 1e-13);
  }
}

}  // namespace
}  // namespace ricochet::continuum::contact_test
