#include "ricochet/mechanics/lagrangian.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ricochet/error.hpp"
#include "support/differences.hpp"
#include "support/models.hpp"
#include "support/units.hpp"

namespace ricochet::lagrangian_test {
namespace {

std::vector<double> random_vector(std::mt19937& random, int n) {
  std::uniform_real_distribution<double> uniform(-1.5, 1.5);
  std::vector<double> x(n);
  for (double& y : x) y = uniform(random);
  return x;
}

TEST(Lagrangian, DerivativesAgainstDifferences) {
  for (const Model& model : {models::double_pendulum(), models::driven_charge()}) {
    const System system(model);
    Lagrangian L(system);
    const int n = L.n();
    std::mt19937 random(1);
    for (int k = 0; k < 50; ++k) {
      const std::vector<double> z = random_vector(random, 2 * n + 1);  // q, v, t
      const auto at = [&](const std::vector<double>& x, int order) {
        L.evaluate(order, x.data(), x.data() + n, x[2 * n]);
      };
      for (std::size_t i = 0; i < z.size(); ++i) {
        const double slope =
            differences::partial([&](const std::vector<double>& x) { return at(x, 1), L.value(); }, z, i);
        at(z, 1);
        EXPECT_NEAR(L.gradient()[i], slope, 100 * differences::relative);  // g = 9.81 and its sums
        std::vector<double> unit(2 * n + 1, 0.0), column(2 * n + 1);
        unit[i] = 1;
        at(z, 2);
        L.apply_hessian(unit.data(), column.data());
        for (std::size_t j = 0; j < z.size(); ++j)
          EXPECT_NEAR(
              column[j],
              differences::partial([&](const std::vector<double>& x) { return at(x, 1), L.gradient()[j]; }, z, i),
              100 * differences::relative);
      }
    }
  }
}

TEST(Lagrangian, LegendreTransformBothWays) {
  for (const Model& model : {models::double_pendulum(), models::driven_charge(), models::kepler()}) {
    const System system(model);
    Lagrangian L(system);
    const int n = L.n();
    std::mt19937 random(2);
    for (int k = 0; k < 200; ++k) {
      const std::vector<double> q = random_vector(random, n), v = random_vector(random, n);
      std::vector<double> p(n), w(n), u(n), back(n);
      L.momentum(q.data(), v.data(), 0.3, p.data());
      L.velocity(q.data(), p.data(), 0.3, w.data());
      for (int i = 0; i < n; ++i) EXPECT_NEAR(w[i], v[i], 1e-13);  // ε times the condition of the mass, below 100
      // M⁻¹ by M
      L.apply_inverse_mass(p.data(), u.data());
      std::vector<double> in(2 * n + 1, 0.0), out(2 * n + 1);
      std::copy(u.begin(), u.end(), in.begin() + n);
      L.evaluate(2, q.data(), v.data(), 0.3);
      L.apply_hessian(in.data(), out.data());
      for (int i = 0; i < n; ++i) EXPECT_NEAR(out[n + i], p[i], 1e-13 * (1 + std::abs(p[i])));
    }
  }
}

TEST(Lagrangian, AVelocityThatIsNotQuadratic) {
  // L = −√(1 − v²): p = v/√(1 − v²)
  Model m;
  const Expr x = m.coordinate("x");
  m.lagrangian = -sqrt(1 - square(dot(x)));
  const System system(m);
  EXPECT_FALSE(system.quadratic());
  Lagrangian L(system);
  for (const double p : {0.0, 0.5, -3.0, 40.0}) {
    const double q = 0;
    double v = 0;
    L.velocity(&q, &p, 0, &v);
    EXPECT_NEAR(v, p / std::sqrt(1 + p * p), 1e-14);
    EXPECT_NEAR(L.energy(&q, &v, 0), std::sqrt(1 + p * p), 1e-9 * (1 + p * p));
  }
}

TEST(Lagrangian, EnergyAndMomentumMaps) {
  const System system(models::kepler());
  Lagrangian L(system);
  const std::vector<double> q{0.6, 0.8}, v{1, -2};
  EXPECT_NEAR(L.energy(q.data(), v.data(), 0), 2.5 - 1, 1e-15);
  double angular = 0;
  L.momentum_maps(q.data(), v.data(), &angular);
  EXPECT_NEAR(angular, 0.6 * -2 - 0.8, 1e-15);
}

TEST(Lagrangian, DegenerateSystems) {
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = square(dot(x)) - square(y - x);
  const System system(m);
  ASSERT_TRUE(system.degenerate());
  Lagrangian L(system);
  const std::vector<double> q{1, 2}, p{4, 0};
  std::vector<double> v(2), w(2);
  L.velocity(q.data(), p.data(), 0, v.data());
  EXPECT_EQ(v, (std::vector<double>{2, 0}));
  L.apply_inverse_mass(p.data(), w.data());
  EXPECT_EQ(w, (std::vector<double>{2, 0}));
  const std::vector<double> impulse{1, 1e-20};  // where there is no inertia, in any units
  EXPECT_THROW(L.apply_inverse_mass(impulse.data(), w.data()), SolverError);
  EXPECT_EQ(singular_direction(L, q.data(), v.data(), 0), "y");
}

TEST(Lagrangian, SingularDirectionsInAnyUnits) {
  for (const double light : {1.0, 1e-20, 1e20}) {
    Model m;
    const Expr x = m.coordinate("x"), y = m.coordinate("y");
    m.lagrangian = square(dot(x)) + light * square(dot(y));
    const System regular(m);
    EXPECT_FALSE(regular.degenerate());
    Lagrangian L(regular);
    const std::vector<double> zero(2, 0.0);
    EXPECT_FALSE(singular_direction(L, zero.data(), zero.data(), 0).has_value());
    m.lagrangian = square(dot(x) + std::sqrt(light) * dot(y));
    const System singular(m);
    EXPECT_TRUE(singular.degenerate()) << light;
    Lagrangian M(singular);
    EXPECT_TRUE(singular_direction(M, zero.data(), zero.data(), 0).has_value()) << light;
  }
}

TEST(Lagrangian, VelocitiesHaveNoUnits) {
  const units::Specimen cart = units::cart();  // a length beside an angle
  std::mt19937 random(3);
  for (const units::Units& u : units::others()) {
    const System one(cart.model({})), other(cart.model(u));
    Lagrangian L(one), M(other);
    for (int k = 0; k < 50; ++k) {
      const std::vector<double> q = random_vector(random, 2), p = random_vector(random, 2);
      std::vector<double> Q(2), P(2), v(2), V(2);
      for (int i = 0; i < 2; ++i) {
        Q[i] = u(q[i], cart.coordinates[i]);
        P[i] = u(p[i], units::energy * units::duration / cart.coordinates[i]);
      }
      L.velocity(q.data(), p.data(), 0, v.data());
      M.velocity(Q.data(), P.data(), 0, V.data());
      for (int i = 0; i < 2; ++i) EXPECT_EQ(V[i], u(v[i], cart.coordinates[i] / units::duration)) << u.name();
    }
  }
}

}  // namespace
}  // namespace ricochet::lagrangian_test
