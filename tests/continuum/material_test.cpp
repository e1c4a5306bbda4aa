#include "ricochet/continuum/material.hpp"

#include <gtest/gtest.h>

#include "support/bars.hpp"

namespace ricochet::continuum::material_test {
namespace {

std::vector<Law> laws() {
  return {Linear{3}, Quadratic{2, -0.7}, NeoHookean{1.3, 0.6}, StVenant{1.3, 0.6}, test::gas("(J^-7 - 1)/7")};
}

// P = dW/dε and P' = dP/dε by central differences: error h²/6 of the third derivative, below 1e4 here, and round-off
// ε/h.
TEST(Material, StressAndTangentAreDerivatives) {
  const double h = 1e-6;
  for (const Law& law : laws())
    for (const double e : {-0.3, -0.05, 0.0, 0.02, 0.4}) {
      EXPECT_NEAR((energy(law, e + h) - energy(law, e - h)) / (2 * h), stress(law, e), 1e-8) << law.index() << " " << e;
      EXPECT_NEAR((stress(law, e + h) - stress(law, e - h)) / (2 * h), tangent(law, e), 1e-6)
          << law.index() << " " << e;
    }
}

TEST(Material, AtRestThereIsNoStressAndNoEnergy) {
  for (const Law& law : laws()) {
    EXPECT_EQ(stress(law, 0), 0) << law.index();
    EXPECT_EQ(energy(law, 0), 0) << law.index();
    EXPECT_GT(tangent(law, 0), 0) << law.index();
  }
}

// Closed form of −∫p dJ; ten points of Gauss are exact to round-off down to J = ½.
TEST(Material, EnergyOfAGas) {
  const Barotropic law = test::gas("(J^-7 - 1)/7");
  for (const double J : {0.5, 0.8, 0.99, 1.2}) {
    const double W = (std::pow(J, -6) - 1) / 42 + (J - 1) / 7;
    EXPECT_NEAR(law.energy(J - 1), W, 2e-14 * std::max(1.0, W)) << J;
  }
}

TEST(Material, ACopyOfAGasHasItsOwnRegisters) {
  const Law a = test::gas("J^-2 - 1");
  const Law b = a;
  EXPECT_EQ(stress(a, -0.5), -3);
  EXPECT_EQ(stress(b, 1), 0.75);
  EXPECT_EQ(stress(a, -0.5), -3);
}

}  // namespace
}  // namespace ricochet::continuum::material_test
