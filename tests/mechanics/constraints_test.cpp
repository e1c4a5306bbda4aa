#include "ricochet/mechanics/constraints.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/differences.hpp"

namespace ricochet::constraints_test {
namespace {

// Two holonomic and two nonholonomic constraints, one of these affine.
Model gallery() {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z"), a = m.coordinate("a");
  m.lagrangian = square(dot(x)) + square(dot(y)) + square(dot(z)) + square(dot(a));
  m.holonomic = {{"sphere", sqrt(square(x) + square(y) + square(z)) - 2}, {"sheet", z - x * y * sin(a)}};
  m.nonholonomic = {{"blade", dot(x) * sin(a) - dot(y) * cos(a)}, {"belt", dot(z) * (1 + x * x) - 2 * dot(a) + y * z}};
  return m;
}

std::vector<double> random_vector(std::mt19937& random, int n) {
  std::uniform_real_distribution<double> uniform(-1.5, 1.5);
  std::vector<double> x(n);
  for (double& y : x) y = uniform(random);
  return x;
}

TEST(Constraints, ColumnsAndRatesAgainstDifferences) {
  const System system(gallery());
  Constraints constraints(system);
  ASSERT_EQ(constraints.count(), 4);
  ASSERT_EQ(constraints.holonomic(), 2);
  EXPECT_EQ(constraints.name(3), "belt");
  EXPECT_TRUE(system.affine());
  std::mt19937 random(1);
  for (int sample = 0; sample < 50; ++sample) {
    const std::vector<double> q = random_vector(random, 4), v = random_vector(random, 4);
    constraints.evaluate(q.data());
    const double x = q[0], y = q[1], z = q[2], a = q[3];
    EXPECT_NEAR(constraints.value(0), std::sqrt(x * x + y * y + z * z) - 2, 1e-15);
    EXPECT_EQ(constraints.value(2), 0);
    EXPECT_NEAR(constraints.value(3), y * z, 1e-15);
    std::vector<double> rates(4);
    constraints.rates(v.data(), rates.data());
    EXPECT_NEAR(rates[2], v[0] * std::sin(a) - v[1] * std::cos(a), 1e-15);
    EXPECT_NEAR(rates[3], v[2] * (1 + x * x) - 2 * v[3] + y * z, 1e-14);
    for (int k = 0; k < 2; ++k) {  // c = ∇f
      const auto value = [&](const std::vector<double>& at) {
        constraints.evaluate(at.data());
        return constraints.value(k);
      };
      double rate = 0;
      for (std::size_t i = 0; i < 4; ++i) rate += v[i] * differences::partial(value, q, i);
      EXPECT_NEAR(rates[k], rate, differences::relative);
    }
    // curvature_times and rate_derivative: derivatives of Σ ν_k c_k and of the rates
    const std::vector<double> nu = random_vector(random, 4), direction = random_vector(random, 4);
    std::vector<double> bent(4, 0.0), change(4, 0.0);
    constraints.curvature_times(q.data(), nu.data(), direction.data(), bent.data());
    constraints.rate_derivative(q.data(), v.data(), direction.data(), change.data());
    for (int i = 0; i < 4; ++i) {
      double slope = 0;
      for (std::size_t j = 0; j < 4; ++j)
        slope += direction[j] * differences::partial(
                                    [&](const std::vector<double>& at) {
                                      constraints.evaluate(at.data());
                                      double sum = 0;
                                      for (const Constraints::Entry& e : constraints.entries())
                                        if (e.coordinate == i) sum += nu[e.constraint] * e.value;
                                      return sum;
                                    },
                                    q, j);
      EXPECT_NEAR(bent[i], slope, 10 * differences::relative) << i;
    }
    for (int k = 0; k < 4; ++k) {
      double slope = 0;
      for (std::size_t j = 0; j < 4; ++j)
        slope += direction[j] * differences::partial(
                                    [&](const std::vector<double>& at) {
                                      std::vector<double> r(4);
                                      constraints.evaluate(at.data());
                                      constraints.rates(v.data(), r.data());
                                      return r[k];
                                    },
                                    q, j);
      EXPECT_NEAR(change[k], slope, 10 * differences::relative) << k;
    }
    std::vector<double> gathered(4, 0.0);
    for (const Constraints::Entry& e : constraints.rate_gradient(q.data(), v.data()))
      gathered[e.constraint] += e.value * direction[e.coordinate];
    for (int k = 2; k < 4; ++k) EXPECT_NEAR(gathered[k], change[k], 1e-13);
  }
}

// Two bodies of masses m and M on a line, one apart; and a ring for the first coordinate pair.
Model pair(double m, double M, int copies = 1) {
  Model model;
  const Expr x = model.coordinate("x"), X = model.coordinate("X");
  model.lagrangian = m / 2 * square(dot(x)) + M / 2 * square(dot(X));
  for (int k = 0; k < copies; ++k) model.holonomic.push_back({"rod" + std::to_string(k), (k + 1) * (X - x - 1)});
  return model;
}

TEST(Constraints, MoveOntoTakesTheShortestWayInTheMetricOfTheMasses) {
  for (const int copies : {1, 2, 3}) {  // the same rod several times is the same rod
    const System system(pair(1, 3, copies));
    Constraints constraints(system);
    std::vector<double> q{0, 2};  // too far by 1: the light one goes ¾ of it
    constraints.move_onto(q.data());
    EXPECT_NEAR(q[0], 0.75, 1e-15);
    EXPECT_NEAR(q[1], 1.75, 1e-15);
  }
}

TEST(Constraints, MoveOntoReachesRoundOff) {
  const System system(gallery());
  Constraints constraints(system);
  std::mt19937 random(2);
  int reached = 0;
  for (int k = 0; k < 500; ++k) {
    std::vector<double> q = random_vector(random, 4);
    constraints.move_onto(q.data());
    constraints.evaluate(q.data());
    std::vector<double> reach(4);
    for (int i = 0; i < 4; ++i) reach[i] = std::abs(q[i]);
    bool on = true;
    for (int i = 0; i < 2; ++i)
      on = on && std::abs(constraints.value(i)) <= constraints.round_off(i, q.data(), reach.data());
    reached += on;
  }
  // Gauss–Newton from anywhere may end in a local minimum of the distance, rarely
  EXPECT_GE(reached, 490);
}

TEST(Constraints, MoveOntoHasNoUnits) {
  // length beside angle: a bead on a spiral r = c a, and a second one at a distance from it
  const auto model = [](int e) {
    Model m;
    const double L = std::ldexp(1.0, e);
    const Expr r = m.coordinate("r"), a = m.coordinate("a");
    m.lagrangian = (square(dot(r)) + square(r) * square(dot(a))) / 2;
    m.holonomic = {{"spiral", r - 0.3 * L * a - 0.1 * L * sin(3 * a)}};
    return m;
  };
  std::mt19937 random(3);
  for (const int e : {-30, -7, 1, 30}) {
    const System one(model(0)), other(model(e));
    Constraints a(one), b(other);
    for (int k = 0; k < 100; ++k) {
      std::vector<double> q = random_vector(random, 2), Q = q;
      q[0] += 2, Q[0] = std::ldexp(q[0], e);
      a.move_onto(q.data());
      b.move_onto(Q.data());
      EXPECT_EQ(std::ldexp(Q[0], -e), q[0]);
      EXPECT_EQ(Q[1], q[1]);
    }
  }
}

TEST(Constraints, ContradictionsAreLeftWithAResidual) {
  Model model = pair(1, 1);
  const Expr x = model.q()[0], X = model.q()[1];
  model.holonomic.push_back({"other", X - x - 2});
  const System system(model);
  Constraints constraints(system);
  std::vector<double> q{0, 0};
  constraints.move_onto(q.data());
  constraints.evaluate(q.data());
  EXPECT_NEAR(std::abs(constraints.value(0)) + std::abs(constraints.value(1)), 1, 1e-12);
}

TEST(Constraints, RoundOffCoversWhatRoundingDoes) {
  const System system(gallery());
  Constraints constraints(system);
  std::mt19937 random(4);
  for (int k = 0; k < 1000; ++k) {
    const std::vector<double> q = random_vector(random, 4), v = random_vector(random, 4);
    std::vector<double> reach(4), v_reach(4), rates(4);
    for (int i = 0; i < 4; ++i) reach[i] = std::abs(q[i]), v_reach[i] = std::abs(v[i]);
    constraints.evaluate(q.data());
    constraints.rates(v.data(), rates.data());
    const long double x = q[0], y = q[1], z = q[2], a = q[3], r = std::sqrt(x * x + y * y + z * z);
    const long double f[2] = {r - 2, z - x * y * std::sin(a)};
    const long double rate[4] = {(x * v[0] + y * v[1] + z * v[2]) / r,
                                 v[2] - v[0] * y * std::sin(a) - x * v[1] * std::sin(a) - x * y * std::cos(a) * v[3],
                                 v[0] * std::sin(a) - v[1] * std::cos(a), v[2] * (1 + x * x) - 2 * v[3] + y * z};
    for (int i = 0; i < 4; ++i) {
      const double rho = constraints.rate_round_off(i, q.data(), reach.data(), v.data(), v_reach.data());
      EXPECT_LE(std::abs(static_cast<double>(rates[i] - rate[i])), rho);
      EXPECT_LE(rho, 1e-14 * 30);  // terms of at most 30, 8ε each and their condition
      if (i > 1) continue;
      const double of_f = constraints.round_off(i, q.data(), reach.data());
      EXPECT_LE(std::abs(static_cast<double>(constraints.value(i) - f[i])), of_f);
      EXPECT_LE(of_f, 1e-14 * 10);
    }
  }
}

}  // namespace
}  // namespace ricochet::constraints_test
