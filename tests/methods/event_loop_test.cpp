// The event loop: contacts that close, rest and open, and the derivative of a step through everything that may happen
// in it.

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "ricochet/mechanics/gaps.hpp"
#include "support/flight.hpp"
#include "support/models.hpp"

namespace ricochet::event_loop_test {
namespace {

using Eigen::MatrixXd;

Model lossy(Model m, double e) {
  for (Contact& contact : m.contacts) {
    contact.law = "newton";
    contact.restitution = m.graph->constant(e);
  }
  return m;
}

Model ball(double gravity = 9.81) {
  Model m;
  const Expr y = m.coordinate("y");
  m.lagrangian = square(dot(y)) / 2 - gravity * y;
  m.contacts = {{.name = "floor", .gap = y}};
  return m;
}

TEST(EventLoop, ZenoEndsWithinAStepOfItsLimit) {
  // T_Z = t1 (1 + e)/(1 − e). The number of impacts follows from τ <= (1 − e)h: 8, 28, 65.
  const double h = 0.01, t1 = std::sqrt(2 / 9.81);
  const std::pair<double, int> cases[] = {{0.5, 8}, {0.8, 28}, {0.9, 65}};
  for (const char* rule : {"trapezoidal", "midpoint", "galerkin"})
    for (const auto& [e, count] : cases) {
      Flight run(lossy(ball(), e), collision(h, rule), {1}, {0});
      int impacts = 0;
      double rest = -1;
      while (rest < 0 && run.k < 2000) {
        run.step();
        for (const Impact& impact : run.work->impacts) {
          ++impacts;
          if (impact.law == ImpactLaw::rest)
            rest = impact.time;
          else
            EXPECT_NEAR(impact.obtained_restitution, e, 1e-10);
        }
      }
      const double left = t1 * (1 + e) / (1 - e) - rest;
      EXPECT_GT(left, 0);
      EXPECT_LE(left, h);
      EXPECT_EQ(impacts, count) << rule << e;
      for (int k = 0; k < 1000; ++k) run.step();
      EXPECT_LE(std::abs(run.state.q[0]), 1e-20);
      EXPECT_EQ(run.state.p[0], 0);
    }
}

TEST(EventLoop, ElasticBallsBounceOrRest) {
  // From 1e-7 a ball bounces 35 times a step and keeps its energy; from 1e-9 it would bounce more than K = 100 times.
  for (const char* energy : {"continuous", "discrete"}) {
    Flight low(models::particle(9.81), collision(0.01, "trapezoidal", energy), {0, 1e-9}, {0, 0});
    low.step();
    EXPECT_EQ(low.state.modes[0], 1);
    EXPECT_EQ(low.work->impacts.size(), 1u);
  }
  Flight high(models::particle(9.81), collision(0.01, "trapezoidal", "continuous"), {0, 1e-7}, {0, 0});
  int impacts = 0;
  for (int k = 0; k < 300; ++k) {
    high.step();
    impacts += static_cast<int>(high.work->impacts.size());
  }
  EXPECT_NEAR(impacts / 300.0, 35, 0.1);  // h/(2√(2·1e-7/g)) = 35.02
  EXPECT_NEAR(high.energy() / (9.81e-7), 1, 1e-13);
}

TEST(EventLoop, TheLeastGapIsThatOfTheGridAndTheImpacts) {
  // Not evaluated where it cannot be less: that is round-off of positions of size 1 at most.
  Model slot = ball(), post = models::particle(9.81);
  const Expr height = slot.q()[0], x = post.q()[0], y = post.q()[1];
  slot.contacts.push_back({.name = "ceiling", .gap = 0.7 - height});
  post.contacts.push_back({.name = "post", .gap = max(max(-0.1 - x, x - 0.1), y - 0.5)});
  const std::tuple<const char*, Model, std::vector<double>, std::vector<double>> cases[] = {
      {"star", models::star(9.8), {0, 1.2, 0.3}, {-2, 0, 5}},
      {"lossy star", lossy(models::star(9.8), 0.6), {0, 1.2, 0.3}, {-2, 0, 5}},
      {"slot", slot, {0.4}, {1}},
      {"lossy slot", lossy(slot, 0.7), {0.4}, {1}},
      {"post", post, {-1, 0.9}, {0.6, 0}},
      {"pair", models::pair(true), {-1, 0.1, 0.2, 1, 0, 0}, {1, 0, 1, -1, 0, 0}}};
  for (const char* rule : {"trapezoidal", "midpoint"})
    for (const auto& [name, model, q, v] : cases) {
      Flight run(model, collision(0.01, rule), q, v);
      Gaps gaps(*run.system);
      double least = 1e300;
      const auto note = [&](const double* at, double t) {
        gaps.evaluate(at, t);
        least = std::fmin(least, gaps.minimum());
      };
      for (int k = 0; k < 300; ++k) {
        run.step();
        for (const Impact& impact : run.work->impacts) note(impact.q.data(), impact.time);
        note(run.state.q.data(), run.state.t);
        ASSERT_NEAR(run.work->gap_min, least, 1e-15) << name << rule << k;
      }
    }
}

TEST(EventLoop, DipInsideTheFirstStepIsFound) {
  Model m = ball(-4);  // y = .1 − t + 2t²: below 0 from .138 to .362
  Flight run(m, collision(0.5), {0.1}, {-1});
  run.step();
  ASSERT_EQ(run.work->impacts.size(), 1u);
  EXPECT_NEAR(run.work->impacts[0].time, (1 - std::sqrt(0.2)) / 4, 1e-14);
}

TEST(EventLoop, LeavesASphereWithinAStep) {
  // Frictionless: cos θ = ⅔ cos θ0, for many starts and steps, from both sides of grid times.
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - 9.81 * y;
  for (const bool root : {true, false}) {
    m.contacts = {{.name = "sphere", .gap = root ? sqrt(square(x) + square(y)) - 1 : square(x) + square(y) - 1}};
    for (const char* rule : {"trapezoidal", "midpoint", "galerkin"})
      for (int k = 0; k < 12; ++k) {
        const double start = 0.1 + 0.05 * k, h = 0.01 / (1 + 0.13 * k);
        Flight run(m, collision(h, rule), {std::sin(start), std::cos(start)}, {0, 0});
        double before = 1, after = 1;
        while (run.k < 1000 && (run.k == 0 || run.state.modes[0] != 0)) {
          before = after;
          after = run.state.q[1];
          run.step();
        }
        const double expected = 2.0 / 3 * std::cos(start);
        EXPECT_GE(before, expected) << rule << start;  // one step earlier it was held rightly
        EXPECT_LE(run.state.q[1], expected) << rule << start;
        EXPECT_NEAR(run.energy(), 9.81 * std::cos(start), 1e-3);
      }
  }
}

TEST(EventLoop, TableThatShakesLetsGoAndCatches) {
  // Γ > 1, e = .3: locks, and lifts off within a step of asin(1/Γ)/ω in each period; never ends, never through the
  // table.
  for (const double gamma : {1.05, 1.2, 1.5, 2.5})
    for (const double h : {0.01, 0.0099, 0.002}) {
      Model m = ball();
      const double w = 10, A = gamma * 9.81 / (w * w);
      m.contacts[0].gap = m.q()[0] - A * sin(w * m.time());
      Flight run(lossy(m, 0.3), collision(h), {0}, {A * w});
      ASSERT_NO_THROW({
        for (int k = 0; k * h < 5; ++k) run.step();
      }) << gamma
         << " " << h;
      EXPECT_GE(run.work->gap_min, -1e-13);
    }
}

TEST(EventLoop, StacksComeToRest) {
  for (const double e : {0.0, 0.3, 0.5, 0.8}) {
    Model m;
    const Expr a = m.coordinate("a"), b = m.coordinate("b");
    m.lagrangian = square(dot(a)) / 2 + 0.35 * square(dot(b)) - 9.81 * a - 0.7 * 9.81 * b;
    m.contacts = {{.name = "floor", .gap = a}, {.name = "pair", .gap = b - a - 0.1}};
    Flight run(lossy(m, e), collision(0.01), {0.5, 0.9}, {0, 0});
    for (int k = 0; k < 600; ++k) run.step();
    EXPECT_NEAR(run.state.q[0], 0, 1e-15);
    EXPECT_NEAR(run.state.q[1], 0.1, 1e-15);
    EXPECT_EQ(run.state.modes, (std::vector<double>{1, 1})) << e;
  }
}

// ---- derivatives ------------------------------------------------------------------------------------------------

struct Branch {
  std::size_t impacts;
  std::vector<double> modes;
  std::vector<std::int64_t> counters;
  bool operator==(const Branch&) const = default;
};

// Every step of a run whose derivative exists, against central differences of fourth order with δ = 1e-4 of the size of
// the state: δ⁴ times fifth derivatives of an impact map, and ε/δ: 1e-7 of the largest entry. Steps whose neighbours
// take another branch are left out. How many were compared.
int compare_with_differences(const Model& model, const IntegratorOptions& options, const std::vector<double>& q,
                             const std::vector<double>& v, int steps, bool impacts_only = true) {
  Flight run(model, options, q, v);
  const int n = static_cast<int>(q.size());
  int compared = 0;
  for (int k = 0; k < steps; ++k) {
    const State before = run.state;
    StepJacobian J;
    run.step(&J);
    if (!J.reason.empty()) {
      EXPECT_EQ(J.matrix.size(), 0);
      continue;
    }
    if (impacts_only && run.work->impacts.empty()) continue;
    const auto branch_of = [&](State& s) {
      const auto work = run.method->workspace();
      work->counters.assign(run.method->counter_names().size(), 0);
      run.method->step(s, run.h, *work);
      return Branch{work->impacts.size(), s.modes, work->counters};
    };
    State again = before;
    const Branch branch = branch_of(again);
    MatrixXd D = MatrixXd::Zero(2 * n, 2 * n);
    bool same = true;
    for (int c = 0; c < 2 * n; ++c) {
      const double delta = 1e-4;
      for (const auto& [shift, weight] : {std::pair{1, 8.0}, {-1, -8.0}, {2, -1.0}, {-2, 1.0}}) {
        State s = before;
        (c < n ? s.q[c] : s.p[c - n]) += shift * delta;
        same &= branch_of(s) == branch;
        for (int r = 0; r < 2 * n; ++r) D(r, c) += weight * (r < n ? s.q[r] : s.p[r - n]) / (12 * delta);
      }
    }
    if (!same) continue;
    ++compared;
    EXPECT_LE((D - J.matrix).cwiseAbs().maxCoeff(), 1e-7 * (1 + J.matrix.cwiseAbs().maxCoeff())) << "step " << k;
  }
  return compared;
}

TEST(EventLoop, DerivativeThroughElasticImpacts) {
  for (const char* energy : {"discrete", "continuous"})
    for (const char* rule : {"trapezoidal", "midpoint", "galerkin"}) {
      EXPECT_GE(compare_with_differences(models::star(9.8, 0.25), collision(0.02, rule, energy), {0, 1.3, 0.3},
                                         {-2, 0, 5}, 400),
                4);
      EXPECT_GE(compare_with_differences(models::double_pendulum_between_walls(), collision(0.02, rule, energy),
                                         {0.1, 0.2}, {1.5, 1.0}, 300),
                4);
      EXPECT_GE(compare_with_differences(models::moving_floor(), collision(0.02, rule, energy), {1}, {0}, 300), 4);
    }
}

TEST(EventLoop, DerivativeThroughLossyImpacts) {
  for (const char* rule : {"trapezoidal", "midpoint", "galerkin"}) {
    EXPECT_GE(compare_with_differences(lossy(models::star(9.8, 0.25), 0.9), collision(0.02, rule), {0, 1.3, 0.3},
                                       {-2, 0, 5}, 300),
              3);
    EXPECT_GE(compare_with_differences(lossy(models::double_pendulum_between_walls(), 0.7), collision(0.02, rule),
                                       {0.1, 0.2}, {1.5, 1.0}, 300),
              3);
    // coulomb: a wedge whose three vertices have points
    Model m;
    const Expr x = m.coordinate("x"), y = m.coordinate("y"), theta = m.coordinate("theta");
    m.lagrangian = (square(dot(x)) + square(dot(y)) + 0.06 * square(dot(theta))) / 2 - 9.81 * y;
    const double px[] = {-0.3, 0.3, 0}, py[] = {-0.3, -0.3, 0.6};
    for (int i = 0; i < 3; ++i) {
      const Expr height = y + px[i] * sin(theta) + py[i] * cos(theta);
      m.contacts.push_back({.name = "vertex" + std::to_string(i),
                            .gap = height,
                            .law = "coulomb",
                            .restitution = m.graph->constant(0.8),
                            .friction = m.graph->constant(0.2),
                            .point = {x + px[i] * cos(theta) - py[i] * sin(theta), height}});
    }
    EXPECT_GE(compare_with_differences(m, collision(0.02, rule), {0, 1.2, 0.4}, {2, 0, -2}, 100), 2);
  }
}

TEST(EventLoop, DerivativeInLastingContactAndThroughClosing) {
  // A bead that comes to rest in a bowl, then slides in it: the closing step, and steps with a closed contact.
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - 9.81 * y;
  m.contacts = {{.name = "bowl", .gap = y - square(x) / 2}};
  for (const char* rule : {"trapezoidal", "midpoint", "galerkin"}) {
    // closings project on c = 0: rank 2n − 2, so the comparison is of the same branch only
    EXPECT_GE(compare_with_differences(lossy(m, 0.3), collision(0.02, rule), {0.4, 0.6}, {0, 0}, 120, false), 30);
  }
}

TEST(EventLoop, DerivativeOfAnImpactBesideClosedContacts) {
  // A ball falls on one that rests on a spring floor's plate; and a row of touching balls is hit: the contacts that
  // were closed take part, and the set is the same for neighbouring motions.
  Model stack;
  {
    const Expr a = stack.coordinate("a"), b = stack.coordinate("b"), x = stack.coordinate("x");
    stack.lagrangian = (square(dot(a)) + 0.7 * square(dot(b)) + square(dot(x))) / 2 - 9.81 * (a + 0.7 * b) -
                       2 * square(x) - x * b * b / 4;
    stack.contacts = {{.name = "floor", .gap = a}, {.name = "pair", .gap = b - a - 0.1 - x * x / 8}};
  }
  for (const char* rule : {"trapezoidal", "midpoint"})
    for (const char* energy : {"discrete", "continuous"}) {
      const IntegratorOptions options = collision(0.02, rule, energy);
      EXPECT_GE(compare_with_differences(stack, options, {0, 0.6, 0.3}, {0, 0, 0.5}, 60), 1) << rule << energy;
      EXPECT_GE(compare_with_differences(lossy(stack, 0.8), options, {0, 0.6, 0.3}, {0, 0, 0.5}, 60), 1) << rule;
    }
}

TEST(EventLoop, DeterminantOfLossyImpactsIsKnown) {
  // Linear gravity: each newton impact multiplies phase volume by e².
  const double e = 0.7;
  Flight run(lossy(models::particle(9.81), e), collision(0.01), {0, 1}, {0.3, 0});
  double determinant = 1;
  int impacts = 0;
  while (impacts < 5) {
    StepJacobian J;
    run.step(&J);
    ASSERT_TRUE(J.reason.empty()) << J.reason;
    determinant *= J.matrix.determinant();
    impacts += static_cast<int>(run.work->impacts.size());
  }
  EXPECT_NEAR(determinant / std::pow(e, 2 * impacts), 1, 1e-10);
}

TEST(EventLoop, ThereIsAReasonWhereThereIsNoDerivative) {
  // Two walls met at one instant: which is first decides.
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2;
  m.contacts = {{.name = "floor", .gap = y}, {.name = "wall", .gap = x}};
  Flight run(m, collision(0.03125), {0.5, 1}, {-1, -2});
  std::string reason;
  for (int k = 0; k < 20; ++k) {
    StepJacobian J;
    run.step(&J);
    if (!J.reason.empty()) reason = J.reason;
  }
  EXPECT_NE(reason.find("several gaps close at the same instant"), std::string::npos) << reason;
}

}  // namespace
}  // namespace ricochet::event_loop_test
