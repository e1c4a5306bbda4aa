#include "ricochet/continuum/plane_material.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <random>

namespace ricochet::continuum::plane_material_test {
namespace {

const PlaneLaw laws[] = {Hooke{1.3, 0.7}, StVenant{1.3, 0.7}, NeoHookean{1.3, 0.7}};

Gradient random_gradient(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> d(-size, size);
  return {d(random), d(random), d(random), d(random)};
}

double& entry(Gradient& H, int k) { return k == 0 ? H.xx : k == 1 ? H.xy : k == 2 ? H.yx : H.yy; }

// Central differences of W and P: error h² ≈ 1e-10 and round-off 1e-16/h.
TEST(PlaneMaterial, StressAndTangentAreDerivatives) {
  std::mt19937 random(1);
  const double h = 1e-5;
  for (const PlaneLaw& law : laws)
    for (int trial = 0; trial < 50; ++trial) {
      const Gradient H = random_gradient(random, 0.3);
      Gradient P = stress(law, H);
      const Eigen::Matrix4d A = tangent(law, H);
      for (int k = 0; k < 4; ++k) {
        Gradient more = H, less = H;
        entry(more, k) += h;
        entry(less, k) -= h;
        EXPECT_NEAR(entry(P, k), (energy(law, more) - energy(law, less)) / (2 * h), 1e-8);
        Gradient p = stress(law, more), q = stress(law, less);
        for (int i = 0; i < 4; ++i) EXPECT_NEAR(A(i, k), (entry(p, i) - entry(q, i)) / (2 * h), 2e-8);
      }
      EXPECT_LT((A - A.transpose()).norm(), 1e-12);
    }
}

// A rotation has no energy and no stress but round-off; the linear law does not know large ones.
TEST(PlaneMaterial, RotationsHaveNoEnergy) {
  for (const PlaneLaw& law : {laws[1], laws[2]})
    for (double a = 0; a < 6.3; a += 0.1) {
      const Gradient H{std::cos(a) - 1, -std::sin(a), std::sin(a), std::cos(a) - 1};
      EXPECT_LT(std::abs(energy(law, H)), 1e-15);
      const Gradient P = stress(law, H);
      EXPECT_LT(std::abs(P.xx) + std::abs(P.xy) + std::abs(P.yx) + std::abs(P.yy), 1e-14);
    }
}

// All agree at small strains, to the size of the strain.
TEST(PlaneMaterial, AllAreHookesAtSmallStrains) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 20; ++trial) {
    Gradient H = random_gradient(random, 1e-6), a = stress(laws[0], H), b = stress(laws[1], H), c = stress(laws[2], H);
    for (int k = 0; k < 4; ++k) {
      EXPECT_NEAR(entry(a, k), entry(b, k), 2e-11);
      EXPECT_NEAR(entry(a, k), entry(c, k), 2e-11);
    }
  }
}

// What `stiffening` promises, against eigenvalues.
TEST(PlaneMaterial, StiffeningIsABound) {
  std::mt19937 random(3);
  const auto largest = [](const Eigen::Matrix4d& A) {
    return Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d>(A).eigenvalues()[3];
  };
  for (const PlaneLaw& law : laws)
    for (int trial = 0; trial < 500; ++trial) {
      const Gradient H = random_gradient(random, 0.4);
      if (!(H.trace() + H.det() > -0.9)) continue;
      EXPECT_LE(largest(tangent(law, H)), largest(tangent(law, {})) + stiffening(law, H) + 1e-12);
    }
}

TEST(PlaneMaterial, TrueStressOfAPressureIsThePressure) {
  // equal stretch s in both directions: P = p s 1, σ = P s/s² = P/s
  const Gradient H{0.1, 0, 0, 0.1};
  for (const PlaneLaw& law : {laws[1], laws[2]}) {
    const Eigen::Vector3d sigma = true_stress(law, H);
    EXPECT_NEAR(sigma[0], stress(law, H).xx / 1.1, 1e-15);
    EXPECT_NEAR(sigma[2], 0, 1e-15);
  }
}

}  // namespace
}  // namespace ricochet::continuum::plane_material_test
