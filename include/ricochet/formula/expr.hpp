#pragma once
// Expressions as a shared, hash-consed graph.
//
// A Graph owns nodes; an Expr is a graph pointer and a node number, cheap to copy. Building the same
// operation on the same operands twice gives the same node, so common sub-expressions are shared by
// construction. A node's operands have smaller numbers than the node: every pass over a graph is a loop over
// numbers, never a recursion, and a sum of a million terms cannot overflow the stack.
//
// Only simplifications that keep the value of the formula as written are made: constants are folded by the
// very operation that would have run, x+0, x*1, x*0, x^1 vanish (derivatives are full of them), and a minus sign moves
// out of products and into sums, x+(-y) = x-y, which changes no bit. Nothing is reordered.

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace ricochet::formula {

enum class Op : std::uint8_t {
  constant,
  symbol,
  add,
  sub,
  mul,
  div,
  neg,
  pow,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  sqrt,
  abs,
  min,
  max,
  sign,    // -1, 0, 1: the derivative of abs
  select,  // a < 0 ? b : c: the derivative of min and max
};
inline constexpr int op_count = static_cast<int>(Op::select) + 1;
int arity(Op op);
const char* name(Op op);

// A parameter is a constant that keeps its name: what is asked for a derivative by it differentiates programs, which
// hold its value beside their constants.
enum class SymbolKind : std::uint8_t { coordinate, velocity, time, parameter, other };

struct Node {
  Op op = Op::constant;
  std::uint32_t a = 0, b = 0, c = 0;  // operands; for a symbol, a is its number in Graph::symbols
  double value = 0;                   // of a constant
  bool operator==(const Node&) const = default;
};

struct Symbol {
  SymbolKind kind;
  std::uint32_t index;  // coordinate number, for coordinate and velocity; number of a parameter
  std::string name;
};

struct Parameter {
  std::string name;
  double value = 0;
  bool in_range = false;  // it decides on a number of things: there is no derivative
};

class Graph;

struct Expr {
  Graph* graph = nullptr;
  std::uint32_t id = 0;

  const Node& node() const;
  bool is_constant() const;
  bool is_constant(double value) const;
  double value() const;  // of a constant
  bool operator==(const Expr&) const = default;
  explicit operator bool() const { return graph != nullptr; }
};

// Too many nodes: thrown while building, so that a huge formula is refused and not run out of memory.
struct TooLarge : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Graph {
 public:
  static constexpr std::size_t max_nodes = 20'000'000;

  Graph() = default;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  Expr constant(double value);
  // The same kind, index and name give the same symbol.
  Expr symbol(SymbolKind kind, std::uint32_t index, const std::string& name);
  Expr coordinate(std::uint32_t index, const std::string& name);  // makes its velocity too
  Expr velocity(std::uint32_t index);                             // of a coordinate made before
  Expr time();
  Expr parameter(const std::string& name, double value);  // the same name: the same symbol, with this value
  const std::vector<Parameter>& parameters() const { return parameters_; }
  void set_parameter(std::size_t k, double value) { parameters_[k].value = value; }  // of programs made from now on
  void note_in_range(Expr f);                                                        // all parameters of f
  Expr make(Op op, Expr a, Expr b = {}, Expr c = {});                                // simplifies and shares

  const Node& operator[](std::uint32_t id) const { return nodes_[id]; }
  const Symbol& symbol_of(const Node& node) const { return symbols_[node.a]; }
  std::size_t size() const { return nodes_.size(); }

 private:
  std::uint32_t intern(const Node& node);
  std::vector<Node> nodes_;
  std::vector<Symbol> symbols_;
  std::vector<Parameter> parameters_;
  std::vector<std::uint32_t> table_;  // open addressing: node number + 1, 0 where free; a power of two long
  std::unordered_map<std::string, std::uint32_t> symbol_index_;
};

Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr operator/(Expr a, Expr b);
Expr operator-(Expr a);
Expr operator+(Expr a, double b);
Expr operator+(double a, Expr b);
Expr operator-(Expr a, double b);
Expr operator-(double a, Expr b);
Expr operator*(Expr a, double b);
Expr operator*(double a, Expr b);
Expr operator/(Expr a, double b);
Expr operator/(double a, Expr b);
Expr pow(Expr a, Expr b);
Expr pow(Expr a, double b);
Expr square(Expr a);
Expr sin(Expr a);
Expr cos(Expr a);
Expr tan(Expr a);
Expr asin(Expr a);
Expr acos(Expr a);
Expr atan(Expr a);
Expr atan2(Expr y, Expr x);
Expr sinh(Expr a);
Expr cosh(Expr a);
Expr tanh(Expr a);
Expr exp(Expr a);
Expr log(Expr a);
Expr sqrt(Expr a);
Expr abs(Expr a);
Expr min(Expr a, Expr b);
Expr max(Expr a, Expr b);
Expr dot(Expr coordinate);  // the velocity of a coordinate: x'

// All nodes that f depends on, f last, in increasing order.
std::vector<std::uint32_t> dependencies(const std::vector<Expr>& f);
bool depends_on(Expr f, Expr symbol);
bool has_kinks(Expr f);  // contains abs, min or max
bool is_fixed(Expr f);   // has no symbol but parameters

// The formula in the scenario language, for messages and tests; cut after max_chars.
std::string to_string(Expr f, std::size_t max_chars = 2000);

}  // namespace ricochet::formula
