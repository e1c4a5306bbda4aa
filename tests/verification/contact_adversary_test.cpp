// Motions that are the same in other words: seen from a moving frame, with a contact written twice, with forces that
// cancel. What a campaign of such pairs found.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/flight.hpp"

namespace ricochet::contact_adversary_test {
namespace {

IntegratorOptions reference(double h) {
  return {.method = "reference", .discretization = "", .step = h, .parameters = {}};
}

// A particle between a wall and a floor, seen from a frame of velocity V: L = ½ Σ M (X' + V)(X' + V) − V(X + Vt). The
// coordinates differ by Vt, and every rule is the same in both frames. With the velocity −V in the frame the canonical
// momentum is 0 although all moves: L_v = A + Mv may vanish, its terms do not.
Model seen_from(double vx, double vy, double gravity, const char* law) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y"), t = m.time();
  const Expr u = dot(x) + vx, w = dot(y) + vy;
  m.lagrangian = square(u) / 2 + 0.7 * square(w) + 0.3 * u * w - gravity * (y + vy * t);
  m.contacts = {{.name = "floor", .gap = y + vy * t}, {.name = "wall", .gap = x + vx * t + 1}};
  for (Contact& contact : m.contacts) {
    contact.law = law;
    if (contact.law == "newton") contact.restitution = m.graph->constant(0.5);
  }
  return m;
}

TEST(ContactAdversary, AMovingFrameChangesNothing) {
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> real(-2, 2);
  for (int trial = 0; trial < 12; ++trial)
    for (const char* rule : {"trapezoidal", "midpoint", "galerkin", "rectangle", "reference"})
      for (const char* law : {"elastic", "newton", "plastic"}) {
        const double gravity = trial % 3 == 0 ? 0 : 9.81, h = 0.05;
        // at rest in one of the two frames in every other trial: the canonical momentum is 0
        const double vx = real(engine), vy = real(engine), u = trial % 2 == 0 ? 0 : real(engine),
                     w = trial % 2 == 0 ? 0 : real(engine);
        const bool truth = std::string(rule) == "reference";
        const IntegratorOptions options = truth ? reference(h) : collision(h, rule);
        Flight still(seen_from(0, 0, gravity, law), options, {0.2, 0.4}, {u, w});
        Flight moving(seen_from(vx, vy, gravity, law), options, {0.2, 0.4}, {u - vx, w - vy});
        for (int k = 0; k < 20; ++k) {
          ASSERT_NO_THROW(still.step());
          ASSERT_NO_THROW(moving.step()) << rule << law << trial << " step " << k;
          const double t = still.k * h;
          // ten impacts at most, each with a few 1e-16; the reference within its tolerance of 1e-13
          EXPECT_NEAR(moving.state.q[0] + vx * t, still.state.q[0], 1e-11) << rule << law << trial;
          EXPECT_NEAR(moving.state.q[1] + vy * t, still.state.q[1], 1e-11) << rule << law << trial;
          EXPECT_EQ(moving.state.modes.empty() ? still.state.modes : moving.state.modes,
                    still.state.modes.empty() ? moving.state.modes : still.state.modes);
        }
      }
}

// A charged particle whose canonical momentum is 0 circles all the same: p = v + A(q), with A = B × q/2.
TEST(ContactAdversary, CanonicalMomentumMayVanish) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 + (x * dot(y) - y * dot(x));
  m.contacts = {{.name = "far", .gap = x + 10}};
  for (const char* rule : {"trapezoidal", "midpoint", "galerkin"}) {
    Flight run(m, collision(0.01, rule), {1, 0}, {0, -1});  // p = (0, −1) + (−y, x) = 0
    EXPECT_EQ(run.state.p, (std::vector<double>{0, 0}));
    for (int k = 0; k < 314; ++k) ASSERT_NO_THROW(run.step()) << rule;
    // around (½, 0) with radius ½ at twice the field, ω = 2: the speed is 1
    EXPECT_NEAR(std::hypot(run.state.q[0] - 0.5, run.state.q[1]), 0.5, 1e-4) << rule;  // h²/12 of the radius
  }
}

// A contact with friction written again changes nothing: what pulls lets go, although its twin would hold. On a table
// that shakes up and down and aside, with and without slip.
TEST(ContactAdversary, AContactWrittenTwiceIsTheContact) {
  const double h = 0.01, w = 9;
  for (const char* law : {"coulomb", "plastic"})
    for (const double friction : {0.05, 0.4, 2.0})
      for (const double gamma : {0.8, 1.2, 2.0}) {
        const auto table = [&](int times) {
          Model m;
          const Expr x = m.coordinate("x"), y = m.coordinate("y"), shake = gamma * 9.81 / (w * w) * sin(w * m.time());
          m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - 9.81 * y;
          m.forces = {{"drive", {3 * sin(4 * m.time()), 0 * y}}};
          for (int k = 0; k < times; ++k) {
            Contact c{.name = "table" + std::to_string(k), .gap = y - shake, .law = law};
            c.friction = m.graph->constant(friction);
            if (c.law == "coulomb") c.restitution = m.graph->constant(0);
            c.point = {x, y - shake};
            m.contacts.push_back(c);
          }
          return m;
        };
        Flight once(table(1), collision(h), {0, 0}, {0, gamma * 9.81 / w});
        Flight twice(table(2), collision(h), {0, 0}, {0, gamma * 9.81 / w});
        Flight thrice(table(3), collision(h), {0, 0}, {0, gamma * 9.81 / w});
        bool flew = false;
        for (int k = 0; k < 200; ++k) {
          for (Flight* run : {&once, &twice, &thrice}) ASSERT_NO_THROW(run->step()) << law << friction << gamma;
          flew |= once.state.modes[0] == 0;
          for (const Flight* run : {&twice, &thrice})
            for (int i = 0; i < 2; ++i)  // round-off, an impact each period
              ASSERT_NEAR(run->state.q[i], once.state.q[i], 1e-10) << law << friction << gamma << " step " << k;
        }
        EXPECT_EQ(flew, gamma > 1);
      }
}

// A block on two feet and one between them, which repeats what they say: it slides, tips and is thrown as without.
TEST(ContactAdversary, AFootBetweenTwoFeetLetsGoToo) {
  const auto block = [&](bool between, double push) {
    Model m;
    const Expr x = m.coordinate("x"), y = m.coordinate("y"), th = m.coordinate("theta");
    m.lagrangian = (square(dot(x)) + square(dot(y)) + 0.1 * square(dot(th))) / 2 - 9.81 * y;
    m.forces = {{"push", {push * sin(5 * m.time()), 20 * sin(3 * m.time()), 0 * x}}};  // lifts it in each period
    for (const double px : {-0.3, 0.3, 0.0}) {
      if (px == 0 && !between) continue;
      const Expr height = y + px * sin(th) - 0.4 * cos(th);
      Contact c{.name = "foot" + std::to_string(m.contacts.size()), .gap = height, .law = "coulomb"};
      c.friction = m.graph->constant(0.3);
      c.restitution = m.graph->constant(0);
      c.point = {x + px * cos(th) + 0.4 * sin(th), height};
      m.contacts.push_back(c);
    }
    return m;
  };
  for (const double push : {0.0, 2.0}) {
    Flight two(block(false, push), collision(0.01), {0, 0.4, 0}, {0, 0, 0});
    Flight three(block(true, push), collision(0.01), {0, 0.4, 0}, {0, 0, 0});
    double highest = 0;
    for (int k = 0; k < 100; ++k) {  // to the first flight and over it
      two.step();
      three.step();
      highest = std::max(highest, three.state.q[1]);
      for (int i = 0; i < 3; ++i) ASSERT_NEAR(three.state.q[i], two.state.q[i], 1e-9) << push << " step " << k;
    }
    EXPECT_GT(highest, 0.41) << push;
  }
}

// Balls that are elastic among each other on a floor that is not: what hops on one that hops falls with it, so nothing
// returns by itself; in turn it does. Every chain comes to rest, and none bounces without end where no digit shows it.
TEST(ContactAdversary, ElasticBallsOnALossyFloorComeToRest) {
  std::mt19937 engine(11);
  std::uniform_real_distribution<double> real(0, 1);
  for (int trial = 0; trial < 60; ++trial) {
    const int n = 2 + trial % 3;
    Model m;
    std::vector<double> q, v;
    Expr L = m.graph->constant(0);
    double at = 0.05 + 0.3 * real(engine);
    for (int i = 0; i < n; ++i) {
      const Expr x = m.coordinate("x" + std::to_string(i));
      const double mass = 0.3 + 2 * real(engine);
      L = L + mass * (square(dot(x)) / 2 - 9.81 * x);
      q.push_back(at), v.push_back(4 * real(engine) - 2);
      at += 0.11 + 0.15 * real(engine);
    }
    m.lagrangian = L;
    for (int i = 0; i < n; ++i) {
      Contact c{.name = "c" + std::to_string(i), .gap = i == 0 ? m.q()[0] : m.q()[i] - m.q()[i - 1] - 0.1};
      c.law = i == 0 ? "plastic" : trial % 2 == 0 || i == n - 1 ? "elastic" : "newton";
      if (c.law == "newton") c.restitution = m.graph->constant(0.8);
      m.contacts.push_back(c);
    }
    IntegratorOptions options = collision(trial % 4 < 2 ? 0.05 : 0.02, "trapezoidal", "continuous");
    options.parameters["simultaneous"] = std::string(trial % 3 == 0 ? "moreau" : "sequential");
    Flight run(m, options, q, v);
    const double start = run.energy();
    for (int k = 0; k * run.h < 8; ++k) ASSERT_NO_THROW(run.step()) << "trial " << trial << " step " << k;
    EXPECT_LE(run.energy(), start * (1 + 1e-12)) << trial;
    for (int i = 0; i < n; ++i) EXPECT_NEAR(run.state.q[i], 0.1 * i, 1e-14) << trial << " ball " << i;
  }
}

// A particle pressed on a wall by a force cos t that vanishes: it leaves at π/2, x = t − π/2 + cos t. All forces vanish
// with the pull, so that the pull as a part of them is no measure of it. With terms in L that cancel (a gauge d(x²)/dt
// and one of time, d(tx)/dt) forces are round-off where they vanish, and a body at rest has nothing but those.
TEST(ContactAdversary, ThereIsAReferenceWhereForcesVanish) {
  for (const bool gauge : {false, true})
    for (const double h : {0.1, 0.13, 0.05, 0.31}) {
      Model m;
      const Expr x = m.coordinate("x"), t = m.time();
      m.lagrangian = square(dot(x)) / 2 - x * cos(t);
      if (gauge) m.lagrangian = m.lagrangian + 1.4 * x * dot(x) + 0.7 * (x + t * dot(x));
      m.contacts = {{.name = "wall", .gap = x, .law = "newton"}};
      m.contacts[0].restitution = m.graph->constant(0.5);
      Flight run(m, reference(h), {0}, {0});
      while (run.k * h < 3) run.step();
      const double end = run.k * h;
      EXPECT_NEAR(run.state.q[0], end - M_PI / 2 + std::cos(end), 1e-11)
          << gauge << h;  // a hundred times its tolerance
    }
  Model m;  // nothing but a gauge, of contacts that have closed
  const Expr x = m.coordinate("x"), y = m.coordinate("y"), t = m.time();
  m.lagrangian = square(dot(x)) / 2 + 0.7 * square(dot(y)) + 0.9 * (x * dot(y) + y * dot(x)) + 0.47 * (x + t * dot(x)) -
                 0.6 * (y + t * dot(y));
  m.contacts = {{.name = "floor", .gap = x, .law = "plastic"}, {.name = "pair", .gap = y - x - 0.1, .law = "plastic"}};
  Flight run(m, reference(0.05), {0.3, 0.5}, {-1, -1.7});
  for (int k = 0; k < 20; ++k) run.step();
  EXPECT_EQ(run.state.modes, (std::vector<double>{1, 1}));
  EXPECT_NEAR(run.state.q[0], 0, 1e-12);
  EXPECT_NEAR(run.state.q[1], 0.1, 1e-12);
}

// Without any force a floor A sin ωt pushes a particle on it until it is fastest, t = π/ω for a floor that begins to
// rise, and throws it; a particle that moves along the outside of a disc leaves it at once, and inside it stays.
TEST(ContactAdversary, WhatNoForceHoldsLeaves) {
  const double A = 0.05, w = 6;
  for (const char* rule : {"reference", "trapezoidal", "midpoint", "galerkin"})
    for (const double h : {0.05, 0.02}) {
      const bool truth = std::string(rule) == "reference";
      const IntegratorOptions options = truth ? reference(h) : collision(h, rule);
      Model pushed;
      const Expr y = pushed.coordinate("y");
      pushed.lagrangian = square(dot(y)) / 2;
      pushed.contacts = {{.name = "floor", .gap = y + A * cos(w * pushed.time())}};  // rises from −A, fastest at π/2ω
      Flight thrown(pushed, options, {-A}, {0});
      while (thrown.k * h < 1) thrown.step();
      EXPECT_EQ(thrown.state.modes, std::vector<double>{0}) << rule << h;
      // released at most a step off the fastest point: Aω(1 − cos ωh)
      EXPECT_NEAR(thrown.state.p[0], A * w, truth ? 1e-10 : A * w * (1 - std::cos(w * h))) << rule << h;
      if (truth) {
        EXPECT_NEAR(thrown.state.q[0], A * w * (1 - M_PI / (2 * w)), 1e-10) << h;
      }

      for (const double side : {1.0, -1.0}) {
        Model m;
        const Expr x = m.coordinate("x"), z = m.coordinate("z");
        m.lagrangian = (square(dot(x)) + square(dot(z))) / 2;
        m.contacts = {{.name = "disc", .gap = side * (sqrt(square(x) + square(z)) - 1)}};
        Flight along(m, options, {0, 1}, {1, 0});
        while (along.k * h < 1) along.step();
        const double radius = std::hypot(along.state.q[0], along.state.q[1]);
        EXPECT_NEAR(radius, side > 0 ? std::hypot(1, along.k * h) : 1, 1e-10) << rule << side;
        EXPECT_EQ(along.state.modes[0], side > 0 ? 0 : 1) << rule << side;
      }
    }
}

}  // namespace
}  // namespace ricochet::contact_adversary_test
