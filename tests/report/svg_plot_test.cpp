#include "ricochet/report/svg_plot.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ricochet::svg_plot_test {
namespace {

TEST(SvgPlot, has_labels_curves_and_a_legend) {
  const SvgPlot plot{"Title", "time t", "energy", {{"one", {0, 1}, {0, 1}}, {"two <x>", {0, 1}, {1, 0}}}};
  const std::string svg = svg_plot(plot);
  for (const char* text : {">Title<", ">time t<", ">energy<", ">one<", ">two &lt;x&gt;<", "</svg>"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
}

TEST(SvgPlot, a_flat_curve_and_an_empty_plot_are_pictures_too) {
  for (const SvgPlot& plot : {SvgPlot{"flat", "x", "y", {{"c", {0, 1, 2}, {5, 5, 5}}}}, SvgPlot{"none", "x", "y", {}},
                              SvgPlot{"zero", "x", "y", {{"c", {0}, {0}}}}}) {
    const std::string svg = svg_plot(plot);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
  }
}

TEST(SvgPlot, logarithmic_axes_leave_out_what_has_no_logarithm) {
  const std::string svg = svg_plot({"order", "h", "error", {{"m", {0.01, 0.1, 0.2}, {1e-4, 1e-2, 0}, true}}, true});
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_NE(svg.find(">0.01<"), std::string::npos);
}

}  // namespace
}  // namespace ricochet::svg_plot_test
