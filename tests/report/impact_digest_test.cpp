#include "ricochet/report/impact_digest.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "simulation/toy_stepper.hpp"

namespace ricochet::impact_digest_test {
namespace {

// Impact i at time i², so that intervals differ; every tenth line is no impact but the begin of a lasting contact.
ArchiveReader archive_with(const TemporaryDirectory& directory, int lines) {
  const std::filesystem::path path = directory.path / "a.h5";
  Archive archive(path, toy_description(), {{"x"}, {}, {"floor", "wall"}});
  archive.record(0, {0, {0}, {0}, {0}, 0, {}, {1, 1}});
  for (int i = 0; i < lines; ++i) {
    Impact impact;
    impact.time = static_cast<double>(i) * i;
    impact.alpha = (i % 4) / 4.0;
    impact.contacts = {{1, 2.0}};
    if (i == 1) impact.contacts = {{0, 1.0}, {1, 1.0}};
    impact.energy_before = 3;
    impact.energy_after = 2;
    impact.law = i % 10 == 9 ? ImpactLaw::rest : ImpactLaw::newton;
    if (i % 10 == 9) impact.contacts[0].lambda = 0;
    archive.add(i, impact);
  }
  archive.appear();
  archive.close("");
  return ArchiveReader(path);
}

const std::vector<double>& column(const ImpactDigest& digest, const std::string& name) {
  for (const auto& [key, values] : digest.columns)
    if (key == name) return values;
  throw std::out_of_range(name);
}

std::int64_t total(const Histogram& h) { return std::accumulate(h.counts.begin(), h.counts.end(), std::int64_t{0}); }

TEST(ImpactDigest, lists_all_lines_of_a_short_ledger) {
  const TemporaryDirectory directory;
  const ImpactDigest digest = digest_impacts(archive_with(directory, 20), 100);
  EXPECT_EQ(digest.lines, 20);
  EXPECT_EQ(column(digest, "number").back(), 20);
  EXPECT_EQ(digest.contacts[0], "wall");
  EXPECT_EQ(digest.contacts[1], "floor + wall");
  EXPECT_EQ(digest.laws[9], "rest");
  EXPECT_TRUE(std::isnan(column(digest, "interval")[0]));
  EXPECT_EQ(column(digest, "interval")[3], 5);          // 9 − 4
  EXPECT_EQ(column(digest, "interval")[10], 100 - 64);  // line 9 is no impact
  EXPECT_EQ(digest.energy_change, -18);                 // 18 impacts, each −1
  EXPECT_EQ(digest.impacts, 18);
  EXPECT_EQ(column(digest, "impact")[8], 9);
  EXPECT_EQ(column(digest, "impact")[9], 0);
  EXPECT_EQ(column(digest, "impact")[10], 10);
  EXPECT_TRUE(digest.lossy);
}

TEST(ImpactDigest, histograms_count_all_impacts_whatever_is_listed) {
  const TemporaryDirectory directory;
  const ImpactDigest digest = digest_impacts(archive_with(directory, 10000), 50);
  EXPECT_EQ(digest.lines, 10000);
  EXPECT_EQ(column(digest, "time").size(), 50u);
  EXPECT_EQ(digest.contacts.size(), 50u);
  EXPECT_EQ(total(digest.alpha), 9000);
  EXPECT_EQ(total(digest.interval), 8999);
  EXPECT_TRUE(digest.interval.logarithmic);  // from 1 to about 20000
  EXPECT_EQ(digest.alpha.counts[0], 2500);   // alpha 0: i divisible by 4, never one that ends with 9
  EXPECT_LE(digest.times.size(), 50u);
}

TEST(ImpactDigest, of_no_impacts_is_empty) {
  const TemporaryDirectory directory;
  const ImpactDigest digest = digest_impacts(archive_with(directory, 0), 50);
  EXPECT_EQ(digest.lines, 0);
  EXPECT_TRUE(digest.interval.counts.empty());
  EXPECT_EQ(total(digest.alpha), 0);
}

}  // namespace
}  // namespace ricochet::impact_digest_test
