#include "../src/scenario/run_reader.hpp"

#include <gtest/gtest.h>

namespace ricochet::run_reader_test {
namespace {

TEST(RunReader, DurationAndImpacts) {
  const Document d("d.toml", "duration=2\nimpacts=3\nstart=-1\n"), only("d.toml", "impacts=3\n");
  IntegratorOptions half{.method = "variational", .discretization = "", .step = 0.5, .parameters = {}};
  const RunSettings s = read_run(TableReader(d, d.root(), "run"), half, true);
  EXPECT_EQ(s.duration, 2);
  EXPECT_EQ(s.impacts, 3);
  EXPECT_EQ(s.start, -1);
  EXPECT_EQ(s.step, 0.5);
  EXPECT_LT(read_run(TableReader(only, only.root(), "run"), half, true).duration, 0);
  EXPECT_THROW(read_run(TableReader(only, only.root(), "run"), half, false), InputError);
}

TEST(RunReader, DurationMustBeSeenBesideStart) {
  const Document d("d.toml", "duration=1e-3\nstart=1e300\n");
  IntegratorOptions fine{.method = "variational", .discretization = "", .step = 1e-4, .parameters = {}};
  EXPECT_THROW(read_run(TableReader(d, d.root(), "run"), fine, true), InputError);
}

TEST(RunReader, Direction) {
  const Document back("d.toml", "duration=2\ndirection='backward'\n"),
      on("d.toml", "duration=2\ndirection='forward'\n"), none("d.toml", "duration=2\n"),
      bad("d.toml", "duration=2\ndirection='backwards'\n");
  IntegratorOptions options{.method = "variational", .discretization = "", .step = 0.5, .parameters = {}};
  read_run(TableReader(back, back.root(), "run"), options, true);
  EXPECT_TRUE(options.backward);
  for (const Document* d : {&on, &none}) {
    read_run(TableReader(*d, d->root(), "run"), options, true);
    EXPECT_FALSE(options.backward);
  }
  EXPECT_THROW(read_run(TableReader(bad, bad.root(), "run"), options, true), InputError);
}

TEST(RunReader, OutputAndRest) {
  const Document d("d.toml", "every=0\nledger=false\n"), r("d.toml", "[rest]\npolicy='off'\nmax_impacts_per_step=4\n");
  RunSettings s;
  read_output(TableReader(d, d.root(), "output"), s);
  EXPECT_EQ(s.every, 0);
  EXPECT_FALSE(s.ledger);
  const ContactRest rest = read_contact(TableReader(r, r.root(), "contact"));
  EXPECT_EQ(rest.policy, "off");
  EXPECT_EQ(rest.max_impacts_per_step, 4);
}

}  // namespace
}  // namespace ricochet::run_reader_test
