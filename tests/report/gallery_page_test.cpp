#include "ricochet/report/gallery_page.hpp"

#include <gtest/gtest.h>

#include "report/scenarios.hpp"

namespace ricochet::gallery_page_test {
namespace {

TEST(GalleryPage, shows_every_entry_as_text) {
  const std::string page = gallery_page({{"a", "Title <b>", "Someone & co", "m", "a.svg", "a/report.html", ""},
                                         {"c", "Other", "", "", "", "", "broken <file>"},
                                         {"d", "Aimed", "", "", "", "", "", "solve"}});
  EXPECT_NE(page.find("ricochet run a<"), std::string::npos);
  EXPECT_NE(page.find("ricochet solve d<"), std::string::npos);
  EXPECT_NE(page.find("<a href=\"a/report.html\">Title &lt;b&gt;</a>"), std::string::npos);
  EXPECT_NE(page.find("Someone &amp; co"), std::string::npos);
  EXPECT_NE(page.find("No picture: broken &lt;file&gt;"), std::string::npos);
}

TEST(GalleryPage, a_short_run_is_pictured_whole) {
  const Scenario scenario = read_scenario_text(ball_text("Ball", "0.2", ball_view), "ball.toml");  // 21 frames
  const std::string svg = scenario_picture(scenario);
  EXPECT_NE(svg.find("<ellipse"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(GalleryPage, a_picture_needs_only_the_beginning_of_a_run) {
  const Scenario endless = read_scenario_text(ball_text("Ball", "1e7", ball_view), "ball.toml");  // a billion steps
  EXPECT_NE(scenario_picture(endless).find("<ellipse"), std::string::npos);
}

}  // namespace
}  // namespace ricochet::gallery_page_test
