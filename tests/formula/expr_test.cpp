#include "ricochet/formula/expr.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "formula/random_expr.hpp"

namespace ricochet::formula::expr_test {
namespace {

TEST(Expr, SameOperationIsSameNode) {
  Graph g;
  const Expr x = g.coordinate(0, "x"), y = g.coordinate(1, "y");
  EXPECT_EQ(sin(x * y) + 1, sin(x * y) + 1);
  EXPECT_NE(x * y, y * x);  // nothing is reordered
  EXPECT_EQ(g.symbol(SymbolKind::other, 0, "u"), g.symbol(SymbolKind::other, 0, "u"));
  EXPECT_NE(g.symbol(SymbolKind::other, 0, "u"), g.symbol(SymbolKind::other, 0, "v"));
  EXPECT_NE(g.constant(0.0), g.constant(-0.0));
}

TEST(Expr, SharingSurvivesGrowth) {
  Graph g;
  const Expr x = g.coordinate(0, "x");
  std::vector<Expr> made;
  for (int k = 0; k < 5000; ++k) made.push_back(x + (k + 0.5));
  const std::size_t size = g.size();
  for (int k = 0; k < 5000; ++k) EXPECT_EQ(made[static_cast<std::size_t>(k)], x + (k + 0.5));
  EXPECT_EQ(g.size(), size);
}

TEST(Expr, Simplifies) {
  Graph g;
  const Expr x = g.coordinate(0, "x"), y = g.coordinate(1, "y");
  EXPECT_EQ(x + 0, x);
  EXPECT_EQ(0 + x, x);
  EXPECT_EQ(x - 0, x);
  EXPECT_EQ(0 - x, -x);
  EXPECT_EQ(x * 1, x);
  EXPECT_TRUE((x * 0).is_constant(0));
  EXPECT_TRUE((x - x).is_constant(0));
  EXPECT_EQ(x / 1, x);
  EXPECT_EQ(-(-x), x);
  EXPECT_EQ(x + (-y), x - y);
  EXPECT_EQ(-x + y, y - x);
  EXPECT_EQ(x - (-y), x + y);
  EXPECT_EQ((-x) * (-y), x * y);
  EXPECT_EQ((-x) / y, -(x / y));
  EXPECT_EQ(-(3 * x), -3 * x);
  EXPECT_EQ(pow(x, 1.0), x);
  EXPECT_EQ(pow(x, 2.0), x * x);
  EXPECT_EQ(pow(x, 0.5), sqrt(x));
  EXPECT_TRUE(pow(x, 0.0).is_constant(1));
  EXPECT_EQ(pow(x, -2.0), 1 / (x * x));
  EXPECT_EQ(sin(g.constant(0.3)).value(), std::sin(0.3));
}

TEST(Expr, OperatorsReadLikeTheFormula) {
  Graph g;
  const Expr x = g.coordinate(0, "x"), y = g.coordinate(1, "y");
  const double m = 2, gravity = 9.81;
  EXPECT_EQ(to_string(m / 2 * square(dot(x)) - m * gravity * y), "x'*x'-19.62*y");
  EXPECT_EQ(to_string((x + y) * (x - y) / (x * y)), "(x+y)*(x-y)/(x*y)");
  EXPECT_EQ(to_string(x - (y - x)), "x-(y-x)");
  EXPECT_EQ(to_string(pow(x, y)), "x^y");
  EXPECT_EQ(to_string(atan2(x, -y)), "atan2(x, -y)");
}

TEST(Expr, VelocityBelongsToCoordinate) {
  Graph g;
  const Expr x = g.coordinate(3, "x");
  EXPECT_EQ(dot(x), g.velocity(3));
  EXPECT_THROW(dot(sin(x)), std::invalid_argument);
  EXPECT_THROW(g.velocity(4), std::logic_error);
}

TEST(Expr, GraphsDoNotMix) {
  Graph g, h;
  EXPECT_THROW(g.coordinate(0, "x") + h.coordinate(0, "x"), std::logic_error);
}

TEST(Expr, DependenciesAndKinks) {
  Graph g;
  const Expr x = g.coordinate(0, "x"), y = g.coordinate(1, "y");
  EXPECT_TRUE(depends_on(sin(x) + 1, x));
  EXPECT_FALSE(depends_on(sin(x) + 1, y));
  EXPECT_FALSE(has_kinks(sin(x)));
  EXPECT_TRUE(has_kinks(1 + sin(min(x, y))));
  const auto nodes = dependencies({sin(x) * y});
  EXPECT_TRUE(std::is_sorted(nodes.begin(), nodes.end()));
  EXPECT_EQ(nodes.back(), (sin(x) * y).id);
}

// Small and large cones are found in different ways: both are what recursion finds.
TEST(Expr, DependenciesOfAnySize) {
  Graph g;
  const Expr x = g.coordinate(0, "x"), y = g.coordinate(1, "y");
  Expr f = x;
  for (int k = 0; k < 400; ++k) {
    f = k % 3 == 0 ? sin(f) * y : f + f * x;
    std::set<std::uint32_t> naive;
    const std::function<void(std::uint32_t)> visit = [&](std::uint32_t id) {
      if (!naive.insert(id).second) return;
      const Node& n = g[id];
      const std::uint32_t operands[] = {n.a, n.b, n.c};
      for (int i = 0; i < arity(n.op); ++i) visit(operands[i]);
    };
    visit(f.id);
    ASSERT_EQ(dependencies({f}), std::vector<std::uint32_t>(naive.begin(), naive.end())) << k;
  }
  EXPECT_GT(dependencies({f}).size(), 500u);
}

TEST(Expr, LongSumsAndPrintingAreBounded) {
  Graph g;
  const Expr x = g.coordinate(0, "x");
  Expr sum = x;
  for (int k = 1; k < 200000; ++k) sum = sum + k * x;
  EXPECT_GT(dependencies({sum}).size(), 200000u);
  EXPECT_LT(to_string(sum, 100).size(), 1000u);
}

// The minus signs that move change no bit: the value of a formula built by operators is that of the same C++
// arithmetic.
TEST(Expr, MovedSignsKeepTheBits) {
  Graph g;
  const auto s = testing::symbols(g, 3);
  testing::RandomExpr random(s, 1);
  for (int k = 0; k < 200; ++k) {
    const auto p = random.point();
    const double x = p[0], y = p[1], z = p[2];
    EXPECT_EQ(testing::naive_value((-s[0]) * (-(s[1] * 3)) + (-(s[2] / -s[0])) - (-s[1]), s, p),
              (-x) * (-(y * 3)) + (-(z / -x)) - (-y));
    EXPECT_EQ(testing::naive_value(-(-s[0] + s[1]) * -(2.5 / s[2]), s, p), -(-x + y) * -(2.5 / z));
  }
}

}  // namespace
}  // namespace ricochet::formula::expr_test
