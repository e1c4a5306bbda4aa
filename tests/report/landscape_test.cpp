#include "ricochet/report/landscape.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ricochet::landscape_test {
namespace {

double at(const Landscape& l, int i, int j) { return l.gap[static_cast<std::size_t>(j) * l.columns + i]; }
double centre(double from, double to, int k, int n) { return from + (to - from) * (k + 0.5) / n; }

// One coordinate: a strip over time, with a wall that moves. Values are those of the formula, to the rounding of float.
TEST(Landscape, OfOneCoordinateIsAStripOverTime) {
  Model model;
  const Expr y = model.coordinate("y");
  model.contacts.push_back({.name = "floor", .gap = y - sin(model.time())});
  model.contacts.push_back({.name = "ceiling", .gap = 5.0 - y});
  const Landscape l = landscape(model, {0, 10}, {1, 3}, {0, 0});
  EXPECT_EQ(l.x, "time t");
  EXPECT_EQ(l.y, "y");
  EXPECT_EQ(l.from[0], 0);  // nothing is known before and after the run
  EXPECT_EQ(l.to[0], 10);
  EXPECT_DOUBLE_EQ(l.from[1], 0.8);
  EXPECT_DOUBLE_EQ(l.to[1], 3.2);
  for (const int i : {0, 40, 159})
    for (const int j : {0, 60, 119}) {
      const double t = centre(l.from[0], l.to[0], i, l.columns), q = centre(l.from[1], l.to[1], j, l.rows);
      EXPECT_NEAR(at(l, i, j), std::min(q - std::sin(t), 5 - q), 6e-7);
    }
}

TEST(Landscape, OfTwoCoordinatesIsTheirPlane) {
  Model model;
  const Expr a = model.coordinate("a"), b = model.coordinate("b");
  model.contacts.push_back({.name = "circle", .gap = 1.0 - sqrt(a * a + b * b)});
  const Landscape l = landscape(model, {0, 1}, {-1, 1}, {-1, 1});
  EXPECT_EQ(l.x, "a");
  EXPECT_LT(at(l, 0, 0), 0);  // the corner of the plane is outside
  EXPECT_GT(at(l, l.columns / 2, l.rows / 2), 0.9);
  EXPECT_TRUE(l.hidden.empty());
}

// What the plane cannot show is named, not drawn.
TEST(Landscape, LeavesOutWhatItCannotShow) {
  Model model;
  const Expr a = model.coordinate("a"), b = model.coordinate("b"), c = model.coordinate("c");
  model.contacts.push_back({.name = "deep", .gap = a + c});
  model.contacts.push_back({.name = "moving", .gap = b - model.time()});
  const Landscape l = landscape(model, {0, 1}, {0, 1}, {0, 1});
  EXPECT_EQ(l.hidden, (std::vector<std::string>{"deep", "moving"}));
  EXPECT_EQ(l.columns, 0);
  EXPECT_TRUE(l.gap.empty());
}

TEST(Landscape, HasRoomWhereNothingMoves) {
  Model model;
  model.coordinate("y");
  const Landscape l = landscape(model, {0, 1}, {0, 0}, {0, 0});
  EXPECT_LT(l.from[1], 0);
  EXPECT_GT(l.to[1], 0);
}

}  // namespace
}  // namespace ricochet::landscape_test
