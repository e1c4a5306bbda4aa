// The collision integrator against closed forms and the facts of the theory.

#include <gtest/gtest.h>

#include <cmath>

#include "support/flight.hpp"
#include "support/models.hpp"

namespace ricochet::variational_collision_test {
namespace {

using Eigen::MatrixXd;

TEST(VariationalCollision, ParticleThousandImpacts) {
  // By an independent program: last impact ±1e-9, energy range ±1e-8.
  Flight run(models::particle(9.81), collision(0.01), {0, 1}, {-2, 0});
  int impacts = 0;
  double last = 0, low = 0, high = 0;
  const double e0 = 9.81 + 2;
  while (impacts < 1000) {
    run.step();
    for (const Impact& impact : run.work->impacts) ++impacts, last = impact.time;
    const double e =
        (run.state.p[0] * run.state.p[0] + run.state.p[1] * run.state.p[1]) / 2 + 9.81 * run.state.q[1] - e0;
    low = std::fmin(low, e), high = std::fmax(high, e);
  }
  EXPECT_EQ(run.k, 90264);
  EXPECT_NEAR(last, 902.638703720422, 1e-9);
  EXPECT_NEAR(low, -4.55890e-3, 1e-8);
  EXPECT_NEAR(high, 5.64084e-3, 1e-8);
  EXPECT_EQ(run.work->counters, std::vector<std::int64_t>(run.work->counters.size(), 0));
  EXPECT_GT(run.work->gap_min, -1e-14);
}

TEST(VariationalCollision, EnergyChangeOfAnImpactStepIsKnownInClosedForm) {
  // Linear gravity: an impact step changes H by κ[(s_last/h)² − (s_first/h)²], κ = m g² h²/8, s_first and s_last its
  // first and last sub-steps. Round-off: H ~ 10 in units of ε per operation, a few hundred operations a step: 1e-12.
  for (const char* rule : {"trapezoidal", "midpoint"}) {
    const double g = 9.81, h = 0.01, kappa = g * g * h * h / 8;
    Flight run(models::particle(g), collision(h, rule), {0, 1}, {-2, 0});
    double before = run.energy(), worst = 0;
    for (int impacts = 0; impacts < 10000;) {
      run.step();
      const double after = run.energy();
      if (!run.work->impacts.empty()) {
        impacts += static_cast<int>(run.work->impacts.size());
        const double first = run.work->impacts.front().alpha, last = 1 - run.work->impacts.back().alpha;
        worst = std::fmax(worst, std::abs(after - before - kappa * (last * last - first * first)));
      }
      before = after;
    }
    EXPECT_LE(worst, 1e-12) << rule;
    EXPECT_EQ(run.work->counters, std::vector<std::int64_t>(run.work->counters.size(), 0));
  }
}

TEST(VariationalCollision, StarFifteenHundredImpacts) {
  Flight run(models::star(9.8), collision(0.005), {0, 3.5, 0}, {-2, 0, 5});
  int impacts = 0, impact_steps = 0, multi = 0;
  std::size_t most = 0;
  double first = 0;
  while (impacts < 1500) {
    run.step();
    const auto& list = run.work->impacts;
    if (impacts == 0 && !list.empty()) first = list.front().time;
    impacts += static_cast<int>(list.size());
    impact_steps += !list.empty();
    multi += list.size() > 1;
    most = std::max(most, list.size());
    for (const Impact& impact : list) {
      EXPECT_LE(impact.gap, 1e-12);
      // E_d is what the rule keeps: E ~ 40, a few ε
      EXPECT_NEAR(impact.discrete_energy_after, impact.discrete_energy_before, 1e-11);
    }
  }
  EXPECT_NEAR(first, 0.75599899771488, 1e-13);  // closed form up to there: free flight
  EXPECT_LE(most, 3u);
  // 1.8 % of impact steps hold several impacts: 1500 ± √27 of 27
  EXPECT_NEAR(multi, 0.018 * impact_steps, 4 * std::sqrt(0.018 * impact_steps));
  EXPECT_GT(run.work->gap_min, -1e-12);
}

TEST(VariationalCollision, StarEnsembleIsARandomWalkInEnergy) {
  // std(H − H0) = κ √(N/3) after N impacts: α is uniform in [0,1] and each impact adds κ(1 − 2α). The star is chaotic,
  // so 200 perturbed starts are independent; the standard error of a standard deviation is 1/√(2·200) = 5 %; the test
  // allows four.
  const double g = 9.8, h = 0.005, kappa = g * g * h * h / 8;
  const int members = 200, impacts = 60;
  double sum = 0, squares = 0;
  for (int k = 0; k < members; ++k) {
    Flight run(models::star(g), collision(h), {0, 3.5 + 1e-3 * k, 0}, {-2, 0, 5});
    const double e0 = run.energy();
    for (int n = 0; n < impacts;) {
      run.step();
      n += static_cast<int>(run.work->impacts.size());
    }
    const double change = run.energy() - e0;
    sum += change, squares += change * change;
  }
  const double measured = std::sqrt(squares / members - std::pow(sum / members, 2)),
               expected = kappa * std::sqrt(impacts / 3.0);
  EXPECT_NEAR(measured / expected, 1, 4 * 0.05);
}

double symplecticity_defect(const MatrixXd& J) {
  const Eigen::Index n = J.rows() / 2;
  MatrixXd omega = MatrixXd::Zero(2 * n, 2 * n);
  omega.topRightCorner(n, n).setIdentity();
  omega.bottomLeftCorner(n, n) = -MatrixXd::Identity(n, n);
  return (J.transpose() * omega * J - omega).cwiseAbs().maxCoeff();
}

TEST(VariationalCollision, StepDerivativeThroughImpactsAgreesWithFiniteDifferences) {
  // Central differences with δ = 1e-6: δ² + ε/δ ~ 1e-10 relative, times second derivatives of an impact map (~1e4):
  // 1e-4 relative.
  for (const char* energy : {"discrete", "continuous"})
    for (const char* rule : {"trapezoidal", "midpoint", "galerkin"}) {
      int seen = 0, twice = 0;
      Flight run(models::star(9.8, 0.25), collision(0.02, rule, energy), {0, 1.3, 0.3}, {-2, 0, 5});
      for (int k = 0; k < 4000 && (seen < 6 || twice < 1); ++k) {
        const State before = run.state;
        StepJacobian J;
        run.step(&J);
        const std::size_t count = run.work->impacts.size();
        if (count == 0 || (count == 1 && seen >= 6)) continue;
        bool same_branch = true;
        MatrixXd D(6, 6);
        for (int c = 0; c < 6; ++c) {
          const double delta = 1e-6;
          State ends[2];
          for (int side = 0; side < 2; ++side) {
            State& s = ends[side];
            s = before;
            (c < 3 ? s.q[c] : s.p[c - 3]) += side == 0 ? delta : -delta;
            const auto work = run.method->workspace();
            work->counters.assign(run.method->counter_names().size(), 0);
            run.method->step(s, run.h, *work);
            same_branch &= work->impacts.size() == count;
          }
          for (int r = 0; r < 6; ++r)
            D(r, c) =
                ((r < 3 ? ends[0].q[r] : ends[0].p[r - 3]) - (r < 3 ? ends[1].q[r] : ends[1].p[r - 3])) / (2 * delta);
        }
        if (!same_branch) continue;
        seen += count == 1, twice += count == 2;
        EXPECT_LE((D - J.matrix).cwiseAbs().maxCoeff(), 1e-4 * (1 + J.matrix.cwiseAbs().maxCoeff()))
            << rule << " " << energy << " " << count;
      }
      EXPECT_GE(seen, 6);
      EXPECT_GE(twice, 1) << rule;
    }
}

TEST(VariationalCollision, SymplecticAcrossImpactsWithTheDiscreteRuleOnly) {
  // Exact derivatives: the defect is round-off of the entries of J, which reach 1e3 at slow impacts: ε · J² ~ 1e-10;
  // relative to it 1e-11.
  for (const char* rule : {"trapezoidal", "midpoint", "rectangle", "galerkin"}) {
    double discrete = 0, continuous = 0;
    int twice = 0;
    for (const char* energy : {"discrete", "continuous"}) {
      Flight run(models::star(9.8, 0.25), collision(0.02, rule, energy), {0, 1.3, 0.3}, {-2, 0, 5});
      // the rectangle rule with the continuous energy loses energy until the star lies on the floor: stop before
      const int steps = std::string(energy) == "discrete" ? 10000 : 300;
      for (int k = 0; k < steps; ++k) {
        StepJacobian J;
        const auto fallbacks = run.work->counters[0];
        run.step(&J);
        if (run.work->impacts.empty() || run.work->counters[0] != fallbacks) continue;
        const double size = J.matrix.cwiseAbs().maxCoeff();
        const double defect = symplecticity_defect(J.matrix) / std::fmax(1, size * size);
        if (std::string(energy) == "discrete") {
          discrete = std::fmax(discrete, defect);
          twice += run.work->impacts.size() == 2;
        } else {
          continuous = std::fmax(continuous, defect);
        }
      }
    }
    EXPECT_LE(discrete, 1e-11) << rule;
    EXPECT_GE(twice, 1) << rule;
    // the continuous rule misses by O(h^order): at h = 0.02 that is seen for the rules of low order
    if (std::string(rule) != "galerkin") {
      EXPECT_GE(continuous, 1e-6) << rule;
    }
  }
}

TEST(VariationalCollision, FreeSpacePairsKeepAllMomenta) {
  // Generators affine in q, so exact: round-off of 1e4 steps, a random walk of √1e4 ε = 2e-14 times sizes ~ 5: below
  // 1e-12.
  for (const bool star : {false, true})
    for (const char* energy : {"discrete", "continuous"}) {
      Flight run(models::pair(star), collision(0.02, "trapezoidal", energy), {-1.5, 0.2, 0.3, 1, 0, 0},
                 {1, 0, 2, -0.5, 0.1, -1});
      Lagrangian L(*run.system);
      double first[3], now[3], worst = 0;
      L.momentum_maps(run.state.q.data(), run.state.p.data(), first);
      int impacts = 0;
      for (int k = 0; k < 10000; ++k) {
        run.step();
        impacts += static_cast<int>(run.work->impacts.size());
        L.momentum_maps(run.state.q.data(), run.state.p.data(), now);
        for (int i = 0; i < 3; ++i) worst = std::fmax(worst, std::abs(now[i] - first[i]));
      }
      EXPECT_LE(worst, 1e-12);
      EXPECT_GT(impacts, 20);
    }
}

// The state at time `end` with steps of h, and the number of impacts on the way.
State fly(const Model& model, const IntegratorOptions& o, const std::vector<double>& q, const std::vector<double>& v,
          double end, int* impacts = nullptr) {
  Flight run(model, o, q, v);
  const int steps = static_cast<int>(std::lround(end / o.step));
  for (int k = 0; k < steps; ++k) {
    run.step();
    if (impacts != nullptr) *impacts += static_cast<int>(run.work->impacts.size());
  }
  return run.state;
}

double measured_order(const Model& model, const char* rule, const char* energy, const std::vector<double>& q,
                      const std::vector<double>& v, double end, int first_steps, const State& exact) {
  // The constant of the error depends on where in its step an impact falls, and changes sign: fit the root mean square
  // over ten neighbouring step sizes, at ten levels.
  std::vector<double> x, y;
  for (int level = 0; level < 10; ++level) {
    double squares = 0;
    const int steps = static_cast<int>(std::lround(first_steps * std::pow(1.4, level)));
    for (int k = 0; k < 10; ++k) {
      const State s = fly(model, collision(end / (steps + k), rule, energy), q, v, end);
      for (std::size_t i = 0; i < q.size(); ++i)
        squares += (std::pow(s.q[i] - exact.q[i], 2) + std::pow(s.p[i] - exact.p[i], 2)) / 10;
    }
    if (squares < 1e-23) continue;  // round-off
    x.push_back(std::log(end / (steps + 4.5))), y.push_back(std::log(squares) / 2);
  }
  double mx = 0, my = 0, xy = 0, xx = 0;
  for (std::size_t k = 0; k < x.size(); ++k) mx += x[k] / x.size(), my += y[k] / x.size();
  for (std::size_t k = 0; k < x.size(); ++k) xy += (x[k] - mx) * (y[k] - my), xx += (x[k] - mx) * (x[k] - mx);
  return xy / xx;
}

TEST(VariationalCollision, OrderThroughAnImpact) {
  // Reference: galerkin 4 (order 8) with the momentum reflected at the exact impact, h = end/400: error below 1e-12.
  // Ten samples of a constant that varies by a factor of a few leave about 0.15 in the slope.
  struct Problem {
    Model model;
    std::vector<double> q, v;
    double end;
  };
  const std::vector<Problem> problems{{models::star(9.8, 0.25), {0, 1.5, 0.3}, {-2, 0, 3}, 0.9},
                                      {models::double_pendulum_between_walls(), {0.1, 0.2}, {1.5, 1.0}, 0.9},
                                      {models::moving_floor(), {1.0}, {0}, 0.8}};
  for (const Problem& p : problems) {
    IntegratorOptions best = collision(p.end / 400, "galerkin", "continuous");
    best.parameters["degree"] = 4.0;
    int impacts = 0;
    const State exact = fly(p.model, best, p.q, p.v, p.end, &impacts);
    ASSERT_GE(impacts, 1);
    for (const char* energy : {"discrete", "continuous"}) {
      EXPECT_NEAR(measured_order(p.model, "trapezoidal", energy, p.q, p.v, p.end, 40, exact), 2, 0.2) << energy;
      EXPECT_NEAR(measured_order(p.model, "midpoint", energy, p.q, p.v, p.end, 40, exact), 2, 0.2) << energy;
      EXPECT_NEAR(measured_order(p.model, "rectangle", energy, p.q, p.v, p.end, 100, exact), 1, 0.2) << energy;
      EXPECT_NEAR(measured_order(p.model, "galerkin", energy, p.q, p.v, p.end, 12, exact), 4, 0.4) << energy;
    }
  }
}

TEST(VariationalCollision, MovingFloorExchangesTheWorkOfTheImpulse) {
  // E⁺ − E⁻ = −λ ∂g/∂t for the energy the rule keeps; round-off of E ~ 10.
  Flight run(models::moving_floor(), collision(0.01), {1}, {0});
  int impacts = 0;
  for (int k = 0; k < 5000; ++k) {
    run.step();
    for (const Impact& i : run.work->impacts) {
      ++impacts;
      const double g_t = -0.3 * std::cos(3 * i.time);
      EXPECT_NEAR(i.discrete_energy_after - i.discrete_energy_before, -i.impulse() * g_t, 1e-12);
    }
  }
  EXPECT_GT(impacts, 20);
  Flight other(models::moving_floor(), collision(0.01, "trapezoidal", "continuous"), {1}, {0});
  for (int k = 0; k < 1000; ++k) {
    other.step();
    for (const Impact& i : other.work->impacts)
      EXPECT_NEAR(i.energy_after - i.energy_before, 0.3 * i.impulse() * std::cos(3 * i.time), 1e-12);
  }
}

}  // namespace
}  // namespace ricochet::variational_collision_test
