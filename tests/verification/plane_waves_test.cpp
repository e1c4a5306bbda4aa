// Waves and bending in the plane against the theory of elasticity.

#include <gtest/gtest.h>

#include <numbers>

#include "support/solids.hpp"

namespace ricochet::continuum::plane_waves_test {
namespace {

// The frequency of a motion that begins at rest with the displacement of a mode: its part in that mode falls to zero
// after a quarter of the period. It is looked at from nine tenths of what is expected on.
double frequency(Model model, const std::function<std::array<double, 2>(double, double)>& mode, double expected) {
  model.plane->bodies[0].displacement = [&](double X, double Y) {
    const auto u = mode(X, Y);
    return std::array<double, 2>{1e-6 * u[0], 1e-6 * u[1]};
  };
  const auto stepper = test::stepper_of(model);
  const double h = step_of(model);
  const PlaneMesh& mesh = model.plane->bodies[0].mesh;
  Observables seen;
  double before = 1;
  for (int k = 0; k < 200000; ++k) {
    stepper->advance(k * h, h);
    if (k * h * expected < 0.9 * 0.5 * std::numbers::pi) continue;
    stepper->observe(seen);
    double part = 0;
    for (std::size_t i = 0; i < mesh.nodes(); ++i) {
      const auto u = mode(mesh.X[2 * i], mesh.X[2 * i + 1]);
      for (std::size_t d = 0; d < 2; ++d) part += u[d] * (seen.fields[0][2 * i + d] - mesh.X[2 * i + d]);
    }
    if (part <= 0) return 0.5 * std::numbers::pi / ((k + before / (before - part)) * h);
    before = part;
  }
  return 0;
}

constexpr double lambda = 1.5, mu = 1, pi = std::numbers::pi;

// Standing waves cos(πX/L) in a strip: its error is (π dx/L)²/24 ≈ 1e-4.
TEST(PlaneWaves, SpeedBetweenSlidingAndFreeEdges) {
  const double L = 4, H = 0.2, k = pi / L, bar = std::sqrt(4 * mu * (lambda + mu) / (lambda + 2 * mu)),
               pressure = std::sqrt(lambda + 2 * mu);
  Model model = test::plane({test::solid("strip", test::box(0, 0, L, H, 80, 4), Hooke{lambda, mu})});
  const double free = frequency(
      model,
      [=](double X, double Y) {
        return std::array<double, 2>{std::cos(k * X), lambda / (lambda + 2 * mu) * k * std::sin(k * X) * (Y - H / 2)};
      },
      k * bar);
  // the wave's own transverse motion lowers it by (ν'kH)²/24, 2e-4
  EXPECT_NEAR(free / k, bar, 1e-3);
  model.plane->bodies[0].conditions = {{"top", EdgeCondition::sliding, {}}, {"bottom", EdgeCondition::sliding, {}}};
  const double sliding = frequency(
      model,
      [=](double X, double) {
        return std::array<double, 2>{std::cos(k * X), 0};
      },
      k * pressure);
  EXPECT_NEAR(sliding / k, pressure, 1e-3);
}

// The first mode of a free beam, ω = κ²√(E'I/ρA), κL = 4.7300, E' = 4μ(λ + μ)/(λ + 2μ). Shear and rotary inertia lower
// it by (κH)²(1 + 1.2E'/μ)/24 to first order, 1.2 %; what that leaves out is of the order of its square. Triangles of
// constant strain are too stiff by a part that falls by four when cells are halved.
TEST(PlaneWaves, FirstModeOfAFreeBeam) {
  const double L = 10, H = 0.5, kappa = 4.730040744862704 / L, E = 4 * mu * (lambda + mu) / (lambda + 2 * mu),
               slender = kappa * kappa * H * std::sqrt(E / 12),
               exact = slender * (1 - kappa * kappa * H * H * (1 + 1.2 * E / mu) / 24);
  const double s = (std::cosh(kappa * L) - std::cos(kappa * L)) / (std::sinh(kappa * L) - std::sin(kappa * L));
  const auto mode = [=](double X, double Y) {
    const double z = kappa * X, y = std::cosh(z) + std::cos(z) - s * (std::sinh(z) + std::sin(z)),
                 slope = kappa * (std::sinh(z) - std::sin(z) - s * (std::cosh(z) + std::cos(z)));
    return std::array<double, 2>{-slope * (Y - H / 2), y};
  };
  double error[3];
  for (int k = 0; k < 3; ++k) {
    const int layers = 8 << k;
    error[k] =
        frequency(test::plane({test::solid("beam", test::box(0, 0, L, H, 10 * layers, layers), Hooke{lambda, mu})}),
                  mode, exact) /
            exact -
        1;
  }
  const double order = std::log2((error[0] - error[1]) / (error[1] - error[2]));
  RecordProperty("errors", std::to_string(error[0]) + " " + std::to_string(error[1]) + " " + std::to_string(error[2]));
  EXPECT_NEAR(order, 2, 0.2);
  EXPECT_LT(std::abs(error[2]), 0.01);
  EXPECT_LT(std::abs((4 * error[2] - error[1]) / 3), 0.002);  // extrapolated: the reference's own error
}

// A body that turns as a whole has no strain energy: of the order of round-off, for every law but the linear one.
TEST(PlaneWaves, RigidRotationHasNoStrainEnergy) {
  for (const PlaneLaw& law : {PlaneLaw(StVenant{1, 1}), PlaneLaw(NeoHookean{1, 1})}) {
    Model model = test::plane({test::solid("box", test::box(-1, -0.5, 2, 1, 8, 4), law)});
    const double c = std::cos(1.0), s = std::sin(1.0);
    model.plane->bodies[0].displacement = [=](double X, double Y) {
      return std::array<double, 2>{c * X - s * Y - X, s * X + c * Y - Y};
    };
    const Summary summary = test::run_bodies(model, 5);
    EXPECT_LT(test::scalar(summary, "energy.elastic").max, 1e-13);
    EXPECT_LT(test::scalar(summary, "energy.kinetic").max, 1e-13);
  }
}

}  // namespace
}  // namespace ricochet::continuum::plane_waves_test
