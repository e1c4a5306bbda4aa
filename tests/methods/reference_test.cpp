// The reference method against closed forms.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ricochet/error.hpp"
#include "support/flight.hpp"
#include "support/models.hpp"

namespace ricochet::reference_test {
namespace {

IntegratorOptions reference(double h) {
  return {.method = "reference", .discretization = "", .step = h, .parameters = {}};
}

std::vector<Impact> impacts_until(Flight& run, std::size_t count) {
  std::vector<Impact> all;
  while (all.size() < count) {
    run.step();
    all.insert(all.end(), run.work->impacts.begin(), run.work->impacts.end());
  }
  return all;
}

TEST(Reference, FiftyBouncesOfAParticle) {
  // Falls from 1: impacts at τ(2k+1), τ = √(2/g). The flight is a parabola, exact for the method; each bounce adds a
  // few ε of t ~ 50, so 50 of them stay below 50 · 4 · 1e-14 < 1e-11.
  const double g = 9.81, tau = std::sqrt(2 / g);
  Flight run(models::particle(g), reference(0.05), {0, 1}, {-2, 0});
  const std::vector<Impact> impacts = impacts_until(run, 50);
  for (int k = 0; k < 50; ++k) {
    EXPECT_NEAR(impacts[k].time, tau * (2 * k + 1), 1e-11) << k;
    EXPECT_NEAR(impacts[k].impulse(), 2 * g * tau, 1e-11);
    EXPECT_NEAR(impacts[k].obtained_restitution, 1, 1e-13);
    EXPECT_LE(impacts[k].gap, 1e-14);
    EXPECT_EQ(impacts[k].contacts.size(), 1u);
  }
  EXPECT_GT(run.work->gap_min, -1e-13);
}

TEST(Reference, PeriodOfAPendulum) {
  // From rest at 2 the period is 4 K(sin 1). Errors of 1e-12 in a few hundred internal steps, linear growth: 1e-10.
  const double period = 4 * std::comp_ellint_1(std::sin(1.0));
  Flight run(models::pendulum(), reference(period / 40), {2}, {0});
  for (int k = 0; k < 400; ++k) run.step();
  EXPECT_NEAR(run.state.q[0], 2, 1e-10);
  EXPECT_NEAR(run.state.p[0], 0, 1e-10);
}

TEST(Reference, ErrorFollowsTheTolerance) {
  // A coarse step leaves the error to the control: 40 periods of 4 steps each. Each tolerance bounds the error of an
  // internal step; some hundred of them and the growth of the phase error make at most 1e4.
  const double period = 4 * std::comp_ellint_1(std::sin(1.0));
  for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
    IntegratorOptions options = reference(period);
    options.parameters["tolerance"] = tolerance;
    Flight run(models::pendulum(), options, {2}, {0});
    for (int k = 0; k < 10; ++k) run.step();
    EXPECT_LE(std::hypot(run.state.q[0] - 2, run.state.p[0]), 1e4 * tolerance);
  }
}

TEST(Reference, FloorThatRisesSteadily) {
  // In the frame of the floor (speed u) an elastic bounce: impacts every 2w/g, w² = u² + 2g. The floor does the work λu
  // at each: energy changes by −λ g_t.
  const double g = 9.81, u = 0.3, w = std::sqrt(u * u + 2 * g);
  Model m = models::particle(g);
  m.contacts[0].gap = m.q()[1] - u * m.time();
  Flight run(m, reference(0.02), {0, 1}, {0, 0});
  const std::vector<Impact> impacts = impacts_until(run, 20);
  for (int k = 0; k < 20; ++k) {
    EXPECT_NEAR(impacts[k].time, (w - u) / g + 2 * w / g * k, 1e-12 * (k + 1)) << k;
    // energies reach 100: ε of them, accumulated over the bounces
    EXPECT_NEAR(impacts[k].energy_after - impacts[k].energy_before, impacts[k].impulse() * u, 1e-11);
    EXPECT_NEAR(impacts[k].impulse(), 2 * w, 1e-11);
  }
}

TEST(Reference, VibratingFloor) {
  // Flights are parabolas and impact times roots of a scalar equation, found here by bisection in long double; each
  // bounce multiplies an error by about 3 (aω² against g): 8 bounces make ε into 1e-12.
  const long double g = 9.81L, a = 0.05L, omega = 7;
  Model m = models::particle(static_cast<double>(g));
  m.contacts[0].gap = m.q()[1] - static_cast<double>(a) * sin(static_cast<double>(omega) * m.time());
  Flight run(m, reference(0.02), {0, 1}, {0, 0});
  const std::vector<Impact> impacts = impacts_until(run, 8);
  long double t = 0, y = 1, v = 0;
  for (const Impact& impact : impacts) {
    const auto gap = [&](long double s) { return y + v * s - g * s * s / 2 - a * std::sin(omega * (t + s)); };
    long double low = 0.01L;
    while (gap(low + 1e-3L) > 0) low += 1e-3L;
    long double high = low + 1e-3L;
    for (int k = 0; k < 80; ++k) (gap((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
    const long double s = low, floor_speed = a * omega * std::cos(omega * (t + s));
    t += s;
    y = a * std::sin(omega * t);
    v = 2 * floor_speed - (v - g * s);
    EXPECT_NEAR(impact.time, static_cast<double>(t), 1e-11);
    EXPECT_NEAR(impact.energy_after - impact.energy_before, static_cast<double>(floor_speed) * impact.impulse(), 1e-11);
  }
}

TEST(Reference, SeesAWallThinnerThanAStep) {
  // A wall of thickness 2e-6 at x = 1, a union of two half lines; the step moves by 0.5.
  Model m;
  const Expr x = m.coordinate("x");
  m.lagrangian = square(dot(x)) / 2;
  m.contacts = {{.name = "wall", .gap = abs(x - 1) - 1e-6}};
  Flight run(m, reference(0.5), {0}, {1});
  const std::vector<Impact> impacts = impacts_until(run, 1);
  EXPECT_NEAR(impacts[0].time, 1 - 1e-6, 1e-14);
  EXPECT_DOUBLE_EQ(run.state.p[0], -1);
}

TEST(Reference, CornerIsOneImpactByMoreausRule) {
  // Both walls of a right-angled corner at once: the velocity is reversed.
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2;
  m.contacts = {{.name = "left", .gap = x}, {.name = "below", .gap = y}};
  Flight run(m, reference(0.3), {1, 1}, {-1, -1});
  const std::vector<Impact> impacts = impacts_until(run, 1);
  ASSERT_EQ(impacts.size(), 1u);
  EXPECT_EQ(impacts[0].contacts.size(), 2u);
  EXPECT_NEAR(impacts[0].time, 1, 1e-14);
  EXPECT_NEAR(run.state.p[0], 1, 1e-14);
  EXPECT_NEAR(run.state.p[1], 1, 1e-14);
  EXPECT_EQ(run.work->counters[1], 1);
}

TEST(Reference, NothingIsRememberedBetweenSteps) {
  // The same bits with a fresh workspace at every step.
  Flight run(models::star(9.8, 0.25), reference(0.02), {0, 1.3, 0.3}, {-2, 0, 5});
  State other = run.state;
  std::size_t impacts = 0;
  for (int k = 0; k < 200; ++k) {
    run.step();
    impacts += run.work->impacts.size();
    const auto fresh = run.method->workspace();
    fresh->counters.assign(run.method->counter_names().size(), 0);
    other.t = k * run.h;
    run.method->step(other, run.h, *fresh);
    ASSERT_EQ(other.q, run.state.q) << k;
    ASSERT_EQ(other.p, run.state.p) << k;
  }
  EXPECT_GE(impacts, 3u);
}

TEST(Reference, LossyBallComesToRestWithinAStepOfItsLastBounce) {
  // T_Z = t1 (1 + e)/(1 − e); the impacts before are exact, at t1 (1 + 2e + … + 2e^k): tolerance of the flow, 1e-12
  // each.
  for (const double e : {0.5, 0.8}) {
    Model m = models::particle(9.81);
    m.contacts[0].law = "newton";
    m.contacts[0].restitution = m.graph->constant(e);
    Flight run(m, reference(0.01), {0, 1}, {0.3, 0});
    const double t1 = std::sqrt(2 / 9.81);
    double expected = t1, flight = 2 * e * t1, rest = -1;
    for (int k = 0; k < 600 && rest < 0; ++k) {
      run.step();
      for (const Impact& impact : run.work->impacts) {
        EXPECT_NEAR(impact.time, expected, 1e-10);
        if (impact.law == ImpactLaw::rest) rest = impact.time;
        if (impact.law != ImpactLaw::rest) {
          EXPECT_NEAR(impact.obtained_restitution, e, 1e-10);
        }
        expected += flight, flight *= e;
      }
    }
    const double zeno = t1 * (1 + e) / (1 - e);
    EXPECT_GT(zeno - rest, 0);
    EXPECT_LE(zeno - rest, 0.01);
    for (int k = 0; k < 1000; ++k) run.step();
    EXPECT_EQ(run.state.q[1], 0);
    EXPECT_NEAR(run.state.q[0], 0.3 * run.state.t, 1e-11);
  }
}

TEST(Reference, LeavesASphereWhereItsReactionVanishes) {
  // cos θ = ⅔ cos θ0, where the reaction g(3 cos θ − 2 cos θ0) vanishes. After that free flight: angular momentum and
  // energy of the moment of release are kept in the flight, so the start of it is found from any later state.
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - 9.81 * y;
  m.contacts = {{.name = "sphere", .gap = sqrt(square(x) + square(y)) - 1}};
  const double start = 0.1;
  Flight run(m, reference(0.01), {std::sin(start), std::cos(start)}, {0, 0});
  while (run.k < 400 && (run.k == 0 || run.state.modes[0] != 0)) run.step();
  const double c = 2.0 / 3 * std::cos(start), speed = std::sqrt(2 * 9.81 * (std::cos(start) - c));
  EXPECT_NEAR(run.state.p[0], speed * c, 1e-9);  // horizontal velocity at the release, kept since
  EXPECT_NEAR(run.energy(), 9.81 * std::cos(start), 1e-11);
}

// A pendulum in the plane with a rod, and in its angle: the same motion, with impacts on a wall. m = l = 1.
Model rod_pendulum(double wall) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - y;
  m.holonomic = {{"rod", sqrt(square(x) + square(y)) - 1}};
  m.contacts = {{.name = "wall", .gap = x + wall}};
  return m;
}

TEST(Reference, RodPendulumAgainstTheAngle) {
  // Errors of 1e-12 in some thousand internal steps, grown by the phase error: 1e-9, as for the impact times.
  Model angle;
  const Expr a = angle.coordinate("a");
  angle.lagrangian = square(dot(a)) / 2 + cos(a);
  angle.contacts = {{.name = "wall", .gap = sin(a) + 0.5}};
  Flight rod(rod_pendulum(0.5), reference(0.05), {std::sin(1.2), -std::cos(1.2)}, {0, 0});
  Flight twin(angle, reference(0.05), {1.2}, {0});
  int impacts = 0;
  for (int k = 0; k < 1000; ++k) {
    rod.step();
    twin.step();
    ASSERT_EQ(rod.work->impacts.size(), twin.work->impacts.size()) << k;
    for (std::size_t i = 0; i < rod.work->impacts.size(); ++i, ++impacts)
      EXPECT_NEAR(rod.work->impacts[i].time, twin.work->impacts[i].time, 1e-9);
    EXPECT_NEAR(rod.state.q[0], std::sin(twin.state.q[0]), 1e-9);
    EXPECT_NEAR(rod.state.p[1], std::sin(twin.state.q[0]) * twin.state.p[0], 1e-9);
  }
  EXPECT_GT(impacts, 10);
  EXPECT_LE(rod.work->holonomic_max, 1e-15);
}

TEST(Reference, RedundantConstraintsChangeNothing) {
  Model twice = rod_pendulum(0.5);
  const Expr f = twice.holonomic[0].equation;
  twice.holonomic.push_back({"again", 2 * f});
  Flight once(rod_pendulum(0.5), reference(0.05), {std::sin(1.2), -std::cos(1.2)}, {0, 0});
  Flight doubled(twice, reference(0.05), {std::sin(1.2), -std::cos(1.2)}, {0, 0});
  for (int k = 0; k < 200; ++k) {
    once.step();
    doubled.step();
  }
  EXPECT_NEAR(once.state.q[0], doubled.state.q[0], 1e-10);
}

TEST(Reference, KnifeEdgeOnAnIncline) {
  // Released at rest with spin ω it follows a cycloid: x = a/(2ω²) sin²ωt, y = a/(2ω²)(ωt − ½ sin 2ωt), a = g sin α.
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y"), th = m.coordinate("th");
  const double a = 4.9, omega = 1.3;
  m.lagrangian = (square(dot(x)) + square(dot(y)) + square(dot(th))) / 2 + a * x;
  m.nonholonomic = {{"blade", dot(x) * sin(th) - dot(y) * cos(th)}};
  Flight run(m, reference(0.05), {0, 0, 0}, {0, 0, omega});
  for (int k = 1; k <= 200; ++k) {
    run.step();
    const double t = run.state.t, s = std::sin(omega * t);
    EXPECT_NEAR(run.state.q[0], a / (2 * omega * omega) * s * s, 1e-10);
    EXPECT_NEAR(run.state.q[1], a / (2 * omega * omega) * (omega * t - std::sin(2 * omega * t) / 2), 1e-10);
  }
  EXPECT_LE(run.work->nonholonomic_max, 1e-14);
}

}  // namespace
}  // namespace ricochet::reference_test
