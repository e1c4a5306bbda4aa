// Lossy discs poured into a box: bounces accumulate in many contacts at once, which press each other or do not. Every
// pile must come to rest, whatever restitution, step and sizes. Whether it lies is asked of statics by hand: the
// weights must be held by forces of the contacts that touch, none of which pulls.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#include "support/discs.hpp"
#include "support/flight.hpp"

namespace ricochet::piles_test {
namespace {

using discs::Disc;

class Piles : public testing::Test {
 protected:
  double real(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }

  void throw_in(int n) {
    discs_.clear();
    while (static_cast<int>(discs_.size()) < n) {
      const double r = real(0.06, 0.11);
      const Disc d{real(r, 1 - r), real(r, 2), r, r * r * 100};
      bool clear = true;
      for (const Disc& other : discs_) clear &= std::hypot(d.x - other.x, d.y - other.y) > d.r + other.r + 0.01;
      if (clear) discs_.push_back(d);
    }
  }

  std::mt19937 engine_{7};
  std::vector<Disc> discs_;
};

TEST_F(Piles, ComeToRest) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  const int piles = std::getenv("RICOCHET_LONG") != nullptr ? 400 : 24;
  for (int pile = 0; pile < piles; ++pile) {
    throw_in(4 + pile % 5 * 2);
    const double es[] = {0, 0.2, 0.5, 0.7};
    const double e = es[pile % 4];
    const std::string law = pile % 6 == 5 ? "plastic" : "newton";
    std::vector<double> v;
    for (std::size_t i = 0; i < 2 * discs_.size(); ++i) v.push_back(real(-1, 1));
    Flight run(discs::model(discs_, {}, law, e), collision(std::pow(10, real(-2.3, -1.3))), discs::places(discs_), v);
    double energy = run.energy(), weight = 0;
    for (const Disc& d : discs_) weight += d.m;
    const double start = energy, slack = 256 * eps * weight;  // round-off of its terms
    while (run.k * run.h < 40) {
      ASSERT_NO_THROW(run.step()) << "pile " << pile << " step " << run.k;
      for (const Impact& impact : run.work->impacts)
        ASSERT_LE(impact.energy_after, impact.energy_before + slack) << pile << " " << run.k;
    }
    // normals of discs in a row nearly repeat each other: round-off of their rows grows with the condition of the pile
    EXPECT_GE(run.work->gap_min, -1e4 * eps) << pile;
    EXPECT_LE(run.energy(), start);
    // what touches does so to round-off, what does not is seen
    EXPECT_LT(discs::unbalanced(discs_, {}, run.state.q, 1e-9), 1e-9) << pile;
  }
}

}  // namespace
}  // namespace ricochet::piles_test
