// Names, keys and restitutions; and the wedge of the slides at its first contact with each law.
#include "ricochet/contact/law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ricochet/contact/law_resolver.hpp"
#include "ricochet/error.hpp"
#include "ricochet/mechanics/contact_frame.hpp"

namespace ricochet::law_test {
namespace {

using Dual = formula::Dual<double>;

TEST(Law, FourLawsByName) {
  ASSERT_EQ(law_descriptors().size(), 4u);
  for (const ImpactLaw law : {ImpactLaw::elastic, ImpactLaw::newton, ImpactLaw::coulomb, ImpactLaw::plastic}) {
    EXPECT_EQ(law_named(name(law)), law);
    EXPECT_EQ(law_descriptor(law).name, name(law));
    EXPECT_FALSE(law_descriptor(law).doc.empty());
    EXPECT_FALSE(law_descriptor(law).preserves.empty());
  }
  EXPECT_THROW(law_named("rest"), std::invalid_argument);
  EXPECT_THROW(simultaneous_named("all"), std::invalid_argument);
}

Model ball(const std::string& law) {
  Model m;
  const Expr y = m.coordinate("y");
  m.lagrangian = dot(y) * dot(y) / 2;
  m.contacts = {{.name = "floor", .gap = y, .law = law}};
  return m;
}

TEST(Law, RestitutionIsANumberOrAFormulaOfSpeed) {
  EXPECT_EQ(Restitution(System(ball("elastic")), 0).at(3.0), 1);
  EXPECT_EQ(Restitution(System(ball("plastic")), 0).at(3.0), 0);
  Model m = ball("newton");
  m.contacts[0].restitution = m.graph->constant(0.25);
  EXPECT_EQ(Restitution(System(m), 0).at(3.0), 0.25);
  const Expr speed = m.graph->symbol(formula::SymbolKind::other, 0, "speed");
  m.contacts[0].restitution = exp(-speed / 4);
  const System system(m);
  Restitution e(system, 0);
  EXPECT_EQ(e.at(2.0), std::exp(-0.5));
  const Dual d = e.at(Dual(2.0, 1.0));
  EXPECT_EQ(d.value, std::exp(-0.5));
  EXPECT_NEAR(d.derivative, -std::exp(-0.5) / 4, 1e-16);
}

TEST(Law, ARestitutionOutsideItsRangeNamesContactSpeedAndValue) {
  Model m = ball("newton");
  m.contacts[0].restitution = 2 - m.graph->symbol(formula::SymbolKind::other, 0, "speed");
  const System system(m);
  Restitution e(system, 0);
  EXPECT_EQ(e.at(1.5), 0.5);
  for (const double speed : {0.5, 3.0, std::nan("")}) {
    try {
      e.at(speed);
      FAIL() << speed;
    } catch (const SolverError& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("floor"), std::string::npos);
      const char* said = speed == 0.5 ? "1.5 at the speed 0.5"
                         : speed == 3 ? "-1 at the speed 3"
                                      : "no number at the speed";
      EXPECT_NE(text.find(said), std::string::npos) << text;
      EXPECT_TRUE(std::isfinite(error.residual));
    }
  }
}

// The wedge (±.3,−.3),(0,.6), m = 1, I = .06, at its first contact: t = 0.40517231104812 by bisection of its gap.
struct Wedge {
  Model model;
  double t = 0.40517231104812, q[3], v[3];
  explicit Wedge(const std::string& law) {
    const Expr x = model.coordinate("x"), y = model.coordinate("y"), theta = model.coordinate("theta");
    model.lagrangian = (dot(x) * dot(x) + dot(y) * dot(y) + 0.06 * dot(theta) * dot(theta)) / 2 - 9.81 * y;
    const Expr px = x + 0.3 * cos(theta) + 0.3 * sin(theta), py = y + 0.3 * sin(theta) - 0.3 * cos(theta);
    model.contacts = {{.name = "floor", .gap = py, .law = law, .point = {px, py}}};
    q[0] = 2 * t, q[1] = 1.2 - 9.81 * t * t / 2, q[2] = 0.4 - 2 * t;
    v[0] = 2, v[1] = -9.81 * t, v[2] = -2;
  }
  std::vector<double> after(double e, double friction) {
    const System system(model);
    ContactFrames<double> frames(system);
    double rows[6], rates[2], delta[4] = {0, 0, 0, 0}, c[2] = {0, 0};
    const double inverse[3] = {1, 1, 1 / 0.06};
    frames.evaluate(0, q, t, rows, rates);
    for (int a = 0; a < 2; ++a)
      for (int i = 0; i < 3; ++i) {
        c[a] += rows[3 * a + i] * v[i];
        for (int b = 0; b < 2; ++b) delta[2 * a + b] += rows[3 * a + i] * inverse[i] * rows[3 * b + i];
      }
    Restitution restitution(e);
    const LawContact<double> contact{.law = law_named(model.contacts[0].law),
                                     .row = 0,
                                     .tangents = 1,
                                     .friction = friction,
                                     .restitution = &restitution,
                                     .length = true};
    const double still = 1e-14;
    ImpactResolver<double> resolver;
    resolver.resolve({&contact, 1}, 2, delta, c, {&still, 1});
    std::vector<double> result(v, v + 3);
    for (int a = 0; a < 2; ++a)
      for (int i = 0; i < 3; ++i) result[i] += inverse[i] * rows[3 * a + i] * resolver.impulse()[a];
    return result;
  }
};
double energy(const double* v) { return (v[0] * v[0] + v[1] * v[1] + 0.06 * v[2] * v[2]) / 2; }

TEST(Law, TheWedgeAtItsFirstContact) {
  // The time is given to 14 digits, so speeds are good to 1e-12.
  Wedge elastic("elastic"), newton("newton"), plastic("plastic"), rough("coulomb"), smooth("coulomb");
  const std::vector<double> a = elastic.after(1, 0), b = newton.after(0.5, 0), c = plastic.after(0, 1),
                            sticks = rough.after(0, 1), slips = smooth.after(0.5, 0);
  EXPECT_NEAR(a[0], 2, 1e-14);
  EXPECT_NEAR(a[1], 2.136264821993, 1e-11);
  EXPECT_NEAR(a[2], 13.829276692467, 1e-11);
  EXPECT_NEAR(b[1], 0.608513523649, 1e-11);
  EXPECT_NEAR(b[2], 9.871957519351, 1e-11);
  EXPECT_NEAR(energy(b.data()) - energy(newton.v), -4.910469797799, 1e-11);
  // plastic: (Λ_n, Λ_t) = −Δ⁻¹c by hand, Λ_t/Λ_n = −.365: friction 1 holds it, so coulomb with e = 0 stops too
  const double stopped[3] = {0.4799800287096234, 0.18896257640801073, -1.2158391780596172};
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(c[i], stopped[i], 1e-11);
    EXPECT_NEAR(sticks[i], stopped[i], 1e-11);
    EXPECT_NEAR(slips[i], b[i], 1e-12);  // without friction coulomb is newton
  }
}

}  // namespace
}  // namespace ricochet::law_test
