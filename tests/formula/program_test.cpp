#include "ricochet/formula/program.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "formula/random_expr.hpp"
#include "ricochet/formula/differentiate.hpp"
#include "ricochet/formula/dual.hpp"
#include "ricochet/formula/lanes.hpp"

namespace ricochet::formula::program_test {
namespace {

using testing::RandomExpr;

// "The same bits" is meant literally, NaN included.
::testing::AssertionResult same_bits(double a, double b) {
  if (std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b)) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << a << " and " << b;
}

TEST(Program, HasTheBitsOfTheNaiveTwinForDoubleLanesAndDual) {
  Graph g;
  const auto s = testing::symbols(g, 3);
  RandomExpr random(s, 11, true);
  for (int k = 0; k < 400; ++k) {
    const Expr f = random.make(4);
    std::vector<Expr> outputs = gradient(f, s);  // derivatives share their parts, use select and sign, and fuse
    outputs.push_back(f);
    const Program program(outputs, s);
    Evaluator<double> e(program);
    Evaluator<Lanes<4>> lanes(program);
    Evaluator<Lanes<3>> odd(program);
    Evaluator<Dual<>> dual(program);
    std::vector<std::vector<double>> points;
    for (int lane = 0; lane < 4; ++lane) {
      points.push_back(random.point());
      for (std::size_t i = 0; i < 3; ++i) {
        lanes.inputs()[i][lane] = points.back()[i];
        if (lane < 3) odd.inputs()[i][lane] = points.back()[i];
      }
    }
    lanes.run();
    odd.run();
    for (int lane = 0; lane < 4; ++lane) {
      const auto& x = points[static_cast<std::size_t>(lane)];
      std::copy(x.begin(), x.end(), e.inputs());
      for (std::size_t i = 0; i < 3; ++i) dual.inputs()[i] = Dual<>(x[i], 1.0);
      e.run();
      dual.run();
      for (std::size_t o = 0; o < outputs.size(); ++o) {
        const double naive = testing::naive_value(outputs[o], s, x);
        EXPECT_TRUE(same_bits(e.output(o), naive)) << to_string(outputs[o]);
        EXPECT_TRUE(same_bits(lanes.output(o)[lane], naive)) << to_string(outputs[o]);
        EXPECT_TRUE(lane == 3 || same_bits(odd.output(o)[lane % 3], naive)) << to_string(outputs[o]);
        EXPECT_TRUE(same_bits(dual.output(o).value, naive)) << to_string(outputs[o]);
      }
    }
  }
}

TEST(Program, FusesPairsOfOneUseOnly) {
  Graph g;
  const auto s = testing::symbols(g, 3);
  const Expr product = s[0] * s[1];
  EXPECT_EQ(Program({product + s[2]}, s).instruction_count(), 1u);
  EXPECT_EQ(Program({product + s[2], product}, s).instruction_count(), 2u);     // an output is kept
  EXPECT_EQ(Program({(product + s[2]) / product}, s).instruction_count(), 3u);  // used twice
  EXPECT_EQ(Program({sin(s[0]) * cos(s[0])}, s).instruction_count(), 2u);
  EXPECT_EQ(Program({sin(s[0]) * cos(s[1])}, s).instruction_count(), 3u);
}

TEST(Program, PartsGoOnFromTheOutputsWithTheSameBits) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> number(0.1, 0.9);
  for (int k = 0; k < 50; ++k) {
    Graph g;
    const auto s = testing::symbols(g, 3);
    const Expr common = sin(s[0]) + s[1] * cos(s[0] * s[2]);
    const std::vector<Expr> outputs{common * s[2], exp(s[1]) - common};
    const std::vector<std::vector<Expr>> others{gradient(outputs[0], s), gradient(outputs[1], s), {common, s[1]}};
    const Program program(outputs, s, others);
    EXPECT_EQ(program.instruction_count(), Program(outputs, s).instruction_count());
    EXPECT_LT(program.instruction_count(1), Program(others[0], s).instruction_count());
    EXPECT_EQ(program.instruction_count(3), 0u);  // computed already
    Evaluator<double> all(program);
    for (int i = 0; i < 3; ++i) all.inputs()[i] = number(random);
    all.run();
    for (const std::size_t part : {2, 0, 1, 3, 2}) {  // in any order
      all.run(part);
      const std::vector<Expr>& expected = part == 0 ? outputs : others[part - 1];
      const Program alone(expected, s);
      Evaluator<double> twin(alone);
      std::copy(all.inputs(), all.inputs() + 3, twin.inputs());
      twin.run();
      for (std::size_t o = 0; o < expected.size(); ++o) EXPECT_EQ(all.output(part, o), twin.output(o)) << part;
    }
  }
}

TEST(Program, EveryFusedPairIsThePair) {
  Graph g;
  const auto s = testing::symbols(g, 3);
  const Expr a = s[0], b = s[1], c = s[2];
  const std::vector<Expr> pairs{a * b + c,   c + a * b,   a * b - c,   c - a * b,       a * b * c,
                                c * (a * b), a + b + c,   c + (a + b), a + b - c,       (a + b) * c,
                                c * (a + b), a - b + c,   c + (a - b), a - b - c,       (a - b) * c,
                                c * (a - b), c - (a + b), c - (a - b), sin(a) - cos(a), cos(b) / sin(b)};
  RandomExpr random(s, 3);
  for (const Expr& f : pairs)
    for (int k = 0; k < 50; ++k) {
      const auto x = random.point();
      const Program program({f}, s);
      Evaluator<double> e(program);
      std::copy(x.begin(), x.end(), e.inputs());
      e.run();
      EXPECT_TRUE(same_bits(e.output(0), testing::naive_value(f, s, x))) << to_string(f);
    }
}

TEST(Program, OutputsMayBeInputsConstantsOrEqual) {
  Graph g;
  const auto s = testing::symbols(g, 2);
  const Program program({s[1], g.constant(4), s[0] + s[1], s[0] + s[1], s[0]}, s);
  Evaluator<double> e(program);
  e.inputs()[0] = 1, e.inputs()[1] = 2;
  e.run();
  const double expected[] = {2, 4, 3, 3, 1};
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(e.output(k), expected[k]);
  EXPECT_EQ(Program({}, s).output_count(), 0u);
}

TEST(Program, UnboundSymbolIsAnError) {
  Graph g;
  const auto s = testing::symbols(g, 2);
  EXPECT_THROW(Program({s[0] + s[1]}, {s[0]}), std::logic_error);
}

TEST(ScalarFunction, PatternsAndOrders) {
  Graph g;
  const auto s = testing::symbols(g, 4);
  const ScalarFunction f(square(s[0]) * s[2] + 3 * s[2] + sin(s[3]), s);  // s[1] is absent
  EXPECT_EQ(f.gradient_pattern(), (std::vector<std::uint32_t>{0, 2, 3}));
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> pattern{{0, 0}, {2, 0}, {3, 3}};
  EXPECT_EQ(f.hessian_pattern(), pattern);
  for (int order = 0; order <= 2; ++order) {
    Evaluator<double> e(f.order(order));
    const double x[] = {2, 100, 5, 0.5};
    std::copy(x, x + 4, e.inputs());
    e.run();
    EXPECT_EQ(e.output(0), 4 * 5 + 15 + std::sin(0.5));
    if (order > 0) {
      EXPECT_EQ(e.output(f.gradient_output(0)), 20);
      EXPECT_EQ(e.output(f.gradient_output(1)), 7);
      EXPECT_EQ(e.output(f.gradient_output(2)), std::cos(0.5));
    }
    if (order > 1) {
      EXPECT_EQ(e.output(f.hessian_output(0)), 10);
      EXPECT_EQ(e.output(f.hessian_output(1)), 4);
      EXPECT_EQ(e.output(f.hessian_output(2)), -std::sin(0.5));
    }
  }
}

TEST(ScalarFunction, HessianOfAChainIsSparse) {
  Graph g;
  const auto s = testing::symbols(g, 500);
  Expr f = g.constant(0);
  for (std::size_t i = 0; i + 1 < s.size(); ++i) f = f + pow(s[i + 1] - s[i], 4);
  const ScalarFunction function(f, s);
  EXPECT_EQ(function.hessian_pattern().size(), 500u + 499u);  // the diagonal and one below it
}

}  // namespace
}  // namespace ricochet::formula::program_test
