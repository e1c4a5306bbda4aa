#include "ricochet/discrete/sub_step.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/models.hpp"

namespace ricochet {
namespace {

struct Case {
  const char* name;
  std::map<std::string, OptionValue> parameters;
};
const std::vector<Case> rules{{"trapezoidal", {}},
                              {"midpoint", {}},
                              {"rectangle", {}},
                              {"rectangle", {{"gamma", 0.3}}},
                              {"galerkin", {{"degree", 2.0}}},
                              {"galerkin", {{"degree", 3.0}}}};

// L_d(q0,q1,h) by brute force for rules with one velocity: the quadrature itself.
double discrete_lagrangian(const System& system, const Tableau& tableau, double t0, const std::vector<double>& q0,
                           const std::vector<double>& q1, double h) {
  Lagrangian lagrangian(system);
  double sum = 0;
  for (int i = 0; i < tableau.points; ++i) {
    std::vector<double> q(q0), v(q0);
    for (std::size_t k = 0; k < q0.size(); ++k) {
      q[k] = (1 - tableau.c[i]) * q0[k] + tableau.c[i] * q1[k];
      v[k] = (q1[k] - q0[k]) / h;
    }
    lagrangian.evaluate(1, q.data(), v.data(), t0 + tableau.c[i] * h);
    sum += h * tableau.b[i] * lagrangian.value();
  }
  return sum;
}

TEST(SubStep, IsTheDiscreteLegendreTransformOfTheQuadrature) {
  // p0 = −D1L_d, p1 = D2L_d, E = −∂_h L_d by central differences of the quadrature: error δ² + ε/δ ~ 1e-9 for δ = 1e-5.
  const System system(models::driven_charge());
  const double delta = 1e-5, t0 = 0.7, h = 0.1;
  for (const Case& rule : rules) {
    const Tableau tableau = make_tableau(rule.name, rule.parameters);
    if (tableau.unknowns > 1) continue;
    SubStep step(system, tableau, {});
    const std::vector<double> q0{0.4, -0.2}, p0{0.3, 0.9};
    std::vector<double> q1(2), p1(2);
    step.solve(t0, q0.data(), p0.data(), h, q1.data(), p1.data());
    for (int k = 0; k < 2; ++k) {
      auto up = q0, down = q0;
      up[k] += delta, down[k] -= delta;
      EXPECT_NEAR(p0[k],
                  -(discrete_lagrangian(system, tableau, t0, up, q1, h) -
                    discrete_lagrangian(system, tableau, t0, down, q1, h)) /
                      (2 * delta),
                  1e-8);
      up = q1, down = q1;
      up[k] += delta, down[k] -= delta;
      EXPECT_NEAR(p1[k],
                  (discrete_lagrangian(system, tableau, t0, q0, up, h) -
                   discrete_lagrangian(system, tableau, t0, q0, down, h)) /
                      (2 * delta),
                  1e-8);
    }
    double before = 0, after = 0;
    step.energies(before, after);
    const double dh = (discrete_lagrangian(system, tableau, t0, q0, q1, h + delta) -
                       discrete_lagrangian(system, tableau, t0, q0, q1, h - delta)) /
                      (2 * delta);
    const double dt = (discrete_lagrangian(system, tableau, t0 + delta, q0, q1, h) -
                       discrete_lagrangian(system, tableau, t0 - delta, q0, q1, h)) /
                      (2 * delta);
    EXPECT_NEAR(before, -dh, 1e-8) << rule.name;
    EXPECT_NEAR(after, -dh + dt, 1e-8) << rule.name;
  }
}

TEST(SubStep, DerivativeAgreesWithFiniteDifferences) {
  // Central differences: δ² + ε/δ ~ 1e-9 for δ = 1e-5, times derivatives up to ~30 here.
  for (const Model& model : {models::double_pendulum(), models::driven_charge(), models::kepler()}) {
    const System system(model);
    for (const Case& rule : rules) {
      SubStep step(system, make_tableau(rule.name, rule.parameters), {});
      const double x0[6] = {0.8, 0.5, 0.7, -0.4, 0.1, 0.2};  // q0, p0, h, t0
      const auto outputs = [&](const double* x) {
        std::vector<double> y(6);
        step.solve(x[5], x, x + 2, x[4], y.data(), y.data() + 2);
        step.energies(y[4], y[5]);
        return y;
      };
      outputs(x0);
      SubStepDerivative derivative;
      step.derivative(derivative);
      for (int k = 0; k < 6; ++k) {
        double up[6], down[6];
        std::copy(x0, x0 + 6, up), std::copy(x0, x0 + 6, down);
        up[k] += 1e-5, down[k] -= 1e-5;
        const auto y_up = outputs(up), y_down = outputs(down);
        for (int r = 0; r < 6; ++r)
          EXPECT_NEAR(derivative.matrix(r, k), (y_up[r] - y_down[r]) / 2e-5, 3e-7) << rule.name << " " << r << " " << k;
      }
    }
  }
}

TEST(SubStep, ExplicitPathIsTheImplicitOne) {
  // The same physics, made non-separable in form by a term that vanishes: (x'^2) 0·x is folded away, so use
  // x'·y'·1e-300.
  Model disguised = models::kepler();
  disguised.lagrangian =
      disguised.lagrangian + 1e-300 * disguised.q()[0] * dot(disguised.q()[0]) * dot(disguised.q()[1]);
  const System plain(models::kepler()), general(disguised);
  ASSERT_TRUE(plain.separable());
  ASSERT_FALSE(general.separable());
  for (const Case& rule : {rules[0], rules[2]}) {
    SubStep fast(plain, make_tableau(rule.name, rule.parameters), {}),
        slow(general, make_tableau(rule.name, rule.parameters), {});
    ASSERT_TRUE(fast.is_explicit());
    ASSERT_FALSE(slow.is_explicit());
    std::vector<double> q{1, 0.2}, p{-0.1, 1.1}, Q = q, P = p;
    for (int k = 0; k < 100; ++k) {
      fast.solve(0, q.data(), p.data(), 0.05, q.data(), p.data());
      slow.solve(0, Q.data(), P.data(), 0.05, Q.data(), P.data());
    }
    for (int k = 0; k < 2; ++k) {  // 100 steps of round-off, growing at most linearly in a smooth orbit
      EXPECT_NEAR(q[k], Q[k], 1e-12);
      EXPECT_NEAR(p[k], P[k], 1e-12);
    }
  }
}

TEST(SubStep, StepOfLengthZeroIsTheIdentity) {
  const System system(models::double_pendulum());
  for (const Case& rule : rules) {
    SubStep step(system, make_tableau(rule.name, rule.parameters), {});
    std::vector<double> q{0.3, 1.2}, p{0.5, -0.7}, q1(2), p1(2);
    step.solve(0, q.data(), p.data(), 0.0, q1.data(), p1.data());
    EXPECT_EQ(q, q1);
    EXPECT_EQ(p, p1);
  }
}

TEST(SubStep, SparseAndDenseAgree) {
  // 40 coordinates take the sparse path, 20 the dense one; the left half of a chain of two uncoupled halves must agree.
  const auto chain = [](int n) {
    Model m;
    Expr sum = m.graph->constant(0);
    for (int i = 0; i < n; ++i) {
      const Expr x = m.coordinate("x" + std::to_string(i));
      sum = sum + square(dot(x)) * (1 + 0.1 * square(sin(x))) / 2 - square(square(x)) / 4;
      if (i % 20 != 0) sum = sum - square(x - m.q()[i - 1]) / 2;
    }
    m.lagrangian = sum;
    return m;
  };
  const System small(chain(20)), large(chain(40));
  SubStep a(small, make_tableau("midpoint", {}), {}), b(large, make_tableau("midpoint", {}), {});
  std::vector<double> q(20), p(20), Q(40), P(40);
  for (int i = 0; i < 40; ++i) {
    Q[i] = std::sin(1.0 + i % 20), P[i] = std::cos(2.0 * (i % 20));
    if (i < 20) q[i] = Q[i], p[i] = P[i];
  }
  for (int k = 0; k < 20; ++k) {
    a.solve(0, q.data(), p.data(), 0.05, q.data(), p.data());
    b.solve(0, Q.data(), P.data(), 0.05, Q.data(), P.data());
  }
  for (int i = 0; i < 20; ++i) EXPECT_NEAR(q[i], Q[i], 1e-12);  // Newton to round-off in both
}

}  // namespace
}  // namespace ricochet
