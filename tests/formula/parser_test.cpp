#include "ricochet/formula/parser.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "formula/random_expr.hpp"

namespace ricochet::formula::parser_test {
namespace {

class Parser : public ::testing::Test {
 protected:
  Parser() : graph(std::make_shared<Graph>()), scope(graph) {
    scope.add_coordinate("x", graph->coordinate(0, "x"));
    scope.add_coordinate("theta", graph->coordinate(1, "theta"));
    std::vector<Expr> z;
    for (int i = 0; i <= 4; ++i)
      z.push_back(graph->coordinate(static_cast<std::uint32_t>(2 + i), "z[" + std::to_string(i) + "]"));
    scope.add_coordinate_array("z", 0, z);
    scope.add_name("n", graph->constant(4));
    scope.add_name("m", graph->constant(2.5));
    scope.add_list("w", {graph->constant(10), graph->constant(20), graph->constant(30)});
  }

  Expr build(const std::string& text) const { return Formula(text).build(scope); }
  std::string written(const std::string& text) const { return to_string(build(text)); }
  double number(const std::string& text) const {
    const Expr e = build(text);
    EXPECT_TRUE(e.is_constant()) << text;
    return e.value();
  }
  FormulaError error(const std::string& text) const {
    try {
      build(text);
    } catch (const FormulaError& e) {
      return e;
    }
    ADD_FAILURE() << "no error: " << text.substr(0, 100);
    return {"none", 0};
  }

  std::shared_ptr<Graph> graph;
  Scope scope;
};

TEST_F(Parser, Precedence) {
  EXPECT_EQ(number("1+2*3"), 7);
  EXPECT_EQ(number("(1+2)*3"), 9);
  EXPECT_EQ(number("2^3^2"), 512);
  EXPECT_EQ(number("-2^2"), -4);
  EXPECT_EQ(number("2^-1"), 0.5);
  EXPECT_EQ(number("2*-3"), -6);
  EXPECT_EQ(number("8/4/2"), 1);
  EXPECT_EQ(number("8-4-2"), 2);
  EXPECT_EQ(number("8/4*2"), 4);
  EXPECT_EQ(number("+-+2"), -2);
  EXPECT_EQ(number("2--3"), 5);
  EXPECT_EQ(number(" 1 +\n\t2 "), 3);
}

TEST_F(Parser, Numbers) {
  EXPECT_EQ(number("1e-3"), 1e-3);
  EXPECT_EQ(number("1.5E+2"), 150);
  EXPECT_EQ(number(".5"), 0.5);
  EXPECT_EQ(number("2."), 2);
  EXPECT_EQ(number("0.1"), 0.1);
  EXPECT_EQ(number("pi"), std::numbers::pi);
}

TEST_F(Parser, Functions) {
  EXPECT_EQ(number("sin(0.3)"), std::sin(0.3));
  EXPECT_EQ(number("cos(0.3)"), std::cos(0.3));
  EXPECT_EQ(number("tan(0.3)"), std::tan(0.3));
  EXPECT_EQ(number("asin(0.3)"), std::asin(0.3));
  EXPECT_EQ(number("acos(0.3)"), std::acos(0.3));
  EXPECT_EQ(number("atan(0.3)"), std::atan(0.3));
  EXPECT_EQ(number("atan2(0.3, -1)"), std::atan2(0.3, -1));
  EXPECT_EQ(number("sinh(0.3)"), std::sinh(0.3));
  EXPECT_EQ(number("cosh(0.3)"), std::cosh(0.3));
  EXPECT_EQ(number("tanh(0.3)"), std::tanh(0.3));
  EXPECT_EQ(number("exp(0.3)"), std::exp(0.3));
  EXPECT_EQ(number("log(0.3)"), std::log(0.3));
  EXPECT_EQ(number("sqrt(0.3)"), std::sqrt(0.3));
  EXPECT_EQ(number("abs(-0.3)"), 0.3);
  EXPECT_EQ(number("min(3, 1, 2)"), 1);
  EXPECT_EQ(number("max(3, 1, 4, 2)"), 4);
}

TEST_F(Parser, CoordinatesAndVelocities) {
  EXPECT_EQ(written("x'^2"), "x'*x'");
  EXPECT_EQ(build("x'"), graph->velocity(0));
  EXPECT_EQ(build("z[n-1]'"), graph->velocity(5));
  EXPECT_EQ(build("t"), graph->time());
  EXPECT_EQ(written("m/2*(x'^2 + theta'^2) - m*9.81*x"), "1.25*(x'*x'+theta'*theta')-24.525000000000002*x");
}

TEST_F(Parser, ArraysAndSums) {
  EXPECT_EQ(written("z[0]*w[2]"), "z[0]*20");
  EXPECT_EQ(number("w[1]+w[3]"), 40);
  EXPECT_EQ(number("sum(i in 1..n, i^2)"), 30);
  EXPECT_EQ(number("sum(i in 1..3, j in i+1..3, 10*i+j)"), 12 + 13 + 23);
  EXPECT_EQ(number("sum(i in 1..0, 1)"), 0);
  EXPECT_EQ(number("sum(i in 1..2, sum(j in 1..i, j))"), 1 + 1 + 2);
  EXPECT_EQ(written("sum(i in 0..1, (z[i+1]-z[i])^2)"), written("(z[1]-z[0])^2 + (z[2]-z[1])^2"));
}

TEST_F(Parser, SumKeepsTheOrderWritten) {
  EXPECT_EQ(written("sum(i in 1..3, z[i]')"), "z[1]'+z[2]'+z[3]'");
  EXPECT_EQ(build("sum(i in 1..3, w[i]*z[i])"), build("w[1]*z[1] + w[2]*z[2] + w[3]*z[3]"));
}

TEST_F(Parser, ErrorsHaveColumnReasonAndSuggestion) {
  const struct {
    const char* text;
    std::size_t column;
    const char* reason;
    const char* suggestion;
  } cases[] = {
      {"", 1, "expected a number, a name or '('", ""},
      {"x +", 4, "found the end of the formula", ""},
      {"2x", 2, "a product is written with *", ""},
      {"2 (x)", 3, "a product is written with *", ""},
      {"x(3)", 1, "not a function", ""},
      {"sni(x)", 1, "not a function", "sin"},
      {"1 + Sin(x)", 5, "not a function", "sin"},
      {"1 + tehta", 5, "unknown name 'tehta'", "theta"},
      {"Theta", 1, "unknown name", "theta"},
      {"M", 1, "unknown name", "m"},
      {"quark", 1, "unknown name", ""},
      {"(x", 3, "')'", ""},
      {"x)", 2, "the end of the formula", ""},
      {"x $ 2", 3, "unexpected character '$'", ""},
      {"x = 2", 3, "unexpected character '='", ""},
      {"x \xCE\xB1", 3, "unexpected character '\xCE\xB1'", ""},
      {"x \xFF", 3, "byte 0xFF", ""},
      {"sin", 4, "expected '(' after sin", ""},
      {"sin(x, 1)", 1, "sin takes 1 argument, found 2", ""},
      {"atan2(x)", 1, "atan2 takes 2 arguments, found 1", ""},
      {"2*min(x)", 3, "min takes 2 or more arguments, found 1", ""},
      {"cos()", 1, "cos takes 1 argument, found 0", ""},
      {"m'", 1, "only a coordinate has a velocity", ""},
      {"w[1]'", 1, "only a coordinate has a velocity", ""},
      {"x''", 3, "found '''", ""},
      {"t'", 1, "it has no velocity", ""},
      {"x[1]", 1, "has no elements", ""},
      {"pi[1]", 1, "has no elements", ""},
      {"z", 1, "write z[0]", ""},
      {"1+z[5]", 5, "z[5] is out of range: the elements are 0 to 4", ""},
      {"w[0]", 3, "out of range: the elements are 1 to 3", ""},
      {"z[x]", 3, "an integer formula of parameters and indices", ""},
      {"z[m]", 3, "expected an integer, found 2.5", ""},
      {"z[1", 4, "']'", ""},
      {"sum(i in 1..n)", 14, "what to sum", ""},
      {"sum(x*2)", 6, "expected 'in'", ""},
      {"sum(2)", 5, "a range such as", ""},
      {"sum(i in 1, x)", 11, "'..'", ""},
      {"sum(i in 1..2, i in 1..2, x)", 16, "used twice", ""},
      {"sum(i in 1..2, sum(i in 1..2, x))", 20, "already the name of something", ""},
      {"sum(x in 1..2, x)", 5, "already the name of something", ""},
      {"sum(t in 1..2, x)", 5, "reserved", ""},
      {"sum(i in 1..2.5, x)", 13, "expected an integer, found 2.5", ""},
      {"sum(i in 1..2, i)+i", 19, "unknown name 'i'", ""},
      {"sum(index in 1..2, idnex)", 20, "unknown name", "index"},
      {"1e999", 1, "not a finite number", ""},
      {"x + 1/0", 6, "division by zero", ""},
      {"x/(n-4)", 2, "division by zero", ""},
      {"1 + log(-1)", 5, "not a finite number", ""},
      {"2 + 0^-1", 6, "not a finite number", ""},
      {"exp(1000)*x", 1, "not a finite number", ""},
      {"1e300*1e300", 6, "not a finite number", ""},
      {"1.2.3", 4, "expected an operator", ""},
      {"in", 1, "expected a number, a name or '('", ""},
  };
  for (const auto& c : cases) {
    const FormulaError e = error(c.text);
    EXPECT_EQ(e.column, c.column) << c.text << ": " << e.what();
    EXPECT_NE(std::string(e.what()).find(c.reason), std::string::npos) << c.text << ": " << e.what();
    EXPECT_EQ(e.suggestion, c.suggestion) << c.text;
  }
}

TEST_F(Parser, RefusesWhatThePurposeForbids) {
  scope.add_name("late", graph->time() * 2);
  scope.add_name("speed", dot(graph->coordinate(0, "x")));
  EXPECT_NO_THROW(build("late + speed + x + t"));
  scope.purpose = "a gap";
  scope.allow_time = false;
  EXPECT_STREQ(error("1+t").what(), "'t': the time t may not be used in a gap");
  EXPECT_STREQ(error("late").what(), "'late': the time t may not be used in a gap");  // not through a define either
  scope.allow_velocity = false;
  EXPECT_EQ(error("2*x'").column, 3u);
  EXPECT_NE(std::string(error("speed").what()).find("velocities"), std::string::npos);
  EXPECT_NO_THROW(build("x"));
  scope.allow_coordinates = false;
  EXPECT_NE(std::string(error("x").what()).find("coordinates"), std::string::npos);
  EXPECT_NE(std::string(error("z[1]").what()).find("coordinates"), std::string::npos);
  EXPECT_EQ(number("m+w[1]"), 12.5);
}

TEST_F(Parser, DepthIsBounded) {
  const auto nested = [](int n, const std::string& open, const std::string& close) {
    std::string s;
    for (int k = 0; k < n; ++k) s += open;
    s += "x";
    for (int k = 0; k < n; ++k) s += close;
    return s;
  };
  EXPECT_NO_THROW(build(nested(199, "(", ")")));
  for (const char* open : {"(", "-", "x^", "sin(", "x*(", "z[", "sum(i in 1..1, ", "sum(i in "})
    EXPECT_NE(std::string(error(nested(100000 / static_cast<int>(std::string(open).size()), open, "")).what())
                  .find("nested more than 200"),
              std::string::npos)
        << open;
}

TEST_F(Parser, LongChainsAreNoNesting) {
  for (const char* link : {"+x", "-x", "*x", "/x"}) {
    std::string text = "1";
    for (int k = 0; k < 100000; ++k) text += link;
    EXPECT_NO_THROW(build(text)) << link;
  }
}

TEST_F(Parser, WorkIsBounded) {
  EXPECT_NE(std::string(error(std::string(1000001, ' ')).what()).find("at most 1000000 characters"), std::string::npos);
  for (const char* text : {"sum(i in 1..1000000000, x)", "sum(i in 1..100000, j in 1..100000, i*x+j)",
                           "sum(i in 1..10000000, j in 1..0, x)", "sum(i in -1000000000..1000000000, 0)"})
    EXPECT_NE(std::string(error(text).what()).find("too many terms"), std::string::npos) << text;
  EXPECT_NE(std::string(error("sum(i in 1..1e12, x)").what()).find("expected an integer"), std::string::npos);
  std::string ranges;
  for (int k = 0; k < 17; ++k) ranges += "i" + std::to_string(k) + " in 1..1, ";
  EXPECT_NE(std::string(error("sum(" + ranges + "x)").what()).find("more than 16 ranges"), std::string::npos);
}

TEST_F(Parser, ForHeader) {
  const ForHeader header("i in 1..n-2, j in i..2");
  EXPECT_EQ(header.indices(), (std::vector<std::string>{"i", "j"}));
  EXPECT_EQ(header.expand(scope), (std::vector<std::vector<int>>{{1, 1}, {1, 2}, {2, 2}}));
  EXPECT_TRUE(ForHeader("i in 3..2").expand(scope).empty());
  EXPECT_THROW(ForHeader("i in 1.."), FormulaError);
  EXPECT_THROW(ForHeader("i in 1..2 x"), FormulaError);
  EXPECT_THROW(ForHeader("i in 1..2, i in 1..2"), FormulaError);
  EXPECT_THROW(ForHeader("x in 1..2").expand(scope), FormulaError);
  EXPECT_THROW(ForHeader("i in 1..1001, j in 1..1001").expand(scope), FormulaError);
  scope.set_index("i", 3);
  EXPECT_EQ(build("z[i]"), build("z[3]"));
  scope.set_index("i", 4);
  EXPECT_EQ(number("2*i"), 8);
  scope.remove_index("i");
  EXPECT_EQ(error("i").column, 1u);
}

TEST_F(Parser, Declarations) {
  const Declaration plain = parse_declaration("phi", scope);
  EXPECT_EQ(plain.name, "phi");
  EXPECT_FALSE(plain.is_array);
  const Declaration array = parse_declaration(" y[0..n-1] ", scope);
  EXPECT_EQ(array.name, "y");
  EXPECT_TRUE(array.is_array);
  EXPECT_EQ(array.first, 0);
  EXPECT_EQ(array.last, 3);
  for (const char* text : {"", "2", "sin", "t", "y[1]", "y[1..]", "y[2..1]", "y[1..x]", "y[1..m]", "y z", "y'",
                           "y[-1000000000..1000000000]"})
    EXPECT_THROW(parse_declaration(text, scope), FormulaError) << text;
}

TEST_F(Parser, ScopeRefusesBadNames) {
  EXPECT_THROW(scope.add_name("x", graph->constant(1)), std::invalid_argument);
  EXPECT_THROW(scope.add_name("sin", graph->constant(1)), std::invalid_argument);
  EXPECT_THROW(scope.add_name("2a", graph->constant(1)), std::invalid_argument);
  EXPECT_THROW(scope.set_index("m", 1), std::invalid_argument);
  EXPECT_TRUE(Scope::is_reserved("atan2"));
  EXPECT_FALSE(Scope::is_reserved("a"));
  EXPECT_TRUE(Scope::is_identifier("_a1"));
  EXPECT_FALSE(Scope::is_identifier(""));
  EXPECT_FALSE(Scope::is_identifier("a-b"));
}

TEST_F(Parser, CopiesOfAScopeAreIndependent) {
  scope.set_index("i", 1);
  Scope copy = scope;
  copy.set_index("i", 2);
  EXPECT_EQ(Formula("i").build(scope).value(), 1);
  EXPECT_EQ(Formula("i").build(copy).value(), 2);
}

TEST_F(Parser, WhatIsPrintedReadsBackTheSame) {
  Scope plain(graph);
  std::vector<Expr> s;
  for (const char* name : {"a", "b", "c"}) {
    s.push_back(graph->coordinate(static_cast<std::uint32_t>(10 + s.size()), name));
    plain.add_coordinate(name, s.back());
  }
  testing::RandomExpr random(s, 5, true);
  for (int k = 0; k < 500; ++k) {
    const Expr f = random.make(3);
    EXPECT_EQ(to_string(Formula(to_string(f)).build(plain)), to_string(f));
    const auto x = random.point();
    // The same nodes, but for signs that moved: the same bits.
    EXPECT_EQ(testing::naive_value(Formula(to_string(f)).build(plain), s, x), testing::naive_value(f, s, x));
  }
}

TEST(Nearest, FindsSmallMistakesOnly) {
  const std::vector<std::string> words{"theta", "gravity", "mass", "sin", "m"};
  EXPECT_EQ(nearest("tehta", words), "theta");
  EXPECT_EQ(nearest("gravty", words), "gravity");
  EXPECT_EQ(nearest("MASS", words), "mass");
  EXPECT_EQ(nearest("Mass", words), "mass");
  EXPECT_EQ(nearest("sinn", words), "sin");
  EXPECT_EQ(nearest("M", words), "m");
  EXPECT_EQ(nearest("k", words), "");
  EXPECT_EQ(nearest("velocity", words), "");
  EXPECT_EQ(nearest("", words), "");
  EXPECT_EQ(nearest(std::string(100000, 'x'), words), "");
}

}  // namespace
}  // namespace ricochet::formula::parser_test
