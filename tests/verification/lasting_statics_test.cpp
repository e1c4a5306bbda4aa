// Contact that lasts in several points at once: what statics says of the forces, and where it says nothing the rule of
// discrete/share_friction.hpp; stacks that stand, tables that throw, blocks that rock. Closed forms.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "ricochet/mechanics/gaps.hpp"
#include "ricochet/methods/contact_forces.hpp"
#include "support/flight.hpp"
#include "support/rough.hpp"

namespace ricochet::lasting_statics_test {
namespace {

constexpr double g = 9.81;
constexpr const char* methods[] = {"variational-collision", "nonholonomic-collision", "nonholonomic-symmetric",
                                   "reference"};

IntegratorOptions with(const std::string& method, double h) {
  return {.method = method, .discretization = method == "reference" ? "" : "midpoint", .step = h, .parameters = {}};
}

std::vector<double> forces(Flight& run) {  // of the last step
  std::vector<double> result = run.work->contact_impulses;
  for (double& x : result) x /= run.h;
  return result;
}

void ask_for_forces(Flight& run) { run.work->contact_impulses.assign(ContactForces(*run.system).names.size(), 0.0); }

// N of the corners from the balance of moments, friction shared as they are pressed: tan of the slope at both.
TEST(LastingStatics, BlockOnTwoCorners) {
  const double a = 0.5, b = 0.3, slope = 0.25;
  for (const char* method : methods) {
    const RoughBody block = stack({.a = {a}, .b = {b}, .offset = {0}, .mass = {2}, .slope = slope, .friction = 0.35});
    Flight run(block.model, with(method, 0.01), block.q, block.v);
    ask_for_forces(run);
    for (int k = 0; k < 50; ++k) run.step();
    const std::vector<double> f = forces(run);
    const double whole = 2 * g * std::cos(slope), shift = b * std::tan(slope) / a;  // downhill, to the right
    EXPECT_NEAR(f[0], whole * (1 - shift) / 2, 1e-9) << method;  // the reference: its tolerance over a short part
    EXPECT_NEAR(f[2], whole * (1 + shift) / 2, 1e-9) << method;
    for (const int k : {0, 2}) EXPECT_NEAR(-f[k + 1] / f[k], std::tan(slope), 1e-9) << method << k;
  }
}

// A table on four legs in space: the sum is determined, and each leg is loaded as its neighbours allow; friction is
// tan of the slope at each, and the table stands. Beyond the friction angle it slides as a particle does.
TEST(LastingStatics, TableOnFourLegs) {
  for (const char* method : methods)
    for (const double friction : {0.5, 0.1}) {
      const double slope = 0.3, turn = 0.7;  // down along (cos, sin) of turn
      const RoughBody table = four_legs(0.6, 0.4, 0.3, friction, g * std::sin(slope) * std::cos(turn),
                                        g * std::sin(slope) * std::sin(turn), g * std::cos(slope));
      Flight run(table.model, with(method, 0.01), table.q, table.v);
      ask_for_forces(run);
      const int steps = std::string(method) == "reference" ? 10 : 200;
      for (int k = 0; k < steps; ++k) run.step();
      const std::vector<double> f = forces(run);
      double normal = 0, moment_x = 0, moment_y = 0;
      for (int leg = 0; leg < 4; ++leg) {
        const double *F = f.data() + 3 * leg, size = std::hypot(F[1], F[2]);
        EXPECT_GT(F[0], 0) << method << leg;
        EXPECT_NEAR(size / F[0], std::fmin(friction, std::tan(slope)), 1e-8) << method << leg;
        normal += F[0];
        moment_x += (leg < 2 ? -0.6 : 0.6) * F[0];
        moment_y += (leg % 2 == 0 ? -0.4 : 0.4) * F[0];
      }
      EXPECT_NEAR(normal, g * std::cos(slope), 1e-8) << method;
      // the moments of friction at the height −c about the centre of mass
      const double drag = 0.3 * std::fmin(friction, std::tan(slope)) * g * std::cos(slope);
      EXPECT_NEAR(moment_x, drag * std::cos(turn), 1e-7) << method;
      EXPECT_NEAR(moment_y, drag * std::sin(turn), 1e-7) << method;
      const double speed = std::fmax(0, g * (std::sin(slope) - friction * std::cos(slope))) * steps * 0.01;
      EXPECT_NEAR(run.state.p[0], speed * std::cos(turn), 1e-9) << method << friction;
      EXPECT_NEAR(run.state.p[1], speed * std::sin(turn), 1e-9) << method << friction;
      for (int i = 2; i < 6; ++i) EXPECT_NEAR(run.state.q[i], table.q[i], 1e-9) << method << friction << i;
    }
}

// Friction in all six contacts: nothing moves, all gaps at round-off. RICOCHET_LONG: 10⁵ steps.
TEST(LastingStatics, StackStandsStill) {
  const int steps = std::getenv("RICOCHET_LONG") != nullptr ? 100000 : 10000;
  const RoughBody body = stack({.a = {0.5, 0.4, 0.3},
                                .b = {0.15, 0.1, 0.2},
                                .offset = {0, 0.05, -0.04},
                                .mass = {1, 2, 0.5},
                                .slope = 0.1,
                                .friction = 0.4});
  Flight run(body.model, with("variational-collision", 0.01), body.q, body.v);
  ask_for_forces(run);
  int changes = 0;
  for (int k = 0; k < steps; ++k) {
    run.step();
    changes += static_cast<int>(run.work->changes.size());
  }
  EXPECT_EQ(changes, 2) << "rest and stick, at the start";
  EXPECT_EQ(run.state.modes, std::vector<double>(6, 2));
  for (std::size_t i = 0; i < body.q.size(); ++i) EXPECT_NEAR(run.state.q[i], body.q[i], 1e-12) << i;
  Gaps gaps(*run.system);
  gaps.evaluate(run.state.q.data(), run.state.t);
  for (int contact = 0; contact < 6; ++contact) EXPECT_LE(std::abs(gaps.value(contact)), 1e-14) << contact;
  const std::vector<double> f = forces(run);
  double above = 0;
  for (int block = 2; block >= 0; --block) {  // what stands above presses, and pulls down the slope
    above += std::vector{1.0, 2.0, 0.5}[block];
    EXPECT_NEAR(f[4 * block] + f[4 * block + 2], above * g * std::cos(0.1), 1e-10) << block;
    EXPECT_NEAR(-f[4 * block + 1] - f[4 * block + 3], above * g * std::sin(0.1), 1e-10) << block;
  }
}

// Γ = 1.2, e = .3: locked in each period, and thrown within a step of sin ωt = 1/Γ.
TEST(LastingStatics, ShakingTableThrowsEachPeriod) {
  const double gamma = 1.2, w = 10 * M_PI, A = gamma * g / (w * w), h = 0.001;
  for (const char* method : methods) {
    Model m;
    const Expr y = m.coordinate("y");
    m.lagrangian = square(dot(y)) / 2 - g * y;
    Contact table{.name = "table", .gap = y - A * sin(w * m.time())};
    table.law = "newton";
    table.restitution = m.graph->constant(0.3);
    m.contacts = {table};
    Flight run(m, with(method, h), {0}, {A * w});
    int thrown = 0, closed = 0;
    for (int k = 0; k < 2000; ++k) {
      run.step();
      for (const Impact& line : run.work->changes) {
        if (line.law != ImpactLaw::release) continue;
        EXPECT_NEAR(line.time, std::asin(1 / gamma) / w + 0.2 * thrown, h) << method;
        ++thrown;
      }
      for (const Impact& impact : run.work->impacts) closed += impact.law == ImpactLaw::rest;
    }
    EXPECT_EQ(thrown, 10) << method;
    EXPECT_EQ(closed, 10) << method;
  }
}

// Each landing of a rocking block keeps 1 − 3/2 sin²α of its angular velocity, α = atan(a/b); it stands in the end
// where it would have stood, and no energy is gained where corners change.
TEST(LastingStatics, RockingBlock) {
  for (const char* method : {"variational-collision", "nonholonomic-symmetric", "reference"})
    for (const double a : {0.1, 0.15, 0.2}) {
      const double b = 0.4, tilt = 0.1, ratio = 1 - 1.5 * a * a / (a * a + b * b);
      RoughBody block = stack({.a = {a}, .b = {b}, .offset = {0}, .mass = {1}, .slope = 0, .friction = 2});
      block.q = {-a + a * std::cos(tilt) - b * std::sin(tilt), a * std::sin(tilt) + b * std::cos(tilt), tilt};
      Flight run(block.model, with(method, 0.002), block.q, block.v);
      int landings = 0;
      double energy = run.energy();
      for (int k = 0; k < 2500; ++k) {
        run.step();
        for (const Impact& impact : run.work->impacts) {
          if (impact.law == ImpactLaw::rest) continue;
          ++landings;
          EXPECT_NEAR(impact.v_after[2] / impact.v_before[2], ratio, 1e-6) << method << a;  // at a flat block: exact
        }
        EXPECT_LE(run.energy(), energy + 4e-6) << method << a;  // h²: what smooth steps of order 2 give back
        energy = std::fmin(energy, run.energy());
      }
      EXPECT_GE(landings, 4) << method << a;
      EXPECT_EQ(run.state.modes, (std::vector<double>{2, 2})) << method << a;
      EXPECT_NEAR(run.state.q[0], 0, 1e-9) << method << a;
      EXPECT_NEAR(run.state.q[2], 0, 1e-12) << method << a;
    }
}

// A ball without friction leaves a sphere where cos θ = ⅔ cos θ0: the release is within a step of it.
TEST(LastingStatics, BallLeavesASphere) {
  for (const char* method :
       {"variational-collision", "nonholonomic-symmetric", "reference", "generalized-variational"}) {
    Model m;
    const Expr x = m.coordinate("x"), y = m.coordinate("y");
    m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - g * y;
    m.contacts = {{.name = "sphere", .gap = sqrt(square(x) + square(y)) - 1}};
    const double start = 0.2, h = 0.001;
    Flight run(m, with(method, h), {std::sin(start), std::cos(start)}, {0, 0});
    double left = -1, q[2] = {0, 0}, speed = 0;
    for (int k = 0; k < 2000 && left < 0; ++k) {
      run.step();
      for (const Impact& line : run.work->changes)
        if (line.law == ImpactLaw::release)
          left = line.time, q[0] = line.q[0], q[1] = line.q[1], speed = std::hypot(line.v_before[0], line.v_before[1]);
    }
    ASSERT_GT(left, 0) << method;
    // the height falls by speed · sin θ in time; the method's own error is h² of it
    EXPECT_NEAR(q[1], 2 * std::cos(start) / 3, 1.5 * h * speed * q[0]) << method;
  }
}

}  // namespace
}  // namespace ricochet::lasting_statics_test
