#include "ricochet/continuum/model.hpp"

#include <gtest/gtest.h>

#include "support/bars.hpp"

namespace ricochet::continuum::model_test {
namespace {

TEST(Model, CourantNumbersByDefault) {
  Model model = test::two_rods(1, 1, 10, Treatment::multiplier);
  EXPECT_EQ(courant_number(model), 1);
  model.courant.reset();
  EXPECT_EQ(courant_number(model), 0.9);
  model.contacts[0].treatment = Treatment::interval;
  EXPECT_EQ(courant_number(model), 1);
  model.scheme = Scheme::avi;
  EXPECT_EQ(courant_number(model), 0.25);
}

}  // namespace
}  // namespace ricochet::continuum::model_test
