#include "ricochet/audit/reversibility.hpp"

#include <gtest/gtest.h>

#include "support/subjects.hpp"

namespace ricochet::reversibility_test {
namespace {

ReversibilityMeasurement of(const Subject& subject) {
  return measure_reversibility(subject, choose_horizon(subject, truth_for(subject)));
}

TEST(Reversibility, SymmetricMethodsReturn) {
  // Round-off times the growth up to the horizon (at most 1000), there and back.
  for (const char* rule : {"trapezoidal", "midpoint", "galerkin"}) {
    const auto m = of(subjects::star(collision(0.01, rule)));
    ASSERT_TRUE(m.defect);
    EXPECT_LT(*m.defect, 1e-11) << rule;
    EXPECT_GE(m.impacts, 1);
  }
}

TEST(Reversibility, TheRectangleRuleDoesNot) {
  // Its adjoint is another rule: defect O(h).
  EXPECT_GT(*of(subjects::star(collision(0.01, "rectangle"))).defect, 1e-4);
}

TEST(Reversibility, MovingObstaclesMagneticFieldsAndDriving) {
  Model m = models::particle(9.81);
  m.contacts[0].gap = m.q()[1] - 0.05 * sin(7 * m.time());
  const auto floor = of(subjects::make(m, collision(0.01), {0, 1}, {-2, 0}, 5));
  EXPECT_LT(*floor.defect, 1e-11);
  EXPECT_GE(floor.impacts, 1);
  EXPECT_LT(*of(subjects::make(models::driven_charge(), subjects::smooth(0.01, "midpoint"), {1, 0}, {0, 1}, 5)).defect,
            1e-11);
}

TEST(Reversibility, LossIsIrreversible) {
  Subject subject = subjects::particle(collision(0.01));
  subject.model.contacts[0].law = "newton";
  const auto m = measure_reversibility(subject, {1, 1, 1});
  EXPECT_FALSE(m.defect);
  EXPECT_NE(m.note.find("floor"), std::string::npos);
}

}  // namespace
}  // namespace ricochet::reversibility_test
