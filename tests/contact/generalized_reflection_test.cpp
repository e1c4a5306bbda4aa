#include "ricochet/contact/generalized_reflection.hpp"

#include <gtest/gtest.h>

#include <random>

#include "ricochet/error.hpp"
#include "support/allocations.hpp"

namespace ricochet::generalized_reflection_test {
namespace {

// Unit masses in a row: g_k = x_{k+1} − x_k.
GeneralizedReflection row_of_balls(const std::vector<double>& v) {
  GeneralizedReflection r;
  const int m = static_cast<int>(v.size()) - 1;
  r.resize(m, false);
  for (int k = 0; k < m; ++k) {
    r.gram(k, k) = 2;
    if (k > 0) r.gram(k, k - 1) = r.gram(k - 1, k) = -1;
    r.c(k) = v[k + 1] - v[k];
    r.still(k) = 1e-12;
  }
  return r;
}

TEST(GeneralizedReflection, CradleTwoInTwoOutButNotWithMoreau) {
  // Two moving balls hit three at rest, all in contact: Moreau gives (−.2,−.2,.8,.8,.8).
  const std::vector<double> before{1, 1, 0, 0, 0}, moreau_after{-.2, -.2, .8, .8, .8}, general{0, 0, 0, 1, 1};
  for (const bool moreau : {false, true}) {
    GeneralizedReflection r = row_of_balls(before);
    moreau ? r.moreau() : r.generalized();
    for (int i = 0; i < 5; ++i) {
      double v = before[i];
      if (i > 0) v += r.impulses()[i - 1];
      if (i < 4) v -= r.impulses()[i];
      EXPECT_NEAR(v, moreau ? moreau_after[i] : general[i], 1e-13);
    }
  }
}

GeneralizedReflection galperin(double ratio) {
  GeneralizedReflection r;  // g0 = x (light, mass 1), g1 = X − x (heavy, mass ratio)
  r.resize(2, false);
  r.gram(0, 0) = 1, r.gram(0, 1) = r.gram(1, 0) = -1, r.gram(1, 1) = 1 + 1 / ratio;
  r.c(1) = -1;
  r.still(0) = r.still(1) = 1e-12;
  return r;
}

TEST(GeneralizedReflection, GalperinCountsThePassesOfPi) {
  // Wall, light ball at rest, heavy ball coming: 3, 31, 314, 3141 collisions for mass ratios 100^k.
  double ratio = 1;
  for (const int expected : {3, 31, 314, 3141}) {
    GeneralizedReflection r = galperin(ratio);
    r.generalized();
    EXPECT_EQ(r.passes(), expected);
    ratio *= 100;
  }
  GeneralizedReflection r = galperin(10000);
  r.max_passes = 313;
  EXPECT_THROW(r.generalized(), SolverError);
}

TEST(GeneralizedReflection, KeepsItsEnergyAndLeavesNothingApproaching) {
  // ½ yᵀΔy + yᵀc = 0 for the sum of all passes, and the same in the metric of H2 where no pass fell back: round-off of
  // the passes.
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  int shadows = 0;
  for (int k = 0; k < 2000; ++k) {
    const int m = 1 + k % 5, n = m + 1;
    const bool shadow = k % 2 == 0;
    GeneralizedReflection r;
    r.resize(m, shadow);
    std::vector<double> N(n * m), before(m), before2(m), gram2;
    std::vector<double> v(n), weight(n);
    for (double& x : N) x = normal(random);
    for (double& x : v) x = normal(random);
    for (double& x : weight) x = 1 + 0.05 * normal(random);
    for (int i = 0; i < m; ++i) {
      for (int a = 0; a < n; ++a) r.c(i) += N[i * n + a] * v[a], r.c2(i) += N[i * n + a] * weight[a] * v[a];
      before[i] = r.c(i), before2[i] = r.c2(i);
      r.still(i) = 1e-12;
      for (int j = 0; j < m; ++j)
        for (int a = 0; a < n; ++a) {
          r.gram(i, j) += N[i * n + a] * N[j * n + a];
          r.gram2(i, j) += N[i * n + a] * weight[a] * N[j * n + a];
        }
    }
    r.generalized();
    double change = 0, size = 0;
    const bool by_shadow = shadow && r.fallbacks() == 0;
    for (int i = 0; i < m; ++i) {
      EXPECT_GE(r.c(i), -1e-12);
      EXPECT_GE(r.impulses()[i], 0);
      double along = by_shadow ? before2[i] : before[i];
      size += std::abs(r.impulses()[i] * along);
      for (int j = 0; j < m; ++j) along += (by_shadow ? r.gram2(i, j) : r.gram(i, j)) * r.impulses()[j] / 2;
      change += r.impulses()[i] * along;
    }
    if (!shadow || by_shadow) {
      EXPECT_NEAR(change, 0, 1e-12 * (1 + size) * (1 + r.passes())) << k;
    }
    shadows += by_shadow && r.passes() > 0;
  }
  EXPECT_GT(shadows, 500);
}

TEST(GeneralizedReflection, TheSecondOfASizeAllocatesNothing) {
  GeneralizedReflection r;
  std::size_t before = 0;
  for (int time = 0; time < 2; ++time) {
    before = test::allocations();
    r.resize(3, true);
    for (int k = 0; k < 3; ++k) r.gram(k, k) = r.gram2(k, k) = 1, r.c(k) = r.c2(k) = -1;
    r.moreau();
  }
  EXPECT_EQ(test::allocations(), before);
}

}  // namespace
}  // namespace ricochet::generalized_reflection_test
