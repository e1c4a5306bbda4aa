// The mass of a surface that has none, inside.

#include <gtest/gtest.h>

#include <random>

#include "ricochet/continuum/solid.hpp"
#include "ricochet/error.hpp"
#include "support/solids.hpp"

namespace ricochet::continuum::redistribution_test {
namespace {

Solid solid_of(const PlaneMesh& mesh, Treatment treatment) {
  Model model = test::plane({test::solid("body", mesh, NeoHookean{1, 1}, 0, 0, 1.3)});
  model.plane->walls = {{"far", false, {0, -100}, {0, 1}, 0}};
  model.contacts = {{"body", "far", treatment}};
  return Solid(model);
}

// Turned, shifted, with the nodes in the other order.
PlaneMesh seen_from(PlaneMesh mesh, double turn, double x, double y) {
  const double c = std::cos(turn), s = std::sin(turn);
  const std::vector<double> X = mesh.X;
  const auto count = static_cast<int>(mesh.nodes());
  for (int i = 0; i < count; ++i) {
    const int k = count - 1 - i;
    mesh.X[2 * k] = c * X[2 * i] - s * X[2 * i + 1] + x;
    mesh.X[2 * k + 1] = s * X[2 * i] + c * X[2 * i + 1] + y;
  }
  for (Triangle& t : mesh.triangles) t = {count - 1 - t[0], count - 1 - t[1], count - 1 - t[2]};
  return mesh;
}

struct Moments {
  double mass = 0, x = 0, y = 0, polar = 0;
  explicit Moments(const Solid& s) {
    for (std::size_t i = 0; i < s.nodes(); ++i) {
      mass += s.mass[i];
      x += s.mass[i] * s.X[2 * i];
      y += s.mass[i] * s.X[2 * i + 1];
    }
    x /= mass;
    y /= mass;
    for (std::size_t i = 0; i < s.nodes(); ++i)
      polar += s.mass[i] * (std::pow(s.X[2 * i] - x, 2) + std::pow(s.X[2 * i + 1] - y, 2));
  }
};

// Bodies of two layers have their inner nodes on a line or a circle, where the moments depend on each other. Mass and
// centre are those of the whole body, to round-off, for bodies of any shape; the masses do not depend on how the body
// lies, where it is, and how nodes are numbered. What takes the mass has at least a quarter of its own.
TEST(Redistribution, KeepsMassAndCentreOfThinBodiesToo) {
  std::mt19937 random(5);
  const auto uniform = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
  int with_polar = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const int layers = 2 + trial / 3 % 3;
    const PlaneMesh mesh =
        trial % 3 == 0   ? test::box(0, 0, uniform(1, 4), uniform(0.2, 1), static_cast<int>(uniform(5, 14)), layers)
        : trial % 3 == 1 ? make_mesh(RingShape{{0, 0}, 1, uniform(0.4, 0.9), layers, 2 * (8 + trial)})
                         : test::disc(0, 0, uniform(0.5, 2), layers + 1);
    const double turn = uniform(0, 6), x = uniform(-9, 9), y = uniform(-9, 9);
    const Solid plain = solid_of(mesh, Treatment::redistributed), whole = solid_of(mesh, Treatment::multiplier),
                seen = solid_of(seen_from(mesh, turn, x, y), Treatment::redistributed);
    const Moments a(plain), b(whole);
    EXPECT_NEAR(a.mass, b.mass, 1e-13 * b.mass) << trial;
    EXPECT_NEAR(a.x, b.x, 1e-13) << trial;
    EXPECT_NEAR(a.y, b.y, 1e-13) << trial;
    with_polar += std::abs(a.polar - b.polar) < 1e-12 * b.polar;
    for (std::size_t i = 0; i < plain.nodes(); ++i) {
      EXPECT_NEAR(seen.mass[plain.nodes() - 1 - i], plain.mass[i], 1e-11 * b.mass) << trial << " node " << i;
      EXPECT_TRUE(plain.mass[i] == 0 || plain.mass[i] >= 0.25 * whole.mass[i]) << trial << " node " << i;
    }
  }
  EXPECT_GT(with_polar, 15);
}

TEST(Redistribution, RefusesABodyWithoutInnerNodes) {
  for (const PlaneMesh& mesh : {test::box(0, 0, 3, 1, 9, 1), test::disc(0, 0, 1, 1)})
    EXPECT_THROW(solid_of(mesh, Treatment::redistributed), ModelError);
}

}  // namespace
}  // namespace ricochet::continuum::redistribution_test
