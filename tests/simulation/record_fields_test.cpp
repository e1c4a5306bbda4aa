#include "ricochet/simulation/record_fields.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "../../src/simulation/finite.hpp"
#include "ricochet/simulation/summary.hpp"
#include "toy_stepper.hpp"

namespace ricochet::record_fields_test {
namespace {

void spoil(Observables& o, const RecordField& f) {
  if (const auto* one = std::get_if<double Observables::*>(&f.value)) o.** one = std::nan("");
  if (const auto* list = std::get_if<std::vector<double> Observables::*>(&f.value)) (o.**list).assign(3, std::nan(""));
}

TEST(RecordFields, NamesAreDescribed) {
  const std::string docs = text_of(std::filesystem::path(RICOCHET_SOURCE_DIR) / "docs" / "files.md");
  for (const RecordField& f : record_fields())
    EXPECT_NE(docs.find("`" + std::string(f.dataset) + "`"), std::string::npos) << f.dataset;
}

// Lists have names for their numbers, and nothing that is not finite is recorded.
TEST(RecordFields, EachIsCheckedAndTheStateIsHashed) {
  EXPECT_TRUE(finite(Observables{}));
  for (const RecordField& f : record_fields()) {
    EXPECT_EQ(f.names == nullptr, std::holds_alternative<double Observables::*>(f.value)) << f.dataset;
    Observables o;
    spoil(o, f);
    EXPECT_FALSE(finite(o)) << f.dataset;
    EXPECT_EQ(state_hash(1, o) != state_hash(1, {}), f.hashed) << f.dataset;
  }
}

}  // namespace
}  // namespace ricochet::record_fields_test
