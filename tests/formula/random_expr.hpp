#pragma once
// Random expressions for tests, from a fixed seed, and their value by plain recursion: the naive twin of a program.

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "ricochet/formula/expr.hpp"
#include "ricochet/formula/scalar.hpp"

namespace ricochet::formula::testing {

// With kinks, abs, min and max are used too. Arguments of functions with a small domain are kept inside it, so that
// every expression has a value everywhere.
class RandomExpr {
 public:
  RandomExpr(std::vector<Expr> symbols, unsigned seed, bool kinks = false)
      : symbols_(std::move(symbols)), random_(seed), kinks_(kinks) {}

  Expr make(int depth) {
    Graph& g = *symbols_[0].graph;
    if (depth == 0) return pick(4) == 0 ? g.constant(uniform(-2, 2)) : symbols_[pick(symbols_.size())];
    const Expr a = make(depth - 1);
    switch (pick(kinks_ ? 24 : 21)) {
      case 0:
      case 1: return a + make(depth - 1);
      case 2:
      case 3: return a - make(depth - 1);
      case 4:
      case 5: return a * make(depth - 1);
      case 6: return a / (1.5 + square(make(depth - 1)));
      case 7: return -a;
      case 8: return pow(a, pick(4) + 1.0);
      case 9: return pow(1.1 + square(a), uniform(-2, 2));
      case 10: return pow(1.2 + square(sin(a)), cos(make(depth - 1)));
      case 11: return sin(a);
      case 12: return cos(a);
      case 13: return tan(sin(a));
      case 14: return pick(2) == 0 ? asin(0.9 * sin(a)) : acos(0.9 * cos(a));
      case 15: return atan(a);
      case 16: return atan2(a, 1 + square(make(depth - 1)));
      case 17: return pick(2) == 0 ? sinh(sin(a)) : cosh(cos(a));
      case 18: return tanh(a);
      case 19: return exp(sin(a));
      case 20: return pick(2) == 0 ? log(1.3 + square(a)) : sqrt(1.1 + square(a));
      case 21: return abs(a);
      case 22: return min(a, make(depth - 1));
      default: return max(a, make(depth - 1));
    }
  }

  double uniform(double lo, double hi) { return std::uniform_real_distribution<>(lo, hi)(random_); }
  std::size_t pick(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
  std::vector<double> point(double lo = -2, double hi = 2) {
    std::vector<double> x(symbols_.size());
    for (double& e : x) e = uniform(lo, hi);
    return x;
  }

 private:
  std::vector<Expr> symbols_;
  std::mt19937 random_;
  bool kinks_;
};

inline std::vector<Expr> symbols(Graph& graph, int n) {
  std::vector<Expr> x;
  for (int k = 0; k < n; ++k) x.push_back(graph.coordinate(static_cast<std::uint32_t>(k), "x" + std::to_string(k)));
  return x;
}

inline double naive_value(Expr f, const std::vector<Expr>& symbols, const std::vector<double>& x) {
  const Node n = f.node();
  const auto operand = [&](std::uint32_t id) { return naive_value({f.graph, id}, symbols, x); };
  switch (n.op) {
    case Op::constant: return n.value;
    case Op::symbol: return x[static_cast<std::size_t>(std::find(symbols.begin(), symbols.end(), f) - symbols.begin())];
    case Op::add: return operand(n.a) + operand(n.b);
    case Op::sub: return operand(n.a) - operand(n.b);
    case Op::mul: return operand(n.a) * operand(n.b);
    case Op::div: return operand(n.a) / operand(n.b);
    case Op::neg: return -operand(n.a);
    case Op::pow: return std::pow(operand(n.a), operand(n.b));
    case Op::sin: return std::sin(operand(n.a));
    case Op::cos: return std::cos(operand(n.a));
    case Op::tan: return std::tan(operand(n.a));
    case Op::asin: return std::asin(operand(n.a));
    case Op::acos: return std::acos(operand(n.a));
    case Op::atan: return std::atan(operand(n.a));
    case Op::atan2: return std::atan2(operand(n.a), operand(n.b));
    case Op::sinh: return std::sinh(operand(n.a));
    case Op::cosh: return std::cosh(operand(n.a));
    case Op::tanh: return std::tanh(operand(n.a));
    case Op::exp: return std::exp(operand(n.a));
    case Op::log: return std::log(operand(n.a));
    case Op::sqrt: return std::sqrt(operand(n.a));
    case Op::abs: return std::fabs(operand(n.a));
    case Op::min: return std::min(operand(n.a), operand(n.b));
    case Op::max: return std::max(operand(n.a), operand(n.b));
    case Op::sign: return scalar::sign(operand(n.a));
    case Op::select: return operand(n.a) < 0 ? operand(n.b) : operand(n.c);
  }
  return 0;
}

}  // namespace ricochet::formula::testing
