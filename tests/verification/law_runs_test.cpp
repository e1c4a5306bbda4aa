// Contact laws through whole runs: random bodies, poses, restitutions and frictions over a fixed floor, from the first
// impact into lasting contact. Under linear gravity every flight is exact, so energy may change at contacts only.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

#include "ricochet/error.hpp"
#include "ricochet/mechanics/gaps.hpp"
#include "support/flight.hpp"

namespace ricochet::law_runs_test {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

class LawRuns : public testing::Test {
 protected:
  double real(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }

  // A polygon of three or four vertices, each with its own law, or all with one.
  Model body() {
    Model m;
    const Expr x = m.coordinate("x"), y = m.coordinate("y"), theta = m.coordinate("theta");
    const double mass = std::exp(real(-2, 2));
    inertia_ = mass * real(0.02, 0.3);
    mass_ = mass;
    g_ = real(1, 20);
    m.lagrangian = (mass * (square(dot(x)) + square(dot(y))) + inertia_ * square(dot(theta))) / 2 - mass * g_ * y;
    const int vertices = 3 + below(2), same = below(2) == 0 ? below(4) : -1;
    friction_.clear();
    corners_.clear();
    const double e = real(0, 1), mu = real(0, 1.2);
    for (int k = 0; k < vertices; ++k) {
      const double angle = 2 * M_PI * (k + real(-0.2, 0.2)) / vertices, r = real(0.3, 0.6);
      corners_.push_back({r * std::cos(angle), r * std::sin(angle)});
      const auto [px, py] = corners_.back();
      const Expr height = y + px * sin(theta) + py * cos(theta);
      Contact c{.name = "vertex" + std::to_string(k), .gap = height};
      const int law = same >= 0 ? same : below(4);
      const char* laws[] = {"elastic", "newton", "coulomb", "plastic"};
      c.law = laws[law];
      if (law == 1 || law == 2) c.restitution = m.graph->constant(same >= 0 ? e : real(0, 1));
      friction_.push_back(law >= 2 ? (same >= 0 ? mu : real(0, 1.2)) : 0);
      if (law >= 2) {
        c.friction = m.graph->constant(friction_.back());
        c.point = {x + px * cos(theta) - py * sin(theta), height};
      }
      m.contacts.push_back(c);
    }
    return m;
  }
  void throw_it(Flight& run) {
    const double angle = real(0, 2 * M_PI);
    double lowest = 0;
    for (const auto& [px, py] : corners_) lowest = std::fmin(lowest, px * std::sin(angle) + py * std::cos(angle));
    run.state = {};
    run.k = 0;
    run.state.q = {real(-1, 1), -lowest + (below(4) == 0 ? 0 : real(0, 0.3)), angle};
    run.state.p = {mass_ * real(-3, 3), mass_ * real(-3, 0.5), inertia_ * real(-10, 10)};
    if (below(10) == 0) run.state.p = {0, 0, 0};
  }

  std::mt19937 engine_{20};
  double mass_ = 1, inertia_ = 1, g_ = 1;
  std::vector<double> friction_;
  std::vector<std::pair<double, double>> corners_;
};

TEST_F(LawRuns, EnergyNeverIncreasesAndContractsHold) {
  const int systems = std::getenv("RICOCHET_LONG") != nullptr ? 1000 : 100;
  const char* rules[] = {"trapezoidal", "midpoint", "galerkin"};
  int one = 0, several = 0, rests = 0;
  for (int system = 0; system < systems; ++system) {
    const Model model = body();
    IntegratorOptions options = collision(real(0.005, 0.05), rules[below(3)], "continuous");
    Flight run(model, options, {0, 1, 0}, {0, 0, 0});
    Gaps gaps(*run.system);
    for (int pose = 0; pose < 200; ++pose) {
      throw_it(run);
      double energy = run.energy();
      const double start = energy;
      gaps.evaluate(run.state.q.data(), 0);
      bool held = gaps.minimum() <= 1e-12;  // a start that touches may be closed
      // round-off of the terms of the energy, for each step and impact
      const double slack = 256 * eps * (std::abs(energy) + mass_ * g_);
      for (int k = 0; k < 40; ++k) {
        try {
          run.step();
        } catch (const SolverError& error) {
          ADD_FAILURE() << system << " " << pose << " step " << k << ": " << error.what();
          break;
        }
        for (const Impact& impact : run.work->impacts) {
          ASSERT_LE(impact.energy_after, impact.energy_before + slack) << system << " " << pose << " " << k;
          ASSERT_LE(std::abs(impact.gap), 64 * eps * (2 + std::abs(impact.q[1]))) << system << " " << pose;
          for (const ContactImpulse& c : impact.contacts) {
            if (impact.law == ImpactLaw::rest || c.law == ImpactLaw::rest) continue;  // a projection, of any sign
            const double scale = std::abs(c.lambda) + std::abs(c.tangential[0]);
            ASSERT_GE(c.lambda, -1e-12 * scale) << system << " " << pose << " " << law_names(impact);
            if (c.law == ImpactLaw::plastic) continue;  // which stops the point, whatever it takes
            ASSERT_LE(std::abs(c.tangential[0]), friction_[c.contact] * c.lambda + 1e-10 * scale)
                << system << " " << pose << " " << law_names(impact);
          }
          rests += impact.law == ImpactLaw::rest;
          if (impact.contacts.size() == 1 && impact.law != ImpactLaw::rest) {
            ++one;
            ASSERT_NEAR(impact.obtained_restitution, impact.requested_restitution, 1e-10)
                << system << " " << pose << " step " << k << " " << law_names(impact);
          } else {
            ++several;
          }
        }
        const double now = run.energy();
        bool closed = held;
        held = false;
        for (const double mode : run.state.modes) held |= mode != 0;
        closed |= held;
        for (const Impact& impact : run.work->impacts) closed |= impact.law == ImpactLaw::rest;
        // lasting contact keeps energy to the order of the method: (hω)²/8 of it, ω up to 10
        ASSERT_LE(now, closed ? start + 0.02 * (std::abs(start) + mass_ * g_) : energy + slack)
            << system << " " << pose << " step " << k;
        energy = now;
        gaps.evaluate(run.state.q.data(), 0);
        ASSERT_GE(gaps.minimum(), -1e-9 * run.h) << system << " " << pose << " step " << k;
      }
    }
  }
  EXPECT_GE(one, 10000);
  EXPECT_GE(several, 100);
  EXPECT_GE(rests, 100);
}

// A ball with spin between a floor and two walls, with friction: its impulse is known in closed form. Tangentially it
// resists with 2m/7, whatever the direction, so slip keeps its direction until it stops.
TEST_F(LawRuns, BallWithSpinInSpace) {
  const double m = 1.3, r = 0.2, I = 0.4 * m * r * r, e = 0.9, mu = 0.25;
  Model model;
  std::vector<Expr> q;
  for (const char* name : {"x", "y", "z", "a", "b", "c"}) q.push_back(model.coordinate(name));
  Expr L = -m * 9.81 * q[2];
  for (int i = 0; i < 6; ++i) L = L + (i < 3 ? m : I) / 2 * square(dot(q[i]));
  model.lagrangian = L;
  const double normals[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  // velocity of the point −r n of the ball along t: t·v + ω·(−r n × t)
  const auto rows = [&](const double* n) {
    std::vector<std::vector<double>> list;
    for (int i = 0; i < 3; ++i) {
      if (n[i] != 0) continue;
      std::vector<double> row(6, 0.0);
      row[i] = 1;
      for (int j = 0; j < 3; ++j) {
        const int k = (j + 1) % 3, l = (j + 2) % 3;
        row[3 + j] = -r * (n[k] * (l == i) - n[l] * (k == i));
      }
      list.push_back(row);
    }
    return list;
  };
  for (int w = 0; w < 3; ++w) {
    Contact wall{.name = "wall" + std::to_string(w),
                 .gap = q[w == 0 ? 2 : w - 1] - r,
                 .law = "coulomb",
                 .restitution = model.graph->constant(e),
                 .friction = model.graph->constant(mu)};
    for (const std::vector<double>& row : rows(normals[w])) {
      wall.tangent.emplace_back();
      for (const double x : row) wall.tangent.back().push_back(model.graph->constant(x));
    }
    model.contacts.push_back(wall);
  }
  int slips = 0, sticks = 0;
  for (int run_number = 0; run_number < 300; ++run_number) {
    std::vector<double> v;
    for (int i = 0; i < 6; ++i) v.push_back(i < 3 ? real(-3, 0) : real(-30, 30));
    Flight run(model, collision(0.01), {real(0.3, 1), real(0.3, 1), real(0.3, 1), 0, 0, 0}, v);
    for (int k = 0; k < 100; ++k) {
      run.step();
      for (const Impact& impact : run.work->impacts) {
        if (impact.contacts.size() != 1 || impact.law == ImpactLaw::rest) continue;
        const double* n = normals[impact.contacts[0].contact];
        const auto tangents = rows(n);
        double c_n = 0, c_t[2] = {0, 0};
        for (int i = 0; i < 3; ++i) c_n += n[i] * impact.v_before[i];
        for (int t = 0; t < 2; ++t)
          for (int i = 0; i < 6; ++i) c_t[t] += tangents[t][i] * impact.v_before[i];
        const double normal = -(1 + e) * m * c_n, slip = std::hypot(c_t[0], c_t[1]);
        const double tangential = std::fmin(2 * m / 7 * slip, mu * normal);
        (tangential < mu * normal ? sticks : slips) += 1;
        for (int i = 0; i < 6; ++i) {
          double impulse = i < 3 ? normal * n[i] : 0;
          for (int t = 0; t < 2; ++t) impulse -= slip > 0 ? tangential * c_t[t] / slip * tangents[t][i] : 0;
          EXPECT_NEAR(impact.v_after[i] - impact.v_before[i], impulse / (i < 3 ? m : I), 1e-10 * (1 + slip / r));
        }
      }
    }
  }
  EXPECT_GE(slips, 100);
  EXPECT_GE(sticks, 100);
}

}  // namespace
}  // namespace ricochet::law_runs_test
