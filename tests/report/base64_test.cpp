#include "ricochet/report/base64.hpp"

#include <gtest/gtest.h>

namespace ricochet::base64_test {
namespace {

// 1.0 is 3ff0000000000000, lowest byte first; encoded by hand with the table of RFC 4648.
TEST(Base64, holds_the_bytes_of_numbers) {
  EXPECT_EQ(base64(std::vector<double>{}), "");
  EXPECT_EQ(base64(std::vector<double>{1.0}), "AAAAAAAA8D8=");
  EXPECT_EQ(base64(std::vector<double>{1.0, -2.5, 0.0}), "AAAAAAAA8D8AAAAAAAAEwAAAAAAAAAAA");
  EXPECT_EQ(base64(std::vector<float>{1.0f}), "AACAPw==");
}

}  // namespace
}  // namespace ricochet::base64_test
