// Reverse differentiation on the graph: walk the nodes that f depends on from f down, and add to the adjoint of each
// operand  ∂(node)/∂(operand) · adjoint(node).

#include "ricochet/formula/differentiate.hpp"

#include <unordered_map>

namespace ricochet::formula {

namespace {

struct Partials {
  Expr a{}, b{}, c{};
};

// The partial derivatives of one node with respect to its operands, times its adjoint w.
Partials partials(Expr f, Expr w) {
  Graph& graph = *f.graph;
  const Node n = f.node();  // a copy: making nodes may move the graph's storage
  const Expr a{&graph, n.a}, b{&graph, n.b};
  switch (n.op) {
    case Op::add: return {w, w};
    case Op::sub: return {w, -w};
    case Op::mul:
      if (a == b) return {(2 * w) * a, graph.constant(0)};  // the same bits as w*a + w*a, and 2*w may be a constant
      return {w * b, w * a};
    case Op::div: return {w / b, -(w * f / b)};
    case Op::neg: return {-w};
    case Op::pow:
      if (b.is_constant()) return {w * (b * pow(a, b.value() - 1)), graph.constant(0)};
      return {w * (b * pow(a, b - 1)), w * (f * log(a))};
    case Op::sin: return {w * cos(a)};
    case Op::cos: return {-(w * sin(a))};
    case Op::tan: return {w * (1 + square(f))};
    case Op::asin: return {w / sqrt(1 - square(a))};
    case Op::acos: return {-(w / sqrt(1 - square(a)))};
    case Op::atan: return {w / (1 + square(a))};
    case Op::atan2: {  // a = y, b = x
      const Expr r2 = square(a) + square(b);
      return {w * b / r2, -(w * a / r2)};
    }
    case Op::sinh: return {w * cosh(a)};
    case Op::cosh: return {w * sinh(a)};
    case Op::tanh: return {w * (1 - square(f))};
    case Op::exp: return {w * f};
    case Op::log: return {w / a};
    case Op::sqrt: return {w / (2 * f)};
    case Op::abs: return {w * graph.make(Op::sign, a)};
    case Op::min: {  // min(a,b) is b where b - a < 0, else a
      const Expr zero = graph.constant(0), d = b - a;
      return {graph.make(Op::select, d, zero, w), graph.make(Op::select, d, w, zero)};
    }
    case Op::max: {  // max(a,b) is b where a - b < 0, else a
      const Expr zero = graph.constant(0), d = a - b;
      return {graph.make(Op::select, d, zero, w), graph.make(Op::select, d, w, zero)};
    }
    case Op::select: {
      const Expr zero = graph.constant(0);
      return {zero, graph.make(Op::select, a, w, zero), graph.make(Op::select, a, zero, w)};
    }
    case Op::sign:
    case Op::constant:
    case Op::symbol: break;
  }
  const Expr zero = graph.constant(0);
  return {zero, zero, zero};
}

}  // namespace

std::vector<Expr> gradient(Expr f, const std::vector<Expr>& x) {
  Graph& graph = *f.graph;
  const std::vector<std::uint32_t> cone = dependencies({f});
  std::unordered_map<std::uint32_t, Expr> adjoint;
  adjoint.reserve(cone.size());
  adjoint[f.id] = graph.constant(1);
  const auto add = [&](std::uint32_t id, Expr term) {
    if (!term || term.is_constant(0)) return;
    Expr& place = adjoint[id];
    place = place ? place + term : term;
  };
  for (auto id = cone.rbegin(); id != cone.rend(); ++id) {
    const auto w = adjoint.find(*id);
    const Node n = graph[*id];
    if (w == adjoint.end() || arity(n.op) == 0) continue;
    const Partials d = partials({&graph, *id}, w->second);
    add(n.a, d.a);
    if (arity(n.op) > 1) add(n.b, d.b);
    if (arity(n.op) > 2) add(n.c, d.c);
  }
  std::vector<Expr> result;
  result.reserve(x.size());
  for (const Expr& symbol : x) {
    const auto found = adjoint.find(symbol.id);
    result.push_back(found == adjoint.end() ? graph.constant(0) : found->second);
  }
  return result;
}

Expr derivative(Expr f, Expr x) { return gradient(f, {x}).front(); }

}  // namespace ricochet::formula
