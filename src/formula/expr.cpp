#include "ricochet/formula/expr.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "ricochet/formula/scalar.hpp"

namespace ricochet::formula {

int arity(Op op) {
  switch (op) {
    case Op::constant:
    case Op::symbol: return 0;
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div:
    case Op::pow:
    case Op::atan2:
    case Op::min:
    case Op::max: return 2;
    case Op::select: return 3;
    default: return 1;
  }
}

const char* name(Op op) {
  static constexpr const char* names[op_count] = {
      "constant", "symbol", "+",    "-",    "*",    "/",   "-",   "^",    "sin", "cos", "tan", "asin", "acos",
      "atan",     "atan2",  "sinh", "cosh", "tanh", "exp", "log", "sqrt", "abs", "min", "max", "sign", "select"};
  return names[static_cast<int>(op)];
}

const Node& Expr::node() const { return (*graph)[id]; }
bool Expr::is_constant() const { return node().op == Op::constant; }
bool Expr::is_constant(double v) const { return is_constant() && node().value == v; }
double Expr::value() const { return node().value; }

namespace {

std::size_t hash_of(const Node& n) {
  std::uint64_t h = static_cast<std::uint64_t>(n.op);
  for (std::uint64_t x :
       {std::uint64_t{n.a}, std::uint64_t{n.b}, std::uint64_t{n.c}, std::bit_cast<std::uint64_t>(n.value)}) {
    h = (h ^ x) * 0x9E3779B97F4A7C15ULL;
    h ^= h >> 32;
  }
  return h;
}

// -0.0 and 0.0 are different constants, and a NaN is equal to itself
bool same_bits(const Node& x, const Node& y) {
  return x.op == y.op && x.a == y.a && x.b == y.b && x.c == y.c &&
         std::bit_cast<std::uint64_t>(x.value) == std::bit_cast<std::uint64_t>(y.value);
}

}  // namespace

std::uint32_t Graph::intern(const Node& node) {
  const auto slot = [&](const Node& n) {  // where n stands, or the free place where it would
    std::size_t at = hash_of(n) & (table_.size() - 1);
    while (table_[at] != 0 && !same_bits(nodes_[table_[at] - 1], n)) at = (at + 1) & (table_.size() - 1);
    return at;
  };
  if (table_.size() < 2 * (nodes_.size() + 1)) {
    table_.assign(std::max<std::size_t>(64, 2 * table_.size()), 0);
    for (std::size_t k = 0; k < nodes_.size(); ++k) table_[slot(nodes_[k])] = static_cast<std::uint32_t>(k + 1);
  }
  const std::size_t at = slot(node);
  if (table_[at] != 0) return table_[at] - 1;
  if (nodes_.size() >= max_nodes)
    throw TooLarge(fmt::format("the formulas expand to more than {} operations", max_nodes));
  nodes_.push_back(node);
  table_[at] = static_cast<std::uint32_t>(nodes_.size());
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

Expr Graph::constant(double value) { return {this, intern({.op = Op::constant, .value = value})}; }

Expr Graph::symbol(SymbolKind kind, std::uint32_t index, const std::string& symbol_name) {
  const std::string key = fmt::format("{} {} {}", static_cast<int>(kind), index, symbol_name);
  auto [place, is_new] = symbol_index_.try_emplace(key, static_cast<std::uint32_t>(symbols_.size()));
  if (is_new) symbols_.push_back({kind, index, symbol_name});
  return {this, intern({.op = Op::symbol, .a = place->second})};
}

Expr Graph::coordinate(std::uint32_t index, const std::string& symbol_name) {
  const Expr x = symbol(SymbolKind::coordinate, index, symbol_name);
  symbol(SymbolKind::velocity, index, symbol_name + "'");
  return x;
}

Expr Graph::velocity(std::uint32_t index) {
  for (const Symbol& s : symbols_)
    if (s.kind == SymbolKind::velocity && s.index == index) return symbol(s.kind, index, std::string(s.name));
  throw std::logic_error("velocity of a coordinate that was not made");
}

Expr Graph::parameter(const std::string& symbol_name, double value) {
  std::size_t k = 0;
  while (k < parameters_.size() && parameters_[k].name != symbol_name) ++k;
  if (k == parameters_.size()) parameters_.push_back({.name = symbol_name});
  parameters_[k].value = value;
  return symbol(SymbolKind::parameter, static_cast<std::uint32_t>(k), symbol_name);
}

void Graph::note_in_range(Expr f) {
  for (const std::uint32_t id : dependencies({f}))
    if (nodes_[id].op == Op::symbol && symbol_of(nodes_[id]).kind == SymbolKind::parameter)
      parameters_[symbol_of(nodes_[id]).index].in_range = true;
}

Expr Graph::time() { return symbol(SymbolKind::time, 0, "t"); }

namespace {

double fold(Op op, double a, double b, double c) {
  switch (op) {
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::mul: return a * b;
    case Op::div: return a / b;
    case Op::neg: return -a;
    case Op::pow: return scalar::pow(a, b);
    case Op::sin: return scalar::sin(a);
    case Op::cos: return scalar::cos(a);
    case Op::tan: return scalar::tan(a);
    case Op::asin: return scalar::asin(a);
    case Op::acos: return scalar::acos(a);
    case Op::atan: return scalar::atan(a);
    case Op::atan2: return scalar::atan2(a, b);
    case Op::sinh: return scalar::sinh(a);
    case Op::cosh: return scalar::cosh(a);
    case Op::tanh: return scalar::tanh(a);
    case Op::exp: return scalar::exp(a);
    case Op::log: return scalar::log(a);
    case Op::sqrt: return scalar::sqrt(a);
    case Op::abs: return scalar::abs(a);
    case Op::min: return scalar::min(a, b);
    case Op::max: return scalar::max(a, b);
    case Op::sign: return scalar::sign(a);
    case Op::select: return scalar::select(a, b, c);
    case Op::constant:
    case Op::symbol: break;
  }
  return 0;
}

// a^n by squaring, n >= 1: a few products instead of a call of pow
Expr integer_power(Expr a, int n) {
  Expr result{};
  for (Expr factor = a; n > 0; n /= 2) {
    if (n % 2 == 1) result = result ? result * factor : factor;
    if (n > 1) factor = factor * factor;
  }
  return result;
}

}  // namespace

Expr Graph::make(Op op, Expr a, Expr b, Expr c) {
  for (const Expr& operand : {a, b, c})
    if (operand.graph != nullptr && operand.graph != this) throw std::logic_error("an expression mixes two graphs");
  const int n = arity(op);
  const auto negated = [&](Expr e) { return e.node().op == Op::neg; };
  const auto inside = [&](Expr e) { return Expr{this, e.node().a}; };
  if (a.is_constant() && (n < 2 || b.is_constant()) && (n < 3 || c.is_constant()))
    return constant(fold(op, a.value(), n > 1 ? b.value() : 0, n > 2 ? c.value() : 0));
  switch (op) {
    case Op::add:
      if (a.is_constant(0)) return b;
      if (b.is_constant(0)) return a;
      if (negated(b)) return make(Op::sub, a, inside(b));
      if (negated(a)) return make(Op::sub, b, inside(a));
      break;
    case Op::sub:
      if (b.is_constant(0)) return a;
      if (a.is_constant(0)) return make(Op::neg, b);
      if (a == b) return constant(0);
      if (negated(b)) return make(Op::add, a, inside(b));
      break;
    case Op::mul:
      if (a.is_constant(0) || b.is_constant(0)) return constant(0);
      if (a.is_constant(1)) return b;
      if (b.is_constant(1)) return a;
      if (a.is_constant(-1)) return make(Op::neg, b);
      if (b.is_constant(-1)) return make(Op::neg, a);
      if (negated(a)) return make(Op::neg, make(op, inside(a), b));
      if (negated(b)) return make(Op::neg, make(op, a, inside(b)));
      break;
    case Op::div:
      if (a.is_constant(0)) return constant(0);
      if (b.is_constant(1)) return a;
      if (negated(a)) return make(Op::neg, make(op, inside(a), b));
      if (negated(b)) return make(Op::neg, make(op, a, inside(b)));
      break;
    case Op::neg:
      if (negated(a)) return inside(a);
      if (const Node m = a.node(); m.op == Op::mul || m.op == Op::div) {  // the sign goes into a constant factor
        const Expr x{this, m.a}, y{this, m.b};
        if (x.is_constant()) return make(m.op, constant(-x.value()), y);
        if (y.is_constant()) return make(m.op, x, constant(-y.value()));
      }
      break;
    case Op::pow:
      if (b.is_constant()) {
        const double e = b.value();
        if (e == 0) return constant(1);
        if (e == 0.5) return make(Op::sqrt, a);
        if (std::abs(e) <= 16 && e == std::floor(e)) {
          const Expr power = integer_power(a, std::abs(static_cast<int>(e)));
          return e > 0 ? power : constant(1) / power;
        }
      }
      break;
    case Op::select:
      if (b == c) return b;
      break;
    default: break;
  }
  return {this, intern({.op = op, .a = a.id, .b = n > 1 ? b.id : 0, .c = n > 2 ? c.id : 0})};
}

Expr operator+(Expr a, Expr b) { return a.graph->make(Op::add, a, b); }
Expr operator-(Expr a, Expr b) { return a.graph->make(Op::sub, a, b); }
Expr operator*(Expr a, Expr b) { return a.graph->make(Op::mul, a, b); }
Expr operator/(Expr a, Expr b) { return a.graph->make(Op::div, a, b); }
Expr operator-(Expr a) { return a.graph->make(Op::neg, a); }
Expr operator+(Expr a, double b) { return a + a.graph->constant(b); }
Expr operator+(double a, Expr b) { return b.graph->constant(a) + b; }
Expr operator-(Expr a, double b) { return a - a.graph->constant(b); }
Expr operator-(double a, Expr b) { return b.graph->constant(a) - b; }
Expr operator*(Expr a, double b) { return a * a.graph->constant(b); }
Expr operator*(double a, Expr b) { return b.graph->constant(a) * b; }
Expr operator/(Expr a, double b) { return a / a.graph->constant(b); }
Expr operator/(double a, Expr b) { return b.graph->constant(a) / b; }
Expr pow(Expr a, Expr b) { return a.graph->make(Op::pow, a, b); }
Expr pow(Expr a, double b) { return pow(a, a.graph->constant(b)); }
Expr square(Expr a) { return a * a; }
Expr sin(Expr a) { return a.graph->make(Op::sin, a); }
Expr cos(Expr a) { return a.graph->make(Op::cos, a); }
Expr tan(Expr a) { return a.graph->make(Op::tan, a); }
Expr asin(Expr a) { return a.graph->make(Op::asin, a); }
Expr acos(Expr a) { return a.graph->make(Op::acos, a); }
Expr atan(Expr a) { return a.graph->make(Op::atan, a); }
Expr atan2(Expr y, Expr x) { return y.graph->make(Op::atan2, y, x); }
Expr sinh(Expr a) { return a.graph->make(Op::sinh, a); }
Expr cosh(Expr a) { return a.graph->make(Op::cosh, a); }
Expr tanh(Expr a) { return a.graph->make(Op::tanh, a); }
Expr exp(Expr a) { return a.graph->make(Op::exp, a); }
Expr log(Expr a) { return a.graph->make(Op::log, a); }
Expr sqrt(Expr a) { return a.graph->make(Op::sqrt, a); }
Expr abs(Expr a) { return a.graph->make(Op::abs, a); }
Expr min(Expr a, Expr b) { return a.graph->make(Op::min, a, b); }
Expr max(Expr a, Expr b) { return a.graph->make(Op::max, a, b); }

Expr dot(Expr x) {
  const Node& n = x.node();
  if (n.op != Op::symbol || x.graph->symbol_of(n).kind != SymbolKind::coordinate)
    throw std::invalid_argument("dot() takes a coordinate");
  const Symbol& s = x.graph->symbol_of(n);
  return x.graph->symbol(SymbolKind::velocity, s.index, s.name + "'");
}

namespace {

// Operands stand before their node, so if the largest comes first, a node comes when all that use it have: nothing of
// the size of the graph is needed. False if there are more than a few: then a table of those seen is faster.
bool small_cone(const Graph& graph, std::vector<std::uint32_t> heap, std::vector<std::uint32_t>& found) {
  std::make_heap(heap.begin(), heap.end());
  const auto push = [&](std::uint32_t id) { heap.push_back(id), std::push_heap(heap.begin(), heap.end()); };
  while (!heap.empty() && found.size() < 256) {
    const std::uint32_t id = heap.front();
    std::pop_heap(heap.begin(), heap.end());
    heap.pop_back();
    if (!found.empty() && found.back() == id) continue;
    found.push_back(id);
    const Node& n = graph[id];
    const int k = arity(n.op);
    if (k > 0) push(n.a);
    if (k > 1) push(n.b);
    if (k > 2) push(n.c);
  }
  std::reverse(found.begin(), found.end());
  return heap.empty();
}

}  // namespace

std::vector<std::uint32_t> dependencies(const std::vector<Expr>& f) {
  std::vector<std::uint32_t> found, stack;
  if (f.empty()) return found;
  const Graph& graph = *f.front().graph;
  for (const Expr& e : f) stack.push_back(e.id);
  if (small_cone(graph, stack, found)) return found;
  found.clear();
  // A hash set would be slower than sorting what was found.
  std::vector<bool> seen(graph.size(), false);
  while (!stack.empty()) {
    const std::uint32_t id = stack.back();
    stack.pop_back();
    if (seen[id]) continue;
    seen[id] = true;
    found.push_back(id);
    const Node& n = graph[id];
    const int k = arity(n.op);
    if (k > 0) stack.push_back(n.a);
    if (k > 1) stack.push_back(n.b);
    if (k > 2) stack.push_back(n.c);
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool depends_on(Expr f, Expr symbol) {
  const auto all = dependencies({f});
  return std::binary_search(all.begin(), all.end(), symbol.id);
}

bool has_kinks(Expr f) {
  const auto all = dependencies({f});
  return std::any_of(all.begin(), all.end(), [&](std::uint32_t id) {
    const Op op = (*f.graph)[id].op;
    return op == Op::abs || op == Op::min || op == Op::max || op == Op::sign;
  });
}

bool is_fixed(Expr f) {
  const auto all = dependencies({f});
  return std::all_of(all.begin(), all.end(), [&](std::uint32_t id) {
    const Node& node = (*f.graph)[id];
    return node.op != Op::symbol || f.graph->symbol_of(node).kind == SymbolKind::parameter;
  });
}

namespace {

// Precedence as in the language: sums 1, products 2, unary minus 3, powers 4, atoms 5.
int precedence(Op op) {
  switch (op) {
    case Op::add:
    case Op::sub: return 1;
    case Op::mul:
    case Op::div: return 2;
    case Op::neg: return 3;
    case Op::pow: return 4;
    default: return 5;
  }
}

void print(const Graph& graph, std::uint32_t id, std::string& out, std::size_t limit, int depth) {
  if (out.size() > limit || depth > 200) {
    out += "...";
    return;
  }
  const Node& n = graph[id];
  const auto operand = [&](std::uint32_t child, bool parenthesize) {
    if (parenthesize) out += '(';
    print(graph, child, out, limit, depth + 1);
    if (parenthesize) out += ')';
  };
  const auto level = [&](std::uint32_t child) {
    const Node& c = graph[child];
    return c.op == Op::constant && std::signbit(c.value) ? 3 : precedence(c.op);
  };
  const int own = precedence(n.op);
  switch (n.op) {
    case Op::constant: out += fmt::format("{}", n.value); break;
    case Op::symbol: out += graph.symbol_of(n).name; break;
    case Op::neg:
      out += '-';
      operand(n.a, level(n.a) < own);
      break;
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div:
      operand(n.a, level(n.a) < own);
      out += name(n.op);
      operand(n.b, level(n.b) <= own || level(n.b) == 3);
      break;
    case Op::pow:
      operand(n.a, level(n.a) <= own);
      out += '^';
      operand(n.b, level(n.b) < own);
      break;
    default:
      out += name(n.op);
      out += '(';
      operand(n.a, false);
      if (arity(n.op) > 1) out += ", ", operand(n.b, false);
      if (arity(n.op) > 2) out += ", ", operand(n.c, false);
      out += ')';
  }
}

}  // namespace

std::string to_string(Expr f, std::size_t max_chars) {
  std::string out;
  print(*f.graph, f.id, out, max_chars, 0);
  return out;
}

}  // namespace ricochet::formula
