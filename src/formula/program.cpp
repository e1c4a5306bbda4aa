#include "ricochet/formula/program.hpp"

#include <bit>
#include <stdexcept>
#include <unordered_map>

#include "ricochet/formula/differentiate.hpp"

namespace ricochet::formula {

Program::Program(const std::vector<Expr>& outputs, const std::vector<Expr>& inputs) : input_count_(inputs.size()) {
  if (outputs.empty()) return;
  const Graph& graph = *outputs.front().graph;
  std::unordered_map<std::uint32_t, std::uint32_t> place;  // node -> register
  for (std::size_t k = 0; k < inputs.size(); ++k) place[inputs[k].id] = static_cast<std::uint32_t>(k);
  const std::vector<std::uint32_t> nodes = dependencies(outputs);
  for (const std::uint32_t id : nodes) {
    const Node& n = graph[id];
    if (n.op == Op::constant) {
      place[id] = static_cast<std::uint32_t>(input_count_ + constants_.size());
      constants_.push_back(n.value);
    } else if (n.op == Op::symbol && !place.contains(id)) {
      throw std::logic_error("program with an unbound symbol: " + graph.symbol_of(n).name);
    }
  }
  auto next = static_cast<std::uint32_t>(input_count_ + constants_.size());
  for (const std::uint32_t id : nodes) {
    const Node& n = graph[id];
    const int k = arity(n.op);
    if (k == 0) continue;
    code_.push_back({n.op, next, place[n.a], k > 1 ? place[n.b] : 0, k > 2 ? place[n.c] : 0});
    place[id] = next++;
  }
  for (const Expr& e : outputs) outputs_.push_back(place[e.id]);
}

ScalarFunction::ScalarFunction(Expr f, const std::vector<Expr>& x) {
  const std::vector<Expr> g = gradient(f, x);
  std::vector<Expr> outputs{f};
  programs_[0] = Program(outputs, x);
  std::unordered_map<std::uint32_t, std::uint32_t> number;  // symbol -> its place in x
  for (std::size_t i = 0; i < x.size(); ++i) number[x[i].id] = static_cast<std::uint32_t>(i);
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
      if (const auto found = number.find(id); found != number.end() && found->second <= i) {
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

template class Evaluator<double>;

}  // namespace ricochet::formula
