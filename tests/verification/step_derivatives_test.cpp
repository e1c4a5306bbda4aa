// The derivative of a step on every branch that contact can take: random systems, laws and discretizations, each step
// with an impact or a closed contact against differences. A derivative is right or absent with a reason.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "support/colliding_systems.hpp"
#include "support/rubbing_systems.hpp"
#include "support/step_derivative.hpp"

namespace ricochet::step_derivatives_test {

template <class Systems>
void study(unsigned samples, int steps, const std::vector<std::string>& what, const std::vector<std::string>& allowed) {
  if (std::getenv("RICOCHET_LONG") != nullptr) samples *= 10;
  std::map<std::string, int> right;  // by what happened in the step
  std::set<std::string> reasons;
  int checks = 0, kinks = 0;
  std::vector<std::string> stopped;
  for (unsigned seed = 1; seed <= samples; ++seed) {
    const CollidingSystem s = Systems(seed).make();
    Flight run(s.model, s.options, s.q, s.v);
    int lasting = 0;  // steps since something happened to the contacts
    for (int k = 0; k < steps; ++k) {
      State before = run.state;
      before.t = k * run.h;
      try {
        run.step();
      } catch (const SolverError& error) {
        stopped.push_back("seed " + std::to_string(seed) + " (" + s.words + "), step " + std::to_string(k) + ": " +
                          error.what());
        break;
      }
      bool closed = false;
      for (const double mode : before.modes) closed |= mode != 0;
      lasting = run.work->impacts.empty() && before.modes == run.state.modes ? lasting + 1 : 0;
      if (lasting > (closed ? 2 : 0)) continue;
      const DerivativeCheck check = check_derivative(run, before);
      ++checks;
      kinks += check.verdict == DerivativeCheck::Verdict::kink;
      if (check.verdict == DerivativeCheck::Verdict::absent) reasons.insert(check.reason);
      for (const std::string& word : what)
        if (check.verdict == DerivativeCheck::Verdict::right)
          right[word] += check.branch.find(word) != std::string::npos;
      EXPECT_NE(check.verdict, DerivativeCheck::Verdict::wrong)
          << "seed " << seed << " (" << s.words << "), step " << k << ": " << check.branch << ", error " << check.error;
    }
  }
  for (const std::string& word : what) EXPECT_GE(right[word], 2) << word;
  // Known: a tripod by rectangles whose slips end without end within one step, in one of 600 systems; in one of 2000 a
  // start that Painlevé's paradox refuses.
  EXPECT_LE(stopped.size(), samples / 500) << stopped.front();
  // Neighbours on another branch are no test. There must not be many; each system begins on a contact at most once.
  EXPECT_LE(kinks, 0.2 * checks);
  for (const std::string& reason : reasons) {
    bool known = false;
    for (const std::string& words : allowed) known |= reason.find(words) != std::string::npos;
    EXPECT_TRUE(known) << reason;
  }
}

TEST(StepDerivatives, RightOrAbsentOnEveryBranch) {
  study<CollidingSystems>(400, 60,
                          {"elastic", "newton", "coulomb", "plastic", "rest", "simultaneous", "multi", "grazing",
                           "stays", "opens", "events_without_impulse"},
                          {"neighbouring motions", "an impact without slip", "a contact is left within the step",
                           "touches it tangentially", "ends without a rate"});
}

TEST(StepDerivatives, RightOrAbsentWhileFrictionLasts) {
  study<RubbingSystems>(
      200, 60,
      {"stick-stick", "slide-slide", "slide-stick", "stick-slide", "slide-open", "open-stick", "open-slide", "rest(",
       "plastic", "coulomb"},
      {"neighbouring motions", "a slip in space begins", "several slips in space", "together with others",
       "a start without slip", "an impact without slip", "turns by a right angle", "ends without a rate",
       "a contact is left within the step", "touches it tangentially"});
}

// γ = 0 has no normal force at the end of a step: a slip in space turns before it comes to an end.
struct RubbingByRectangles : RubbingSystems {
  using RubbingSystems::RubbingSystems;
  CollidingSystem make() {
    CollidingSystem s = RubbingSystems::make();
    s.options.discretization = "rectangle";
    return s;
  }
};

TEST(StepDerivatives, RightOrAbsentWithRectangles) {
  study<RubbingByRectangles>(
      60, 60, {"stick-stick", "slide-slide", "slide-stick", "stick-slide"},
      {"neighbouring motions", "a slip in space begins", "several slips in space", "together with others",
       "a start without slip", "an impact without slip", "turns by a right angle", "ends without a rate",
       "a contact is left within the step", "touches it tangentially"});
}

// What the rectangle rule leaves at the end of a step: a dome, rough or not, in M(q), and one of two corners.
TEST(StepDerivatives, WhatIsLeftAtTheEnd) {
  std::mt19937 engine(23);
  const auto real = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); };
  int left = 0;
  for (int trial = 0; trial < 60; ++trial) {
    Model m;
    const Expr x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z");
    const double bent = trial % 2 == 0 ? 0 : 0.2, friction = trial % 3 == 0 ? real(0.05, 0.3) : 0;
    m.lagrangian = (square(dot(x)) * (1 + bent * sin(y)) + square(dot(y)) + square(dot(z))) / 2 - real(5, 10) * z;
    const bool space = trial % 4 < 2;
    const Expr r = sqrt((space ? square(x) + square(y) : square(x)) + square(z));
    const Expr still = real(0.01, 0.03) * sin(real(1, 3) * m.time());
    Contact dome{.name = "dome", .gap = r - 1 - still, .law = friction > 0 ? "coulomb" : "newton"};
    dome.restitution = m.graph->constant(0.5);
    if (friction > 0) dome.friction = m.graph->constant(friction), dome.point = {x, y, z};
    m.contacts = {dome};
    IntegratorOptions options = collision(real(0.02, 0.04), "rectangle");
    options.parameters["gamma"] = trial % 5 == 0 ? 0.0 : real(0, 0.4);
    Flight run(m, options, {0, 0, 1}, {real(0.8, 1.5), space ? real(0.2, 0.5) : 0, 0});
    for (int k = 0; k < 100; ++k) {
      State before = run.state;
      before.t = k * run.h;
      run.step();
      if (before.modes.empty() || before.modes[0] == 0 || run.state.modes[0] != 0) continue;
      const DerivativeCheck check = check_derivative(run, before);
      EXPECT_NE(check.verdict, DerivativeCheck::Verdict::wrong) << trial << " " << check.branch << check.error;
      left += check.verdict == DerivativeCheck::Verdict::right;
      break;
    }
  }
  EXPECT_GE(left, 30);
}

// At its start a contact slides or sticks by its slip. Without slip on a slope that is too steep, neighbours that slip
// uphill stop first: the map has a kink. What sticks has none, nor has what slips.
TEST(StepDerivatives, AStartWithoutSlipThatSlidesHasNone) {
  for (const auto& [friction, slip, smooth] : {std::tuple(0.1, 0.0, false), {0.9, 0.0, true}, {0.1, 0.2, true}}) {
    Model m;
    const Expr x = m.coordinate("x"), y = m.coordinate("y");
    m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - 9.81 * (y * std::cos(0.5) - x * std::sin(0.5));
    Contact floor{.name = "floor", .gap = y, .law = "coulomb"};
    floor.restitution = m.graph->constant(0);
    floor.friction = m.graph->constant(friction);
    floor.point = {x, y};
    m.contacts = {floor};
    Flight run(m, collision(0.01, "midpoint"), {0, 0}, {slip, 0});
    StepJacobian J;
    run.step(&J);
    EXPECT_EQ(J.reason.empty(), smooth) << friction << " " << slip << ": " << J.reason;
    run.step(&J);
    EXPECT_TRUE(J.reason.empty()) << J.reason;
  }
}

// An impact of a contact that does not slip, as a ball that rolls since its last one: neighbours slip a little, and
// their slip is stopped.
TEST(StepDerivatives, AnImpactWithoutSlip) {
  for (const bool space : {false, true})
    for (const char* law : {"coulomb", "plastic"})
      for (const char* rule : {"trapezoidal", "midpoint", "galerkin"}) {
        Model m;
        const Expr x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z"), a = m.coordinate("a"),
                   b = m.coordinate("b");
        const double r = 0.25, gravity = 6.4;
        m.lagrangian =
            (square(dot(x)) + square(dot(y)) + square(dot(z)) + 0.4 * r * r * (square(dot(a)) + square(dot(b)))) / 2 -
            gravity * z - 0.3 * x * z * b;
        const Expr zero = m.graph->constant(0), one = m.graph->constant(1), arm = m.graph->constant(r);
        Contact floor{.name = "floor", .gap = z - r, .law = law};
        floor.friction = m.graph->constant(0.8);
        if (floor.law == "coulomb") floor.restitution = m.graph->constant(0.6);
        floor.tangent = {{one, zero, zero, zero, arm}};
        if (space) floor.tangent.push_back({zero, one, zero, -arm, zero});
        m.contacts = {floor};
        const double slip = space ? 0.2 : 0;  // y is not rubbed in the plane
        Flight run(m, collision(0.05, rule), {0, 0, r + 0.1, 0, 0}, {0.6, 0.3, 0, 0.3 / r - slip, -0.6 / r});
        int impacts = 0, without = 0;
        for (int k = 0; k < 40; ++k) {
          State before = run.state;
          before.t = k * run.h;
          run.step();
          if (run.work->impacts.empty() || before.modes != std::vector<double>{0}) continue;
          ++impacts;
          const DerivativeCheck check = check_derivative(run, before);
          EXPECT_NE(check.verdict, DerivativeCheck::Verdict::wrong) << law << rule << k << " " << check.error;
          without += check.verdict == DerivativeCheck::Verdict::right;
        }
        EXPECT_GE(without, impacts / 2);
        EXPECT_GE(impacts, 1);
      }
}

// A rod that falls from rest: its tip comes without slip. Rough it sticks; smooth it slips on, and neighbours that slip
// the other way stop first.
TEST(StepDerivatives, ARodThatFallsFromRest) {
  for (const double friction : {1.2, 0.05, 0.0}) {
    Model m;
    const Expr x = m.coordinate("x"), y = m.coordinate("y"), theta = m.coordinate("theta");
    m.lagrangian = (square(dot(x)) + square(dot(y)) + square(dot(theta)) / 12) / 2 - 9.81 * y;
    const Expr height = y - sin(theta) / 2;
    Contact tip{.name = "tip", .gap = height, .law = "coulomb"};
    tip.restitution = m.graph->constant(0.4);
    tip.friction = m.graph->constant(friction);
    tip.point = {x - cos(theta) / 2, height};
    m.contacts = {tip};
    Flight run(m, collision(0.02, "midpoint"), {0, 1.2, 0.9}, {0, 0, 0});
    State before;
    while (run.work->impacts.empty()) {
      before = run.state;
      before.t = run.k * run.h;
      run.step();
    }
    ASSERT_EQ(run.work->impacts[0].v_before[0], 0);
    const DerivativeCheck check = check_derivative(run, before);
    if (friction == 0.05) {
      EXPECT_NE(check.reason.find("from an impact without slip"), std::string::npos) << check.reason << check.error;
    } else {  // δ = 5e-5: of a second derivative that differs from side to side a difference keeps δ times its size
      EXPECT_EQ(check.reason, "") << friction;
      EXPECT_LE(check.error, friction > 0 ? 1e-5 : 1e-9) << friction;
    }
  }
}

// A block on two feet, one that sticks and one that slides, as slips that end together may leave it: so little that
// both stick, or both slide on. Where the first stops the other, it does so after any length: that is round-off.
TEST(StepDerivatives, ASlipThatAnotherStopsHasNone) {
  for (const char* rule : {"trapezoidal", "midpoint", "galerkin", "rectangle"})
    for (const double push : {0.0, 0.3})
      for (const double slip : {1e-4, 1e-2, 0.5}) {
        Model m;
        const Expr x = m.coordinate("x"), y = m.coordinate("y"), theta = m.coordinate("theta");
        m.lagrangian = (square(dot(x)) + square(dot(y)) + 0.3 * square(dot(theta))) / 2 - 9.81 * y + push * x;
        for (const int side : {-1, 1}) {
          const Expr height = y + side * sin(theta) - 0.5 * cos(theta);
          Contact foot{.name = side < 0 ? "left" : "right", .gap = height, .law = "coulomb"};
          foot.restitution = m.graph->constant(0);
          foot.friction = m.graph->constant(0.8);
          foot.point = {x + side * cos(theta) + 0.5 * sin(theta), height};
          m.contacts.push_back(foot);
        }
        Flight run(m, collision(0.02, rule), {0, 0.5, 0}, {slip, 0, 0});
        run.state.modes = {2, 3};
        const bool stops = slip < 0.8 * 9.81 * run.h;
        const DerivativeCheck check = check_derivative(run, run.state);
        EXPECT_EQ(check.verdict, stops ? DerivativeCheck::Verdict::absent : DerivativeCheck::Verdict::right)
            << rule << push << " " << slip << " " << check.error;
        EXPECT_EQ(check.reason.find("without a rate") != std::string::npos, stops) << check.reason;
      }
}

// Dropped from a height δ over a floor at 1, where paths are exact: with c = √(2Gδ) at the impact, s = c/G, τ = h − s,
//
//   y1 = 1 + cτ − Gτ²/2,   p1 = c − Gτ,   dc = G dδ/c,   ds = dδ/c + dp/G,   dτ = −ds.
//
// A gap is known to 4ε, the width of 1 ± 2ε, so the derivative to 4ε/δ in units of δ and c, and of a height below 4ε
// nothing at all.
TEST(StepDerivatives, AFallThroughRoundOffHasNone) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  for (const char* rule : {"trapezoidal", "midpoint", "galerkin"})
    for (const double G : {0.3, 9.81})
      for (double height = 0.25; height >= epsilon; height /= 2) {
        Model m;
        const Expr y = m.coordinate("y");
        m.lagrangian = square(dot(y)) / 2 - G * y;
        m.contacts = {{.name = "floor", .gap = y - 1}};
        const double c = std::sqrt(2 * G * height), h = 1.7 * c / G, tau = 0.7 * c / G;
        Flight run(m, collision(h, rule, "continuous"), {1 + height}, {0});
        run.state.modes = {0};
        StepJacobian J;
        run.step(&J);
        if (height < 16 * epsilon) {  // nor whether it meets the floor
          EXPECT_TRUE(height >= 4 * epsilon || run.work->impacts.empty() ||
                      J.reason.find("tangentially") != std::string::npos)
              << rule << G << " " << height;
          continue;
        }
        EXPECT_EQ(run.work->impacts.size(), 1);
        ASSERT_EQ(J.reason, "") << rule << G << " " << height;
        const double back = (c - G * tau) / c;
        const Eigen::Matrix2d exact{{G * tau / c - back, -back * c / G}, {2 * G / c, 1}};
        Eigen::Matrix2d error = J.matrix - exact;
        error(1, 0) *= height / c, error(0, 1) *= c / height;
        EXPECT_LE(error.cwiseAbs().maxCoeff(), 4 * epsilon / height) << rule << G << " " << height;
      }
}

}  // namespace ricochet::step_derivatives_test
