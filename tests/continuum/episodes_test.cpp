#include "ricochet/continuum/episodes.hpp"

#include <gtest/gtest.h>

#include "support/bars.hpp"

namespace ricochet::continuum::episodes_test {
namespace {

// Forces and velocities that a test dictates, step by step.
class Puppet : public Integrator {
 public:
  explicit Puppet(const Bar& bar) : v(bar.v) {}
  void advance(double, double) override {}
  void bring_to(double, std::vector<double>&) const override {}
  const std::vector<double>& velocities() const override { return v; }
  Energies energies() const override { return {energy, 0, 0}; }
  const Balance& balance() const override { return balance_; }
  std::span<const ContactForce> contacts() const override { return {&contact, 1}; }
  double gap(std::size_t) const override { return 0; }
  std::int64_t updates() const override { return 0; }
  void save(std::vector<double>&) const override {}
  void load(std::span<const double>&) override {}
  void press(double force, double h) { contact = {force, force * h, 0, 0, force > 0}; }

  std::vector<double> v;
  double energy = 1;
  ContactForce contact;
  Balance balance_;
};

class EpisodesTest : public testing::Test {
 protected:
  Bar bar{test::two_rods(1, 1, 10, Treatment::multiplier)};  // a cell transit is 0.1, as is the step
  Puppet puppet{bar};
  Episodes episodes{encounters(bar)};
  std::vector<Episode> ended;
  int n = 0;
  void step(double force) {
    episodes.before_step(puppet);
    puppet.press(force, 0.1);
    episodes.after_step(puppet, n, 0.1 * n, 0.1);
    ended.insert(ended.end(), episodes.ended().begin(), episodes.ended().end());
    ++n;
  }
};

TEST_F(EpisodesTest, ShortPausesBelongToAnEpisodeAndLongOnesEndIt) {
  for (const double force : {0.0, 2.0, 3.0, 0.0, 1.0, 0.0, 0.0}) step(force);
  EXPECT_TRUE(ended.empty());  // the last pause is two cell transits long
  EXPECT_EQ(episodes.still_open(puppet).size(), 1u);
  step(0);
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0].step, 1);
  EXPECT_DOUBLE_EQ(ended[0].time, 0.1);
  EXPECT_DOUBLE_EQ(ended[0].end_time, 0.5);
  EXPECT_DOUBLE_EQ(ended[0].impulse(), 0.6);
  EXPECT_EQ(ended[0].largest_force, 3);
  EXPECT_TRUE(episodes.still_open(puppet).empty());
  step(1);
  EXPECT_EQ(episodes.still_open(puppet).size(), 1u);
  const auto report = episodes.report(puppet);
  EXPECT_EQ(test::value(report, "rod1-rod2", "episodes"), 2);
  EXPECT_DOUBLE_EQ(test::value(report, "rod1-rod2", "impulse"), 0.7);
}

// Before the first step: energy less the work of that step, velocities less its impulse.
TEST_F(EpisodesTest, EnergiesAndRestitution) {
  episodes.before_step(puppet);
  puppet.press(2, 0.1);
  puppet.balance_.contact = -0.25;
  puppet.energy = 0.75;
  // the impulse 0.2 has slowed rod 1 (mass 1) from 1 to 0.8 and moved rod 2
  for (std::size_t i = 0; i <= 10; ++i) puppet.v[i] = 0.8, puppet.v[i + 11] = 0.2;
  episodes.after_step(puppet, 0, 0, 0.1);
  n = 1;
  puppet.energy = 0.5;
  for (std::size_t i = 0; i <= 10; ++i) puppet.v[i] = 0.3, puppet.v[i + 11] = 0.7;
  for (int k = 0; k < 4; ++k) step(0);
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_DOUBLE_EQ(ended[0].energy_before, 1);
  EXPECT_DOUBLE_EQ(ended[0].energy_after, 0.5);
  EXPECT_NEAR(ended[0].obtained_restitution, 0.4, 1e-14);
}

TEST_F(EpisodesTest, SavesAndLoads) {
  step(2);
  std::vector<double> saved;
  episodes.save(saved);
  Episodes other(encounters(bar));
  std::span<const double> rest(saved);
  other.load(rest);
  EXPECT_TRUE(rest.empty());
  std::vector<double> again;
  other.save(again);
  EXPECT_EQ(saved, again);
}

}  // namespace
}  // namespace ricochet::continuum::episodes_test
