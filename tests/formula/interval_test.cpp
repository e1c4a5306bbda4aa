#include "ricochet/formula/interval.hpp"

#include <gtest/gtest.h>

#include "formula/random_expr.hpp"
#include "ricochet/formula/program.hpp"

namespace ricochet::formula::interval_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double pi = std::numbers::pi;

using Function = Interval (*)(const Interval&);
struct Case {
  const char* name;
  Function interval;
  double (*point)(double);
};
const Case functions[] = {
    {"sin", sin, scalar::sin},    {"cos", cos, scalar::cos},    {"tan", tan, scalar::tan},
    {"asin", asin, scalar::asin}, {"acos", acos, scalar::acos}, {"atan", atan, scalar::atan},
    {"sinh", sinh, scalar::sinh}, {"cosh", cosh, scalar::cosh}, {"tanh", tanh, scalar::tanh},
    {"exp", exp, scalar::exp},    {"log", log, scalar::log},    {"sqrt", sqrt, scalar::sqrt},
    {"abs", abs, scalar::abs},    {"sign", sign, scalar::sign}, {"square", square, [](double x) { return x * x; }},
};

class IntervalTest : public ::testing::Test {
 protected:
  double uniform(double lo, double hi) { return std::uniform_real_distribution<>(lo, hi)(random); }
  // Boxes of all sizes, near and far, on both sides of 0; with end points where functions have theirs.
  Interval box() {
    const double special[] = {0, 1, -1, pi, pi / 2, -pi / 2, 2 * pi, 100 * pi, 1e-300, infinity, -infinity};
    const auto end = [&] {
      if (uniform(0, 1) < 0.2) return special[static_cast<std::size_t>(uniform(0, 10.99))];
      return uniform(-1, 1) * std::exp(uniform(-5, 8));
    };
    const double a = end();
    const double b = uniform(0, 1) < 0.5 && std::isfinite(a) ? a + std::exp(uniform(-40, 2)) : end();
    return {std::min(a, b), std::max(a, b)};
  }
  double inside(Interval a) {
    const double lo = std::max(a.lo, -1e6), hi = std::min(a.hi, 1e6);
    switch (static_cast<int>(uniform(0, 4))) {
      case 0: return a.lo;
      case 1: return a.hi;
      default: return lo < hi ? std::clamp(uniform(lo, hi), a.lo, a.hi) : a.lo;
    }
  }
  std::mt19937 random{4};
};

TEST_F(IntervalTest, FunctionsContainTheirValues) {
  for (const Case& f : functions)
    for (int k = 0; k < 3000; ++k) {
      const Interval a = box(), r = f.interval(a);
      ASSERT_LE(r.lo, r.hi) << f.name;  // never empty, never NaN
      for (int p = 0; p < 8; ++p) {
        const double x = inside(a), y = f.point(x);
        ASSERT_TRUE(std::isnan(y) || r.contains(y)) << f.name << " at " << x << " in [" << a.lo << ", " << a.hi << "]";
      }
    }
}

TEST_F(IntervalTest, OperationsContainTheirValues) {
  const auto check = [&](const char* name, auto interval, auto point) {
    for (int k = 0; k < 10000; ++k) {
      const Interval a = box(), b = k % 5 == 0 ? Interval(std::floor(uniform(-5, 5))) : box(), r = interval(a, b);
      ASSERT_LE(r.lo, r.hi) << name;
      for (int p = 0; p < 8; ++p) {
        const double x = inside(a), y = inside(b), z = point(x, y);
        ASSERT_TRUE(std::isnan(z) || r.contains(z)) << name << " of " << x << " and " << y;
      }
    }
  };
  check(
      "+", [](auto a, auto b) { return a + b; }, [](double a, double b) { return a + b; });
  check(
      "-", [](auto a, auto b) { return a - b; }, [](double a, double b) { return a - b; });
  check(
      "*", [](auto a, auto b) { return a * b; }, [](double a, double b) { return a * b; });
  check(
      "/", [](auto a, auto b) { return a / b; }, [](double a, double b) { return a / b; });
  check(
      "min", [](auto a, auto b) { return min(a, b); }, [](double a, double b) { return std::min(a, b); });
  check(
      "max", [](auto a, auto b) { return max(a, b); }, [](double a, double b) { return std::max(a, b); });
  check(
      "atan2", [](auto a, auto b) { return atan2(a, b); }, [](double a, double b) { return std::atan2(a, b); });
  check(
      "pow", [](auto a, auto b) { return pow(a, b); }, [](double a, double b) { return std::pow(a, b); });
}

TEST_F(IntervalTest, RandomExpressionsOnRandomBoxes) {
  Graph g;
  const auto s = testing::symbols(g, 3);
  testing::RandomExpr expressions(s, 21, true);
  for (int k = 0; k < 500; ++k) {
    const Expr f = expressions.make(4);
    const Program program({f}, s);
    Evaluator<Interval> e(program);
    for (int n = 0; n < 5; ++n) {
      const double width = std::exp(uniform(-20, 1));
      std::vector<Interval> boxes;
      for (std::size_t i = 0; i < 3; ++i) {
        const double lo = uniform(-3, 3);
        boxes.emplace_back(lo, lo + width);
        e.inputs()[i] = boxes.back();
      }
      e.run();
      for (int p = 0; p < 10; ++p) {
        std::vector<double> x;
        for (const Interval& b : boxes) x.push_back(inside(b));
        ASSERT_TRUE(e.output(0).contains(testing::naive_value(f, s, x))) << to_string(f);
      }
    }
  }
}

// Sharp, not only safe. Tolerance: four units in the last place of numbers below 4.
TEST_F(IntervalTest, IsTight) {
  const auto near = [](Interval a, double lo, double hi) {
    EXPECT_NEAR(a.lo, lo, 2e-15);
    EXPECT_NEAR(a.hi, hi, 2e-15);
  };
  near(sin(Interval(0, 1)), 0, std::sin(1));
  near(sin(Interval(1, 2)), std::sin(1), 1);
  near(sin(Interval(0, 10)), -1, 1);
  near(sin(Interval(100 * pi + 0.1, 100 * pi + 0.2)), std::sin(100 * pi + 0.1), std::sin(100 * pi + 0.2));
  near(cos(Interval(-0.5, 0.2)), std::cos(0.5), 1);
  near(cos(Interval(3, 4)), -1, std::cos(4));
  near(tan(Interval(-1, 1)), -std::tan(1), std::tan(1));
  near(abs(Interval(-1, 0.5)), 0, 1);
  near(square(Interval(-1, 0.5)), 0, 1);
  near(pow(Interval(-1, 0.5), Interval(2)), 0, 1);
  near(pow(Interval(-1, 0.5), Interval(3)), -1, 0.125);
  near(atan2(Interval(1, 1), Interval(-1, 1)), pi / 4, 3 * pi / 4);
  near(sqrt(Interval(-1, 0.25)), 0, 0.5);  // the part without a value is left out
  near(select(Interval(-2, -1), Interval(3), Interval(4)), 3, 3);
  near(select(Interval(-2, 1), Interval(3), Interval(4)), 3, 4);
}

TEST_F(IntervalTest, WholeLineWhereThereIsNoValue) {
  const auto whole = [](Interval a) { return a.lo == -infinity && a.hi == infinity; };
  EXPECT_TRUE(whole(Interval(1) / Interval(-1, 1)));
  EXPECT_TRUE(whole(Interval(1) / Interval(0)));
  EXPECT_TRUE(whole(tan(Interval(1, 2))));
  EXPECT_TRUE(whole(sqrt(Interval(-2, -1))));
  EXPECT_TRUE(whole(log(Interval(-2, -1))));
  EXPECT_TRUE(whole(asin(Interval(2, 3))));
  EXPECT_TRUE(whole(acos(Interval(-3, -2))));
  EXPECT_TRUE(whole(pow(Interval(-2, -1), Interval(0.5))));
  EXPECT_TRUE(whole(Interval(infinity) - Interval(infinity)));
  EXPECT_TRUE(whole(Interval(std::nan(""))));
}

}  // namespace
}  // namespace ricochet::formula::interval_test
