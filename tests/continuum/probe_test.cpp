#include "ricochet/continuum/probe.hpp"

#include <gtest/gtest.h>

#include "ricochet/continuum/verlet.hpp"
#include "ricochet/error.hpp"
#include "support/bars.hpp"

namespace ricochet::continuum::probe_test {
namespace {

// A strain that is −0.1 behind X = 0.4 and 0.02 ahead, between two nodes.
TEST(Probe, FindsASharpFront) {
  const Bar bar(test::bodies({test::rod("bar", 0, 1, 50)}));
  std::vector<double> u(bar.nodes(), 0.0), v(bar.nodes(), 0.0);
  for (std::size_t i = 0; i < 50; ++i) u[i + 1] = u[i] + (i < 20 ? -0.1 : 0.02) * bar.dx[i];
  for (std::size_t i = 0; i < 20; ++i) v[i] = 0.3;
  const Front front = find_front(bar, bar.parts[0], u.data(), v.data());
  ASSERT_TRUE(front.found);
  EXPECT_NEAR(front.position, 0.4, 1e-14);
  EXPECT_NEAR(front.left.strain, -0.1, 1e-14);
  EXPECT_NEAR(front.right.stress, 0.02, 1e-14);
  EXPECT_EQ(front.left.velocity, 0.3);
  EXPECT_EQ(front.right.velocity, 0);
}

// A front five cells wide: the middle where the strain is that of both sides' mean; the tails of tanh end at 2 % of its
// steepest slope, within a percent of the level values.
TEST(Probe, FindsASmoothFront) {
  const Bar bar(test::bodies({test::rod("bar", 0, 1, 100)}));
  std::vector<double> u(bar.nodes(), 0.0), v(bar.nodes(), 0.0);
  for (std::size_t i = 0; i < 100; ++i) {
    const double X = 0.5 * (bar.X[i] + bar.X[i + 1]);
    u[i + 1] = u[i] - 0.05 * (1 - std::tanh((X - 0.537) / 0.05)) * bar.dx[i];
  }
  const Front front = find_front(bar, bar.parts[0], u.data(), v.data());
  ASSERT_TRUE(front.found);
  EXPECT_NEAR(front.position, 0.537, 1e-4);  // linear between cells
  EXPECT_NEAR(front.left.strain, -0.1, 1e-3);
  EXPECT_NEAR(front.right.strain, 0, 1e-3);
}

TEST(Probe, FindsNothingInABarAtRestOrStretchedEvenly) {
  const Bar bar(test::bodies({test::rod("bar", 0, 1, 50)}));
  std::vector<double> u(bar.nodes()), v(bar.nodes(), 0.0);
  for (const double stretch : {0.0, 0.01}) {
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = stretch * bar.X[i];
    EXPECT_FALSE(find_front(bar, bar.parts[0], u.data(), v.data()).found);
  }
}

// The fronts of an impact at Courant number 1: all four balances to round-off, in both rods, before and after a
// reflection.
TEST(Probe, ResidualsOfLinearFrontsVanish) {
  Model model = test::two_rods(1, 1, 100, Treatment::interval);
  model.probes = {{"one", false, "rod1", "", ""}, {"two", false, "rod2", "", ""}};
  for (const double duration : {0.6, 1.5}) {
    const Summary s = test::run_bodies(model, duration);
    for (const char* name : {"one", "two"}) {
      EXPECT_NEAR(test::value(s.probes, name, "speed"), 1, 1e-12) << name;
      for (const char* balance : {"momentum", "energy", "configurational", "maxwell"})
        EXPECT_NEAR(test::value(s.probes, name, std::string("residuals.") + balance), 0, 1e-12) << name << balance;
    }
    EXPECT_NEAR(test::value(s.probes, "two", "position"), duration < 1 ? 1.6 : 1.5, 1e-12);
    EXPECT_NEAR(test::value(s.probes, "two", "behind.stress"), duration < 1 ? -0.5 : 0, 1e-12);
  }
}

// Once momentum and Maxwell hold, the energy's residual is −U times the configurational one.
TEST(Probe, ThreeOfTheBalancesAreIndependent) {
  Model model = test::bodies({test::rod("bar", 0, 2, 400)}, 0.5);
  model.bodies[0].material.law = Quadratic{1, -2};
  model.viscosity = {0.1, 2};
  model.bodies[0].left_end = [](double t) { return 0.1 * t; };
  model.probes = {{"shock", false, "bar", "", ""}};
  const Summary s = test::run_bodies(model, 1.4);
  const auto residual = [&](const std::string& name) { return test::value(s.probes, "shock", "residuals." + name); };
  const double U = test::value(s.probes, "shock", "speed");
  EXPECT_GT(residual("energy"), 1e-4);
  // what momentum and Maxwell leave, 1e-3 of their terms, enters with the size of the stress and of W
  EXPECT_NEAR(residual("energy"), -U * residual("configurational"),
              2 * (std::abs(residual("momentum")) + std::abs(residual("maxwell"))));
}

TEST(Probe, AnInterfaceReportsItsJumps) {
  Model model = test::bodies({test::rod("a", 0, 1, 50, 0.01), test::rod("b", 1, 1, 50, 0, 4, 4)});
  model.bonds = {{"a", "b"}};
  model.probes = {{"i", true, "", "b", "a"}};
  const Summary s = test::run_bodies(model, 0.9);
  EXPECT_EQ(test::value(s.probes, "i", "velocity_jump"), 0);
  EXPECT_NEAR(test::value(s.probes, "i", "last_traction_jump"), 0, 1e-13);  // level states
  model.probes[0].b = "nothing";
  EXPECT_THROW(test::stepper_of(model), ModelError);
}

}  // namespace
}  // namespace ricochet::continuum::probe_test
