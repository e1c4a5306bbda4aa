#include "ricochet/simulation/ledger_fields.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "../../src/simulation/finite.hpp"
#include "toy_stepper.hpp"

namespace ricochet::ledger_fields_test {
namespace {

TEST(LedgerFields, NamesAreUniqueAndDescribed) {
  const std::string docs = text_of(std::filesystem::path(RICOCHET_SOURCE_DIR) / "docs" / "files.md");
  std::set<std::string> columns, datasets;
  for (const LedgerField& f : ledger_fields()) {
    EXPECT_TRUE(f.column || f.dataset);
    if (f.column) {
      EXPECT_TRUE(columns.insert(f.column).second) << f.column;
      const std::string suffix = std::holds_alternative<LedgerField::State>(f.value) ? ".NAME`" : "`";
      EXPECT_NE(docs.find("`" + std::string(f.column) + suffix), std::string::npos) << f.column;
    }
    if (f.dataset) {
      EXPECT_TRUE(datasets.insert(f.dataset).second) << f.dataset;
      EXPECT_TRUE(docs.find("`impacts/" + std::string(f.dataset) + "`") != std::string::npos ||
                  docs.find("`" + std::string(f.dataset) + "`") != std::string::npos)
          << f.dataset;
    }
    EXPECT_TRUE(f.dataset || !f.on_page) << "the page is made from the archive";
  }
}

// Whatever the table says of an impact is checked before it is written.
TEST(LedgerFields, WhatIsNotFiniteIsNamed) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  const Labels labels{{"x"}, {}, {"floor"}};
  const auto complaint = [&](const Episode& e, bool episode) -> std::string {
    try {
      check_finite(LedgerLine{0, e, labels, episode ? &e : nullptr});
      return "";
    } catch (const SolverError& error) {
      return error.what();
    }
  };
  Episode good;
  good.contacts = {{0, 1, {2, 0}}};
  good.q = {1};
  EXPECT_EQ(complaint(good, false), "");
  EXPECT_EQ(complaint(good, true), "");
  const std::pair<std::string, std::function<void(Episode&)>> bad[] = {
      {"time", [&](Episode& e) { e.time = nan; }},
      {"energy_after", [&](Episode& e) { e.energy_after = inf; }},
      {"impulse", [&](Episode& e) { e.contacts[0].lambda = -inf; }},
      {"tangential", [&](Episode& e) { e.contacts[0].tangential[1] = nan; }},
      {"v_after", [&](Episode& e) {
         e.v_after = {0, nan};
       }}};
  for (const auto& [name, spoil] : bad) {
    Episode e = good;
    spoil(e);
    EXPECT_EQ(complaint(e, false), name + " of an impact became infinite or not a number");
  }
  good.largest_force = inf;
  EXPECT_EQ(complaint(good, false), "");
  EXPECT_EQ(complaint(good, true), "largest_force of an episode of contact became infinite or not a number");
}

}  // namespace
}  // namespace ricochet::ledger_fields_test
