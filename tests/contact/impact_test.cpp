#include "ricochet/contact/impact.hpp"

#include <gtest/gtest.h>

namespace ricochet::impact_test {
namespace {

TEST(Impact, LawsAreJoinedWhereTheyDiffer) {
  Impact impact;
  EXPECT_EQ(law_names(impact), "elastic");
  impact.contacts = {{0, 1, {}, ImpactLaw::newton}, {1, 2, {}, ImpactLaw::newton}};
  EXPECT_EQ(law_names(impact), "newton");
  impact.contacts.push_back({2, 1, {}, ImpactLaw::coulomb});
  EXPECT_EQ(law_names(impact), "newton+newton+coulomb");
  impact.law = ImpactLaw::rest;
  EXPECT_EQ(law_names(impact), "rest");
  EXPECT_STREQ(name(ImpactLaw::release), "release");
}

TEST(ImpactList, ElementsAreClearedAndUsedAgain) {
  ImpactList list;
  EXPECT_TRUE(list.empty());
  const auto fill = [](Impact& impact, double x) {
    impact.time = x;
    impact.law = ImpactLaw::plastic;
    impact.loss = -x;
    impact.obtained_restitution = 0.3;
    impact.contacts.push_back({1, x});
    for (auto* vector : {&impact.q, &impact.v_before, &impact.v_after}) vector->assign(5, x);
  };
  std::vector<const void*> places;
  for (int k = 0; k < 3; ++k) fill(list.add(), k);
  for (const Impact& impact : list)
    places.insert(places.end(),
                  {impact.contacts.data(), impact.q.data(), impact.v_before.data(), impact.v_after.data()});
  for (int step = 0; step < 10; ++step) {
    list.clear();
    EXPECT_TRUE(list.empty());
    EXPECT_EQ(list.span().size(), 0u);
    for (int k = 0; k < 3; ++k) {
      const Impact& fresh = list.add();
      EXPECT_EQ(fresh.time, 0);
      EXPECT_EQ(fresh.law, ImpactLaw::elastic);
      EXPECT_EQ(fresh.loss, 0);
      EXPECT_EQ(fresh.obtained_restitution, 1);
      EXPECT_TRUE(fresh.contacts.empty() && fresh.q.empty() && fresh.v_before.empty() && fresh.v_after.empty());
      fill(list.back(), 10 * step + k);
    }
    std::vector<const void*> now;  // the memory is that of the first round
    for (const Impact& impact : list)
      now.insert(now.end(), {impact.contacts.data(), impact.q.data(), impact.v_before.data(), impact.v_after.data()});
    EXPECT_EQ(now, places);
    EXPECT_EQ(list[2].time, 10 * step + 2);
    EXPECT_EQ(list.span()[1].q, std::vector<double>(5, 10 * step + 1));
  }
  list.pop();
  EXPECT_EQ(list.size(), 2u);
}

}  // namespace
}  // namespace ricochet::impact_test
