#include "ricochet/discrete/sub_step.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "support/models.hpp"

namespace ricochet::sub_step_test {
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

// Drag with a kink, a drive, and a follower force that couples the coordinates one way.
Model forced(Model m) {
  const Expr x = m.q()[0], y = m.q()[1], u = dot(x), v = dot(y);
  m.forces = {{"drag", {-0.3 * u * abs(u), -0.2 * v}}, {"drive", {0.4 * cos(3 * m.time()) * y, 0.5 * u * sin(x)}}};
  return m;
}

// Of position and time alone: the trapezoidal rule stays explicit.
Model pulled(Model m) {
  const Expr x = m.q()[0], y = m.q()[1];
  m.forces = {{"pull", {0.4 * cos(3 * m.time()) * y, 0.3 * x * y}}};
  return m;
}

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
  for (const Model& model : {models::double_pendulum(), models::driven_charge(), models::kepler(),
                             forced(models::double_pendulum()), forced(models::kepler()), pulled(models::kepler())}) {
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

TEST(SubStep, ExplicitPathWithForcesIsTheImplicitOne) {
  Model disguised = pulled(models::kepler());
  disguised.lagrangian =
      disguised.lagrangian + 1e-300 * disguised.q()[0] * dot(disguised.q()[0]) * dot(disguised.q()[1]);
  const System plain(pulled(models::kepler())), general(disguised);
  for (const Case& rule : {rules[0], rules[2]}) {
    SubStep fast(plain, make_tableau(rule.name, rule.parameters), {}),
        slow(general, make_tableau(rule.name, rule.parameters), {});
    ASSERT_TRUE(fast.is_explicit());
    ASSERT_FALSE(slow.is_explicit());
    std::vector<double> q{1, 0.2}, p{-0.1, 1.1}, Q = q, P = p;
    double work = 0, slow_work = 0;
    for (int k = 0; k < 100; ++k) {
      fast.solve(0.05 * k, q.data(), p.data(), 0.05, q.data(), p.data());
      fast.add_work(&work);
      slow.solve(0.05 * k, Q.data(), P.data(), 0.05, Q.data(), P.data());
      slow.add_work(&slow_work);
    }
    for (int k = 0; k < 2; ++k) {  // 100 steps of round-off, growing at most linearly in a smooth orbit
      EXPECT_NEAR(q[k], Q[k], 1e-12);
      EXPECT_NEAR(p[k], P[k], 1e-12);
    }
    EXPECT_NEAR(work, slow_work, 1e-12);
    EXPECT_GT(std::abs(work), 0.01);
  }
  EXPECT_FALSE(SubStep(System(forced(models::kepler())), make_tableau("trapezoidal", {}), {}).is_explicit());
}

TEST(SubStep, UnderAUniformForceEveryRuleOfOneVelocityIsExplicit) {
  Model falls;
  const Expr x = falls.coordinate("x"), y = falls.coordinate("y");
  falls.lagrangian = square(dot(x)) / 2 + square(dot(y)) + 0.3 * dot(x) * dot(y) - 9.81 * y;
  falls.forces = {{"wind", {falls.graph->constant(0.7), falls.graph->constant(-0.2)}}};
  Model disguised = falls;
  disguised.lagrangian = disguised.lagrangian + 1e-300 * x * dot(x) * dot(y);
  const System plain(falls), general(disguised);
  for (std::size_t k = 0; k < rules.size(); ++k) {
    const Tableau tableau = make_tableau(rules[k].name, rules[k].parameters);
    SubStep fast(plain, tableau, {}), slow(general, tableau, {});
    ASSERT_EQ(fast.is_explicit(), tableau.unknowns == 1) << rules[k].name;
    ASSERT_FALSE(slow.is_explicit());
    std::vector<double> q{1, 0.2}, p{-0.1, 1.1}, Q = q, P = p;
    double work = 0, slow_work = 0;
    for (int step = 0; step < 20; ++step) {
      fast.solve(0, q.data(), p.data(), 0.05, q.data(), p.data());
      fast.add_work(&work);
      slow.solve(0, Q.data(), P.data(), 0.05, Q.data(), P.data());
      slow.add_work(&slow_work);
    }
    SubStepDerivative of_fast, of_slow;
    fast.derivative(of_fast);
    slow.derivative(of_slow);
    double energies[4];
    fast.energies(energies[0], energies[1]);
    slow.energies(energies[2], energies[3]);
    for (int i = 0; i < 2; ++i) {  // 20 steps of round-off of numbers up to 10
      EXPECT_NEAR(q[i], Q[i], 1e-13) << rules[k].name;
      EXPECT_NEAR(p[i], P[i], 1e-13) << rules[k].name;
      EXPECT_NEAR(energies[i], energies[2 + i], 1e-12) << rules[k].name;
    }
    EXPECT_NEAR(work, slow_work, 1e-12);
    EXPECT_LT((of_fast.matrix - of_slow.matrix).cwiseAbs().maxCoeff(), 1e-12) << rules[k].name;
    Eigen::MatrixXd by_state[2], by_inputs[2];
    fast.step_derivative(by_state[0], by_inputs[0]);
    slow.step_derivative(by_state[1], by_inputs[1]);
    EXPECT_LT((by_state[0] - by_state[1]).cwiseAbs().maxCoeff(), 1e-12) << rules[k].name;
    EXPECT_LT((by_inputs[0] - by_inputs[1]).cwiseAbs().maxCoeff(), 1e-12) << rules[k].name;
  }
}

TEST(SubStep, LinearDampingHasItsFactor) {
  // L = m v²/2, F = −c v, z = ch/m. One velocity: p0 = (1 + (1−γ)z) m w, p1 = (1 − γz) m w; Gauss points: the Padé
  // approximation of e^−z. Each to a few roundings.
  const double m = 1.7, c = 0.6, h = 0.3, z = c * h / m, p0 = 0.9;
  Model model;
  const Expr x = model.coordinate("x");
  model.lagrangian = m / 2 * square(dot(x));
  model.forces = {{"drag", {-c * dot(x)}}};
  const System system(model);
  const double middle = (1 - z / 2) / (1 + z / 2);
  const double pade2 = (1 - z / 2 + z * z / 12) / (1 + z / 2 + z * z / 12);
  const double pade3 = (1 - z / 2 + z * z / 10 - z * z * z / 120) / (1 + z / 2 + z * z / 10 + z * z * z / 120);
  const double factors[] = {middle, middle, 1 / (1 + z), (1 - 0.3 * z) / (1 + 0.7 * z), pade2, pade3};
  for (std::size_t k = 0; k < rules.size(); ++k) {
    SubStep step(system, make_tableau(rules[k].name, rules[k].parameters), {});
    double q1 = 0, p1 = 0, work = 0;
    const double q0 = 0.2;
    step.solve(0, &q0, &p0, h, &q1, &p1);
    EXPECT_NEAR(p1 / p0, factors[k], 4e-16) << rules[k].name;
    EXPECT_NEAR(q1 - q0, (p0 - p1) / c, 1e-15) << rules[k].name;  // p + cx is kept by every rule
    step.add_work(&work);
    if (k < 2) {
      EXPECT_NEAR(work, (p1 * p1 - p0 * p0) / (2 * m), 1e-16);  // −c h w², exactly the change of energy
    }
  }
}

TEST(SubStep, ConservativeForceActsAsItsPotential) {
  // F = −∇U beside L, or L − U: the same q, p and derivatives for every rule (a few roundings of Newton's method).
  const auto U = [](const Model& m) { return sin(m.q()[0]) * m.q()[1] + square(square(m.q()[1])) / 4; };
  Model by_force = models::double_pendulum(), by_potential = models::double_pendulum();
  const Expr x = by_force.q()[0], y = by_force.q()[1];
  by_force.forces = {{"field", {-cos(x) * y, -sin(x) - y * y * y}}};
  by_potential.lagrangian = by_potential.lagrangian - U(by_potential);
  const System a(by_force), b(by_potential);
  for (const Case& rule : rules) {
    SubStep first(a, make_tableau(rule.name, rule.parameters), {}),
        second(b, make_tableau(rule.name, rule.parameters), {});
    const double q0[2] = {0.8, 0.5}, p0[2] = {0.7, -0.4};
    double q[2], p[2], Q[2], P[2];
    first.solve(0, q0, p0, 0.1, q, p);
    second.solve(0, q0, p0, 0.1, Q, P);
    SubStepDerivative d, D;
    first.derivative(d);
    second.derivative(D);
    for (int k = 0; k < 2; ++k) {
      EXPECT_NEAR(q[k], Q[k], 1e-14) << rule.name;
      EXPECT_NEAR(p[k], P[k], 1e-13) << rule.name;
    }
    EXPECT_LT((d.matrix - D.matrix).topRows(4).cwiseAbs().maxCoeff(), 1e-12) << rule.name;
  }
}

TEST(SubStep, EnergiesCarryTheForces) {
  // E⁻ = −∂_h L_d + h Σ b c F·v and E⁺ = −∂_h L_d + ∂_t0 L_d − h Σ b (1−c) F·v, the first parts by differences of the
  // quadrature: error δ² + ε/δ ~ 1e-9 for δ = 1e-5.
  const System system(forced(models::driven_charge()));
  Forces forces(system);
  const double delta = 1e-5, t0 = 0.7, h = 0.1;
  for (const Case& rule : rules) {
    const Tableau tableau = make_tableau(rule.name, rule.parameters);
    if (tableau.unknowns > 1) continue;
    SubStep step(system, tableau, {});
    const std::vector<double> q0{0.4, -0.2}, p0{0.3, 0.9};
    std::vector<double> q1(2), p1(2);
    step.solve(t0, q0.data(), p0.data(), h, q1.data(), p1.data());
    double before = 0, after = 0, start = 0, end = 0;
    step.energies(before, after);
    for (int i = 0; i < tableau.points; ++i) {
      const double c = tableau.c[i];
      const std::vector<double> q{(1 - c) * q0[0] + c * q1[0], (1 - c) * q0[1] + c * q1[1]};
      const std::vector<double> w{(q1[0] - q0[0]) / h, (q1[1] - q0[1]) / h};
      forces.evaluate(0, q.data(), w.data(), t0 + c * h);
      const double power = forces.F()[0] * w[0] + forces.F()[1] * w[1];
      start += h * tableau.b[i] * c * power;
      end += h * tableau.b[i] * (1 - c) * power;
    }
    const double dh = (discrete_lagrangian(system, tableau, t0, q0, q1, h + delta) -
                       discrete_lagrangian(system, tableau, t0, q0, q1, h - delta)) /
                      (2 * delta);
    const double dt = (discrete_lagrangian(system, tableau, t0 + delta, q0, q1, h) -
                       discrete_lagrangian(system, tableau, t0 - delta, q0, q1, h)) /
                      (2 * delta);
    EXPECT_NEAR(before, -dh + start, 1e-8) << rule.name;
    EXPECT_NEAR(after, -dh + dt - end, 1e-8) << rule.name;
  }
}

// A double pendulum, or a pendulum beside a bead in a quartic well (a length beside an angle), in units in which a
// length, a time and a mass have the sizes given.
Model in_units(bool beside, double length, double time, double mass) {
  Model m;
  const Expr a = m.coordinate("a"), b = m.coordinate("b");
  const double g = 9.81 * length / (time * time), I = mass * length * length;
  if (beside)
    m.lagrangian = I * square(dot(a)) * (1.2 + sin(a)) / 2 + mass * square(dot(b)) / 2 + mass * g * length * cos(a) -
                   mass / (time * time * length * length) * square(square(b)) / 4;
  else
    m.lagrangian = I * (square(dot(a)) + square(dot(b)) / 2 + dot(a) * dot(b) * cos(a - b)) +
                   mass * g * length * (2 * cos(a) + cos(b));
  m.forces = {{"drag", {-0.1 * (I / time) * dot(a), -0.1 * ((beside ? mass : I) / time) * dot(b)}}};
  return m;
}

TEST(SubStep, PowersOfTwoInLengthTimeAndMassChangeNoBit) {
  for (const bool beside : {false, true})
    for (const Case& rule : rules) {
      std::vector<double> plain;
      for (const auto& [length, time, mass] : std::vector<std::array<int, 3>>{{0, 0, 0},
                                                                              {10, 0, 0},
                                                                              {-10, 0, 0},
                                                                              {30, 0, 0},
                                                                              {-30, 0, 0},
                                                                              {0, 10, 0},
                                                                              {0, -10, 0},
                                                                              {0, 30, 0},
                                                                              {0, -30, 0},
                                                                              {0, 0, 10},
                                                                              {0, 0, -10},
                                                                              {0, 0, 30},
                                                                              {0, 0, -30},
                                                                              {0, 0, 11},
                                                                              {7, -13, 5}}) {
        // A length beside an angle makes J_22/J_11 ~ length²; below 1e-15 a matrix counts as singular.
        if (beside && std::abs(length) > 20) continue;
        const double l = std::ldexp(1, length), t = std::ldexp(1, time), m = std::ldexp(1, mass);
        const System system(in_units(beside, l, t, m));
        SubStep step(system, make_tableau(rule.name, rule.parameters), {});
        const double unit_b = beside ? l : 1, I = m * l * l, momentum_b = beside ? m * l / t : I / t;
        double q[2] = {0.8, 0.5 * unit_b}, p[2] = {0.7 * I / t, -0.4 * momentum_b};
        std::vector<double> now;
        for (int k = 0; k < 20; ++k) {
          step.solve(0, q, p, 0.05 * t, q, p);
          double before = 0, after = 0;
          step.energies(before, after);
          now.insert(now.end(), {q[0], q[1] / unit_b, p[0] / (I / t), p[1] / momentum_b, before / (I / t / t),
                                 after / (I / t / t), static_cast<double>(step.newton_result().iterations)});
        }
        if (plain.empty()) plain = now;
        EXPECT_EQ(now, plain) << rule.name << (beside ? " beside " : " ") << length << " " << time << " " << mass;
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
  // 120 coordinates take the sparse path, 20 the dense one; the first of six uncoupled chains must agree.
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
  const System small(chain(20)), large(chain(120));
  SubStep a(small, make_tableau("midpoint", {}), {}), b(large, make_tableau("midpoint", {}), {});
  std::vector<double> q(20), p(20), Q(120), P(120);
  for (int i = 0; i < 120; ++i) {
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
}  // namespace ricochet::sub_step_test
