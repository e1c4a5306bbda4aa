#include "ricochet/simulation/ledger.hpp"

#include <gtest/gtest.h>

#include "toy_stepper.hpp"

namespace ricochet::ledger_test {
namespace {

Impact corner() {
  Impact i;
  i.time = 0.1;
  i.alpha = 1.0 / 3;
  i.contacts = {{0, 2, {0.25, 0}}, {2, 0.5, {-0.5, 1}}};
  i.gap = 1e-17;
  i.energy_before = 4;
  i.energy_after = 3;
  i.law = ImpactLaw::newton;
  i.requested_restitution = 0.5;
  i.obtained_restitution = 0.5;
  i.residual = 1e-16;
  i.iterations = 4;
  i.discrete_energy_before = 4.5;
  i.discrete_energy_after = 3.5;
  i.momentum_change = 2.25;
  i.constraint_impulse = 0.75;
  i.loss = -1.5;
  i.obstacle_work = 0.5;
  i.q = {0.1, 2};
  i.v_before = {-1, 0.5};
  i.v_after = {1, 0.25};
  return i;
}

const Labels labels{{"x", "y, z"}, {}, {"floor", "roof", "pair[1]"}};

TEST(Ledger, ColumnsOfTheContractComeFirst) {
  EXPECT_EQ(ledger_header(labels).find("step,time,alpha,contacts,gap,impulse,energy_before,energy_after,law,"
                                       "requested_restitution,obtained_restitution,residual,iterations,"),
            0u);
  EXPECT_TRUE(ledger_header(labels).ends_with(
      ",tangential,loss,obstacle_work,q.x,\"q.y, z\",v.x,\"v.y, z\",v_after.x,\"v_after.y, z\""));
}

TEST(Ledger, NumbersReadBackToTheSameBits) {
  EXPECT_EQ(ledger_line(7, corner(), labels),
            "7,0.1,0.3333333333333333,floor+pair[1],1e-17,2.5,4,3,newton,0.5,0.5,1e-16,4,floor=2+pair[1]=0.5,4.5,3.5,2."
            "25,0.75,floor=0.25+pair[1]=-0.5:1,-1.5,0.5,0.1,2,-1,0.5,1,0.25");
  EXPECT_EQ(std::stod("0.3333333333333333"), 1.0 / 3);
}

TEST(Ledger, NamesWithCommasAndQuotesAreQuoted) {
  const std::string line = ledger_line(7, corner(), {{}, {}, {"a,b", "", "say \"c\""}});
  EXPECT_NE(line.find(",\"a,b+say \"\"c\"\"\","), std::string::npos) << line;
}

TEST(Ledger, NamesThatASpreadsheetWouldRunAreTexts) {
  const std::string line = ledger_line(7, corner(), {{}, {}, {"=cmd|'/c calc'!A0", "", "@sum"}});
  EXPECT_NE(line.find(",'=cmd|'/c calc'!A0+@sum,"), std::string::npos) << line;
  EXPECT_EQ(line.find(",="), std::string::npos) << line;
}

TEST(Ledger, EveryLawHasItsName) {
  EXPECT_STREQ(name(ImpactLaw::elastic), "elastic");
  EXPECT_STREQ(name(ImpactLaw::newton), "newton");
  EXPECT_STREQ(name(ImpactLaw::coulomb), "coulomb");
  EXPECT_STREQ(name(ImpactLaw::plastic), "plastic");
  EXPECT_STREQ(name(ImpactLaw::rest), "rest");
}

TEST(Ledger, WhatIsNotKnownOfTheStateIsEmpty) {
  Impact impact = corner();
  impact.q.clear(), impact.v_before.clear(), impact.v_after.clear();
  EXPECT_TRUE(ledger_line(7, impact, labels).ends_with(",-1.5,0.5,,,,,,"));
}

TEST(Ledger, GoesOnAfterWhatIsKept) {
  const TemporaryDirectory directory;
  const auto path = directory.path / "ledger.csv";
  std::int64_t kept = 0;
  {
    Ledger ledger(path, labels);
    ledger.add(1, corner());
    kept = ledger.bytes();
    ledger.add(2, corner());
    ledger.flush();
  }
  Ledger again(path, labels, path, kept);
  again.add(3, corner());
  again.flush();
  EXPECT_EQ(text_of(path), ledger_header(labels) + ",check\n" + checked_line(ledger_line(1, corner(), labels)) +
                               checked_line(ledger_line(3, corner(), labels)));
}

TEST(Ledger, UnwritablePathIsNamed) {
  try {
    Ledger("/nowhere/ledger.csv", {});
    FAIL();
  } catch (const WriteError& e) {
    EXPECT_NE(std::string(e.what()).find("/nowhere/ledger.csv"), std::string::npos);
  }
}

}  // namespace
}  // namespace ricochet::ledger_test
