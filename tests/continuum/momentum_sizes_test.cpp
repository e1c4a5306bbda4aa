// The sizes of momenta that are zero: against sums by hand, in any units.

#include "ricochet/continuum/momentum_sizes.hpp"

#include <gtest/gtest.h>

#include "support/solids.hpp"

namespace ricochet::continuum::momentum_sizes_test {
namespace {

std::vector<double> sizes_at_start(const Model& model) {
  Observables seen;
  test::stepper_of(model)->observe(seen);
  return MomentumSizes(model).of(seen.fields[0], seen.fields[1]);
}

// Two squares of mass 1 that fly at each other with ±v: p = 0, and its terms are 2v. About the origin, between them,
// L = 0 too: Σ m |y| v = 2·v/2 for squares that stand on the axis. (L, T, M) are units.
TEST(MomentumSizes, AreThoseOfTheTerms) {
  for (const auto& [L, T, M] : {std::array{1.0, 1.0, 1.0}, {1e-6, 1e3, 1e-9}, {1e5, 1e-4, 1e12}}) {
    const double v = 0.1 * L / T;
    const Hooke law{0, M / (T * T)};
    Model model = test::plane({test::solid("a", test::box(-2 * L, 0, L, L, 4, 4), law, v, 0, M / (L * L)),
                               test::solid("b", test::box(L, 0, L, L, 4, 4), law, -v, 0, M / (L * L))});
    model.contacts = {{"a", "b"}};
    const std::vector<double> sizes = sizes_at_start(model);
    ASSERT_EQ(sizes.size(), 3u);
    EXPECT_NEAR(sizes[0], 2 * M * v, 1e-13 * M * v);
    EXPECT_EQ(sizes[1], 0);
    EXPECT_NEAR(sizes[2], M * L * v, 1e-13 * M * L * v);
  }
}

// What presses while nothing moves: strain s, W = s²/2 for E = 1, so that √(2 m W) sums to m s.
TEST(MomentumSizes, OfBodiesThatPressAtRest) {
  const double s = 0.01;
  Model model = test::plane({test::solid("a", test::box(0, 0, 1, 1, 4, 4), Hooke{0, 0.5})});
  model.plane->bodies[0].displacement = [=](double X, double) { return std::array<double, 2>{-s * X, 0}; };
  model.plane->bodies[0].conditions = {{"left", EdgeCondition::fixed, {}}, {"right", EdgeCondition::fixed, {}}};
  EXPECT_NEAR(sizes_at_start(model)[0], s, 1e-13);
  Model bar = test::bodies({test::rod("rod", 0, 1, 10)});
  bar.bodies[0].displacement = [=](double X) { return -s * X; };
  bar.bodies[0].left_end = [](double) { return 0; };
  bar.bodies[0].right_end = [=](double) { return -s; };
  EXPECT_NEAR(sizes_at_start(bar)[0], s, 1e-13);
}

// Bonded bars share a node: its mass counts once.
TEST(MomentumSizes, OfBondedBars) {
  Model model = test::bodies({test::rod("a", 0, 1, 5, 2), test::rod("b", 1, 2, 5, 2)});
  model.bonds = {{"a", "b"}};
  EXPECT_NEAR(sizes_at_start(model)[0], 3 * 2.0, 1e-13);
}

}  // namespace
}  // namespace ricochet::continuum::momentum_sizes_test
