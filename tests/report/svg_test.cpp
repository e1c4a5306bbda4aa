#include "ricochet/report/svg.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ricochet::svg_test {
namespace {

TEST(Svg, text_stays_text) {
  EXPECT_EQ(escaped("<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
  EXPECT_EQ(escaped("a\x01\nb"), "ab");
  EXPECT_EQ(Svg(10, 10, "<b>").finish().find("<b>"), std::string::npos);
}

TEST(Svg, a_line_is_interrupted_where_there_is_no_number) {
  Svg svg(10, 10, "");
  svg.line({{0, 0}, {1, 1}, {NAN, 2}, {3, 3}, {3.01, 3.01}, {4, 4}}, "");
  EXPECT_NE(svg.finish().find("M0.0 0.0L1.0 1.0M3.0 3.0L4.0 4.0"), std::string::npos);  // and the same pixel once
}

TEST(RoundTicks, are_round_and_inside) {
  EXPECT_EQ(round_ticks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(round_ticks(-0.3, 0.3, 6).size(), 7u);
  EXPECT_EQ(round_ticks(1, 1, 5), std::vector<double>{1});
}

TEST(TickLabels, have_the_digits_that_tell_them_apart) {
  EXPECT_EQ(tick_labels({0, 0.5, 1}), (std::vector<std::string>{"0.0", "0.5", "1.0"}));
  EXPECT_EQ(tick_labels({-2e-15, 0, 2e-15}), (std::vector<std::string>{"−2e−15", "0", "2e−15"}));
  EXPECT_EQ(tick_labels({0, 200, 400}), (std::vector<std::string>{"0", "200", "400"}));
}

}  // namespace
}  // namespace ricochet::svg_test
