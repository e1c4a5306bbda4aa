// Facts of contact that were found by independent prototypes or follow in closed form, in the collision integrator.

#include <gtest/gtest.h>

#include <cmath>

#include "support/flight.hpp"
#include "support/models.hpp"

namespace ricochet::contact_facts_test {
namespace {

// Galperin: a light ball between a wall and a heavy one, 100^k times its mass, collides as the digits of π say: all in
// one step, and nothing closes.
TEST(ContactFacts, GalperinInOneStep) {
  for (const char* energy : {"discrete", "continuous"})
    for (const auto& [mass, count] : {std::pair(1.0, 3), {1e2, 31}, {1e4, 314}}) {
      Model m;
      const Expr x = m.coordinate("x"), y = m.coordinate("y");
      m.lagrangian = square(dot(x)) / 2 + mass / 2 * square(dot(y));
      m.contacts = {{.name = "wall", .gap = x}, {.name = "pair", .gap = y - x}};
      Flight run(m, collision(100, "trapezoidal", energy), {1, 2}, {0, -1});
      run.step();
      EXPECT_EQ(run.work->impacts.size(), static_cast<std::size_t>(count)) << mass;
      EXPECT_EQ(run.state.modes, (std::vector<double>{0, 0})) << mass;
      EXPECT_NEAR(run.energy(), mass / 2, 1e-12 * mass) << mass;
    }
}

// Two walls 1e-6 apart, a way of 2e-3 in a step.
TEST(ContactFacts, TwoThousandImpactsInOneStep) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - 9.81 * y;
  m.contacts = {{.name = "left", .gap = x}, {.name = "right", .gap = 1e-6 - x}};
  IntegratorOptions options = collision(1e-3);
  options.parameters["max_impacts"] = 3000.0;
  Flight run(m, options, {0.5e-6, 0}, {2, 0});
  for (int k = 0; k < 3; ++k) {
    run.step();
    EXPECT_EQ(run.work->impacts.size(), 2000u);
    EXPECT_EQ(run.state.modes, (std::vector<double>{0, 0}));
  }
  EXPECT_NEAR(std::abs(run.state.p[0]), 2, 1e-12);
}

// Newton's cradle in its angles, r = .1, two of five at −.5, h = .01: an impact each half period,
// ½T = π √(1/g)(1 + θ²/16 + 11θ⁴/3072) = 1.01946, the first after ¼T: 59 in 60, and nothing else. The energy is that of
// the trapezoidal rule, −h²H2 between impacts.
TEST(ContactFacts, CradleInAngles) {
  Model m;
  const double r = 0.1;
  Expr L = m.graph->constant(0);
  for (int i = 0; i < 5; ++i) {
    const Expr a = m.coordinate("a" + std::to_string(i));
    L = L + square(dot(a)) / 2 + 9.8 * cos(a);
  }
  m.lagrangian = L;
  for (int i = 0; i < 4; ++i) {
    const Expr a = m.q()[i], b = m.q()[i + 1];
    m.contacts.push_back({.name = "pair" + std::to_string(i),
                          .gap = sqrt(square(2 * r + sin(b) - sin(a)) + square(cos(b) - cos(a))) - 2 * r});
  }
  IntegratorOptions options = collision(0.01, "trapezoidal", "continuous");
  options.parameters["simultaneous"] = std::string("generalized");
  Flight run(m, options, {-0.5, -0.5, 0, 0, 0}, {0, 0, 0, 0, 0});
  const double start = run.energy();
  double low = 0, high = 0;
  int impacts = 0;
  for (int k = 0; k < 6000; ++k) {
    run.step();
    impacts += static_cast<int>(run.work->impacts.size());
    low = std::min(low, run.energy() - start), high = std::max(high, run.energy() - start);
  }
  EXPECT_EQ(impacts, 59);
  EXPECT_GE(low, -5.8e-4);
  EXPECT_LE(high, 6e-7);
}

// Spring and sphere [KP12 8.1], trapezoidal, h = .1, t = 80: the particle that slides stays on the sphere.
TEST(ContactFacts, SpringAndSphereThirtySevenImpacts) {
  const double s = std::sqrt(17.0);
  Flight run(models::spring_and_sphere(), collision(0.1), {4, -1, 3, -4}, {1 / s, 4 / s, 0.8, 0.6});
  double low = 1e300, high = 0, off = 0;
  int impacts = 0;
  for (int k = 0; k < 800; ++k) {
    run.step();
    impacts += static_cast<int>(run.work->impacts.size());
    low = std::min(low, run.energy()), high = std::max(high, run.energy());
    off = std::max(off, std::abs(std::hypot(run.state.q[2], run.state.q[3]) - 5));
  }
  EXPECT_EQ(impacts, 37);
  EXPECT_LE(off, 8 * 2.2e-16 * 5);  // where Newton's iteration is at round-off: 8 ε of the terms
  EXPECT_GE(low, 5.9843 - 5e-5);
  EXPECT_LE(high, 5.9969 + 5e-5);
}

// A rocking block of half sides .25 and .75 comes down about one vertex and lands flat. Where the other stops, ω⁺/ω⁻ =
// 1 − 1.5 sin²α, tan α = a/b. It comes without slip; smoother than Δ_tn/Δ_tt it slips on, Λ_t = −μΛ_n.
TEST(ContactFacts, RockingBlockLandsFlat) {
  const double a = 0.25, b = 0.75, I = (a * a + b * b) / 3;
  for (const double friction : {0.3, 0.8, 0.1}) {
    const bool sticks = friction > (a * b / I) / (1 + b * b / I);
    const double normal = 2 * a / (1 + a * a / I - friction * a * b / I);  // c_n⁻ = −2a
    const double ratio = sticks ? 1 - 1.5 * a * a / (a * a + b * b) : 1 - normal * (a - friction * b) / I;
    Model m;
    const Expr x = m.coordinate("x"), y = m.coordinate("y"), th = m.coordinate("theta");
    m.lagrangian = (square(dot(x)) + square(dot(y)) + (a * a + b * b) / 3 * square(dot(th))) / 2 - 9.81 * y;
    for (const double px : {-a, a}) {
      const Expr height = y + px * sin(th) - b * cos(th);
      Contact c{.name = px < 0 ? "left" : "right", .gap = height, .law = "coulomb"};
      c.friction = m.graph->constant(friction);
      c.restitution = m.graph->constant(0);
      c.point = {x + px * cos(th) + b * sin(th), height};
      m.contacts.push_back(c);
    }
    Flight run(m, collision(0.001), {0, b, 0}, {b, -a, -1});  // about the left vertex, the right one comes down
    run.step();
    ASSERT_GE(run.work->impacts.size(), 1u);
    EXPECT_NEAR(run.work->impacts[0].v_after[2] / -1, ratio, 1e-13) << friction;
  }
}

}  // namespace
}  // namespace ricochet::contact_facts_test
