// A ball on a table that moves as A sin(ωt), restitution e = ½. With Γ = Aω²/g it bounces once a period, always at the
// same phase cos φ = π(1 − e)/((1 + e)Γ), for π(1 − e)/(1 + e) = 1.0472 < Γ < 1.52682, the root of
// Γ² = (π(1 − e)/(1 + e))² + (2(1 + e²)/(1 + e)²)²; beyond, the phase alternates.

#include <gtest/gtest.h>

#include <cmath>

#include "support/flight.hpp"

namespace ricochet::driven_ball_test {
namespace {

constexpr double g = 9.81, e = 0.5, w = 10, period = 2 * M_PI / w;

// The phases of the last impacts, after transients. Started near the orbit of period 1.
std::vector<double> last_phases(double gamma, double h, const char* rule, int periods) {
  const double A = gamma * g / (w * w), phase = std::acos(M_PI * (1 - e) / (1 + e) / gamma);
  Model m;
  const Expr y = m.coordinate("y");
  m.lagrangian = square(dot(y)) / 2 - g * y;
  m.contacts = {{.name = "table",
                 .gap = y - A * sin(w * m.time() + phase),
                 .law = "newton",
                 .restitution = m.graph->constant(e)}};
  Flight run(m, collision(h, rule), {A * std::sin(phase)}, {1.001 * g * period / 2});
  std::vector<double> phases;
  while (run.k * h < periods * period) {
    run.step();
    for (const Impact& impact : run.work->impacts) {
      phases.push_back(std::remainder(w * impact.time + phase, 2 * M_PI));
      EXPECT_NEAR(impact.obtained_restitution, e, 1e-10);
    }
  }
  return {phases.end() - 20, phases.end()};
}

TEST(DrivenBall, PeriodOne) {
  for (const char* rule : {"trapezoidal", "midpoint", "galerkin"})
    for (const double gamma : {1.08, 1.2, 1.35, 1.5})
      for (const double h : {0.01, 0.0737}) {
        const double expected = std::acos(M_PI * (1 - e) / (1 + e) / gamma);
        // contraction to the orbit leaves the round-off of the time, 300 periods of ½ s, times ω
        for (const double phase : last_phases(gamma, h, rule, 300))
          EXPECT_NEAR(phase, expected, 1e-9) << gamma << " " << h << " " << rule;
      }
}

TEST(DrivenBall, PeriodTwo) {
  for (const double gamma : {1.54, 1.57, 1.6})
    for (const double h : {0.01, 0.0737}) {
      const std::vector<double> phases = last_phases(gamma, h, "trapezoidal", 2000);
      for (std::size_t k = 2; k < phases.size(); ++k) {
        EXPECT_NEAR(phases[k], phases[k - 2], 1e-8) << gamma << " " << h;
        EXPECT_GT(std::abs(phases[k] - phases[k - 1]), 0.05) << gamma << " " << h;
      }
    }
}

TEST(DrivenBall, TheBoundaryIsWhereTheoryPutsIt) {
  // half a percent to either side; near the bifurcation orbits settle slowly, as (1 − 2·distance)^n at best
  const auto spread = [](double gamma) {
    const std::vector<double> phases = last_phases(gamma, 0.01, "trapezoidal", 4000);
    return std::abs(phases.back() - phases[phases.size() - 2]);
  };
  EXPECT_LT(spread(1.52682 * 0.995), 1e-6);
  EXPECT_GT(spread(1.52682 * 1.005), 1e-2);
}

}  // namespace
}  // namespace ricochet::driven_ball_test
