#include "ricochet/continuum/bar.hpp"

#include <gtest/gtest.h>

#include "ricochet/error.hpp"
#include "support/bars.hpp"

namespace ricochet::continuum::bar_test {
namespace {

using test::bodies;
using test::rod;

std::string refusal(const Model& model) {
  try {
    Bar bar(model);
  } catch (const ModelError& error) {
    return error.key + ": " + error.what();
  }
  return "";
}

TEST(Bar, BondedBodiesShareANodeWhateverTheirOrder) {
  Model model = bodies({rod("c", 3, 1, 4, 0.3), rod("b", 1, 2, 4, 0.6), rod("a", 0, 1, 5)});
  model.bonds = {{"b", "a"}, {"b", "c"}};
  const Bar bar(model);
  EXPECT_EQ(bar.nodes(), 5u + 4 + 4 + 1);
  EXPECT_EQ(bar.parts[2].last(), bar.parts[1].first);
  EXPECT_EQ(bar.parts[1].last(), bar.parts[0].first);
  EXPECT_EQ(bar.X[bar.parts[1].first], 1);
  EXPECT_EQ(bar.dx.back(), 0);
  double mass = 0, momentum = 0;
  for (std::size_t i = 0; i < bar.nodes(); ++i) mass += bar.mass[i], momentum += bar.mass[i] * bar.v[i];
  EXPECT_NEAR(mass, 4, 1e-15);
  EXPECT_NEAR(momentum, 1.5, 1e-15);  // shared nodes take the mean of the momenta
}

TEST(Bar, StableStepOfAUniformBarIsTheTransitTime) {
  EXPECT_DOUBLE_EQ(stable_step(Bar(bodies({rod("a", 0, 1, 50, 0, 4, 1)}))), 0.04);
  EXPECT_DOUBLE_EQ(Bar(bodies({rod("a", 0, 1, 50, 0, 4, 1)}, 0.5)).step, 0.02);
}

// The largest frequency, by the power method on M⁻¹K, is what Gershgorin bounds: no larger, and no further than the
// grading lets it be.
TEST(Bar, StableStepBoundsTheLargestFrequency) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 20; ++trial) {
    Model model = test::random_bodies(random, Treatment::penalty, true);
    const Bar bar(model);
    std::vector<double> x(bar.nodes()), y(bar.nodes());
    for (double& s : x) s = std::uniform_real_distribution<double>(-1, 1)(random);
    double omega2 = 0;
    for (int k = 0; k < 3000; ++k) {
      std::fill(y.begin(), y.end(), 0.0);
      for (const Part& part : bar.parts)
        for (std::size_t c = part.first; c < part.last(); ++c) {
          const double N = part.area * tangent(part.law, 0) * bar.inverse_dx[c] * (x[c + 1] - x[c]);
          y[c] -= N;
          y[c + 1] += N;
        }
      for (const Touch& t : bar.touches) {
        const double N = t.stiffness * t.closing(x.data());
        if (t.a != Touch::none) y[t.a] -= N;
        if (t.b != Touch::none) y[t.b] += N;
      }
      double size = 0;
      for (std::size_t i = 0; i < y.size(); ++i) y[i] *= bar.inverse_mass[i], size = std::max(size, std::abs(y[i]));
      omega2 = size;
      for (std::size_t i = 0; i < y.size(); ++i) x[i] = y[i] / size;
    }
    EXPECT_LE(std::sqrt(omega2) * stable_step(bar), 2 * (1 + 1e-9)) << trial;
    EXPECT_GE(std::sqrt(omega2) * stable_step(bar), 1.2) << trial;
  }
}

TEST(Bar, RefusesWhatCannotBeSimulated) {
  Model overlap = test::two_rods(1, 1, 10, Treatment::multiplier);
  overlap.bodies[1].mesh.from = 0.75;
  EXPECT_EQ(refusal(overlap), "continuum.contact: rod1-rod2 overlap at the start by 0.25 (at x = 1)");
  EXPECT_NE(refusal(bodies({rod("a", 0, 0, 5)})).find("continuum.body.a.mesh: expected a length above 0"),
            std::string::npos);
  EXPECT_NE(refusal(bodies({rod("a", 0, 1, 5)}, 1.25)).find("continuum.courant: 1.25 is above the limit"),
            std::string::npos);
  EXPECT_NE(refusal(bodies({rod("a", 0, 1, 5, 0, 0)})).find("continuum.body.a.material: expected a density"),
            std::string::npos);
  EXPECT_NE(refusal(bodies({rod("a", 0, 1, 5, 0, 1, -1)})).find("stiffness dP/dε at rest is -1"), std::string::npos);
  EXPECT_NE(refusal(bodies({rod("a", 0, 1, 5), rod("a", 2, 1, 5)})).find("given twice"), std::string::npos);
  EXPECT_NE(refusal(test::two_rods(1, 1, 10, Treatment::interval, 0.9)).find("interval needs Courant number 1"),
            std::string::npos);
  Model apart = bodies({rod("a", 0, 1, 5), rod("b", 1.5, 1, 5)});
  apart.bonds = {{"a", "b"}};
  EXPECT_NE(refusal(apart).find("'a' ends at 1 and 'b' begins at 1.5: bonded bodies must touch"), std::string::npos);
  Model twice = test::two_rods(1, 1, 10, Treatment::multiplier);
  twice.walls = {{"wall", 1, -1}};
  twice.contacts.push_back({"rod1", "wall"});
  EXPECT_NE(refusal(twice).find("the right end of 'rod1' is in another contact already; only penalty"),
            std::string::npos);
  Model again = test::two_rods(1, 1, 10, Treatment::penalty);
  again.contacts[0].stiffness = 1;
  again.contacts.push_back({"rod2", "rod1", Treatment::penalty, 1});
  EXPECT_NE(refusal(again).find("rod2-rod1: the contact is given twice"), std::string::npos);
  Model folded = bodies({rod("a", 0, 1, 5)});
  folded.bodies[0].material.law = NeoHookean{1, 1};
  folded.bodies[0].displacement = [](double X) { return -1.5 * X; };
  EXPECT_NE(refusal(folded).find("element 1 of 'a', X = 0.1 is turned inside out at the start: J = -0.5"),
            std::string::npos);
  Model jump = bodies({rod("a", 0, 1, 5)});
  jump.bodies[0].left_end = [](double t) { return 0.5 + t; };
  EXPECT_NE(refusal(jump).find("the displacement of the end is 0.5 at t = 0"), std::string::npos);
  Model thin = test::two_rods(1, 1, 1, Treatment::redistributed);
  thin.walls = {{"wall", 0, 1}};
  thin.contacts.push_back({"rod1", "wall", Treatment::redistributed});
  EXPECT_NE(refusal(thin).find("needs one cell more"), std::string::npos);
}

}  // namespace
}  // namespace ricochet::continuum::bar_test
