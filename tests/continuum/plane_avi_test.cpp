#include "ricochet/continuum/plane_avi.hpp"

#include <gtest/gtest.h>

#include "support/solids.hpp"

namespace ricochet::continuum::plane_avi_test {
namespace {

double deviation(const Summary& s, const std::string& name) {
  for (const auto& m : s.momenta)
    if (m.name == name) return m.max_deviation;
  throw std::out_of_range(name);
}

Model graded(Scheme scheme, double courant) {
  PlaneMesh mesh = make_mesh(BoxShape{{0, 0.001}, {1, 1}, {8, 24}, {1, 10}});
  Model model = test::plane({test::solid("box", mesh, NeoHookean{1, 1}, 0, -0.05)}, courant);
  model.scheme = scheme;
  model.plane->walls = {{"floor", false, {0, 0}, {0, 1}, 0}};
  model.contacts = {{"box", "floor", Treatment::multiplier}};
  return model;
}

// On a mesh graded 10:1 both have the same restitution within 1e-3, and fewer elements are updated. The multiplier's
// loss depends on the step in which nodes meet, so that Verlet's step is that of the finest clock.
TEST(PlaneAvi, SameRestitutionAsVerletOnAGradedMesh) {
  const Summary verlet = test::run_bodies(graded(Scheme::verlet, 0.25), 4),
                avi = test::run_bodies(graded(Scheme::avi, 0.25), 4);
  const double e = test::value(verlet.contacts, "box-floor", "restitution"),
               f = test::value(avi.contacts, "box-floor", "restitution");
  const auto updates = [](const Summary& s) {
    for (const Counter& c : s.counters)
      if (c.name == updates_counter) return static_cast<double>(c.count);
    return 0.0;
  };
  RecordProperty("updates", std::to_string(updates(avi) / updates(verlet)));
  EXPECT_NEAR(e, f, 1e-3);
  EXPECT_LT(updates(avi), 0.7 * updates(verlet));
  EXPECT_LT(avi.energy.relative_range, 0.05);
}

TEST(PlaneAvi, KeepsMomentaThroughACollision) {
  for (const Treatment treatment : {Treatment::multiplier, Treatment::penalty, Treatment::decomposed}) {
    Model model = test::two_discs(5, treatment);
    model.scheme = Scheme::avi;
    model.courant = 0.25;
    model.contacts[0].stiffness = 20;
    if (treatment == Treatment::decomposed) model.contacts[0].friction = 0.3;
    const Summary s = test::run_bodies(model, 8);
    ASSERT_GT(test::value(s.contacts, "left-right", "impulse"), 0.1);
    for (const char* name : {"linear x", "linear y", "angular"}) EXPECT_LT(deviation(s, name), 1e-13) << name;
  }
}

// A box under its weight on a floor: momenta change by the impulses of weight and floor, over as many events as there
// are clocks and steps. Their sums have the round-off of their number, not of all nodes'.
TEST(PlaneAvi, ImpulsesOfWeightAndFloorAreTheChangeOfMomenta) {
  Model model = graded(Scheme::avi, 0.1);
  model.plane->gravity = {0.01, -0.05};
  const auto stepper = test::stepper_of(model);
  const double h = step_of(model);
  Observables first, seen;
  stepper->observe(first);
  for (int k = 0; k < 600; ++k) stepper->advance(k * h, h);
  stepper->observe(seen);
  const auto scalar = [&](const std::string& name) {
    const auto& names = stepper->labels().scalars;
    return seen.scalars[static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin())];
  };
  const char* components[] = {"x", "y", "angular"};
  for (std::size_t d = 0; d < 3; ++d) {
    const double weight = scalar(std::string("impulse.gravity.") + components[d]),
                 floor = scalar(std::string("impulse.supports.") + components[d]);
    EXPECT_NEAR(seen.momenta[d] - first.momenta[d], weight + floor, 4e-13 * std::abs(weight)) << components[d];
  }
}

// Discs and boxes that strike a wall at up to 1.5 times the speed of their waves: those that are turned inside out say
// which element it was, wherever between its events that is, and the state before is kept.
TEST(PlaneAvi, NamesTheElementThatTangles) {
  int tangled = 0;
  for (const double speed : {0.5, 0.8, 1.2, 2.5})
    for (const double courant : {0.05, 0.12, 0.18, 0.25})
      for (const PlaneLaw& law : {PlaneLaw(NeoHookean{1, 1}), PlaneLaw(StVenant{0.5, 1})})
        for (const bool disc : {false, true}) {
          PlaneMesh mesh = disc ? test::disc(0, 0.51, 0.5, 3) : test::box(0, 0.01, 1, 1, 3, 4);
          Model model = test::plane({test::solid("body", mesh, law, 0, -speed)}, courant);
          model.scheme = Scheme::avi;
          model.plane->walls = {{"floor", false, {0, 0}, {0, 1}, 0}};
          model.contacts = {{"body", "floor", Treatment::multiplier}};
          const Summary s = test::run_bodies(model, 1);
          if (s.status == "completed") continue;
          ++tangled;
          EXPECT_NE(s.message.find("element "), std::string::npos) << s.message;
          EXPECT_TRUE(std::isfinite(s.energy.final)) << s.message;
        }
  EXPECT_GT(tangled, 20);
}

TEST(PlaneAvi, SavesAndLoads) {
  Model model = graded(Scheme::avi, 0.25);
  const auto a = test::stepper_of(model), b = test::stepper_of(model);
  const double h = step_of(model);
  for (int k = 0; k < 40; ++k) a->advance(k * h, h);
  b->load(a->save());
  for (int k = 40; k < 80; ++k) a->advance(k * h, h), b->advance(k * h, h);
  EXPECT_EQ(a->save(), b->save());
}

}  // namespace
}  // namespace ricochet::continuum::plane_avi_test
