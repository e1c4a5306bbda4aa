#include "ricochet/audit/impact_times.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/subjects.hpp"

namespace ricochet::impact_times_test {
namespace {

ImpactTimesMeasurement of(const Subject& subject) {
  const Outlook outlook = outlook_for(subject);
  return measure_impact_times(subject, outlook.truth, outlook.horizon);
}

TEST(ImpactTimes, OfAParticleAgreeWithTheClosedForm) {
  // Truth τ(2k+1): the largest error of the method's own impact times against it.
  const Subject subject = subjects::particle(collision(0.01));
  const double tau = std::sqrt(2 / 9.81);
  const auto impacts = solve(subject, 3.6, 360).impacts;
  ASSERT_EQ(impacts.size(), 4u);
  double worst = 0;
  for (int k = 0; k < 4; ++k) worst = std::fmax(worst, std::abs(impacts[k].time - tau * (2 * k + 1)));
  const auto m = of(subject);
  EXPECT_EQ(m.compared, 4);
  EXPECT_NEAR(*m.max_error, worst, 1e-11);  // the truth is good to that
  EXPECT_GT(worst, 1e-7);                   // κ(1 − 2α) of energy shifts the next impacts
}

TEST(ImpactTimes, OfTheReferenceAreExact) {
  EXPECT_LT(*of(subjects::particle(subjects::reference(0.01))).max_error, 1e-12);
}

TEST(ImpactTimes, NoImpactIsSaid) {
  const auto m = of(subjects::make(models::particle(9.81), collision(0.01), {0, 100}, {0, 0}, 1));
  EXPECT_FALSE(m.max_error);
  EXPECT_NE(m.note, "");
}

}  // namespace
}  // namespace ricochet::impact_times_test
