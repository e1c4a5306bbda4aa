#include "ricochet/audit/compare.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/subjects.hpp"

namespace ricochet::compare_test {
namespace {

TEST(Compare, MethodsSideBySide) {
  Comparison comparison;
  comparison.title = "Particle";
  const Subject trapezoidal = subjects::particle(collision(0.01), 5),
                exact = subjects::particle(subjects::reference(0.01), 5);
  find_truth(trapezoidal, comparison);
  ASSERT_TRUE(comparison.horizon);
  comparison.methods = {compare_method(trapezoidal, "a", {}, comparison), compare_method(exact, "b", {}, comparison)};
  comparison.methods.emplace_back().label = "c";
  comparison.methods.back().refused = "it has no contact";
  // Impacts at τ(2k+1) < 5, τ = √(2/g) = 0.4515: six.
  EXPECT_EQ(comparison.methods[0].summary.impacts, 6);
  EXPECT_EQ(comparison.methods[1].summary.impacts, 6);
  EXPECT_GT(*comparison.methods[0].distance, 1e-7);
  EXPECT_LT(*comparison.methods[1].distance, 1e-11);
  const std::string table = comparison_table(comparison);
  for (const char* text : {"Particle\n", "refused", "completed", "c: it has no contact", "after 4 impacts"})
    EXPECT_NE(table.find(text), std::string::npos) << text << "\n" << table;
  const auto json = nlohmann::json::parse(comparison_json(comparison));
  EXPECT_EQ(json["format"], 1);
  EXPECT_EQ(json["methods"][0]["summary"]["impacts"], 6);
  EXPECT_EQ(json["methods"][2]["refused"], "it has no contact");
  EXPECT_EQ(json["horizon"]["impacts"], 4);
}

TEST(Compare, AFailedRunIsARow) {
  Model m;
  const Expr x = m.coordinate("x");
  m.lagrangian = square(dot(x)) / 2 - log(x);
  const Subject subject = subjects::make(m, subjects::smooth(0.01, "midpoint"), {1}, {-1}, 20);
  Comparison comparison;
  find_truth(subject, comparison);
  EXPECT_FALSE(comparison.horizon);
  EXPECT_NE(comparison.note, "");
  comparison.methods = {compare_method(subject, "a", {}, comparison)};
  EXPECT_EQ(comparison.methods[0].summary.status, "failed");
  EXPECT_FALSE(comparison.methods[0].distance);
  EXPECT_NE(comparison_table(comparison).find("failed"), std::string::npos);
}

}  // namespace
}  // namespace ricochet::compare_test
