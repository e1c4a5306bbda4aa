#include "ricochet/continuum/bounding_volumes.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace ricochet::bounding_volumes_test {
namespace {

using continuum::BoundingVolumes;
using continuum::Box;

// Random simplices that move: a query gives all whose own box meets it (and perhaps neighbours of their leaf), in the
// plane and in space; the naive twin looks at each.
template <int D>
void compare_with_naive(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  const int n = seed == 0 ? 5000 : 300;  // the larger tree is refitted by several threads
  Team team(3);
  std::vector<double> x;
  std::vector<std::array<int, D>> simplices;
  for (int k = 0; k < n; ++k) {
    std::array<int, D> s;
    double centre[D];
    for (double& c : centre) c = unit(random);
    for (int i = 0; i < D; ++i) {
      s[static_cast<std::size_t>(i)] = static_cast<int>(x.size()) / D;
      for (int d = 0; d < D; ++d) x.push_back(centre[d] + 0.05 * unit(random));
    }
    simplices.push_back(s);
  }
  BoundingVolumes<D> tree(simplices, x.data());
  EXPECT_TRUE(
      std::is_permutation(simplices.begin(), simplices.end(), tree.simplices().begin(), tree.simplices().end()));
  simplices = tree.simplices();
  for (int move = 0; move < 5; ++move) {
    for (double& c : x) c += 0.2 * (unit(random) - 0.5);
    tree.refit(x.data(), team);
    for (int query = 0; query < 50; ++query) {
      double at[D];
      for (double& c : at) c = unit(random);
      Box<D> box;
      box.add(at);
      box.widen(0.1 * unit(random));
      std::set<std::size_t> found;
      tree.near(box, [&](std::size_t first, std::size_t last) {
        for (; first < last; ++first) EXPECT_TRUE(found.insert(first).second);
      });
      for (std::size_t s = 0; s < simplices.size(); ++s) {
        Box<D> own;
        for (const int i : simplices[s]) own.add(&x[static_cast<std::size_t>(D * i)]);
        EXPECT_TRUE(!own.meets(box) || found.contains(s));
      }
      const auto distance = [&](std::size_t s) {
        Box<D> own;
        for (const int i : simplices[s]) own.add(&x[static_cast<std::size_t>(D * i)]);
        return own.squared_distance(at);
      };
      double best = 1e9;
      for (std::size_t s = 0; s < simplices.size(); ++s) best = std::min(best, distance(s));
      EXPECT_EQ(tree.nearest(at, 1e9, distance), best);
    }
  }
}

TEST(BoundingVolumes, FindWhatTheNaiveSearchFinds) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    compare_with_naive<2>(seed);
    compare_with_naive<3>(seed);
  }
}

TEST(BoundingVolumes, EmptyAndSingle) {
  const BoundingVolumes<2> none;
  none.near({}, [](std::size_t, std::size_t) { FAIL(); });
  const double x[4] = {0, 0, 1, 1};
  const BoundingVolumes<2> one({{0, 1}}, x);
  int found = 0;
  Box<2> box;
  box.add(x);
  one.near(box, [&](std::size_t first, std::size_t last) { found += static_cast<int>(last - first); });
  EXPECT_EQ(found, 1);
}

}  // namespace
}  // namespace ricochet::bounding_volumes_test
