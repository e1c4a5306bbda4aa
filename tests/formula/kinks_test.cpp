#include "ricochet/formula/kinks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "formula/random_expr.hpp"
#include "ricochet/formula/parser.hpp"

namespace ricochet::formula::kinks_test {
namespace {

using Kind = KinkTree::Kind;

double tree_value(const KinkTree& t, const std::vector<double>& pieces) {
  if (t.kind == Kind::piece) return pieces[static_cast<std::size_t>(t.piece)];
  double result = tree_value(t.children[0], pieces);
  for (const KinkTree& child : t.children) {
    const double v = tree_value(child, pieces);
    result = t.kind == Kind::minimum ? std::min(result, v) : std::max(result, v);
  }
  return result;
}

// What kinks.hpp promises of every tree.
void expect_well_formed(const KinkTree& t, std::size_t pieces) {
  if (t.kind == Kind::piece) {
    EXPECT_TRUE(t.children.empty());
    ASSERT_GE(t.piece, 0);
    ASSERT_LT(static_cast<std::size_t>(t.piece), pieces);
    return;
  }
  EXPECT_EQ(t.piece, -1);
  EXPECT_GE(t.children.size(), 2u);
  for (const KinkTree& child : t.children) {
    EXPECT_NE(child.kind, t.kind);
    expect_well_formed(child, pieces);
  }
}

class KinksTest : public ::testing::Test {
 protected:
  KinksTest() : graph(std::make_shared<Graph>()), scope(graph) {
    for (const char* name : {"x", "y", "theta"}) {
      s.push_back(graph->coordinate(static_cast<std::uint32_t>(s.size()), name));
      scope.add_coordinate(name, s.back());
    }
  }
  Expr build(const std::string& text) const { return Formula(text).build(scope); }
  Kinks split(const std::string& text) const { return split_kinks(build(text)); }

  // Rounding is monotone, so the tree has the value of the formula to the last bit.
  void expect_same_value(Expr f, const Kinks& k, const std::vector<double>& x) const {
    std::vector<double> values;
    for (const Expr& piece : k.pieces) values.push_back(testing::naive_value(piece, s, x));
    EXPECT_EQ(tree_value(k.tree, values), testing::naive_value(f, s, x)) << to_string(f);
  }

  std::shared_ptr<Graph> graph;
  Scope scope;
  std::vector<Expr> s;
};

TEST_F(KinksTest, StarIsTheMinimumOfFour) {
  const Expr gap = build("y - 1/2*(abs(sin(theta)) + abs(cos(theta)))");
  const Kinks k = split_kinks(gap);
  ASSERT_EQ(k.pieces.size(), 4u);
  EXPECT_EQ(k.tree.kind, Kind::minimum);
  EXPECT_EQ(k.tree.children.size(), 4u);
  for (const KinkTree& child : k.tree.children) EXPECT_EQ(child.kind, Kind::piece);
  testing::RandomExpr random(s, 2);
  for (int n = 0; n < 100; ++n) expect_same_value(gap, k, random.point(-7, 7));
}

TEST_F(KinksTest, SmoothFormulaIsOnePiece) {
  const Kinks k = split("y - sin(x)^2");
  EXPECT_EQ(k.tree.kind, Kind::piece);
  EXPECT_EQ(k.pieces, std::vector<Expr>{build("y - sin(x)^2")});
}

TEST_F(KinksTest, Shapes) {
  EXPECT_EQ(split("max(x, y)").tree.kind, Kind::maximum);
  EXPECT_EQ(split("-max(x, y)").tree.kind, Kind::minimum);
  EXPECT_EQ(split("1 - 2*abs(x)").tree.kind, Kind::minimum);
  EXPECT_EQ(split("abs(x)/(-3)").tree.kind, Kind::minimum);
  EXPECT_EQ(split("min(x, min(y, theta))").tree.children.size(), 3u);
  EXPECT_EQ(split("min(x, max(y, theta))").tree.children[1].kind, Kind::maximum);
  EXPECT_EQ(split("min(x, x)").tree.kind, Kind::piece);
  EXPECT_EQ(split("abs(x^2)").pieces, std::vector<Expr>{build("x^2")});
  EXPECT_EQ(split("abs(x)^2").pieces, std::vector<Expr>{build("x^2")});
  EXPECT_EQ(split("abs(x)*abs(y)").pieces.size(), 2u);
  EXPECT_EQ(split("abs(abs(x) - 1)").tree.kind, Kind::maximum);
  EXPECT_EQ(split("max(x, y)").pieces, (std::vector<Expr>{build("x"), build("y")}));  // in the order written
}

TEST_F(KinksTest, FactorsOfKnownSign) {
  for (const char* text :
       {"x^2*abs(y)", "exp(x)*min(y, theta)", "sqrt(1+x^2)*abs(y)", "cosh(x)*abs(y)", "(x^2+1)*(abs(y)-3)",
        "-x^4*abs(y)", "abs(y)/(1+x^2)", "abs(x)^3", "(1+abs(x))*min(1, 2+y^2)", "max(1, exp(y))*abs(x)",
        "(2+sin(0.5))*abs(x)", "(x*y)^2*max(x, y, theta)", "acos(x/100)*abs(y)", "(1+x^2)^0.3*abs(y)",
        "(1+x^2)^y*abs(y)"}) {
    const Expr f = build(text);
    const Kinks k = split_kinks(f);
    expect_well_formed(k.tree, k.pieces.size());
    testing::RandomExpr random(s, 3);
    for (int n = 0; n < 100; ++n) expect_same_value(f, k, random.point());
  }
}

TEST_F(KinksTest, Refusals) {
  const auto reason = [&](const std::string& text) -> std::string {
    try {
      split(text);
    } catch (const KinkError& e) {
      return e.what();
    }
    return "accepted: " + text;
  };
  for (const char* text : {"sin(abs(x))", "exp(min(x, y))", "2^abs(x)", "1 + sqrt(abs(x))", "atan2(abs(x), y)"})
    EXPECT_NE(reason(text).find("may stand in sums and products only"), std::string::npos) << reason(text);
  for (const char* text : {"x*abs(y)", "(x-1)*min(x, y)", "abs(x)/y", "max(x, y)*max(y, theta)"})
    EXPECT_NE(reason(text).find("must have a sign known from its form"), std::string::npos) << reason(text);
  EXPECT_NE(reason("1/abs(x)").find("a divisor may have no kink"), std::string::npos) << reason("1/abs(x)");
  EXPECT_NE(reason("sin(abs(x))").find("sin(abs(x))"), std::string::npos);  // names the culprit
}

TEST_F(KinksTest, AtMost64Pieces) {
  EXPECT_EQ(split("sum(i in 1..6, abs(x-i))").tree.children.size(), 64u);
  EXPECT_THROW(split("sum(i in 1..7, abs(x-i))"), KinkError);
  EXPECT_THROW(split("sum(i in 1..100000, abs(x-i))"), KinkError);
  EXPECT_NO_THROW(split("abs(y) + sum(i in 1..10000, sin(i*x))"));  // long, but two pieces
}

TEST_F(KinksTest, TreeHasTheValueOfRandomFormulas) {
  testing::RandomExpr random(s, 17);
  const auto combine = [&](auto&& self, int depth) -> Expr {  // sums, signed products, abs, min, max of smooth parts
    if (depth == 0) return random.make(1);
    const Expr a = self(self, depth - 1);
    switch (random.pick(8)) {
      case 0: return abs(a);
      case 1: return min(a, self(self, depth - 1));
      case 2: return max(a, self(self, depth - 1));
      case 3: return a + self(self, depth - 1);
      case 4: return a - self(self, depth - 1);
      case 5: return random.uniform(-2, 2) * a;
      case 6: return a * (0.1 + square(random.make(1)));
      default: return -(a / exp(random.make(1)));
    }
  };
  int split_count = 0, kinked = 0;
  for (int n = 0; n < 1000; ++n) {
    const Expr f = combine(combine, 4);
    try {
      const Kinks k = split_kinks(f);
      ++split_count;
      kinked += k.pieces.size() > 1;
      expect_well_formed(k.tree, k.pieces.size());
      EXPECT_LE(k.pieces.size(), static_cast<std::size_t>(max_pieces));
      std::set<std::uint32_t> different;
      for (const Expr& piece : k.pieces) {
        EXPECT_FALSE(has_kinks(piece));
        EXPECT_TRUE(different.insert(piece.id).second);
      }
      for (int p = 0; p < 5; ++p) expect_same_value(f, k, random.point());
    } catch (const KinkError& e) {
      EXPECT_NE(std::string(e.what()).find("more than 64 pieces"), std::string::npos) << e.what();
    }
  }
  EXPECT_GT(split_count, 900);  // few random formulas have that many pieces
  EXPECT_GT(kinked, 500);
}

}  // namespace
}  // namespace ricochet::formula::kinks_test
