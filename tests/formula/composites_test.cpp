// hypot, clamp, sign and the distances of the plane, as users write them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "ricochet/formula/differentiate.hpp"
#include "ricochet/formula/kinks.hpp"
#include "ricochet/formula/parser.hpp"
#include "ricochet/formula/program.hpp"

namespace ricochet::formula::composites_test {
namespace {

class Composites : public testing::Test {
 protected:
  Composites() {
    scope.add_coordinate("x", x);
    scope.add_coordinate("y", y);
  }
  Expr build(const std::string& text) const { return Formula(text).build(scope); }
  double value(Expr f, double at_x, double at_y) const {
    const Program program({f}, {x, y});
    Evaluator<double> e(program);
    e.inputs()[0] = at_x;
    e.inputs()[1] = at_y;
    e.run();
    return e.output(0);
  }
  std::shared_ptr<Graph> graph = std::make_shared<Graph>();
  Scope scope{graph};
  Expr x = graph->coordinate(0, "x"), y = graph->coordinate(1, "y");
};

// By sampling a thousand points of the segment: good to its length over a thousand.
double sampled(double px, double py, double ax, double ay, double bx, double by) {
  double least = 1e300;
  for (int k = 0; k <= 1000; ++k)
    least = std::min(least, std::hypot(px - ax - (bx - ax) * k / 1000.0, py - ay - (by - ay) * k / 1000.0));
  return least;
}

TEST_F(Composites, HaveTheValuesOfTheirNames) {
  EXPECT_DOUBLE_EQ(value(build("hypot(x, y)"), 3, -4), 5);
  EXPECT_DOUBLE_EQ(value(build("hypot(x, y, 12)"), 3, -4), 13);
  for (const double at : {-3.0, -1.0, 0.5, 2.0, 7.0})
    EXPECT_EQ(value(build("clamp(x, -1, 2)"), at, 0), std::clamp(at, -1.0, 2.0));
  EXPECT_EQ(value(build("sign(x)"), -0.5, 0), -1);
  EXPECT_EQ(value(build("sign(x)"), 0, 0), 0);
}

TEST_F(Composites, DistancesAreThoseOfSampledEdges) {
  const Expr segment = build("distance_segment(x, y, -1, 0.5, 2, 1)"), box = build("distance_box(x, y, 1.5, 0.5)"),
             polygon = build("distance_polygon(x, y, 0, 0, 2, 0, 1, 3)");
  std::mt19937 random(1);
  std::uniform_real_distribution<double> at(-4, 4);
  for (int k = 0; k < 200; ++k) {
    const double px = at(random), py = at(random);
    EXPECT_NEAR(value(segment, px, py), sampled(px, py, -1, 0.5, 2, 1), 3e-3);
    EXPECT_DOUBLE_EQ(value(box, px, py),
                     std::hypot(std::fmax(0, std::abs(px) - 1.5), std::fmax(0, std::abs(py) - 0.5)));
    EXPECT_NEAR(value(polygon, px, py),
                std::min({sampled(px, py, 0, 0, 2, 0), sampled(px, py, 2, 0, 1, 3), sampled(px, py, 1, 3, 0, 0)}),
                4e-3);
  }
}

TEST_F(Composites, DistancesAreOnePieceEachWithAContinuousGradient) {
  for (const char* text :
       {"distance_segment(x, y, -1, 0, 1, 0) - 0.1", "distance_box(x, y, 1, 0.5) - 0.1", "sqrt(min(0, x)^2 + y^2) - 1",
        "sqrt((x - clamp(x, -1, 1))^2 + y^2) - 0.1", "sqrt(max(x, 0)^3 + y^2) - 1", "y - x*abs(x)", "y - x*max(0, x)",
        "y - min(x, 0)*x", "y - x^2*sign(x)", "y - abs(x)^1.5"}) {
    const Kinks kinks = split_kinks(build(text));
    ASSERT_EQ(kinks.pieces.size(), 1u) << text;
    EXPECT_EQ(value(kinks.pieces[0], 0.3, 2), value(build(text), 0.3, 2)) << text;
    // Across the places where the form changes the gradient changes by no more than the step times a curvature of
    // order one (1.5 powers: its root).
    const std::vector<Expr> gradient = formula::gradient(kinks.pieces[0], {x, y});
    const double step = 1e-6;
    for (const double edge : {-1.0, 0.0, 1.0})
      for (const Expr& g : gradient)
        EXPECT_NEAR(value(g, edge - step, 2), value(g, edge + step, 2), 4e-3) << text << edge;
  }
  EXPECT_EQ(split_kinks(build("distance_polygon(x, y, 0, 0, 2, 0, 1, 3)")).pieces.size(), 3u);
}

TEST_F(Composites, KinksThatRemainAreStillFound) {
  EXPECT_EQ(split_kinks(build("y - x*sign(x)")).pieces.size(), 2u);  // |x|
  EXPECT_EQ(split_kinks(build("min(x, y)")).pieces.size(), 2u);
  EXPECT_EQ(split_kinks(build("clamp(x, 0, 1) + y")).pieces.size(), 3u);
  for (const char* text : {"sign(x)", "y + sign(x)", "x*sign(y)", "max(sign(x), y)", "sin(min(0, x))",
                           "sqrt(min(x, y)^2 + 1)", "sin(min(1, x)^2)", "sign(abs(x))"}) {
    try {
      split_kinks(build(text));
      ADD_FAILURE() << text;
    } catch (const KinkError& error) {
      EXPECT_NE(std::string(error.what()).find_first_of(";:"), std::string::npos) << error.what();
    }
  }
}

TEST_F(Composites, ASquareOfAKinkThatDoesNotVanishThereIsSplit) {
  // min(x, y)² has a kink at x = y ≠ 0: its sign is not known, so it is refused, never taken for smooth.
  EXPECT_THROW(split_kinks(build("min(x, y)^2")), KinkError);
}

TEST_F(Composites, WrongArgumentsSayWhatIsExpected) {
  const std::pair<const char*, const char*> cases[] = {{"hypot(x)", "hypot(a, b"},
                                                       {"clamp(x, 0)", "clamp(x, low, high)"},
                                                       {"distance_box(x, y, 1)", "distance_box(x, y, a, b)"},
                                                       {"distance_polygon(x, y, 0, 0, 1, 0, 1)", "distance_polygon("},
                                                       {"sign(x, y)", "sign takes 1"}};
  for (const auto& [text, expected] : cases) {
    try {
      build(text);
      ADD_FAILURE() << text;
    } catch (const FormulaError& error) {
      EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
    }
  }
  EXPECT_TRUE(Scope::is_reserved("clamp"));
}

}  // namespace
}  // namespace ricochet::formula::composites_test
