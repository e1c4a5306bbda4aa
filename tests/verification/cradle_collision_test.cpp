// Newton's cradle in variational-collision: steps are split at impacts, several gaps close at once, rods are
// constraints.

#include <gtest/gtest.h>

#include <cmath>

#include "support/flight.hpp"

namespace ricochet {
namespace {

// n balls of radius ¼ on rods of length 1, with some clearance between neighbours at rest.
Model cradle(int n, double clearance) {
  Model m;
  std::vector<Expr> x, y;
  Expr L = m.graph->constant(0);
  for (int i = 0; i < n; ++i) {
    x.push_back(m.coordinate("x" + std::to_string(i)));
    y.push_back(m.coordinate("y" + std::to_string(i)));
    L = L + (square(dot(x[i])) + square(dot(y[i]))) / 2 - 9.8 * y[i];
    m.holonomic.push_back({"rod" + std::to_string(i), sqrt(square(x[i] - (0.5 + clearance) * i) + square(y[i])) - 1});
    if (i > 0)
      m.contacts.push_back(
          {.name = "pair" + std::to_string(i), .gap = sqrt(square(x[i] - x[i - 1]) + square(y[i] - y[i - 1])) - 0.5});
  }
  m.lagrangian = L;
  return m;
}

IntegratorOptions options(const char* simultaneous, double h) {
  IntegratorOptions o = collision(h, "midpoint");
  o.parameters["simultaneous"] = std::string(simultaneous);
  return o;
}

TEST(CradleCollision, TwoInTwoOut) {
  // Two balls, pulled aside by 0.6, meet three at rest. With a clearance of 1e-4 between neighbours the impacts come
  // one after the other, as in the passes of the generalized reflection: the two stop and the last two leave.
  const int n = 5;
  const double clearance = 1e-4, swing = 0.6, speed = std::sqrt(2 * 9.8 * (1 - std::cos(swing)));
  std::vector<double> q;
  for (int i = 0; i < n; ++i) {
    const double a = i < 2 ? -swing : 0;
    q.push_back((0.5 + clearance) * i + std::sin(a));
    q.push_back(-std::cos(a));
  }
  for (const char* law :
       {"generalized", "sequential", "moreau"}) {  // alike: no neighbouring gaps close at the same instant
    Flight run(cradle(n, clearance), options(law, 0.01), q, std::vector<double>(2 * n, 0.0));
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

}  // namespace
}  // namespace ricochet
