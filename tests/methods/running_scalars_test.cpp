#include "ricochet/methods/running_scalars.hpp"

#include <gtest/gtest.h>

#include "support/models.hpp"

namespace ricochet::running_scalars_test {
namespace {

TEST(RunningScalars, OnlyWhatHasAMeaning) {
  EXPECT_TRUE(RunningScalars(models::pendulum()).names.empty());
  const RunningScalars fixed(models::particle(9.81));
  EXPECT_EQ(fixed.names, (std::vector<std::string>{"loss.impact"}));
  EXPECT_EQ(fixed.impact, 0);
  EXPECT_EQ(fixed.obstacles, -1);
  EXPECT_EQ(fixed.friction, -1);
  Model m = models::moving_floor();
  m.forces = {{"drag", {-dot(m.q()[0])}}, {"drive", {sin(m.time())}}};
  m.contacts[0].law = "coulomb";
  const RunningScalars all(m);
  EXPECT_EQ(all.names,
            (std::vector<std::string>{"work.drag", "work.drive", "work.obstacles", "loss.impact", "loss.friction"}));
  EXPECT_EQ(all.obstacles, 2);
  EXPECT_EQ(all.impact, 3);
  EXPECT_EQ(all.friction, 4);
}

TEST(RunningScalars, ABeltIsAMovingObstacle) {
  Model m = models::particle(9.81);
  m.contacts[0].point = {m.q()[0] + 2 * m.time(), m.q()[1]};
  EXPECT_EQ(RunningScalars(m).names, (std::vector<std::string>{"work.obstacles", "loss.impact"}));
}

}  // namespace
}  // namespace ricochet::running_scalars_test
