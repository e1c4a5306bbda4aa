#include "ricochet/formula/program.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <unordered_map>

#include "ricochet/formula/differentiate.hpp"

namespace ricochet::formula {

namespace {

// The pair "x = inner(..); outer with x on its left or right side" as one operation; 0 if there is none.
std::uint8_t fuse(Op inner, Op outer, bool left) {
  switch (inner) {
    case Op::mul:
      if (outer == Op::sub) return left ? mul_sub : mul_from;
      return outer == Op::add ? mul_add : outer == Op::mul ? mul_mul : 0;
    case Op::add:
      if (outer == Op::sub) return left ? add_sub : 0;
      return outer == Op::add ? add_add : outer == Op::mul ? add_mul : 0;
    case Op::sub:
      if (outer == Op::sub) return left ? sub_sub : 0;
      return outer == Op::add ? sub_add : outer == Op::mul ? sub_mul : 0;
    default: return 0;
  }
}

}  // namespace

Program::Program(const std::vector<Expr>& outputs, const std::vector<Expr>& inputs,
                 const std::vector<std::vector<Expr>>& others)
    : input_count_(inputs.size()), output_count_(outputs.size()) {
  if (outputs.empty()) return;
  const Graph& graph = *outputs.front().graph;
  std::vector<Expr> all = outputs;
  for (const std::vector<Expr>& other : others) all.insert(all.end(), other.begin(), other.end());
  const std::vector<std::uint32_t> nodes = dependencies(all);
  const std::size_t n = nodes.size();
  std::unordered_map<std::uint32_t, std::uint32_t> position;  // of a node in nodes
  for (std::size_t k = 0; k < n; ++k) position[nodes[k]] = static_cast<std::uint32_t>(k);

  // One instruction for each node, operands by position; then pairs are fused.
  std::vector<Instruction> plan(n);
  std::vector<int> uses(n, 0);
  std::vector<bool> absorbed(n, false);
  std::unordered_map<std::uint32_t, std::uint32_t> sine, cosine;  // of the node at a position
  for (const Expr& e : all) uses[position[e.id]] += 2;            // an output must be kept
  for (std::size_t k = 0; k < n; ++k) {
    const Node& node = graph[nodes[k]];
    const int count = arity(node.op);
    Instruction& i = plan[k] = {0, 0, 0, number(node.op)};
    if (count > 0) ++uses[i.a = position[node.a]];
    if (count > 1) ++uses[i.b = position[node.b]];
    if (count > 2) ++uses[i.c = position[node.c]];
    if (node.op == Op::sin) sine[i.a] = static_cast<std::uint32_t>(k);
    if (node.op == Op::cos) cosine[i.a] = static_cast<std::uint32_t>(k);
  }
  for (std::size_t k = 0; k < n; ++k) {
    const Instruction outer = plan[k];
    const Op op = graph[nodes[k]].op;
    if (op != Op::add && op != Op::sub && op != Op::mul) continue;
    for (const bool left : {true, false}) {
      const std::uint32_t x = left ? outer.a : outer.b;
      const std::uint8_t fused = fuse(graph[nodes[x]].op, op, left);
      if (fused == 0 || uses[x] != 1 || plan[x].op >= op_count) continue;
      plan[k] = {plan[x].a, plan[x].b, left ? outer.b : outer.a, fused};
      absorbed[x] = true;
      break;
    }
  }

  constexpr std::uint32_t nowhere = ~0U;
  std::vector<std::uint32_t> place(n, nowhere);  // register of the node at a position
  for (std::size_t k = 0; k < inputs.size(); ++k)
    if (const auto found = position.find(inputs[k].id); found != position.end())
      place[found->second] = static_cast<std::uint32_t>(k);
  for (std::size_t k = 0; k < n; ++k) {
    const Node& node = graph[nodes[k]];
    if (node.op == Op::constant) {
      place[k] = static_cast<std::uint32_t>(input_count_ + constants_.size());
      constants_.push_back(node.value);
    } else if (node.op == Op::symbol && place[k] == nowhere) {
      const Symbol& symbol = graph.symbol_of(node);
      if (symbol.kind == SymbolKind::parameter) {
        place[k] = static_cast<std::uint32_t>(input_count_ + constants_.size());
        constants_.push_back(graph.parameters()[symbol.index].value);
        parameters_.emplace_back(symbol.index, place[k]);
        continue;
      }
      throw std::logic_error("program with an unbound symbol: " + graph.symbol_of(node).name);
    }
  }
  const std::size_t first = input_count_ + constants_.size();
  // The instructions for what a part needs and has no place yet.
  const auto compile = [&](const std::vector<Expr>& list, std::vector<std::uint32_t>& to, Part& part) {
    part.first_result = first + result_count_;
    part.first_output = outputs_.size();
    std::vector<std::uint32_t> needed;
    for (const std::uint32_t id : dependencies(list))
      if (to[position[id]] == nowhere) needed.push_back(position[id]);
    const auto both = [&](std::uint32_t angle) {  // functions of an angle, and neither has a place yet
      return sine.contains(angle) && cosine.contains(angle) &&
             std::binary_search(needed.begin(), needed.end(), sine[angle]) &&
             std::binary_search(needed.begin(), needed.end(), cosine[angle]);
    };
    for (const std::uint32_t k : needed) {
      if (to[k] != nowhere || absorbed[k]) continue;
      Instruction i = plan[k];
      const auto result = [&] { return static_cast<std::uint32_t>(first + result_count_++); };
      if ((i.op == number(Op::sin) || i.op == number(Op::cos)) && both(i.a)) {
        to[sine[i.a]] = result();
        to[cosine[i.a]] = result();
        i.op = sin_cos;
      } else {
        to[k] = result();
      }
      const int count = i.op >= mul_add ? 3 : i.op == sin_cos ? 1 : arity(static_cast<Op>(i.op));
      i.a = to[i.a];
      i.b = count > 1 ? to[i.b] : 0;
      i.c = count > 2 ? to[i.c] : 0;
      part.code.push_back(i);
    }
    for (const Expr& e : list) outputs_.push_back(to[position[e.id]]);
  };
  compile(outputs, place, parts_[0]);
  for (const std::vector<Expr>& other : others) {
    std::vector<std::uint32_t> own = place;
    compile(other, own, parts_.emplace_back());
  }
}

ScalarFunction::ScalarFunction(Expr f, const std::vector<Expr>& x) {
  const std::vector<Expr> g = gradient(f, x);
  std::vector<Expr> outputs{f};
  programs_[0] = Program(outputs, x);
  std::unordered_map<std::uint32_t, std::uint32_t> number_of;  // symbol -> its place in x
  for (std::size_t i = 0; i < x.size(); ++i) number_of[x[i].id] = static_cast<std::uint32_t>(i);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (g[i].is_constant(0)) continue;
    gradient_.push_back(static_cast<std::uint32_t>(i));
    outputs.push_back(g[i]);
  }
  programs_[1] = Program(outputs, x);
  for (const std::uint32_t i : gradient_) {
    // Only the symbols in the cone of g_i can give a nonzero entry: the cost is the size of the cones.
    std::vector<Expr> inside;
    std::vector<std::uint32_t> j;
    for (const std::uint32_t id : dependencies({g[i]}))
      if (const auto found = number_of.find(id); found != number_of.end() && found->second <= i) {
        inside.push_back({f.graph, id});
        j.push_back(found->second);
      }
    const std::vector<Expr> row = gradient(g[i], inside);
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (row[k].is_constant(0)) continue;
      hessian_.emplace_back(i, j[k]);
      outputs.push_back(row[k]);
    }
  }
  programs_[2] = Program(outputs, x);
}

VectorFunction::VectorFunction(const std::vector<Expr>& f, const std::vector<Expr>& x) : size_(f.size()) {
  std::unordered_map<std::uint32_t, std::uint32_t> number_of;  // symbol -> its place in x
  for (std::size_t i = 0; i < x.size(); ++i) number_of[x[i].id] = static_cast<std::uint32_t>(i);
  std::vector<Expr> outputs = f;
  programs_[0] = Program(outputs, x);
  for (std::size_t r = 0; r < f.size(); ++r) {
    std::vector<Expr> inside;  // the symbols in the cone of f_r
    for (const std::uint32_t id : dependencies({f[r]}))
      if (number_of.contains(id)) inside.push_back({f[r].graph, id});
    const std::vector<Expr> row = gradient(f[r], inside);
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (row[k].is_constant(0)) continue;
      jacobian_.emplace_back(static_cast<std::uint32_t>(r), number_of.at(inside[k].id));
      outputs.push_back(row[k]);
    }
  }
  programs_[1] = Program(outputs, x);
}

double fixed_value(Expr f) {
  if (f.is_constant()) return f.value();
  const Program program({f}, {});
  Evaluator<double> evaluate(program);
  evaluate.run();
  return evaluate.output(0);
}

template class Evaluator<double>;

}  // namespace ricochet::formula
