// The proof that nothing is hit, against looking; and runs with and without it.

#include "ricochet/contact/safe_horizon.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/flight.hpp"
#include "support/models.hpp"

namespace ricochet::safe_horizon_test {
namespace {

Model dish_with_pins() {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - y;
  m.contacts = {{.name = "dish", .gap = 2 - sqrt(square(x) + square(y))},
                {.name = "pin", .gap = sqrt(square(x - 0.3) + square(y + 0.2)) - 0.1},
                {.name = "paddle", .gap = x + 1.6 - 0.3 * sin(2 * m.time())}};
  return m;
}

TEST(SafeHorizon, WhereItCoversAStepNothingIsTouched) {
  // Parabolas through a dish: a step that is covered has every gap at least gap_bound, on the whole path.
  const System system(dish_with_pins());
  Gaps gaps(system), points(system);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  int covered = 0, refused = 0;
  for (int k = 0; k < 3000; ++k) {
    const double h = std::pow(10, -2.5 + 1.5 * uniform(random)), a = 2 * uniform(random);
    double q[2] = {uniform(random), uniform(random)}, v[2] = {3 * uniform(random), 3 * uniform(random)}, t = k * 0.01;
    SafeHorizon horizon(2);
    for (int step = 0; step < 20; ++step, t += h) {
      const double w[2] = {v[0], v[1] + h / 2 * a};
      points.evaluate(q, t);
      if (points.minimum() < 0) break;
      if (horizon.covers(t, q, w, h) || (step > 0 && horizon.extend(gaps, t, q, w, h))) {
        ++covered;
        for (int j = 0; j <= 20; ++j) {
          const double s = h * j / 20, at[2] = {q[0] + s * v[0], q[1] + s * (v[1] + s / 2 * a)};
          points.evaluate(at, t + s);
          ASSERT_GE(points.minimum(), horizon.gap_bound());
          ASSERT_GT(points.minimum(), 0);
        }
      } else {
        ++refused;
      }
      horizon.remember(w);
      for (int i = 0; i < 2; ++i) q[i] += h * w[i];
      v[1] += h * a;
    }
  }
  EXPECT_GT(covered, 5000);
  EXPECT_GT(refused, 1000);
}

TEST(SafeHorizon, RunsWithAndWithoutItHaveTheSameBits) {
  // A workspace that collects its path looks for contact in every step.
  for (const char* rule : {"trapezoidal", "midpoint", "galerkin"}) {
    Flight fast(dish_with_pins(), collision(0.01, rule), {0.5, 0.4}, {0.7, -0.2}),
        slow(dish_with_pins(), collision(0.01, rule), {0.5, 0.4}, {0.7, -0.2});
    std::vector<Workspace::PathPoint> path;
    slow.work->path = &path;
    std::size_t impacts = 0;
    for (int k = 0; k < 3000; ++k) {
      path.clear();
      fast.step();
      slow.step();
      impacts += fast.work->impacts.size();
      ASSERT_EQ(fast.state.q, slow.state.q) << rule << k;
      ASSERT_EQ(fast.state.p, slow.state.p) << rule << k;
      ASSERT_EQ(fast.work->impacts.size(), slow.work->impacts.size());
    }
    EXPECT_GT(impacts, 10u);
    EXPECT_NEAR(fast.work->gap_min, slow.work->gap_min, 1e-14);
  }
}

}  // namespace
}  // namespace ricochet::safe_horizon_test
