// Impact of rods against d'Alembert's solution: impedances Z = √(ρE) meet with v = (Z₁v₁ + Z₂v₂)/(Z₁ + Z₂) and
// P = −Z₁Z₂(v₁ − v₂)/(Z₁ + Z₂); waves go to and fro in 2L/c.

#include <gtest/gtest.h>

#include "support/bars.hpp"

namespace ricochet::continuum_contact_test {
namespace {

namespace ct = continuum;

using ct::Treatment;
using test::value;

// At Courant number 1 the interval multiplier is exact, up to the round-off of some hundred steps.
TEST(ContinuumContact, EqualRodsExchangeTheirMotion) {
  for (const int cells : {10, 50, 200}) {
    const Summary s = test::run_bodies(test::two_rods(1, 1, cells, Treatment::interval), 3);
    EXPECT_EQ(s.impacts, 1);
    EXPECT_NEAR(value(s.contacts, "rod1-rod2", "largest_force"), 0.5, 1e-11);
    EXPECT_NEAR(value(s.contacts, "rod1-rod2", "duration"), 2, 1e-12);
    EXPECT_NEAR(value(s.contacts, "rod1-rod2", "impulse"), 1, 1e-11);
    EXPECT_NEAR(value(s.contacts, "rod1-rod2", "restitution"), 1, 1e-11);
    EXPECT_NEAR(s.energy.final, 0.5, 1e-11);
    EXPECT_LE(s.momenta[0].max_deviation, 1e-13);
    EXPECT_GE(s.extremes.gap_min, -1e-14);
  }
}

// Half of the mass of the ends keeps a motion of its own: the energy stays dx/(4L₁) below for unequal rods.
TEST(ContinuumContact, RestitutionOfUnequalRodsIsTheRatioOfTheirLengths) {
  for (const int ratio : {2, 3}) {
    const Summary s = test::run_bodies(test::two_rods(1, ratio, 50, Treatment::interval), 3.0 * ratio);
    EXPECT_EQ(s.impacts, 1);
    EXPECT_NEAR(value(s.contacts, "rod1-rod2", "restitution"), 1.0 / ratio, 1e-11) << ratio;
    EXPECT_NEAR(value(s.contacts, "rod1-rod2", "impulse"), 1, 1e-11);
    EXPECT_NEAR(value(s.contacts, "rod1-rod2", "largest_force"), 0.5, 1e-11);
    EXPECT_NEAR(s.energy.final, 0.5 * (1 - 0.02 / 4), 1e-11);
  }
}

ct::Model rod_on_wall(Treatment treatment, int cells = 50, double courant = 1) {
  ct::Model model = test::bodies({test::rod("rod", 0, 1, cells, 1)}, courant);
  model.walls = {{"wall", 1, -1}};
  model.contacts = {{"rod", "wall", treatment}};
  return model;
}

TEST(ContinuumContact, AWallStopsARodWithItsImpedance) {
  const Summary s = test::run_bodies(rod_on_wall(Treatment::interval), 3);
  EXPECT_NEAR(value(s.contacts, "rod-wall", "largest_force"), 1, 1e-11);
  EXPECT_NEAR(value(s.contacts, "rod-wall", "duration"), 2, 1e-12);
  EXPECT_NEAR(value(s.contacts, "rod-wall", "restitution"), 1, 1e-11);
  EXPECT_NEAR(s.energy.final, 0.5, 1e-11);
}

// Impedances and lengths at random, cells of the same transit time.
TEST(ContinuumContact, UnequalImpedances) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> uniform(0.3, 3);
  for (int trial = 0; trial < 20; ++trial) {
    const double rho1 = uniform(random), E1 = uniform(random), rho2 = uniform(random), E2 = uniform(random), h = 0.01,
                 c1 = std::sqrt(E1 / rho1), c2 = std::sqrt(E2 / rho2), Z1 = rho1 * c1, Z2 = rho2 * c2;
    const double L1 = 100 * h * c1, L2 = 100 * h * c2, v0 = uniform(random);
    ct::Model model =
        test::bodies({test::rod("one", 0, L1, 100, v0, rho1, E1), test::rod("two", L1, L2, 100, 0, rho2, E2)});
    model.contacts = {{"one", "two", Treatment::interval}};
    model.probes = {{"in one", false, "one", "", ""}, {"in two", false, "two", "", ""}};
    const Summary s = test::run_bodies(model, 60 * ct::step_of(model));
    const double v = Z1 / (Z1 + Z2) * v0, P = -Z1 * Z2 / (Z1 + Z2) * v0, size = v0 * (Z1 + Z2);
    EXPECT_NEAR(value(s.contacts, "one-two", "largest_force"), -P, 1e-10 * size);
    for (const char* name : {"in one", "in two"}) {
      EXPECT_NEAR(value(s.probes, name, "behind.velocity"), v, 1e-10 * v0) << trial;
      EXPECT_NEAR(value(s.probes, name, "behind.stress"), P, 1e-10 * size) << trial;
    }
    EXPECT_NEAR(value(s.probes, "in two", "speed"), c2, 1e-10);
  }
}

// The losses of the multiplier: the masses of the ends merge as in a plastic impact, dx/(4L) of the energy for two
// rods, dx/(2L) on a wall; e = 1 − dx/(2L) at Courant number 1 in both. Exact but for round-off: nothing else is lost.
TEST(ContinuumContact, LossesOfTheMultiplier) {
  for (const int cells : {25, 50, 100}) {
    const double dx = 1.0 / cells;
    const Summary rods = test::run_bodies(test::two_rods(1, 1, cells, Treatment::multiplier), 3),
                  wall = test::run_bodies(rod_on_wall(Treatment::multiplier, cells), 3);
    EXPECT_NEAR(rods.energy.final, 0.5 * (1 - dx / 4), 1e-12) << cells;
    EXPECT_NEAR(wall.energy.final, 0.5 * (1 - dx / 2), 1e-12) << cells;
    EXPECT_NEAR(value(rods.contacts, "rod1-rod2", "restitution"), 1 - dx / 2, 1e-11) << cells;
    EXPECT_NEAR(value(wall.contacts, "rod-wall", "restitution"), 1 - dx / 2, 1e-11) << cells;
  }
}

// Ends without mass lose nothing but gain a little in the steps that close and open: 2.7e-3 at Courant number 1, 2.5e-4
// at .9, 7e-5 at .5, for 50 cells.
TEST(ContinuumContact, GainsOfMasslessEnds) {
  const auto gain = [](double courant) {
    const double whole_steps = std::ceil(3 / (0.02 * courant)) * 0.02 * courant;
    return 2 * test::run_bodies(test::two_rods(1, 1, 50, Treatment::redistributed, courant), whole_steps).energy.final -
           1;
  };
  EXPECT_NEAR(gain(1), 2.7e-3, 1e-4);
  EXPECT_NEAR(gain(0.9), 2.5e-4, 1e-5);
  EXPECT_NEAR(gain(0.5), 7e-5, 5e-6);
}

// Noise of the contact force around its true value ½, as a standard deviation over the time of contact, less the first
// and last tenth: penalty rings, the others do not.
TEST(ContinuumContact, PenaltyIsNoisy) {
  const auto noise = [](Treatment treatment) {
    ct::Model model = test::two_rods(1, 1, 50, treatment, treatment == Treatment::interval ? 1 : 0.5);
    model.contacts[0].stiffness = 500;
    const auto stepper = test::stepper_of(model);
    const double h = ct::step_of(model);
    Observables o;
    double sum = 0, count = 0;
    for (int n = 0; n * h < 1.8; ++n) {
      stepper->advance(n * h, h);
      if (n * h < 0.2) continue;
      stepper->observe(o);
      sum += (o.scalars.back() - 0.5) * (o.scalars.back() - 0.5);
      ++count;
    }
    return std::sqrt(sum / count);
  };
  EXPECT_LT(noise(Treatment::interval), 1e-11);
  EXPECT_LT(noise(Treatment::multiplier), 0.05);
  EXPECT_LT(noise(Treatment::redistributed), 0.1);
  EXPECT_GT(noise(Treatment::penalty), 0.3);
}

// A one-element body: with the multiplier e → ½, without mass at the end e = 1 and a contact time π√(m/k).
TEST(ContinuumContact, OneElementOnAWall) {
  const Summary massless = test::run_bodies(rod_on_wall(Treatment::redistributed, 1, 0.002), 5);
  const double h = massless.step;
  EXPECT_NEAR(value(massless.contacts, "rod-wall", "restitution"), 1, 1e-4);
  EXPECT_NEAR(value(massless.contacts, "rod-wall", "duration"), 3.141592653589793, 3 * h);
  const Summary merged = test::run_bodies(rod_on_wall(Treatment::multiplier, 1, 0.002), 5);
  EXPECT_NEAR(value(merged.contacts, "rod-wall", "restitution"), 0.5, 5e-3);
}

}  // namespace
}  // namespace ricochet::continuum_contact_test
