#include "ricochet/audit/truth.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/subjects.hpp"

namespace ricochet::truth_test {
namespace {

TEST(Truth, HorizonLiesBetweenTheFourthAndFifthImpactOfAParticle) {
  // Impacts at τ(2k+1): from the fourth at 7τ to the fifth at 9τ, golden section. A shift of the vertical momentum
  // moves the impact times linearly: no chaos, growth below the number of bounces times g.
  const Subject subject = subjects::particle(collision(0.01));
  const Truth truth = truth_for(subject);
  EXPECT_EQ(truth.subject.options.method, "reference");
  EXPECT_EQ(truth.note, "");
  const Horizon horizon = choose_horizon(subject, truth);
  EXPECT_NEAR(horizon.time, (7 + 2 / std::numbers::phi) * std::sqrt(2 / 9.81), 1e-10);
  EXPECT_EQ(horizon.impacts, 4);
  EXPECT_LT(horizon.growth, 40);
}

TEST(Truth, HorizonEndsBeforeChaos) {
  // A star multiplies errors by about 22 an impact: 1000 is passed with the third.
  const Subject subject = subjects::make(models::star(9.8), collision(0.005), {0, 3.5, 0}, {-2, 0, 5}, 10);
  const Horizon horizon = choose_horizon(subject, truth_for(subject));
  EXPECT_GE(horizon.impacts, 1);
  EXPECT_LE(horizon.impacts, 3);
  EXPECT_LE(horizon.growth, 1000);
}

TEST(Truth, HorizonHoldsAnImpactOrSaysWhyNot) {
  // Falls for 4.5 s, 9000 steps, before the first impact.
  const Subject late = subjects::make(models::particle(9.81), collision(0.0005), {0, 100}, {1, 0}, 10);
  const Horizon waited = choose_horizon(late, truth_for(late));
  EXPECT_GE(waited.impacts, 1);
  EXPECT_EQ(waited.unjudged, "");
  // Never reaches the floor.
  const Subject never = subjects::make(models::particle(9.81), collision(0.01), {0, 100}, {0, 0}, 1);
  EXPECT_NE(choose_horizon(never, truth_for(never)).unjudged, "");
  // Without contacts there is nothing to say.
  const Subject smooth = subjects::make(models::pendulum(), subjects::smooth(0.01), {2}, {0}, 1);
  EXPECT_EQ(choose_horizon(smooth, truth_for(smooth)).unjudged, "");
}

TEST(Truth, SmoothMotionIsComparedOverFourHundredSteps) {
  const Subject subject = subjects::make(models::pendulum(), subjects::smooth(0.01), {2}, {0}, 100);
  const Horizon horizon = choose_horizon(subject, truth_for(subject));
  EXPECT_DOUBLE_EQ(horizon.time, 4);
  EXPECT_EQ(horizon.impacts, 0);
  // A short run bounds it.
  const Subject brief = subjects::make(models::pendulum(), subjects::smooth(0.01), {2}, {0}, 0.5);
  EXPECT_DOUBLE_EQ(choose_horizon(brief, truth_for(brief)).time, 0.5);
}

TEST(Truth, TheReferenceIsComparedWithAFinerOne) {
  const Truth truth = truth_for(subjects::particle(subjects::reference(0.01)));
  EXPECT_EQ(truth.substeps, 2);
  EXPECT_EQ(std::get<double>(truth.subject.options.parameters.at("tolerance")), 1e-13);
}

TEST(Truth, TheReferenceFollowsLossyLawsAndLastingContact) {
  Model m = models::pendulum();
  m.contacts = {{.name = "stop", .gap = m.q()[0] + 0.5, .law = "newton", .restitution = m.graph->constant(0.5)}};
  const Truth lossy = truth_for(subjects::make(m, collision(0.01), {1}, {0}, 5));
  EXPECT_EQ(lossy.substeps, 1);
  EXPECT_EQ(lossy.subject.options.method, "reference");
  Model ball;
  const Expr y = ball.coordinate("y");
  ball.lagrangian = square(dot(y)) / 2 - 9.8 * y;
  ball.contacts = {{.name = "floor", .gap = y}};
  const IntegratorOptions gvi{
      .method = "generalized-variational", .discretization = "midpoint", .step = 0.01, .parameters = {}};
  const Outlook outlook = outlook_for(subjects::make(ball, gvi, {0}, {0}, 1));
  EXPECT_EQ(outlook.truth.subject.options.method, "reference");
  EXPECT_GT(outlook.horizon.time, 0);
}

TEST(Truth, WhereTheReferenceFailsOnTheWayTheMethodItselfIsRefined) {
  // A degenerate Lagrangian: y has no inertia, so the equations of motion are none of y' = …; midpoint determines it.
  Model m;
  const Expr x = m.coordinate("x"), y = m.coordinate("y");
  m.lagrangian = square(dot(x)) / 2 - square(x) / 2 - square(y - x) / 2;
  const IntegratorOptions options{
      .method = "nonholonomic-collision", .discretization = "midpoint", .step = 0.01, .parameters = {}};
  const Outlook outlook = outlook_for(subjects::make(m, options, {1, 1}, {0, 0}, 1));
  EXPECT_EQ(outlook.truth.substeps, 64);
  EXPECT_EQ(outlook.truth.subject.options.method, "nonholonomic-collision");
  EXPECT_NE(outlook.truth.note, "");
  EXPECT_GT(outlook.horizon.time, 0);
}

TEST(Truth, ObeysTheSameLawOfSimultaneousContacts) {
  // The cradle of touching balls passes momentum on under the generalized law, the default of generalized-variational,
  // and splits it under Moreau's. Through two impacts the error is that of the method, O(h²), and no other law.
  const IntegratorOptions gvi{
      .method = "generalized-variational", .discretization = "midpoint", .step = 0.01, .parameters = {}};
  IntegratorOptions split = collision(0.01, "midpoint", "continuous");
  const auto law = [](const Truth& truth) {
    return std::get<std::string>(truth.subject.options.parameters.at("simultaneous"));
  };
  const std::vector<double> start = models::cradle_start(3, 1), rest(6, 0.0);
  EXPECT_EQ(law(truth_for(subjects::make(models::cradle(3), gvi, start, rest, 2))), "generalized");
  EXPECT_EQ(law(truth_for(subjects::make(models::cradle(3), split, start, rest, 2))), "moreau");
  split.parameters["simultaneous"] = std::string("generalized");
  const Subject subject = subjects::make(models::cradle(3), split, start, rest, 2);
  const Truth truth = truth_for(subject);
  EXPECT_LT(
      *distance(solve(subject, 1.9, 190).end, solve(truth.subject, 1.9, 190).end, units_of(truth.subject, 1.9, 190)),
      1e-2);
}

}  // namespace
}  // namespace ricochet::truth_test
