#include "../../src/methods/mode_ledger.hpp"

#include <gtest/gtest.h>

#include "support/flight.hpp"

namespace ricochet::mode_ledger_test {
namespace {

// A floor of two pieces, 0 and 1, and a wall, 2.
struct Fixture : testing::Test {
  Fixture() {
    Model m;
    const Expr x = m.coordinate("x"), y = m.coordinate("y");
    m.lagrangian = (square(dot(x)) + square(dot(y))) / 2 - 9.81 * y;
    m.contacts = {{.name = "floor", .gap = min(y, y + x / 2)}, {.name = "wall", .gap = x}};
    system = std::make_unique<System>(m);
    gaps = std::make_unique<Gaps>(*system);
    ledger = std::make_unique<ModeLedger>(*system, *gaps);
    ledger->start({});
    for (Rub& rub : rubs) rub = {.tangents = 1, .friction = 0.5, .sticks = true, .slip = {}};
    rubs[2].tangents = 0;
  }
  std::string lines() {  // "law contact contact, law …" since the last call
    std::string text;
    for (const Impact& line : report.changes) {
      text += (text.empty() ? "" : ", ") + std::string(name(line.law));
      for (const ContactImpulse& c : line.contacts) text += " " + std::to_string(c.contact);
    }
    report.changes.clear();
    return text;
  }
  void note(std::vector<int> closed) { ledger->note(closed, rubs, {t, 0.5, q, p}, report); }

  std::unique_ptr<System> system;
  std::unique_ptr<Gaps> gaps;
  std::unique_ptr<ModeLedger> ledger;
  Rub rubs[3];
  Workspace report;
  double t = 0, q[2] = {0, 0}, p[2] = {3, 4};
};

TEST_F(Fixture, BeginsChangesAndEnds) {
  note({});
  EXPECT_EQ(lines(), "");
  note({0, 2});
  EXPECT_EQ(lines(), "rest 0 1, stick 0");
  note({0, 2});
  EXPECT_EQ(lines(), "");
  rubs[0].slide(1, 0);
  note({0, 2});
  EXPECT_EQ(lines(), "slide 0");
  rubs[0].slide(-1, 0);
  note({0, 2});
  EXPECT_EQ(lines(), "") << "it still slides";
  note({0, 1, 2});
  EXPECT_EQ(lines(), "") << "one of its pieces slides";
  note({1, 2});
  EXPECT_EQ(lines(), "stick 0") << "the other one sticks";
  note({1});
  EXPECT_EQ(lines(), "release 1");
  note({});
  EXPECT_EQ(lines(), "release 0");
  EXPECT_EQ(ledger->begun(), 2);
}

TEST_F(Fixture, ALineTellsTheStateAndNoImpulse) {
  report.impacts.add();
  t = 2;
  note({0});
  const Impact& line = report.changes.front();
  EXPECT_EQ(line.time, 2);
  EXPECT_EQ(line.alpha, 0.5);
  EXPECT_EQ(line.after, 1u);
  EXPECT_EQ(line.impulse(), 0);
  EXPECT_EQ(line.energy_before, 12.5);
  EXPECT_EQ(line.energy_after, 12.5);
  EXPECT_EQ(line.q, (std::vector<double>{0, 0}));
  EXPECT_EQ(line.v_before, (std::vector<double>{3, 4}));
  EXPECT_EQ(line.v_after, line.v_before);
}

TEST_F(Fixture, TheStateTellsWhatIsKnown) {
  ledger->start({.t = 0, .q = {}, .p = {}, .modes = {0, 3.5, 1}});
  note({1, 2});
  EXPECT_EQ(lines(), "stick 0");
  ledger->start({.t = 0, .q = {}, .p = {}, .modes = {0, 0, 1}});
  note({0, 2});
  EXPECT_EQ(lines(), "rest 0, stick 0");
  EXPECT_EQ(ledger->begun(), 1);
}

TEST_F(Fixture, AnImpactMayBeTheBegin) {
  ledger->captured(0);
  note({0, 2});
  EXPECT_EQ(lines(), "rest 1, stick 0");
  EXPECT_EQ(ledger->begun(), 2);
  ledger->captured(0);
  EXPECT_EQ(ledger->begun(), 2) << "it lasts already";
}

TEST_F(Fixture, AReleaseThatWasTooEarlyIsTakenBack) {
  note({0, 2});
  note({});
  ledger->take_back_release(0, report);
  note({0});
  EXPECT_EQ(lines(), "rest 0 1, stick 0, release 1");
  note({});
  ledger->take_back_release(0, report);
  EXPECT_EQ(lines(), "");
  note({0});
  EXPECT_EQ(lines(), "") << "nothing has happened";
  EXPECT_EQ(ledger->begun(), 2);
}

}  // namespace
}  // namespace ricochet::mode_ledger_test
