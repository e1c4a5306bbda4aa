#include "ricochet/formula/differentiate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "formula/random_expr.hpp"
#include "ricochet/formula/dual.hpp"
#include "ricochet/formula/program.hpp"

namespace ricochet::formula::differentiate_test {
namespace {

using testing::RandomExpr;

double value(Expr f, const std::vector<Expr>& s, const std::vector<double>& x) { return testing::naive_value(f, s, x); }

// f, f', f'' of one variable by hand. Tolerance: a dozen roundings of values of order 10.
struct ClosedForm {
  const char* name;
  std::function<Expr(Expr)> f;
  std::function<double(double)> first, second;
};

const ClosedForm closed_forms[] = {
    {"x*x", [](Expr x) { return x * x; }, [](double x) { return 2 * x; }, [](double) { return 2.0; }},
    {"x+x", [](Expr x) { return x + x; }, [](double) { return 2.0; }, [](double) { return 0.0; }},
    {"1-x", [](Expr x) { return 1 - x; }, [](double) { return -1.0; }, [](double) { return 0.0; }},
    {"-x", [](Expr x) { return -x; }, [](double) { return -1.0; }, [](double) { return 0.0; }},
    {"1/x", [](Expr x) { return 1 / x; }, [](double x) { return -1 / (x * x); },
     [](double x) { return 2 / (x * x * x); }},
    {"x/3", [](Expr x) { return x / 3; }, [](double) { return 1.0 / 3; }, [](double) { return 0.0; }},
    {"x^3", [](Expr x) { return pow(x, 3); }, [](double x) { return 3 * x * x; }, [](double x) { return 6 * x; }},
    {"x^-2", [](Expr x) { return pow(x, -2); }, [](double x) { return -2 / (x * x * x); },
     [](double x) { return 6 / (x * x * x * x); }},
    {"x^2.5", [](Expr x) { return pow(x, 2.5); }, [](double x) { return 2.5 * std::pow(x, 1.5); },
     [](double x) { return 3.75 * std::sqrt(x); }},
    {"x^20", [](Expr x) { return pow(x, 20); }, [](double x) { return 20 * std::pow(x, 19); },
     [](double x) { return 380 * std::pow(x, 18); }},
    {"3^x", [](Expr x) { return pow(x.graph->constant(3), x); },
     [](double x) { return std::log(3.0) * std::pow(3, x); },
     [](double x) { return std::log(3.0) * std::log(3.0) * std::pow(3, x); }},
    {"x^x", [](Expr x) { return pow(x, x); }, [](double x) { return std::pow(x, x) * (std::log(x) + 1); },
     [](double x) { return std::pow(x, x) * ((std::log(x) + 1) * (std::log(x) + 1) + 1 / x); }},
    {"sin", [](Expr x) { return sin(x); }, [](double x) { return std::cos(x); }, [](double x) { return -std::sin(x); }},
    {"cos", [](Expr x) { return cos(x); }, [](double x) { return -std::sin(x); },
     [](double x) { return -std::cos(x); }},
    {"tan", [](Expr x) { return tan(x); }, [](double x) { return 1 / (std::cos(x) * std::cos(x)); },
     [](double x) { return 2 * std::tan(x) / (std::cos(x) * std::cos(x)); }},
    {"asin", [](Expr x) { return asin(x); }, [](double x) { return 1 / std::sqrt(1 - x * x); },
     [](double x) { return x / std::pow(1 - x * x, 1.5); }},
    {"acos", [](Expr x) { return acos(x); }, [](double x) { return -1 / std::sqrt(1 - x * x); },
     [](double x) { return -x / std::pow(1 - x * x, 1.5); }},
    {"atan", [](Expr x) { return atan(x); }, [](double x) { return 1 / (1 + x * x); },
     [](double x) { return -2 * x / ((1 + x * x) * (1 + x * x)); }},
    {"atan2(x,2)", [](Expr x) { return atan2(x, x.graph->constant(2)); }, [](double x) { return 2 / (4 + x * x); },
     [](double x) { return -4 * x / ((4 + x * x) * (4 + x * x)); }},
    {"atan2(2,x)", [](Expr x) { return atan2(x.graph->constant(2), x); }, [](double x) { return -2 / (4 + x * x); },
     [](double x) { return 4 * x / ((4 + x * x) * (4 + x * x)); }},
    {"sinh", [](Expr x) { return sinh(x); }, [](double x) { return std::cosh(x); },
     [](double x) { return std::sinh(x); }},
    {"cosh", [](Expr x) { return cosh(x); }, [](double x) { return std::sinh(x); },
     [](double x) { return std::cosh(x); }},
    {"tanh", [](Expr x) { return tanh(x); }, [](double x) { return 1 / (std::cosh(x) * std::cosh(x)); },
     [](double x) { return -2 * std::tanh(x) / (std::cosh(x) * std::cosh(x)); }},
    {"exp", [](Expr x) { return exp(x); }, [](double x) { return std::exp(x); }, [](double x) { return std::exp(x); }},
    {"log", [](Expr x) { return log(x); }, [](double x) { return 1 / x; }, [](double x) { return -1 / (x * x); }},
    {"sqrt", [](Expr x) { return sqrt(x); }, [](double x) { return 0.5 / std::sqrt(x); },
     [](double x) { return -0.25 / (x * std::sqrt(x)); }},
    {"abs", [](Expr x) { return abs(x - 0.5); }, [](double x) { return x < 0.5 ? -1.0 : 1.0; },
     [](double) { return 0.0; }},
    {"min", [](Expr x) { return min(x * x, 0.5 * x); }, [](double x) { return x < 0.5 ? 2 * x : 0.5; },
     [](double x) { return x < 0.5 ? 2.0 : 0.0; }},
    {"max", [](Expr x) { return max(x * x, 0.5 * x); }, [](double x) { return x < 0.5 ? 0.5 : 2 * x; },
     [](double x) { return x < 0.5 ? 0.0 : 2.0; }},
};

TEST(Differentiate, ClosedForms) {
  for (const ClosedForm& c : closed_forms) {
    Graph g;
    const auto s = testing::symbols(g, 1);
    const Expr f = c.f(s[0]), first = derivative(f, s[0]), second = derivative(first, s[0]);
    for (const double x : {0.11, 0.31, 0.49, 0.62, 0.77, 0.93}) {
      EXPECT_NEAR(value(first, s, {x}), c.first(x), 1e-14 * (1 + std::abs(c.first(x)))) << c.name << " at " << x;
      EXPECT_NEAR(value(second, s, {x}), c.second(x), 1e-13 * (1 + std::abs(c.second(x)))) << c.name << " at " << x;
    }
  }
}

// The derivative along one direction by central differences at h and 2h. The error of the first is a third of their
// difference in its leading term (allowed: all of it) plus rounding: f is computed to about 100 eps (1 + |f|), over h.
struct Difference {
  double value, tolerance;
};
template <class F>
Difference central_difference(F f, double h) {
  const double up = f(h), down = f(-h), up2 = f(2 * h), down2 = f(-2 * h);
  const double fine = (up - down) / (2 * h), coarse = (up2 - down2) / (4 * h);
  return {fine, std::abs(fine - coarse) + 100 * 2.2e-16 * (1 + std::max(std::abs(up), std::abs(down))) / h};
}

class RandomDerivatives : public ::testing::TestWithParam<int> {};

TEST_P(RandomDerivatives, FirstAndSecondAgreeWithDifferencesAndDuals) {
  Graph g;
  const auto s = testing::symbols(g, 3);
  RandomExpr random(s, 1000U + static_cast<unsigned>(GetParam()));
  for (int k = 0; k < 50; ++k) {
    const Expr f = random.make(3);
    const std::vector<Expr> first = gradient(f, s);
    const Program program({f}, s);
    const auto x = random.point(-1.5, 1.5);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::vector<Expr> second = gradient(first[i], s);
      const double exact = value(first[i], s, x);
      const auto shifted = [&](Expr e, std::size_t direction) {
        return [&, e, direction](double h) {
          auto y = x;
          y[direction] += h;
          return value(e, s, y);
        };
      };
      const Difference d = central_difference(shifted(f, i), 1e-5);
      EXPECT_NEAR(exact, d.value, d.tolerance) << to_string(f);
      for (std::size_t j = 0; j < 3; ++j) {
        const double exact_second = value(second[j], s, x);
        const Difference dd = central_difference(shifted(first[i], j), 1e-5);
        EXPECT_NEAR(exact_second, dd.value, dd.tolerance * 10) << to_string(f);  // f' rounds more than f

        // Dual numbers make the same products in another order: some hundred roundings.
        Evaluator<Dual<Dual<>>> e(program);
        for (std::size_t m = 0; m < 3; ++m)
          e.inputs()[m] = Dual<Dual<>>(Dual<>(x[m], m == j ? 1.0 : 0.0), Dual<>(m == i ? 1.0 : 0.0, 0.0));
        e.run();
        const Dual<Dual<>>& out = e.output(0);
        const double scale = 1 + std::abs(out.value.value) + std::abs(exact) + std::abs(exact_second);
        EXPECT_NEAR(out.derivative.value, exact, 1e-12 * scale) << to_string(f);
        EXPECT_NEAR(out.derivative.derivative, exact_second, 1e-11 * scale) << to_string(f);
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomDerivatives, ::testing::Range(0, 10));

TEST(Differentiate, HessiansAreSymmetric) {
  Graph g;
  const auto s = testing::symbols(g, 3);
  RandomExpr random(s, 7);
  for (int k = 0; k < 200; ++k) {
    const Expr f = random.make(3);
    const auto x = random.point();
    const Expr xy = derivative(derivative(f, s[0]), s[1]), yx = derivative(derivative(f, s[1]), s[0]);
    const double a = value(xy, s, x), b = value(yx, s, x);
    EXPECT_NEAR(a, b, 1e-11 * (1 + std::abs(a) + std::abs(value(f, s, x)))) << to_string(f);  // as above
  }
}

TEST(Differentiate, HigherOrdersOfSine) {
  Graph g;
  const auto s = testing::symbols(g, 1);
  Expr f = sin(2 * s[0]);
  for (int k = 0; k < 8; ++k) f = derivative(f, s[0]);
  EXPECT_NEAR(value(f, s, {0.4}), 256 * std::sin(0.8), 256 * 1e-15 * 8);  // eight products with 2 and one sine
}

TEST(Differentiate, CostIsProportionalToSize) {
  Graph g;
  const auto s = testing::symbols(g, 200);
  Expr f = g.constant(0);
  for (std::size_t i = 0; i + 1 < s.size(); ++i) f = f + pow(s[i + 1] - s[i], 4);
  const std::size_t before = dependencies({f}).size();
  const auto first = gradient(f, s);
  EXPECT_LT(dependencies(first).size(), 4 * before);  // reverse mode: a small multiple, not 200 times
}

TEST(Differentiate, ConstantsAndAbsentSymbols) {
  Graph g;
  const auto s = testing::symbols(g, 2);
  EXPECT_TRUE(derivative(sin(s[0]), s[1]).is_constant(0));
  EXPECT_TRUE(derivative(g.constant(3), s[0]).is_constant(0));
  EXPECT_TRUE(derivative(s[0], s[0]).is_constant(1));
  EXPECT_EQ(derivative(3 * square(s[0]), s[0]), 6 * s[0]);
}

}  // namespace
}  // namespace ricochet::formula::differentiate_test
