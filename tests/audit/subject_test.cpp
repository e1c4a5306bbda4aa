#include "ricochet/audit/subject.hpp"

#include <gtest/gtest.h>

#include "ricochet/error.hpp"
#include "support/subjects.hpp"

namespace ricochet::subject_test {
namespace {

TEST(Subject, WalkIsTheRun) {
  // The same steps as the run loop takes: the same bits.
  const Subject subject = subjects::particle(collision(0.01), 1);
  Walk walk(subject, 0.01);
  std::size_t impacts = 0;
  while (walk.steps() < 100) walk.step(), impacts += walk.impacts().size();
  std::vector<std::string> warnings;
  const auto stepper = make_stepper(subject.model, subject.options, subject.initial, warnings);
  const Summary summary = run(*stepper, subject.run, {});
  EXPECT_EQ(walk.state().q, summary.position);
  EXPECT_EQ(walk.state().p, summary.momentum);
  EXPECT_EQ(static_cast<std::int64_t>(impacts), summary.impacts);
  EXPECT_EQ(walk.energy(), summary.energy.final);
}

TEST(Subject, SolveTakesEqualSteps) {
  const Subject subject = subjects::particle(collision(0.01));
  const Solution solution = solve(subject, 0.7, 35);
  EXPECT_NEAR(solution.end.t, 0.7, 1e-15);
  EXPECT_EQ(solution.impacts.size(), 1u);  // at √(2/g) = 0.45; the next at 1.35
}

TEST(Subject, RefusesWhatTheMethodCannotDo) {
  EXPECT_THROW(subjects::particle(subjects::smooth(0.01)), ModelError);
  EXPECT_THROW(with_options(subjects::particle(collision(0.01)), subjects::smooth(0.01)), ModelError);
}

TEST(Subject, StepsOfRun) {
  const Subject subject = subjects::particle(collision(0.01), 0.5);
  EXPECT_EQ(steps_of_run(subject, 1000), 50);
  EXPECT_EQ(steps_of_run(subject, 20), 20);
}

}  // namespace
}  // namespace ricochet::subject_test
