#include "ricochet/design/shot.hpp"

#include <gtest/gtest.h>

#include "ricochet/error.hpp"
#include "shots.hpp"

namespace ricochet::shot_test {
namespace {

// The number of steps stays, their length follows the duration.
TEST(Shot, AnUnknownDurationStretchesTheSteps) {
  Shot shot = Ball().shot();
  const Course first = fly(shot, Derivatives::none);
  shot.model.graph->set_parameter(4, 1.4);
  const Course second = fly(shot, Derivatives::none);
  EXPECT_EQ(first.times.size(), second.times.size());
  EXPECT_DOUBLE_EQ(second.times.back(), 1.4);
  EXPECT_DOUBLE_EQ(second.times[1], 1.4 / 130);
}

TEST(Shot, EndsWithTheImpactThatIsAskedFor) {
  Shot shot = Ball().shot();
  shot.duration = -1;
  shot.run.duration = -1;
  shot.run.impacts = 2;
  EXPECT_EQ(fly(shot, Derivatives::none).impacts.size(), 2u);
}

// Without a step derivative there is a reason with its time, and no number.
TEST(Shot, ADerivativeThatDoesNotExistHasAReason) {
  Shot shot = Ball().shot();
  Model& model = shot.model;
  model.contacts.push_back(
      {.name = "same floor", .gap = model.q()[0], .law = "newton", .restitution = model.graph->constant(0.5)});
  const Course course = fly(shot, Derivatives::steps);
  EXPECT_TRUE(course.steps.empty());
  EXPECT_EQ(course.reason.rfind("at t = 0.48", 0), 0u) << course.reason;
  EXPECT_NE(course.reason.find("several gaps close at the same instant"), std::string::npos) << course.reason;
}

TEST(Shot, AFailureNamesItsTime) {
  Shot shot = Ball().shot();
  shot.model.graph->set_parameter(1, 1.5);  // restitution above 1
  try {
    fly(shot, Derivatives::none);
    FAIL();
  } catch (const SolverError& error) {
    EXPECT_NEAR(error.time, 0.48, 0.011);
  }
}

}  // namespace
}  // namespace ricochet::shot_test
