#include "ricochet/numerics/team.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace ricochet::team_test {
namespace {

TEST(Team, EveryIndexOnceWhateverTheThreads) {
  for (const unsigned threads : {1u, 2u, 3u, 8u}) {
    Team team(threads);
    for (const std::size_t n : {0, 1, 7, 100, 1001})
      for (int round = 0; round < 50; ++round) {
        std::vector<int> count(n, 0);
        team.for_each(n, 10, [&](std::size_t first, std::size_t last) {
          for (std::size_t i = first; i < last; ++i) ++count[i];
        });
        EXPECT_EQ(std::accumulate(count.begin(), count.end(), 0), static_cast<int>(n));
        EXPECT_EQ(std::count(count.begin(), count.end(), 1), static_cast<std::ptrdiff_t>(n));
      }
  }
}

TEST(Team, ShortLoopsAreDoneWhereTheyAre) {
  Team team(4);
  const std::thread::id here = std::this_thread::get_id();
  team.for_each(15, 10, [&](std::size_t, std::size_t) { EXPECT_EQ(std::this_thread::get_id(), here); });
}

}  // namespace
}  // namespace ricochet::team_test
