#include "ricochet/continuum/plane_verlet.hpp"

#include <gtest/gtest.h>

#include "support/solids.hpp"

namespace ricochet::continuum::plane_verlet_test {
namespace {

double deviation(const Summary& s, const std::string& name) {
  for (const auto& m : s.momenta)
    if (m.name == name) return m.max_deviation;
  throw std::out_of_range(name);
}

// A body that flies and turns, free: its momenta are kept to round-off times steps, and a linear one keeps its
// half-step energy too. The theory of small strains knows no large rotation: it keeps Σ m X × v, not Σ m x × v.
TEST(PlaneVerlet, FreeFlightKeepsMomentaAndLinearEnergy) {
  for (const PlaneLaw& law : {PlaneLaw(Hooke{1, 1}), PlaneLaw(StVenant{1, 1}), PlaneLaw(NeoHookean{1, 1})}) {
    Model model = test::plane({test::solid("body", test::box(0, 0, 1, 0.6, 6, 4), law)});
    model.plane->bodies[0].velocity = [](double X, double Y) {
      return std::array<double, 2>{0.3 - 0.05 * Y + 0.02 * std::sin(5 * X), 0.1 + 0.05 * X + 0.02 * std::cos(4 * Y)};
    };
    const Summary s = test::run_bodies(model, 20);
    ASSERT_GT(s.steps, 200);
    for (const char* name : {"linear x", "linear y"}) EXPECT_LT(deviation(s, name), 1e-13) << name;
    EXPECT_LT(is_linear(law) ? 0 : deviation(s, "angular"), 1e-13);
    EXPECT_LT(s.energy.relative_range, is_linear(law) ? 1e-12 : 1e-3);
  }
}

// Two bars as squares without transverse stiffness: λ = 0 makes the wave that of a bar, c² = 2μ/ρ. On a
// wall the contact force is ρ c v, lasts 2L/c, and half a cell's energy is lost: dx/(2L).
TEST(PlaneVerlet, SquareOnAWallIsABar) {
  const int n = 20;
  const double v = 0.01;  // of c = 1: the strains are small
  Model model = test::plane({test::solid("box", test::box(0, 0, 1, 1, n, n), Hooke{0, 0.5}, 0, -v)}, 0.5);
  model.plane->walls = {{"floor", false, {0, 0}, {0, 1}, 0}};
  model.contacts = {{"box", "floor", Treatment::multiplier}};
  const Summary s = test::run_bodies(model, 3);
  const double duration = test::value(s.contacts, "box-floor", "duration");
  EXPECT_NEAR(duration, 2.0, 1.0 / n);  // the transit of a cell
  EXPECT_NEAR(test::value(s.contacts, "box-floor", "impulse") / duration, v, v / n);
  EXPECT_NEAR((s.energy.initial - s.energy.final) / s.energy.initial, 1.0 / (2 * n), 1e-9);
  EXPECT_GT(s.extremes.gap_min, -1e-14);
}

TEST(PlaneVerlet, DiscsKeepBothMomentaThroughACollision) {
  for (const Treatment treatment : {Treatment::multiplier, Treatment::penalty}) {
    Model model = test::two_discs(6, treatment);
    model.contacts[0].stiffness = 20;
    const Summary s = test::run_bodies(model, 10);
    ASSERT_GT(test::value(s.contacts, "left-right", "impulse"), 0.1);
    // |P| of one disc is 0.3, |L| 0.08
    for (const char* name : {"linear x", "linear y", "angular"}) EXPECT_LT(deviation(s, name), 3e-14) << name;
    const double e = test::value(s.contacts, "left-right", "restitution");
    EXPECT_GT(e, 0.85);
    EXPECT_LT(e, 1.0);
  }
}

}  // namespace
}  // namespace ricochet::continuum::plane_verlet_test
