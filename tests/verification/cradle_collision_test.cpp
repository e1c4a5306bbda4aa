// Newton's cradle in variational-collision: steps are split at impacts, several gaps close at once, rods are
// constraints.

#include <gtest/gtest.h>

#include <cmath>

#include "support/flight.hpp"
#include "support/models.hpp"

namespace ricochet::cradle_collision_test {
namespace {

IntegratorOptions options(const char* simultaneous, double h, const char* energy = "discrete") {
  IntegratorOptions o = collision(h, "midpoint", energy);
  o.parameters["simultaneous"] = std::string(simultaneous);
  return o;
}

TEST(CradleCollision, TwoInTwoOut) {
  // Two balls, pulled aside by 0.6, meet three at rest. With a clearance of 1e-4 between neighbours the impacts come
  // one after the other, as in the passes of the generalized reflection: the two stop and the last two leave.
  const int n = 5;
  const double clearance = 1e-4, swing = 0.6, speed = std::sqrt(2 * 9.8 * (1 - std::cos(swing)));
  const std::vector<double> q = models::cradle_start(n, 2, swing, clearance);
  for (const char* law :
       {"generalized", "sequential", "moreau"}) {  // alike: no neighbouring gaps close at the same instant
    Flight run(models::cradle(n, clearance), options(law, 0.01), q, std::vector<double>(2 * n, 0.0));
    const double start = run.energy();
    int impacts = 0;
    for (int k = 0; k < 60; ++k) {
      run.step();
      for (const Impact& impact : run.work->impacts) impacts += static_cast<int>(impact.contacts.size());
    }
    // 2 × 3 pairs close; speeds at t = 0.6, some 0.08 after the impacts at the lowest point: (1 − cos) of the way is
    // lost
    EXPECT_EQ(impacts, 6) << law;
    for (const int i : {0, 1, 2}) EXPECT_NEAR(run.state.p[2 * i], 0, 0.02 * speed) << law << i;
    for (const int i : {3, 4}) EXPECT_NEAR(run.state.p[2 * i], speed, 0.05 * speed) << law << i;
    EXPECT_NEAR(run.energy(), start, 1e-3 * std::abs(start)) << law;
    EXPECT_LE(run.work->holonomic_max, 1e-12) << law;
    EXPECT_GE(run.work->gap_min, -1e-12) << law;
  }
}

// Balls that touch. The first impact, at a quarter of the period, by the law of each: generalized and sequential pass
// the momentum on; Moreau's mirror image keeps the mean m of the velocities and turns v to 2m − v. The path of a step
// bends by O(h²) and so do the speeds: 1e-3 of the incoming one.
TEST(CradleCollision, TouchingBallsFirstImpact) {
  const int n = 5;
  const double swing = 0.6, speed = std::sqrt(2 * 9.8 * (1 - std::cos(swing)));
  for (const char* energy : {"discrete", "continuous"})
    for (const char* law : {"generalized", "sequential", "moreau"})
      for (const int pulled : {1, 2, 3, 4}) {
        Flight run(models::cradle(n, 0), options(law, 0.01, energy), models::cradle_start(n, pulled, swing),
                   std::vector<double>(2 * n, 0.0));
        while (run.work->impacts.empty() && run.k < 100) run.step();
        ASSERT_FALSE(run.work->impacts.empty());
        const Impact& impact = run.work->impacts.front();
        EXPECT_NEAR(impact.time, 0.5135, 2e-3);  // ¼ of the period 2π√(l/g)(1 + θ²/16 + 11θ⁴/3072)
        for (int i = 0; i < n; ++i) {
          const bool passed_on = i >= n - pulled;
          const double mirrored = 2.0 * pulled / n - (i < pulled ? 1 : 0);
          const double expected = std::string(law) == "moreau" ? mirrored : passed_on ? 1 : 0;
          // horizontally: gravity and rods turn the velocities a little in the rest of the step
          EXPECT_NEAR(run.state.p[2 * i] / speed, expected, 3e-3) << energy << law << pulled << i;
        }
      }
}

// 20 s hold 19 impacts: the first at ¼ of the period 2.054, then one each half. With the continuous energy they are all
// there is: neighbours at rest or swinging side by side touch without impacts. (The discrete energy leaves O(h²) of
// speed in the balls that stop, and they meet again.)
TEST(CradleCollision, TouchingBallsForTenPeriods) {
  for (const char* law : {"generalized", "sequential"})
    for (const int pulled : {1, 2, 3})
      for (const char* energy : {"continuous", "discrete"}) {
        Flight run(models::cradle(5, 0), options(law, 0.01, energy), models::cradle_start(5, pulled, 0.6),
                   std::vector<double>(10, 0.0));
        const double start = run.energy(), swing_energy = pulled * 9.8 * (1 - std::cos(0.6));
        int impacts = 0;
        for (int k = 0; k < 2000; ++k) {
          run.step();
          impacts += static_cast<int>(run.work->impacts.size());
          EXPECT_NEAR(run.energy(), start, 5e-3 * swing_energy);
        }
        if (std::string(energy) == "continuous") {
          EXPECT_EQ(impacts, 19) << law << pulled;
        }
        EXPECT_GE(run.work->gap_min, -2e-9) << law << pulled;  // eps_g
        EXPECT_LE(run.work->holonomic_max, 1e-12) << law << pulled;
      }
}

// Any number of balls, pulled together, of any swing and step: the first impact after a quarter of the period, then one
// each half, and nothing else.
TEST(CradleCollision, OneImpactEachHalfPeriod) {
  unsigned seed = 1;
  for (int n = 2; n <= 7; ++n)
    for (int pulled = 1; pulled < n; ++pulled) {
      seed = seed * 1664525u + 1013904223u;
      const double share = seed / 4294967296.0, swing = 0.2 + 0.9 * share, h = 0.004 + 0.012 * std::fmod(7 * share, 1);
      Flight run(models::cradle(n, 0), options(pulled % 2 == 0 ? "generalized" : "sequential", h, "continuous"),
                 models::cradle_start(n, pulled, swing), std::vector<double>(2 * n, 0.0));
      std::vector<double> times;
      for (int k = 0; k * h < 12; ++k) {
        run.step();
        for (const Impact& impact : run.work->impacts) times.push_back(impact.time);
      }
      ASSERT_GE(times.size(), 2u);
      for (std::size_t k = 1; k < times.size(); ++k)  // the period of the method is that of the motion to O(h²)
        EXPECT_NEAR(times[k] - times[k - 1], 2 * times[0], 1e-2 * times[0]) << n << " balls, " << pulled << " pulled";
    }
}

}  // namespace
}  // namespace ricochet::cradle_collision_test
