#include "ricochet/report/strobe.hpp"

#include <gtest/gtest.h>

#include "report/scenarios.hpp"

namespace ricochet::strobe_test {
namespace {

TEST(Strobe, draws_the_body_at_each_flash_its_path_once_and_the_floor_once) {
  const Scenario scenario = read_scenario_text(ball_text("Ball", "1.0", ball_view), "ball.toml");
  Drawing drawing(scenario);
  std::vector<StrobeFrame> frames;
  for (int i = 0; i < 100; ++i) {
    const double q[] = {0.1 * i, 1.0}, v[] = {0, 0};
    frames.push_back({0.1 * i, drawing.evaluate(0.1 * i, q, v)});
  }
  StrobeOptions options;
  options.flashes = 7;
  const std::string svg = svg_strobe(drawing, frames, options);
  EXPECT_EQ(count(svg, "<ellipse"), 7u);
  EXPECT_EQ(count(svg, "stroke-opacity=\"0.7\""), 1u);  // circle and trail have the same path
  EXPECT_EQ(count(svg, "#9aa3af"), 1u);                 // hatching of the floor
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

// Every attribute once in its element: SVG is XML, and browsers refuse the whole picture otherwise.
TEST(Strobe, is_well_formed) {
  const Scenario scenario = read_scenario_text(ball_text("Ball", "1.0", ball_view + R"([[view.shape]]
kind = "polygon"
points = [[0,0],[1,0],[0,1]]
[[view.shape]]
kind = "circle"
at = ["0", "0"]
radius = "1"
color = "orange"
)"),
                                               "ball.toml");
  Drawing drawing(scenario);
  const double q[] = {0, 0}, v[] = {0, 0};
  const std::string svg = svg_strobe(drawing, {{0, drawing.evaluate(0, q, v)}}, {});
  for (std::size_t at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const std::string element = svg.substr(at, svg.find('>', at) - at);
    for (const char* name : {" fill=", " style=", " stroke=", " stroke-width=", " stroke-opacity="})
      EXPECT_LE(count(element, name), 1u) << element;
  }
}

TEST(Strobe, what_runs_away_is_shown_at_its_beginning) {
  const Scenario scenario = read_scenario_text(ball_text("Ball", "1.0", ball_view), "ball.toml");
  Drawing drawing(scenario);
  std::vector<StrobeFrame> frames;
  for (int i = 0; i < 1000; ++i) {
    const double q[] = {0.1 * i, i % 20 / 2.0}, v[] = {0, 0};  // up to 9.5 high, 0.1 further each frame
    frames.push_back({0.1 * i, drawing.evaluate(0.1 * i, q, v)});
  }
  // Four times the height 9.6 with the radius of the ball, less its width 0.1: 38.3 of way, 0.1 a frame.
  EXPECT_EQ(readable_frames(drawing, frames), 384u);
}

TEST(Strobe, what_goes_up_and_down_is_shown_whole) {
  const Scenario scenario = read_scenario_text(ball_text("Ball", "1.0", ball_view), "ball.toml");
  Drawing drawing(scenario);
  std::vector<StrobeFrame> frames;
  for (int i = 0; i < 1000; ++i) {
    const double q[] = {0, i % 100 / 10.0}, v[] = {0, 0};
    frames.push_back({0.1 * i, drawing.evaluate(0.1 * i, q, v)});
  }
  EXPECT_EQ(readable_frames(drawing, frames), 1000u);
}

TEST(Strobe, of_one_frame_is_a_picture) {
  const Scenario scenario = read_scenario_text(ball_text("Ball", "1.0", ""), "ball.toml");
  Drawing drawing(scenario);
  const double q[] = {0, 0}, v[] = {0, 0};
  const std::string svg = svg_strobe(drawing, {{0, drawing.evaluate(0, q, v)}}, {});
  EXPECT_EQ(count(svg, "<ellipse"), 1u);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace ricochet::strobe_test
