#include "ricochet/report/drawing.hpp"

#include <gtest/gtest.h>

#include "report/scenarios.hpp"

namespace ricochet::drawing_test {
namespace {

TEST(Drawing, shares_tracks_and_keeps_constants) {
  const Scenario scenario = read_scenario_text(ball_text("Ball", "1.0", ball_view), "ball.toml");
  Drawing drawing(scenario);
  EXPECT_EQ(drawing.dimension(), 2);
  EXPECT_FALSE(drawing.standard());
  ASSERT_EQ(drawing.shapes().size(), 3u);
  EXPECT_EQ(drawing.tracks(), 2u);  // x and y + 0.05, of circle and trail alike
  const DrawnShape& circle = drawing.shapes()[0];
  EXPECT_EQ(circle.values.at("radius")[0].track, -1);
  EXPECT_EQ(circle.values.at("radius")[0].constant, 0.05);
  const double q[] = {3, 4}, v[] = {0, 0};
  drawing.evaluate(0, q, v);
  EXPECT_EQ(drawing.value(circle.values.at("at")[0]), 3);
  EXPECT_DOUBLE_EQ(drawing.value(circle.values.at("at")[1]), 4.05);
}

TEST(Drawing, velocities_and_time_move_shapes_too) {
  const Scenario scenario = read_scenario_text(
      ball_text("Ball", "1.0",
                "[[view.shape]]\nkind = \"segment\"\nfrom = [\"x\", \"y\", \"t\"]\nto = [\"x + x'\", \"y\", \"0\"]\n"),
      "ball.toml");
  Drawing drawing(scenario);
  EXPECT_EQ(drawing.dimension(), 3);  // three formulas anywhere
  const double q[] = {3, 4}, v[] = {10, 20};
  drawing.evaluate(7, q, v);
  EXPECT_EQ(drawing.value(drawing.shapes()[0].values.at("from")[2]), 7);
  EXPECT_EQ(drawing.value(drawing.shapes()[0].values.at("to")[0]), 13);
}

TEST(Drawing, a_long_chain_is_thinned) {
  const Scenario scenario = read_scenario_text(
      "[system]\ncoordinates = [\"x[1..2500]\"]\nlagrangian = \"sum(i in 1..2500, x[i]'^2)\"\n[initial]\n"
      "position = { x = \"i\" }\nvelocity = { x = \"0\" }\n[integrator]\nmethod = \"variational\"\nstep = 1\n"
      "[run]\nduration = 1\n",
      "chain.toml");
  const Drawing drawing(scenario);
  EXPECT_EQ(drawing.tracks(), 834u);  // each third
  EXPECT_EQ(drawing.shapes().size(), 2 * 834u);
  EXPECT_EQ(drawing.shapes()[2].values.at("to")[0].constant, 4) << "at its place in the chain";
}

TEST(Drawing, without_view_coordinates_are_drawn) {
  const Scenario scenario = read_scenario_text(ball_text("Ball", "1.0", ""), "ball.toml");
  const Drawing drawing(scenario);
  EXPECT_TRUE(drawing.standard());
  ASSERT_EQ(drawing.shapes().size(), 2u);
  EXPECT_EQ(drawing.shapes()[0].kind, "trail");
  EXPECT_EQ(drawing.shapes()[1].kind, "point");
}

TEST(Drawing, a_chain_without_view_is_bars) {
  const Scenario scenario = read_scenario_text(R"toml(
[system]
coordinates = ["u[1..5]"]
lagrangian = "sum(i in 1..5, u[i]'^2/2 - u[i]^2/2)"
[initial]
position = { u = "i" }
velocity = { u = "0" }
[integrator]
method = "variational"
discretization = "midpoint"
step = 0.1
[run]
duration = 1.0
)toml",
                                               "chain.toml");
  Drawing drawing(scenario);
  ASSERT_EQ(drawing.shapes().size(), 10u);  // a bar and a point each
  EXPECT_EQ(drawing.shapes()[8].kind, "segment");
  const double q[] = {1, 2, 3, 4, 5}, v[5] = {};
  drawing.evaluate(0, q, v);
  EXPECT_EQ(drawing.value(drawing.shapes()[8].values.at("to")[0]), 5);
  EXPECT_EQ(drawing.value(drawing.shapes()[8].values.at("to")[1]), 5);
}

}  // namespace
}  // namespace ricochet::drawing_test
