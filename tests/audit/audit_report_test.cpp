#include "ricochet/audit/audit_report.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/subjects.hpp"

namespace ricochet::audit_report_test {
namespace {

Audit made_up() {
  Audit a;
  a.label = "method";
  a.truth = "reference";
  a.step = 0.01;
  a.order.order = 2.0123;
  a.order.uncertainty = 0.045;
  a.order.points = {{0.01, 1e-4, true}};
  EnergyMeasurement energy;
  energy.initial = 1, energy.min = 0.9, energy.max = 1.1, energy.relative_range = 0.2;
  a.energy = energy;
  a.momenta = {{"angular momentum", 0.8, 1.234e-15}};
  a.horizon = Horizon{.time = 1.5, .impacts = 2, .growth = 7};
  return a;
}

TEST(AuditReport, TableHasTheNumbers) {
  const std::string table = audit_table("Title", {made_up()});
  for (const char* text : {"Title\n", "2.01 ± 0.04", "angular momentum, deviation", "1.2e-15", "0.2", "1.5"})
    EXPECT_NE(table.find(text), std::string::npos) << text << "\n" << table;
  for (const char* text : {"nan", "inf", "penetration"}) EXPECT_EQ(table.find(text), std::string::npos) << table;
}

TEST(AuditReport, ColumnsAreAligned) {
  const std::string table = audit_table("T", {made_up(), made_up()});
  // "2.01 ± 0.04" twice: the second starts where the other lines have their second column
  std::size_t column = std::string::npos;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find("0.01"), second = line.rfind("0.01");
    if (line.find("step") != std::string::npos && first != second) column = second;
  }
  ASSERT_NE(column, std::string::npos) << table;
  std::istringstream again(table);
  for (std::string line; std::getline(again, line);)
    if (line.find("energy, relative range") != std::string::npos) {
      EXPECT_EQ(line.rfind("0.2"), column) << table;
    }
}

TEST(AuditReport, AMissingRowIsADashAndShiftsNothing) {
  const auto lines = beside({{{"order", "2"}}, {{"order", "1"}, {"penetration", "0"}}});
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], (std::vector<std::string>{"order", "2", "1"}));
  EXPECT_EQ(lines[1], (std::vector<std::string>{"penetration", "-", "0"}));
}

TEST(AuditReport, JsonIsCompleteAndNeverNaN) {
  Audit bad = made_up();
  bad.momenta[0].max_deviation = std::numeric_limits<double>::quiet_NaN();
  bad.energy->max = std::numeric_limits<double>::infinity();
  Audit refused;
  refused.label = "variational";
  refused.refused = "no contact";
  const auto json = nlohmann::json::parse(audit_json("Title", "name", {bad, refused}));
  EXPECT_EQ(json["format"], 1);
  EXPECT_EQ(json["scenario"], "name");
  const auto& a = json["audits"][0];
  EXPECT_EQ(a["order"]["value"], 2.0123);
  EXPECT_EQ(a["order"]["points"].size(), 1u);
  EXPECT_EQ(a["horizon"]["impacts"], 2);
  EXPECT_TRUE(a["momentum"]["angular momentum"]["max_deviation"].is_null());
  EXPECT_TRUE(a["energy"]["max"].is_null());
  EXPECT_TRUE(a["penetration"]["grid"].is_null());
  EXPECT_TRUE(a["refused"].is_null());
  EXPECT_EQ(json["audits"][1]["refused"], "no contact");
}

TEST(AuditReport, RefusalsAndFailuresAreSentences) {
  Audit refused, failed = made_up();
  refused.label = "variational";
  refused.refused = "it has no contact";
  failed.failures = {"energy: no convergence; a smaller step"};
  const std::string table = audit_table("T", {refused, failed});
  EXPECT_NE(table.find("variational: cannot do this scenario: it has no contact"), std::string::npos) << table;
  EXPECT_NE(table.find("no convergence"), std::string::npos) << table;
}

}  // namespace
}  // namespace ricochet::audit_report_test
