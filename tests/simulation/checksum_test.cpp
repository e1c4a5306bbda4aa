#include "ricochet/simulation/checksum.hpp"

#include <gtest/gtest.h>

#include <random>

namespace ricochet::checksum_test {
namespace {

TEST(Checksum, IsFnv1a) {  // the reference values of its authors
  EXPECT_EQ(checksum(""), 0xcbf29ce484222325u);
  EXPECT_EQ(checksum("foobar"), 0x85944171f73967e8u);
}

RowChecksum of(const std::vector<std::vector<std::uint64_t>>& row) {
  RowChecksum check;
  for (const auto& numbers : row) {
    std::uint64_t hash = checksum_start;
    for (const std::uint64_t x : numbers) hash = mixed(hash, x);
    check.add(hash);
  }
  return check;
}

TEST(Checksum, RowsOfZerosHaveOne) { EXPECT_NE(of({{0}, {0, 0}}).value(), 0); }

TEST(Checksum, EveryBitCountsAndTheDatasetIsFound) {
  std::mt19937_64 random(5);
  std::vector<std::vector<std::uint64_t>> row(26);
  for (std::size_t k = 0; k < row.size(); ++k)
    for (std::size_t i = 0; i < k % 5; ++i) row[k].push_back(random() % 3 == 0 ? 0 : random());
  const std::int64_t stored = of(row).value();
  EXPECT_EQ(of(row).damaged(stored), -1);
  for (std::size_t k = 0; k < row.size(); ++k)
    for (std::uint64_t& x : row[k])
      for (int bit = 0; bit < 64; ++bit) {
        x ^= std::uint64_t{1} << bit;
        EXPECT_NE(of(row).value(), stored);
        EXPECT_EQ(of(row).damaged(stored), static_cast<int>(k)) << bit;
        x ^= std::uint64_t{1} << bit;
      }
}

TEST(Checksum, DamageInSeveralDatasetsIsSeen) {
  std::vector<std::vector<std::uint64_t>> row{{1}, {2}, {3}};
  const std::int64_t stored = of(row).value();
  row[0][0] = row[2][0] = 0;
  EXPECT_NE(of(row).value(), stored);
  EXPECT_EQ(of(row).damaged(stored), -1);
}

}  // namespace
}  // namespace ricochet::checksum_test
