#include "ricochet/discrete/rub.hpp"

#include <gtest/gtest.h>

namespace ricochet::rub_test {
namespace {

TEST(Rub, AModeIsANumberAndBack) {
  for (const int tangents : {1, 2})
    for (int k = 0; k < 64; ++k) {
      Rub rub{.tangents = tangents, .friction = 0.3, .sticks = false, .slip = {}};
      const double angle = tangents == 1 ? M_PI * (k % 2) : 2 * M_PI * k / 64;
      rub.slide(3 * std::cos(angle), tangents == 1 ? 0.0 : 3 * std::sin(angle));
      Rub back{.tangents = tangents, .friction = 0.3, .sticks = true, .slip = {}};
      set_mode(back, mode_of(rub));
      EXPECT_FALSE(back.sticks);
      EXPECT_GE(mode_of(rub), 3);
      EXPECT_LT(mode_of(rub), 4);
      for (int a = 0; a < 2; ++a) EXPECT_NEAR(back.slip[a], rub.slip[a], 1e-15);  // round-off of an angle
      if (tangents == 1) {
        EXPECT_EQ(back.slip, rub.slip);
      }
      rub.stick();
      EXPECT_EQ(mode_of(rub), 2);
      set_mode(back, 2);
      EXPECT_TRUE(back.sticks);
    }
  EXPECT_EQ(mode_of(Rub{}), 1);
}

}  // namespace
}  // namespace ricochet::rub_test
