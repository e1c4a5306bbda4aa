#include "ricochet/continuum/cells.hpp"

#include <gtest/gtest.h>

#include "ricochet/error.hpp"
#include "support/bars.hpp"

namespace ricochet::continuum::cells_test {
namespace {

// Against one cell at a time; the same operations, so the same bits but for the order of a product.
TEST(Cells, ForcesAreThoseOfSingleCells) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 20; ++trial) {
    const Bar bar(test::random_bodies(random, Treatment::multiplier, false));
    std::vector<double> u(bar.nodes()), v(bar.nodes()), N(bar.nodes(), 0.0), q(bar.nodes(), 0.0);
    for (double& x : u) x = std::uniform_real_distribution<double>(-1e-3, 1e-3)(random);
    for (double& x : v) x = std::uniform_real_distribution<double>(-1, 1)(random);
    cell_forces(bar, u.data(), 0.1 * bar.step, N.data());
    const std::vector<double> elastic = N;
    viscous_forces(bar, u.data(), v.data(), 0.01 * bar.step, N.data(), q.data());
    std::vector<bool> seen(bar.nodes(), false);
    for (const Part& part : bar.parts)
      for (std::size_t c = part.first; c < part.last(); ++c) {
        const double e = (u[c + 1] - u[c]) / bar.dx[c];
        EXPECT_NEAR(elastic[c], part.area * stress(part.law, e), 1e-13);
        seen[c] = true;
      }
    for (std::size_t c = 0; c < bar.nodes(); ++c)
      if (!seen[c]) {
        EXPECT_EQ(N[c], 0);  // the empty cells
      }
  }
}

// q ε̇ = ρ dx (b₁ c + b₂ dx|ε̇|) ε̇² is never negative.
TEST(Cells, ViscosityDissipates) {
  const Bar bar(test::bodies({test::rod("a", 0, 1, 10, 0, 2, 8)}, 0.5));
  for (const double rate : {-3.0, -0.1, 0.2, 5.0}) {
    const double q = viscous_force(bar.parts[0], {0.1, 1.5}, 0.1, 0, rate);
    EXPECT_DOUBLE_EQ(q, 2 * 0.1 * (0.1 * 2 + 1.5 * 0.1 * std::abs(rate)) * rate);
    EXPECT_GT(q * rate, 0);
  }
}

TEST(Cells, AnInvertedElementIsNamedWithItsPlace) {
  Model model = test::bodies({test::rod("a", 2, 1, 10)}, 0.5);
  model.bodies[0].material.law = NeoHookean{1, 1};
  const Bar bar(model);
  std::vector<double> u(bar.nodes(), 0.0), N(bar.nodes(), 0.0);
  u[4] = -0.125;
  try {
    refuse_inverted(bar, u.data());
    FAIL();
  } catch (const SolverError& error) {
    EXPECT_EQ(std::string(error.what()), "element 4 of 'a', X = 2.35 (x = 2.3) is turned inside out: J = -0.25");
    EXPECT_FALSE(error.advice.empty());
  }
  u[4] = -0.0999;  // J = 0.001: so stiff that the step is far too long
  try {
    cell_forces(bar, u.data(), bar.step, N.data());
    FAIL();
  } catch (const SolverError& error) {
    EXPECT_NE(std::string(error.what()).find("element 4 of 'a', X = 2.35: the Courant number has grown to"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace ricochet::continuum::cells_test
