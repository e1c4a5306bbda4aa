// What is true of every impact, over random ones; derivatives; units; several contacts at once.
#include "ricochet/contact/law_resolver.hpp"

#include <gtest/gtest.h>

#include "contact/random_impact.hpp"
#include "ricochet/error.hpp"
#include "support/allocations.hpp"

namespace ricochet::law_resolver_test {
namespace {

using test::Dual;
using test::RandomImpact;

const std::vector<ImpactLaw> all_laws{ImpactLaw::elastic, ImpactLaw::newton, ImpactLaw::coulomb, ImpactLaw::plastic};

// 1 over the condition of Δ scaled by its diagonal.
double condition(const RandomImpact& x) {
  const Eigen::VectorXd d = x.delta.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::VectorXd e = (d.asDiagonal() * x.delta * d.asDiagonal()).selfadjointView<Eigen::Lower>().eigenvalues();
  return e.maxCoeff() / std::max(e.minCoeff(), 1e-300);
}

TEST(LawResolver, OneContactNeverGainsEnergyAndKeepsItsLaw) {
  // 20000 poses, restitutions, frictions, planar and spatial. Round-off grows with the condition of Δ.
  std::mt19937 random(1);
  ImpactResolver<double> resolver;
  int pulled = 0;
  for (int k = 0; k < 20000; ++k) {
    const ImpactLaw law = all_laws[k % 4];
    const int tangents = 1 + k / 4 % 2;
    RandomImpact x = test::random_impact({law}, tangents, random);
    x.resolve(resolver);
    const double e = x.restitutions[0].at(1.0), round_off = 1e-14 * condition(x);
    double scale = 0;
    const double change = test::energy_change(x, resolver, scale);
    ASSERT_LE(change, round_off * scale) << k;
    const double normal = resolver.impulse()[0], speed = x.c.norm(), cp = resolver.c_plus()[0];
    double tangential = 0, slip = 0;
    for (int a = 1; a <= tangents; ++a) {
      tangential = std::hypot(tangential, resolver.impulse()[a]);
      slip = std::hypot(slip, resolver.c_plus()[a]);
    }
    ASSERT_GT(normal, 0) << k;
    ASSERT_GE(cp, -round_off * speed) << k;
    if (law == ImpactLaw::elastic || law == ImpactLaw::newton) {
      const double asked = law == ImpactLaw::elastic ? 1 : e;
      ASSERT_EQ(tangential, 0) << k;
      ASSERT_NEAR(resolver.obtained(0), asked, 1e-10) << k;
      ASSERT_EQ(resolver.requested(0), asked) << k;
    }
    if (law == ImpactLaw::coulomb) {
      ASSERT_LE(tangential, x.contacts[0].friction * normal * (1 + 1e-12)) << k;
      ASSERT_NEAR(resolver.obtained(0), e, 1e-10) << k;
      ASSERT_EQ(resolver.requested(0), e) << k;
    }
    if (law == ImpactLaw::plastic) {
      const Eigen::VectorXd direct = x.delta.ldlt().solve(-x.c);
      if (direct[0] >= 0) {
        ASSERT_LE(std::hypot(cp, slip), std::max(1e-12, round_off) * speed) << k;
      } else {  // the stated fallback: in the cone of its friction, and the normal speed stops
        ++pulled;
        ASSERT_LE(tangential, x.contacts[0].friction * normal * (1 + 1e-12)) << k;
        ASSERT_NEAR(cp, 0, round_off * speed) << k;
      }
    }
  }
  EXPECT_GT(pulled, 100);
}

TEST(LawResolver, SeveralContactsNeverGainEnergyAndNoneApproachesAfterwards) {
  std::mt19937 random(2);
  ImpactResolver<double> resolver;
  for (int k = 0; k < 1000; ++k) {
    std::vector<ImpactLaw> laws;
    for (int i = 0; i < 2 + k % 3; ++i) laws.push_back(all_laws[random() % 4]);
    RandomImpact x = test::random_impact(laws, 1 + k % 2, random);
    if (k % 5 == 0)  // some as fast as the first
      for (const LawContact<double>& contact : x.contacts) x.c[contact.row] = x.c[0];
    for (const Simultaneous rule : {Simultaneous::moreau, Simultaneous::generalized, Simultaneous::sequential}) {
      x.resolve(resolver, rule);
      double scale = 0;
      const double round_off = 1e-13 * condition(x);
      const double change = test::energy_change(x, resolver, scale);
      ASSERT_LE(change, round_off * scale) << k;
      for (std::size_t i = 0; i < laws.size(); ++i) {
        const int row = x.contacts[i].row;
        ASSERT_GE(resolver.c_plus()[row], -round_off * x.c.norm()) << k;
        ASSERT_GE(resolver.impulse()[row], -round_off * scale / x.c.norm()) << k;
      }
      const Eigen::VectorXd lambda = Eigen::Map<const Eigen::VectorXd>(resolver.impulse().data(), x.rows);
      const Eigen::VectorXd after = x.c + x.delta * lambda;
      for (int i = 0; i < x.rows; ++i)
        ASSERT_NEAR(after[i], resolver.c_plus()[i], 1e-12 * (x.c.norm() + (x.delta * lambda).norm())) << k;
    }
  }
}

TEST(LawResolver, DerivativesAreThoseOfCentralDifferences) {
  // Every law and branch; differences of 1e-6 are good to 1e-10 of the second derivative; a difference that crosses a
  // branch is seen by comparing two step sizes, and left out.
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  ImpactResolver<double> resolver;
  ImpactResolver<Dual> dual;
  int compared = 0, curved = 0;
  for (int k = 0; k < 3000; ++k) {
    std::vector<ImpactLaw> laws{all_laws[k % 4]};
    const int tangents = 1 + k / 4 % 2;
    const bool joint = k % 7 == 0;
    if (joint) laws.push_back(all_laws[k / 7 % 4]);
    RandomImpact x = test::random_impact(laws, tangents, random, 0.3);
    if (joint) x.c[1 + tangents] = -std::abs(x.c[1 + tangents]);
    if (condition(x) > 100) continue;
    const Eigen::MatrixXd half = test::random_rows(x.rows, x.rows, random);
    const Eigen::MatrixXd d_delta = half + half.transpose();
    Eigen::VectorXd d_c(x.rows);
    for (int i = 0; i < x.rows; ++i) d_c[i] = normal(random);

    std::vector<Dual> delta(static_cast<std::size_t>(x.rows) * x.rows), c(x.rows);
    for (int i = 0; i < x.rows; ++i) {
      c[i] = {x.c[i], d_c[i]};
      for (int j = 0; j < x.rows; ++j) delta[i * x.rows + j] = {x.delta(i, j), d_delta(i, j)};
    }
    const auto contacts = x.contacts_for<Dual>();
    const int before = dual.curves();
    dual.resolve(contacts, x.rows, delta.data(), c.data(), x.still);
    curved += dual.curves() > before;
    x.resolve(resolver);
    double size = 0;
    for (const double impulse : resolver.impulse()) size += std::abs(impulse);
    for (int i = 0; i < x.rows; ++i)
      ASSERT_NEAR(dual.impulse()[i].value, resolver.impulse()[i], dual.curves() > before ? 1e-11 * size : 0.0) << k;

    const auto difference = [&](double h) {
      Eigen::VectorXd sum = Eigen::VectorXd::Zero(x.rows);
      for (const double sign : {1.0, -1.0}) {
        RandomImpact y = x;
        y.delta += sign * h * d_delta;
        y.c += sign * h * d_c;
        y.resolve(resolver);
        for (int i = 0; i < x.rows; ++i) sum[i] += sign * resolver.impulse()[i] / (2 * h);
      }
      return sum;
    };
    // Richardson: order 4
    const Eigen::VectorXd a = difference(2e-5), b = difference(1e-5), f = b + (b - a) / 3;
    if ((b - a).norm() > 1e-5 * (b.norm() + 1)) continue;  // strongly curved, or a branch between
    ++compared;
    for (int i = 0; i < x.rows; ++i) EXPECT_NEAR(dual.impulse()[i].derivative, f[i], 1e-7 * (f.norm() + 1)) << k;
  }
  EXPECT_GT(compared, 1500);
  EXPECT_GT(curved, 100);
}

TEST(LawResolver, ThereAreNoUnits) {
  // c_i → a_i c_i, Δ_ij → a_i a_j b Δ_ij, a_i a power of two of contact i: Λ_i → Λ_i/(a_i b) to the bit. Contacts whose
  // speeds are lengths in time share their a.
  std::mt19937 random(4);
  ImpactResolver<double> resolver, other;
  for (int k = 0; k < 1000; ++k) {
    std::vector<ImpactLaw> laws;
    for (int i = 0; i < 1 + k % 4; ++i) laws.push_back(k % 3 == 0 ? ImpactLaw::elastic : all_laws[random() % 4]);
    RandomImpact x = test::random_impact(laws, 1 + k % 2, random);
    for (std::size_t i = 0; i < laws.size(); ++i)
      x.contacts[i].length = laws[i] == ImpactLaw::coulomb || laws[i] == ImpactLaw::plastic || random() % 2 == 0;
    if (k % 5 == 0)
      for (const LawContact<double>& contact : x.contacts) x.c[contact.row] = x.c[0];
    RandomImpact y = x;
    const auto power = [&] { return std::ldexp(1.0, static_cast<int>(random() % 121) - 60); };
    const double b = power(), length = power();
    Eigen::VectorXd a(x.rows);
    for (std::size_t i = 0; i < laws.size(); ++i) {
      a.segment(x.contacts[i].row, 2 + k % 2).setConstant(x.contacts[i].length ? length : power());
      y.still[i] *= a[x.contacts[i].row];
    }
    y.delta = b * (a.asDiagonal() * x.delta * a.asDiagonal());
    y.c = a.asDiagonal() * x.c;
    for (const Simultaneous rule : {Simultaneous::moreau, Simultaneous::generalized, Simultaneous::sequential}) {
      x.resolve(resolver, rule);
      y.resolve(other, rule);
      ASSERT_EQ(resolver.passes(), other.passes()) << k;
      for (int i = 0; i < x.rows; ++i) ASSERT_EQ(resolver.impulse()[i] / (a[i] * b), other.impulse()[i]) << k;
      for (std::size_t i = 0; i < laws.size(); ++i) ASSERT_EQ(resolver.obtained(i), other.obtained(i)) << k;
    }
  }
}

// Bodies on a line: contact i between body i and i + 1 (body −1 is a wall on the left if asked).
RandomImpact line(const std::vector<double>& masses, const std::vector<double>& v, bool wall, ImpactLaw law) {
  RandomImpact x;
  const int n = static_cast<int>(masses.size()), m = n - 1 + wall;
  Eigen::MatrixXd j = Eigen::MatrixXd::Zero(m, n), inverse = Eigen::MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i) inverse(i, i) = 1 / masses[i];
  for (int i = 0; i < m; ++i) {
    const int right = wall ? i : i + 1;
    j(i, right) = 1;
    if (right > 0) j(i, right - 1) = -1;
    x.contacts.push_back({.law = law, .row = i, .length = true});
    x.restitutions.emplace_back(1.0);
    x.still.push_back(1e-15);
  }
  x.rows = m;
  x.delta = j * inverse * j.transpose();
  x.c = j * Eigen::Map<const Eigen::VectorXd>(v.data(), n);
  return x;
}

TEST(LawResolver, GalperinsPassesAreTheDigitsOfPi) {
  // Wall, light ball at rest, heavy ball coming; both contacts closed; mass ratio 100^k.
  ImpactResolver<double> resolver;
  const int digits[3] = {3, 31, 314};
  for (int k = 0; k < 3; ++k) {
    RandomImpact x = line({1, std::pow(100.0, k)}, {0, -1}, true, ImpactLaw::elastic);
    for (const Simultaneous rule : {Simultaneous::generalized, Simultaneous::sequential}) {
      x.resolve(resolver, rule);
      EXPECT_EQ(resolver.passes(), digits[k]);
    }
  }
}

TEST(LawResolver, NewtonsCradleTwoInTwoOut) {
  const std::vector<double> v{1, 1, 0, 0, 0};
  RandomImpact x = line({1, 1, 1, 1, 1}, v, false, ImpactLaw::elastic);
  ImpactResolver<double> resolver;
  const auto after = [&](Simultaneous rule) {
    x.resolve(resolver, rule);
    std::vector<double> result = v;
    for (int i = 0; i < 4; ++i) result[i] -= resolver.impulse()[i], result[i + 1] += resolver.impulse()[i];
    return result;
  };
  const std::vector<double> generalized = after(Simultaneous::generalized),
                            sequential = after(Simultaneous::sequential), moreau = after(Simultaneous::moreau),
                            out{0, 0, 0, 1, 1}, split{-.2, -.2, .8, .8, .8};
  for (int i = 0; i < 5; ++i) {
    EXPECT_NEAR(generalized[i], out[i], 1e-14);
    EXPECT_NEAR(sequential[i], out[i], 1e-14);
    EXPECT_NEAR(moreau[i], split[i], 1e-14);
  }
}

TEST(LawResolver, ABoxThatLandsFlatStaysFlat) {
  // Half sides a, b; both lower vertices strike at once with speed 1. Jointly: c⁺ = e c of both, no rotation, with any
  // of the laws; with friction and a slip both vertices rub alike. In space: four vertices, one more than Δ has rank
  // for.
  const double e = 0.5, a = 0.5, b = 0.3, inertia = (a * a + b * b) / 3;
  ImpactResolver<double> resolver;
  for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::coulomb, ImpactLaw::plastic}) {
    RandomImpact x;
    Eigen::MatrixXd j(4, 3);
    j << 0, 1, -a, 1, 0, b, 0, 1, a, 1, 0, b;
    x.rows = 4;
    x.delta = j * Eigen::Vector3d(1, 1, 1 / inertia).asDiagonal() * j.transpose();
    const Eigen::Vector3d v(0.4, -1, 0);
    x.c = j * v;
    for (const int row : {0, 2}) {
      x.contacts.push_back({.law = law, .row = row, .tangents = 1, .friction = 0.05, .length = true});
      x.restitutions.emplace_back(e);
      x.still.push_back(1e-15);
    }
    x.resolve(resolver);
    EXPECT_EQ(resolver.passes(), 1);
    for (const int row : {0, 2}) {
      EXPECT_NEAR(resolver.c_plus()[row], law == ImpactLaw::plastic ? 0 : e, 1e-14) << name(law);
      const double slip = resolver.c_plus()[row + 1], rub = resolver.impulse()[row + 1];
      EXPECT_NEAR(slip, law == ImpactLaw::plastic ? 0 : slip, 1e-14);
      EXPECT_NEAR(rub, law == ImpactLaw::coulomb ? -0.05 * resolver.impulse()[row] : rub, 1e-14);
    }
  }
  RandomImpact x;
  Eigen::MatrixXd j(4, 3);
  j << 1, a, b, 1, -a, b, 1, a, -b, 1, -a, -b;
  x.rows = 4;
  x.delta = j * Eigen::Vector3d(1, 3 / (a * a), 3 / (b * b)).asDiagonal() * j.transpose();
  x.c = j * Eigen::Vector3d(-1, 0, 0);
  for (int row = 0; row < 4; ++row) {
    x.contacts.push_back({.law = ImpactLaw::newton, .row = row, .length = true});
    x.restitutions.emplace_back(e);
    x.still.push_back(1e-15);
  }
  x.resolve(resolver);
  for (int row = 0; row < 4; ++row) EXPECT_NEAR(resolver.c_plus()[row], e, 1e-13);
}

TEST(LawResolver, TheHardestHitAndWhatWasAskedOfIt) {
  RandomImpact x = line({1, 1, 1}, {1, 0, -3}, false, ImpactLaw::newton);
  x.restitutions = {Restitution(0.25), Restitution(0.75)};
  ImpactResolver<double> resolver;
  x.resolve(resolver);
  EXPECT_EQ(resolver.hardest(), 1);
  EXPECT_EQ(resolver.requested(0), 0.25);
  EXPECT_EQ(resolver.requested(1), 0.75);
  x.c *= -1;
  x.resolve(resolver);
  EXPECT_EQ(resolver.hardest(), -1);
  EXPECT_EQ(resolver.impulse()[0], 0);
  EXPECT_EQ(resolver.passes(), 0);
}

TEST(LawResolver, ACapturedContactHasNoRestitution) {
  RandomImpact x = line({1, 2}, {1, 0}, false, ImpactLaw::elastic);
  x.contacts[0].captured = true;
  ImpactResolver<double> resolver;
  x.resolve(resolver);
  EXPECT_NEAR(resolver.c_plus()[0], 0, 1e-16);
  EXPECT_EQ(resolver.requested(0), 0);
}

TEST(LawResolver, OpposingContactsThatNeverEndAreAClearFailure) {
  // The same wall from both sides: an elastic impulse at one is an approach at the other.
  RandomImpact x = line({1, 1}, {1, 0}, false, ImpactLaw::elastic);
  x.rows = 2;
  x.delta.resize(2, 2);
  x.delta << 1, -1, -1, 1;
  x.c = Eigen::Vector2d(-1, 1);
  x.contacts.push_back({.law = ImpactLaw::elastic, .row = 1, .length = true});
  x.restitutions.emplace_back(1.0);
  x.still.push_back(1e-15);
  ImpactResolver<double> resolver;
  EXPECT_THROW(x.resolve(resolver, Simultaneous::sequential), SolverError);
  // A lossy one comes to rest between them.
  for (LawContact<double>& contact : x.contacts) contact.law = ImpactLaw::newton;
  x.resolve(resolver);
  EXPECT_NEAR(resolver.c_plus()[0], 0, 1e-15);
}

TEST(LawResolver, TheSecondCallAllocatesNothing) {
  std::mt19937 random(5);
  ImpactResolver<double> resolver;
  ImpactResolver<Dual> dual;
  for (int k = 0; k < 200; ++k) {
    std::vector<ImpactLaw> laws;
    for (int i = 0; i < 1 + k % 3; ++i) laws.push_back(all_laws[random() % 4]);
    RandomImpact x = test::random_impact(laws, 1 + k % 2, random);
    if (k % 4 == 0)
      for (const LawContact<double>& contact : x.contacts) x.c[contact.row] = x.c[0];
    const auto contacts = x.contacts_for<double>();
    const auto duals = x.contacts_for<Dual>();
    std::vector<double> delta(static_cast<std::size_t>(x.rows) * x.rows);
    std::vector<Dual> delta_dual(delta.size()), c_dual(x.rows);
    for (int i = 0; i < x.rows; ++i) {
      c_dual[i] = x.c[i];
      for (int j = 0; j < x.rows; ++j) delta_dual[i * x.rows + j] = delta[i * x.rows + j] = x.delta(i, j);
    }
    for (const Simultaneous rule : {Simultaneous::moreau, Simultaneous::generalized, Simultaneous::sequential}) {
      const auto both = [&] {
        resolver.resolve(contacts, x.rows, delta.data(), x.c.data(), x.still, rule);
        dual.resolve(duals, x.rows, delta_dual.data(), c_dual.data(), x.still, rule);
      };
      both();
      const std::size_t before = test::allocations();
      both();
      ASSERT_EQ(test::allocations(), before) << k;
    }
  }
}

}  // namespace
}  // namespace ricochet::law_resolver_test
