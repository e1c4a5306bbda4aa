// The methods that are there to be compared with: they do what their papers say, and fail where they must.

#include <gtest/gtest.h>

#include <cmath>

#include "ricochet/error.hpp"
#include "support/flight.hpp"
#include "support/models.hpp"

namespace ricochet::baselines_test {
namespace {

using Parameters = std::map<std::string, OptionValue>;
IntegratorOptions baseline(const char* name, double h, Parameters parameters = {}) {
  return {.method = name, .discretization = "", .step = h, .parameters = std::move(parameters)};
}

Model point_mass() {
  Model m;
  const Expr y = m.coordinate("y");
  m.lagrangian = square(dot(y)) / 2 - 9.8 * y;
  m.contacts = {{.name = "ground", .gap = y}};
  return m;
}

// √(E after/E before) of each bounce: flight keeps the energy, so a bounce is a run of steps that change it.
std::vector<double> restitutions(const IntegratorOptions& options, double duration) {
  Flight run(point_mass(), options, {1}, {0});
  std::vector<double> result;
  double flight = run.energy(), last = flight;
  bool bouncing = false;
  for (int k = 0; k < std::lround(duration / options.step); ++k) {
    run.step();
    const double now = run.energy();
    const bool changed = std::abs(now - last) > 1e-10 * flight;
    if (bouncing && !changed) {
      result.push_back(std::sqrt(last / flight));
      flight = last;
    }
    bouncing = changed;
    last = now;
  }
  return result;
}

TEST(Baselines, EachBounceHasARestitutionOfItsOwn) {
  // By an independent program: 1-DoF particle, h = 0.01, to t = 5; three digits are given.
  const std::vector<double> midpoint = restitutions(baseline("direct-midpoint", 0.01), 5);
  const std::vector<double> endpoint = restitutions(baseline("direct-endpoint", 0.01), 5);
  const std::vector<double> of_midpoint{.414, 1.170, 2.191, 2.109, .981}, of_endpoint{.646, .257, .957, .233, .171};
  ASSERT_GE(midpoint.size(), 5u);
  ASSERT_GE(endpoint.size(), 5u);
  for (int k = 0; k < 5; ++k) {
    EXPECT_NEAR(midpoint[k], of_midpoint[k], 6e-4) << k;
    EXPECT_NEAR(endpoint[k], of_endpoint[k], 6e-4) << k;
  }
}

TEST(Baselines, DirectEndpointLosesWhatSlidingShouldKeep) {
  // Spring and sphere [KP12 5.2] at t = 100: E = 4.019825, L = 0.138021 (E0 = 6, L0 = 10).
  Flight run(models::spring_and_sphere(), baseline("direct-endpoint", 0.5), {4, -3, 3, -4}, {0.6, 0.8, 0.8, 0.6});
  for (int k = 0; k < 200; ++k) run.step();
  const auto &q = run.state.q, &p = run.state.p;
  EXPECT_NEAR(run.energy(), 4.019825, 1e-6);
  EXPECT_NEAR(q[0] * p[1] - q[1] * p[0] + q[2] * p[3] - q[3] * p[2], 0.138021, 1e-6);
}

TEST(Baselines, OrderWithoutContact) {
  // Pendulum to t = 2 against galerkin 5 (error below 1e-13): halving h divides the error by 2^order.
  const double end = 2;
  IntegratorOptions best{.method = "variational", .discretization = "galerkin", .step = end / 100, .parameters = {}};
  best.parameters["degree"] = 5.0;
  Flight exact(models::pendulum(), best, {1.2}, {0.4});
  for (int k = 0; k < 100; ++k) exact.step();
  struct Case {
    const char* method;
    Parameters parameters;
    double order;
  };
  for (const Case& c : {Case{"direct-midpoint", {}, 2}, Case{"direct-endpoint", {}, 2}, Case{"newmark", {}, 2},
                        Case{"newmark", {{"gamma", 0.6}}, 1}, Case{"newmark-imex", {{"beta", 0.0}}, 2},
                        Case{"moreau-jean", {}, 2}, Case{"moreau-jean", {{"theta", 1.0}}, 1}}) {
    double error[2];
    for (int level = 0; level < 2; ++level) {
      const int steps = 200 << level;
      Flight run(models::pendulum(), baseline(c.method, end / steps, c.parameters), {1.2}, {0.4});
      for (int k = 0; k < steps; ++k) run.step();
      error[level] = std::hypot(run.state.q[0] - exact.state.q[0], run.state.p[0] - exact.state.p[0]);
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]), c.order, 0.1) << c.method;
  }
}

TEST(Baselines, NewmarkIsVerletForBetaZero) {
  // γ = ½, β = 0 is velocity Verlet, the trapezoidal rule in momentum form: the same numbers up to round-off.
  Flight a(models::pendulum(), baseline("newmark-imex", 0.05, {{"beta", 0.0}}), {1.2}, {0.4});
  Flight b(models::pendulum(),
           {.method = "variational", .discretization = "trapezoidal", .step = 0.05, .parameters = {}}, {1.2}, {0.4});
  for (int k = 0; k < 100; ++k) a.step(), b.step();
  EXPECT_NEAR(a.state.q[0], b.state.q[0], 1e-13);
  EXPECT_NEAR(a.state.p[0], b.state.p[0], 1e-13);
}

TEST(Baselines, ReactionsNeverPullAndEndPointsStayOutside) {
  for (const char* method : {"direct-endpoint", "newmark", "newmark-imex"}) {
    Flight run(models::particle(9.81), baseline(method, 0.01), {0, 1}, {-2, 0});
    int impacts = 0;
    for (int k = 0; k < 300; ++k) {
      run.step();
      ASSERT_GE(run.state.q[1], -1e-12) << method;
      for (const Impact& impact : run.work->impacts) {
        ++impacts;
        EXPECT_GT(impact.impulse(), 0) << method;
      }
    }
    EXPECT_GE(impacts, 1) << method;
    EXPECT_NEAR(run.state.p[0], -2, 1e-12) << method;  // nothing acts along the floor
  }
}

TEST(Baselines, MoreauJeanHasTheRestitutionThatIsAskedFor) {
  // θ = ½ flies exactly under gravity; at the velocity level a bounce multiplies the speed at the step of the impact by
  // e plus what gravity does in that step: |v1 + e v0| is round-off.
  for (const double e : {1.0, 0.5, 0.0}) {
    Model model = point_mass();
    model.contacts[0].law = "newton";
    model.contacts[0].restitution = model.graph->constant(e);
    Flight run(model, baseline("moreau-jean", 0.01), {1}, {0});
    bool seen = false;
    for (int k = 0; k < 60 && !seen; ++k) {
      const double before = run.state.p[0];
      run.step();
      if (run.work->impacts.empty()) continue;
      seen = true;
      EXPECT_NEAR(run.state.p[0], -e * before, 1e-12);
      EXPECT_NEAR(run.work->impacts[0].obtained_restitution, e, 1e-12);
      EXPECT_EQ(run.work->impacts[0].requested_restitution, e);
      EXPECT_EQ(run.work->impacts[0].contacts[0].law, ImpactLaw::newton);
    }
    EXPECT_TRUE(seen);
  }
  // A wall is crossed by at most the way of half a step, and at some step sizes it is.
  double deepest = 0;
  for (const double h : {0.01, 0.011, 0.012, 0.013, 0.014}) {
    Flight run(point_mass(), baseline("moreau-jean", h), {1}, {0});
    for (int k = 0; k < 500; ++k) run.step();
    EXPECT_GT(run.work->gap_min, -h / 2 * std::sqrt(2 * 9.8 * 1.1));
    deepest = std::fmin(deepest, run.work->gap_min);
  }
  EXPECT_LT(deepest, -1e-3);
}

TEST(Baselines, MoreauJeanTakesEachContactsOwnRestitution) {
  // Two uncoupled particles, one on an elastic floor, one on a floor with e = 1/(1 + speed), and a floor that moves:
  // the obtained restitution is the asked one at the speed of approach, to round-off.
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  const Expr speed = m.graph->symbol(formula::SymbolKind::other, 0, "speed");
  m.lagrangian = square(dot(x)) / 2 + square(dot(y)) / 2 - 9.8 * x - 9.8 * y;
  m.contacts = {{.name = "hard", .gap = x},
                {.name = "soft", .gap = y + 0.125 * m.time(), .law = "newton", .restitution = 1 / (1 + speed)}};
  Flight run(m, baseline("moreau-jean", 0.01), {1.3, 1}, {0, 0});
  int hard = 0, soft = 0;
  for (int k = 0; k < 300; ++k) {
    const std::vector<double> before = run.state.p;
    run.step();
    for (const Impact& impact : run.work->impacts) {
      if (impact.contacts.size() > 1) continue;
      const bool is_soft = impact.contacts[0].contact == 1;
      const double approach = -(is_soft ? before[1] + 0.125 : before[0]), e = is_soft ? 1 / (1 + approach) : 1;
      (is_soft ? soft : hard) += 1;
      if (approach <= 0) continue;
      EXPECT_EQ(impact.contacts[0].law, is_soft ? ImpactLaw::newton : ImpactLaw::elastic);
      EXPECT_NEAR(impact.requested_restitution, e, 1e-15);
      EXPECT_NEAR(impact.obtained_restitution, e, 1e-10);
    }
  }
  EXPECT_GE(hard, 2);
  EXPECT_GE(soft, 2);
}

TEST(Baselines, ALawThatAMethodDoesNotTakeIsRefusedWithThoseThatDo) {
  Model model = point_mass();
  model.contacts[0].law = "newton";
  model.contacts[0].restitution = model.graph->constant(0.5);
  try {
    Flight run(model, baseline("newmark", 0.01), {1}, {0});
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.key, "system.contact.ground.law");
    EXPECT_NE(std::string(error.what()).find("newmark takes the laws elastic, not newton"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("moreau-jean"), std::string::npos);
  }
}

TEST(Baselines, AConfigurationDependentMassIsRefused) {
  EXPECT_THROW(Flight(models::double_pendulum(), baseline("newmark", 0.01), {1, 0}, {0, 0}), ModelError);
}

}  // namespace
}  // namespace ricochet::baselines_test
