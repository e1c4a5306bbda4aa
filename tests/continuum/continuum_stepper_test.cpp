#include "ricochet/continuum/continuum_stepper.hpp"

#include <gtest/gtest.h>

#include "ricochet/error.hpp"
#include "ricochet/simulation/summary.hpp"
#include "support/bars.hpp"

namespace ricochet::continuum::continuum_stepper_test {
namespace {

std::vector<Model> models(std::mt19937& random, int count) {
  std::vector<Model> list;
  for (int k = 0; k < count; ++k) {
    const Treatment treatments[] = {Treatment::multiplier, Treatment::redistributed, Treatment::penalty};
    Model model = test::random_bodies(random, treatments[k % 3], k % 2 == 0);
    if (k % 4 < 2) model.scheme = Scheme::avi, model.courant = 0.25;
    if (k % 5 == 0) model.gravity = -0.01;
    if (k % 3 == 0) model.viscosity = {0.05, 0.5};
    model.probes = {{"front", false, model.bodies.front().name, "", ""}};
    list.push_back(std::move(model));
  }
  return list;
}

// A stepper that is saved and loaded at any step goes on with the same bits: state, episodes, probes, scalars.
TEST(ContinuumStepper, GoesOnWithTheSameBits) {
  std::mt19937 random(21);
  for (const Model& model : models(random, 24)) {
    const auto one = test::stepper_of(model), two = test::stepper_of(model);
    const double h = step_of(model);
    Observables a, b;
    for (int n = 0; n < 120; ++n) {
      if (n == 60) two->load(one->save());
      one->advance(n * h, h);
      if (n < 60) continue;
      two->advance(n * h, h);
      ASSERT_EQ(one->save(), two->save());
      one->observe(a);
      two->observe(b);
      ASSERT_EQ(state_hash(n, a), state_hash(n, b));
      ASSERT_EQ(a.scalars, b.scalars);
      ASSERT_EQ(one->episodes().size(), two->episodes().size());
    }
  }
}

// Lengths, times and masses scaled by powers of two: every number of every field is the same, scaled.
TEST(ContinuumStepper, UnitsChangeNoDigit) {
  const double L = 0x1p5, T = 0x1p-7, M = 0x1p11, A = L * L;
  std::mt19937 random(31);
  int k = -1;
  for (const Model& model : models(random, 60)) {
    SCOPED_TRACE(++k);
    Model scaled = model;
    scaled.gravity *= L / (T * T);
    for (Body& body : scaled.bodies) {
      body.mesh.from *= L;
      body.mesh.length *= L;
      body.area *= A;
      body.material.rho *= M / (L * L * L);
      const double modulus = M / (L * T * T);
      std::visit(
          [&](auto& law) {
            if constexpr (requires { law.E; }) law.E *= modulus;
            if constexpr (requires { law.mu; }) law.mu *= modulus, law.lambda *= modulus;
          },
          body.material.law);
      if (body.velocity) body.velocity = [=, f = body.velocity](double X) { return L / T * f(X / L); };
      for (std::optional<Function>* end : {&body.left_end, &body.right_end})
        if (*end) *end = [=, f = **end](double t) { return L * f(t / T); };
    }
    for (Wall& wall : scaled.walls) wall.at *= L;
    for (ContactPair& c : scaled.contacts) c.stiffness *= M / (L * L * T * T);
    const auto one = test::stepper_of(model), two = test::stepper_of(scaled);
    const double h = step_of(model);
    ASSERT_EQ(step_of(scaled), T * h);
    Observables a, b;
    for (int n = 0; n < 200; ++n) {
      one->advance(n * h, h);
      two->advance(n * (T * h), T * h);
    }
    one->observe(a);
    two->observe(b);
    for (std::size_t i = 0; i < a.fields[0].size(); ++i) {
      ASSERT_EQ(a.fields[0][i] * L, b.fields[0][i]);
      ASSERT_EQ(a.fields[1][i] * (L / T), b.fields[1][i]);
    }
    for (std::size_t i = 0; i < a.fields[2].size(); ++i) ASSERT_EQ(a.fields[2][i] * (M / (L * T * T)), b.fields[2][i]);
    const double energy = M * L * L / (T * T);
    ASSERT_EQ(a.energy * energy, b.energy);
    for (std::size_t k = 0; k < 6; ++k) ASSERT_EQ(a.scalars[k] * energy, b.scalars[k]);
    ASSERT_EQ(a.gaps.size(), b.gaps.size());
    for (std::size_t k = 0; k < a.gaps.size(); ++k) ASSERT_EQ(a.gaps[k] * L, b.gaps[k]);
  }
}

TEST(ContinuumStepper, FieldsAreInTheOrderOfTheFile) {
  Model model = test::bodies({test::rod("right", 1, 1, 4), test::rod("left", 0, 1, 2, 0.5)});
  model.bonds = {{"left", "right"}};
  const auto stepper = test::stepper_of(model);
  Observables o;
  stepper->observe(o);
  EXPECT_EQ(o.fields[0], (std::vector<double>{1, 1.25, 1.5, 1.75, 2, 0, 0.5, 1}));
  EXPECT_EQ(o.fields[2].size(), 6u);
  EXPECT_EQ(stepper->labels().bodies, (std::vector<std::string>{"right", "left"}));
  EXPECT_EQ(stepper->labels().fields[0].offsets, (std::vector<std::int64_t>{0, 5, 8}));
  EXPECT_EQ(stepper->labels().fields[2].offsets, (std::vector<std::int64_t>{0, 4, 6}));
}

TEST(ContinuumStepper, WarnsOfResonanceAndOfContactThatGains) {
  Model model = test::bodies({test::rod("a", 0, 1, 10)}, 0.5);
  std::vector<std::string> warnings;
  make_stepper(model, warnings);
  EXPECT_TRUE(warnings.empty());
  model.scheme = Scheme::avi;
  make_stepper(model, warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("resonate"), std::string::npos);
  make_stepper(test::two_rods(1, 1, 10, Treatment::redistributed, 1), warnings);
  EXPECT_EQ(warnings.size(), 2u);
  Model spring = test::two_rods(1, 1, 10, Treatment::penalty, 0.9);
  spring.contacts[0].stiffness = 1;
  make_stepper(spring, warnings);
  ASSERT_EQ(warnings.size(), 3u);
  EXPECT_NE(warnings[2].find("gains energy as it rattles"), std::string::npos);
}

// A failed step ends the run with exit 4, says which element, and keeps what was there: a piston that is ever faster
// makes the gas so stiff that the step is too long; one that starts with more than the speed of sound turns its cell
// inside out.
TEST(ContinuumStepper, AFailureKeepsTheResultsSoFar) {
  Model model = test::bodies({test::rod("gas", 0, 1, 40)}, 0.5);
  model.bodies[0].material.law = test::gas("(J^-7 - 1)/7");
  model.bodies[0].left_end = [](double t) { return 5 * t * t; };
  const Summary stiff = test::run_bodies(model, 1);
  EXPECT_EQ(stiff.status, "failed");
  EXPECT_EQ(stiff.exit_code, 4);
  EXPECT_GT(stiff.steps, 2);
  EXPECT_NE(stiff.message.find("element 1 of 'gas', X = 0.0125: the Courant number has grown to"), std::string::npos);
  EXPECT_NE(stiff.message.find("try continuum.courant"), std::string::npos);
  model.bodies[0].left_end = [](double t) { return 2.5 * t; };
  const Summary inverted = test::run_bodies(model, 1);
  EXPECT_NE(inverted.message.find("element 1 of 'gas', X = 0.0125 (x = 0.03125) is turned inside out: J = -0.25"),
            std::string::npos);
  EXPECT_NE(inverted.message.find("try a smaller continuum.courant"), std::string::npos);
}

// Bodies that begin pressed together at rest do not approach: there is no restitution, whatever round-off says.
TEST(ContinuumStepper, AStartInContactAtRestHasNoRestitution) {
  std::mt19937 random(77);
  std::uniform_real_distribution<double> uniform(0.3, 3);
  int episodes = 0;
  for (const Scheme scheme : {Scheme::verlet, Scheme::avi})
    for (const Treatment treatment : {Treatment::multiplier, Treatment::redistributed, Treatment::penalty})
      for (int trial = 0; trial < 20; ++trial) {
        const double L = uniform(random);
        const double v = trial % 2 ? 0.3 : 0;  // of both
        Model model = test::bodies(
            {test::rod("a", 0, L, 3 + trial, v, uniform(random), uniform(random)), test::rod("b", L, 1, 7, v)}, 0.25);
        model.scheme = scheme;
        model.bodies[0].displacement = [L](double X) { return 0.1 * (L - X); };
        model.contacts = {{"a", "b", treatment, 20}};
        const Summary s = test::run_bodies(model, 20);
        ASSERT_GT(test::value(s.contacts, "a-b", "episodes"), 0);
        if (test::value(s.contacts, "a-b", "episodes") > 1) continue;
        ++episodes;
        EXPECT_EQ(test::value(s.contacts, "a-b", "restitution"), 0) << name(treatment) << " " << trial;
      }
  EXPECT_GT(episodes, 100);
}

}  // namespace
}  // namespace ricochet::continuum::continuum_stepper_test
