// Discs that fill their box exactly, in rows, grids and hexagons, with or without a lid and gravity: contacts that
// repeat each other and leave no way, normals that are dependent to round-off, gaps that open with the square of what a
// disc moves. Every scene must go on, and with gravity come to rest.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "ricochet/error.hpp"
#include "support/discs.hpp"
#include "support/flight.hpp"

namespace ricochet::packed_test {
namespace {

using discs::Box;
using discs::Disc;

constexpr double eps = std::numeric_limits<double>::epsilon();

struct Scene {
  std::vector<Disc> discs;
  Box box;
};

// Rows of nx discs, each above the one below or above its gaps, that touch each other and the walls.
Scene packing(int nx, int ny, double r, bool hexagonal, bool lid) {
  Scene s;
  s.box.width = 2 * r * nx;
  const double way = hexagonal ? std::sqrt(3.0) * r : 2 * r;
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx - (hexagonal ? j % 2 : 0); ++i)
      s.discs.push_back({r + 2 * r * i + (hexagonal ? j % 2 * r : 0), r + way * j, r, 1});
  if (lid) s.box.height = 2 * r + way * (ny - 1);
  return s;
}

TEST(Packed, EverySceneGoesOn) {
  std::mt19937 engine(3);
  const auto real = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); };
  const int scenes = std::getenv("RICOCHET_LONG") != nullptr ? 400 : 50;
  int rested = 0;
  std::vector<std::string> stopped;
  for (int scene = 0; scene < scenes; ++scene) {
    const double radii[] = {0.05, 0.0625, real(0.03, 0.1)}, r = radii[scene % 3];
    const struct {
      int nx, ny;
      bool hexagonal, lid;
    } shapes[] = {{10, 1, false, false}, {3, 3, false, false}, {4, 2, false, false}, {3, 2, false, true},
                  {5, 1, false, true},   {5, 2, true, false},  {3, 3, true, false},  {2 + scene % 6, 1, false, false}};
    const auto& shape = shapes[scene % 8];
    const Scene s = packing(shape.nx, shape.ny, r, shape.hexagonal, shape.lid);
    const double es[] = {0, 0.5, 0.9, 0.2, 0.7}, e = es[scene % 5], gravity = scene % 7 == 6 ? 0 : 9.81;
    const std::string law = scene % 11 == 10 ? "plastic" : "newton";
    const char* rules[] = {"trapezoidal", "trapezoidal", "midpoint", "galerkin", "rectangle"};
    const char* rule = rules[static_cast<int>(real(0, 5))];
    const double h = std::pow(10, real(-2.5, -1)), across = scene % 3 == 0 ? 0.5 : 0;
    std::vector<double> v;
    for (std::size_t i = 0; i < s.discs.size(); ++i) v.insert(v.end(), {real(-across, across), real(-1, 1)});
    Flight run(discs::model(s.discs, s.box, law, e, gravity), collision(h, rule), discs::places(s.discs), v);
    const std::string name = std::to_string(scene) + " " + rule + " " + law + " e " + std::to_string(e);
    const double energy = run.energy(), slack = 256 * eps * (std::abs(energy) + 1);
    bool goes_on = true;
    while (goes_on && run.k * h < 6) {
      try {
        run.step();
      } catch (const SolverError& error) {
        stopped.push_back(name + ": " + error.what());
        goes_on = false;
      }
      for (const Impact& impact : run.work->impacts)
        ASSERT_LE(impact.energy_after, impact.energy_before + slack) << name;
    }
    EXPECT_GE(run.work->gap_min, -1e4 * eps) << name;
    if (!goes_on || gravity == 0 || e > 0.8) continue;
    ++rested;
    EXPECT_LE(run.energy(), energy + slack) << name;
    // Where the place of a disc is as wide as the disc, it may hang on its neighbours above it by √(4r·ε·width), where
    // the gaps are round-off: 1e-7 at most, which is what is near, and by how much normals are off.
    EXPECT_LT(discs::unbalanced(s.discs, s.box, run.state.q, 1e-7), 1e-7) << name;
  }
  EXPECT_GT(3 * rested, scenes);
  // Known: where many contacts of a hexagon as wide as its box close at once their rows may have no solution to
  // round-off ("no descent"), in one scene of 400.
  EXPECT_LE(stopped.size(), static_cast<std::size_t>(scenes) / 200) << stopped.front();
}

// Between walls that leave it no room a row of discs without friction is as many balls, each on the floor for itself.
// A disc that returns to its place touches its neighbours where the gap, d²/4r at the height d, is round-off: above its
// place by √(4r·ε·width), which is what the heights may be off by.
TEST(Packed, ARowIsAsManyBalls) {
  std::mt19937 engine(5);
  const auto real = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); };
  for (int trial = 0; trial < 20; ++trial) {
    const int n = 2 + trial % 9;
    const double es[] = {0, 0.5, 0.9, 0.3}, e = es[trial % 4], r = real(0.03, 0.1), h = std::pow(10, real(-2.5, -1.5));
    const Scene s = packing(n, 1, r, false, false);
    std::vector<double> v, q;
    for (int i = 0; i < n; ++i) v.insert(v.end(), {0.0, real(0.2, 1)});
    Flight row(discs::model(s.discs, s.box, "newton", e, 9.81), collision(h), discs::places(s.discs), v);
    std::vector<Flight> balls;
    for (int i = 0; i < n; ++i)
      balls.emplace_back(discs::model({{0.5, r, r, 1}}, {}, "newton", e, 9.81), collision(h),
                         std::vector<double>{0.5, r}, std::vector<double>{0, v[2 * i + 1]});
    const double off = std::sqrt(4 * r * eps * s.box.width);
    while (row.k * h < 1) {
      ASSERT_NO_THROW(row.step()) << trial;
      for (int i = 0; i < n; ++i) {
        balls[i].step();
        ASSERT_NEAR(row.state.q[2 * i], s.discs[i].x, off) << trial << " disc " << i << " step " << row.k;
        ASSERT_NEAR(row.state.q[2 * i + 1], balls[i].state.q[1], 10 * off)
            << trial << " disc " << i << " step " << row.k;
      }
    }
  }
}

// Lengths and times scaled by powers of two change no digit.
TEST(Packed, InOtherUnits) {
  for (const bool hexagonal : {false, true}) {
    const Scene s = packing(4, 2, 0.05, hexagonal, false);
    std::vector<double> v;
    for (std::size_t i = 0; i < s.discs.size(); ++i)
      v.insert(v.end(), {0.1 * std::sin(5.0 * i), 0.5 + 0.3 * std::sin(7.0 * i)});
    const auto end = [&](int length, int time) {
      const discs::Scale scale{std::ldexp(1, length), std::ldexp(1, time)};
      std::vector<double> q = discs::places(s.discs), u = v;
      for (double& x : q) x = std::ldexp(x, length);
      for (double& x : u) x = std::ldexp(x, length - time);
      Flight run(discs::model(s.discs, s.box, "newton", 0.5, 9.81, scale), collision(0.01 * scale.time), q, u);
      for (int k = 0; k < 100; ++k) run.step();
      std::vector<double> result = run.state.q;
      for (double& x : result) x = std::ldexp(x, -length);
      return result;
    };
    const std::vector<double> here = end(0, 0);
    for (const auto& [length, time] : {std::pair{10, 0}, {-10, 0}, {0, 10}, {0, -10}, {30, -7}})
      EXPECT_EQ(end(length, time), here) << hexagonal << " 2^" << length << " 2^" << time;
  }
}

}  // namespace
}  // namespace ricochet::packed_test
