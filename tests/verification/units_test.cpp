// A change of units by powers of two changes no digit of a motion.

#include <gtest/gtest.h>

#include <random>

#include "ricochet/discrete/tableau.hpp"
#include "support/contact_units.hpp"

namespace ricochet::units_test {
namespace {

IntegratorOptions method(const char* name, const std::string& rule = "",
                         std::map<std::string, OptionValue> parameters = {}) {
  return {.method = name, .discretization = rule, .step = 0, .parameters = std::move(parameters)};
}

TEST(Units, VariationalInEveryDiscretization) {
  for (const std::string& rule : all_discretizations())
    for (const units::Specimen& s : {units::pendulum(), units::kepler(), units::double_pendulum(), units::driven()})
      units::expect_no_units(s, method("variational", rule), 100);
  units::expect_no_units(units::double_pendulum(), method("variational", "galerkin", {{"degree", 3.0}}), 100);
}

TEST(Units, Reference) {
  for (const units::Specimen& s :
       {units::pendulum(), units::kepler(), units::double_pendulum(), units::cart(), units::driven()})
    units::expect_no_units(s, method("reference"), 100);
}

TEST(Units, TheReferenceDoesNotStallAtRest) {
  // no speed, no force, all zero: no scale for an error, and none is needed
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = square(dot(x)) + square(dot(y)) - x * y;
  IntegratorOptions options = method("reference");
  options.step = 0.1;
  Flight rest(m, options, {0, 0}, {0, 0});
  for (int k = 0; k < 10; ++k) rest.step();
  EXPECT_EQ(rest.state.q, (std::vector<double>{0, 0}));
  // one of two that do not know of each other moves
  m.lagrangian = square(dot(x)) + square(dot(y)) - square(x);
  Flight half(m, options, {1, 0}, {0, 0});
  for (int k = 0; k < 10; ++k) half.step();
  EXPECT_NEAR(half.state.q[0], std::cos(1.0), 1e-12);  // tolerance of ten steps
  EXPECT_EQ(half.state.q[1], 0);
}

TEST(Units, BaselinesWithTheirContacts) {
  for (const char* name : {"direct-midpoint", "direct-endpoint", "newmark", "newmark-imex", "moreau-jean"})
    for (const units::Specimen& s : {units::bouncing_star(), units::dish(), units::driven()}) {
      const units::Outcome outcome = units::expect_no_units(s, method(name), 200);
      if (s.name != "driven") {
        EXPECT_GE(outcome.times.size(), 1u) << s.name << " " << name;
      }
    }
}

bool seen(const units::Outcome& outcome, const std::string& word) {
  bool found = false;
  for (const std::string& law : outcome.laws) found |= law.find(word) != std::string::npos;
  return found;
}

TEST(Units, CollisionsInEveryRuleAndLaw) {
  for (const char* rule : {"trapezoidal", "midpoint", "galerkin"})
    for (const char* energy : {"discrete", "continuous"}) {
      const IntegratorOptions options = method("variational-collision", rule, {{"impact_energy", std::string(energy)}});
      for (const units::Specimen& s : {units::bouncing_star(), units::dish(), units::billiard(), units::cradle()})
        EXPECT_GE(units::expect_no_units(s, options, 150).times.size(), 1u) << s.name;
      if (energy == std::string("continuous")) continue;  // elastic impacts alone ask
      const units::Outcome slides = units::expect_no_units(units::lossy(units::dish(), 0.4), options, 200);
      EXPECT_TRUE(seen(slides, "rest"));
      const units::Outcome table = units::expect_no_units(units::shaking_table(), options, 200);
      EXPECT_GE(table.modes.size(), 4u);  // closed and open again
      for (const char* law : {"newton", "coulomb", "plastic"})
        EXPECT_TRUE(seen(units::expect_no_units(units::wedge(law), options, 150), law));
    }
}

TEST(Units, RulesWithUnequalParts) {
  for (const double gamma : {0.0, 0.25, 1.0}) {
    const auto rule = [&](const char* name) { return method(name, "rectangle", {{"gamma", gamma}}); };
    for (const char* name : {"variational-collision", "nonholonomic-collision", "nonholonomic-symmetric"}) {
      for (const units::Specimen& s : {units::dome(0), units::dome(0.1), units::shaking_table()})
        EXPECT_GE(units::expect_no_units(s, rule(name), 100).modes.size(), 2u) << s.name;
      EXPECT_TRUE(seen(units::expect_no_units(units::wedge("coulomb"), rule(name), 150), "coulomb"));
    }
    EXPECT_GE(units::expect_no_units(units::dome(0), rule("generalized-variational"), 100).modes.size(), 2u);
  }
}

// Bodies on three legs that slide, turn and stop, each leg as rough as it likes.
units::Specimen tripod(int seed) {
  std::mt19937 engine(seed);
  const auto real = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine); };
  const double pull = real(0, 3), inertia = real(0.1, 0.3), mu[] = {real(0.1, 0.5), real(0.1, 0.5), real(0.1, 0.5)};
  return {.name = "tripod " + std::to_string(seed),
          .model =
              [=](const units::Units& u) {
                Model m;
                const Expr x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z"),
                           phi = m.coordinate("phi"), a = m.coordinate("a"), b = m.coordinate("b");
                const double M = u(1.3, units::mass), r = u(0.5, units::length), g = u(9.81, units::acceleration);
                m.lagrangian =
                    M / 2 * (square(dot(x)) + square(dot(y)) + square(dot(z))) +
                    M * r * r / 2 * (4 * inertia * square(dot(phi)) + 0.4 * (square(dot(a)) + square(dot(b)))) -
                    M * g * z - M * u(pull, units::acceleration) * x;
                for (int k = 0; k < 3; ++k) {
                  const double px = r * std::cos(2 * M_PI * k / 3), py = r * std::sin(2 * M_PI * k / 3);
                  const Expr X = x + px * cos(phi) - py * sin(phi), Y = y + px * sin(phi) + py * cos(phi),
                             Z = z + px * a + py * b;
                  Contact leg{.name = "leg" + std::to_string(k), .gap = Z, .law = "plastic"};
                  leg.friction = m.graph->constant(mu[k]);
                  leg.point = {X, Y, Z};
                  m.contacts.push_back(leg);
                }
                return m;
              },
          .coordinates = {units::length, units::length, units::length, units::number, units::number, units::number},
          .q = {0, 0, 0, real(-1, 1), 0, 0},
          .v = {real(-1, 1), real(-1, 1), 0, real(-5, 5), 0, 0},
          .step = 0.01};
}

TEST(Units, ThreeLegs) {
  for (int seed = 0; seed < 5; ++seed)
    for (const char* rule : {"trapezoidal", "midpoint"}) {
      const units::Outcome outcome = units::expect_no_units(tripod(seed), method("variational-collision", rule), 60);
      EXPECT_EQ(outcome.modes, std::vector<std::string>{"xxx"}) << seed << rule;
    }
}

TEST(Units, CollisionsInOtherMethods) {
  for (const units::Specimen& s :
       {units::bouncing_star(), units::lossy(units::dish(), 0.4), units::shaking_table(), units::wedge("coulomb"),
        units::wedge("plastic"), units::cradle(), units::billiard()})
    EXPECT_GE(units::expect_no_units(s, method("reference"), 60).modes.size(), 1u);
  for (const char* rule : {"midpoint", "trapezoidal"})
    for (const units::Specimen& s : {units::bouncing_star(), units::dish(), units::cradle()})
      EXPECT_GE(units::expect_no_units(s, method("generalized-variational", rule), 200).times.size(), 1u) << s.name;
  for (const units::Specimen& s : {units::skate(), units::lossy(units::skate(), 0.5)}) {
    for (const char* rule : {"rectangle", "midpoint", "trapezoidal"})
      for (const char* name : {"nonholonomic-collision", "nonholonomic-symmetric"})
        EXPECT_GE(units::expect_no_units(s, method(name, rule), 200).times.size(), 1u) << s.name << name << rule;
    units::expect_no_units(s, method("reference"), 100);
  }
}

TEST(Units, AMicrometreAndTheEarthInMetres) {
  // not by powers of two: the same numbers of impacts, at the same times but for round-off that a billiard lets grow
  const IntegratorOptions options = method("variational-collision");
  const auto impacts = [&](double size) {
    Model m;
    const Expr x = m.coordinate("x"), y = m.coordinate("y");
    m.lagrangian = (square(dot(x)) + square(dot(y))) / 2;
    m.contacts = {{.name = "walls", .gap = size - sqrt(square(x) + square(y))}};
    IntegratorOptions o = options;
    o.step = 0.05;
    Flight run(m, o, {0.5 * size, 0.1 * size}, {0.7 * size, 0.4 * size});
    std::vector<double> times;
    for (int k = 0; k < 400; ++k) {
      run.step();
      for (const Impact& impact : run.work->impacts) times.push_back(impact.time);
    }
    return times;
  };
  const std::vector<double> one = impacts(1);
  ASSERT_GE(one.size(), 5u);
  for (const double size : {1e-10, 1e-6, 1e6, 6.4e6}) {
    const std::vector<double> other = impacts(size);
    ASSERT_EQ(other.size(), one.size()) << size;
    for (std::size_t k = 0; k < one.size(); ++k) EXPECT_NEAR(other[k], one[k], 1e-12 * (1 + one[k])) << size;
  }
  // a ball thrown over the Earth, in metres and seconds, comes down
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  const double R = 6.371e6, k = 3.986e14;
  m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 + k / sqrt(square(x) + square(y));
  m.contacts = {{.name = "ground", .gap = sqrt(square(x) + square(y)) - R}};
  IntegratorOptions o = options;
  o.step = 0.01;
  Flight run(m, o, {0, R}, {3, 10});
  std::vector<double> times;
  for (int step = 0; step < 1000; ++step) {
    run.step();
    for (const Impact& impact : run.work->impacts) times.push_back(impact.time);
  }
  const double g = k / (R * R);
  ASSERT_EQ(times.size(), 4u);  // every 2v/g
  for (std::size_t i = 0; i < times.size(); ++i)
    EXPECT_NEAR(times[i], 20 / g * (i + 1), 1e-4 * times[i]);  // (v/c)², h²
}

TEST(Units, TheHelperSeesUnits) {
  // an absolute length in the model is not hidden by the comparison
  units::Specimen s = units::kepler();
  const auto model = s.model;
  s.model = [model](const units::Units& u) {
    Model m = model(u);
    m.lagrangian = m.lagrangian + 1e-9 * m.q()[0];
    return m;
  };
  const units::Outcome one = units::run(s, {}, method("variational"), 10),
                       other = units::run(s, {1, 0, 0}, method("variational"), 10);
  EXPECT_NE(one.q, other.q);
}

}  // namespace
}  // namespace ricochet::units_test
