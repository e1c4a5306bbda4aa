// A change of units by powers of two changes no digit of a motion.

#include "support/units.hpp"

#include <gtest/gtest.h>

#include "ricochet/discrete/tableau.hpp"

namespace ricochet {
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
}  // namespace ricochet
