#include "ricochet/audit/cost.hpp"

#include <gtest/gtest.h>

#include "support/subjects.hpp"

namespace ricochet::cost_test {
namespace {

TEST(Cost, IsPositiveAndTellsTheReferenceFromVerlet) {
  // The reference makes at least 4 Runge–Kutta steps of 13 stages where Störmer–Verlet evaluates one force: far more
  // than 3 times the time on any machine.
  const auto verlet =
      measure_cost(subjects::make(models::kepler(), subjects::smooth(0.01), {0.4, 0}, {0, 2}, 100), 5000);
  const auto reference =
      measure_cost(subjects::make(models::kepler(), subjects::reference(0.01), {0.4, 0}, {0, 2}, 100), 200);
  EXPECT_GT(verlet.nanoseconds_per_step, 0);
  EXPECT_EQ(reference.steps, 200);
  EXPECT_GT(reference.nanoseconds_per_step, 3 * verlet.nanoseconds_per_step);
}

}  // namespace
}  // namespace ricochet::cost_test
