#include "ricochet/methods/describe.hpp"

#include <gtest/gtest.h>

namespace ricochet::describe_test {
namespace {

TEST(Describe, ParametersAndAbilities) {
  EXPECT_EQ(describe(OptionValue(true)), "true");
  EXPECT_EQ(describe(OptionValue(1e-9)), "1e-09");
  const ParameterDoc choice{
      .name = "rule", .default_value = std::string("a"), .doc = "which rule", .choices = {"a", "b"}};
  EXPECT_EQ(describe(choice), "which rule (default a; one of a, b)");
  Descriptor d{.name = "m", .doc = "", .order = "", .preserves = "", .not_preserved = ""};
  EXPECT_EQ(describe_abilities(d), "smooth systems");
  d.contacts = d.forces = true;
  EXPECT_EQ(describe_abilities(d), "contacts, forces");
}

}  // namespace
}  // namespace ricochet::describe_test
