#include "ricochet/audit/reversed_model.hpp"

#include <unordered_map>

namespace ricochet {

using formula::Node;
using formula::Op;
using formula::SymbolKind;

namespace {

class Reversal {
 public:
  Reversal(formula::Graph& graph, double t_sum) : graph_(graph), t_sum_(t_sum) {}

  Expr operator()(Expr f) {
    if (!f) return f;
    for (const std::uint32_t id : formula::dependencies({f}))
      if (!done_.contains(id)) done_.emplace(id, rebuilt(id));
    return done_.at(f.id);
  }

 private:
  Expr rebuilt(std::uint32_t id) {
    const Node node = graph_[id];
    const Expr same{&graph_, id};
    if (node.op == Op::constant) return same;
    if (node.op == Op::symbol) {
      const SymbolKind kind = graph_.symbol_of(node).kind;
      if (kind == SymbolKind::velocity) return -same;
      return kind == SymbolKind::time ? t_sum_ - same : same;
    }
    const int count = formula::arity(node.op);
    return graph_.make(node.op, done_.at(node.a), count > 1 ? done_.at(node.b) : Expr{},
                       count > 2 ? done_.at(node.c) : Expr{});
  }

  formula::Graph& graph_;
  double t_sum_;
  std::unordered_map<std::uint32_t, Expr> done_;
};

}  // namespace

Model reversed_model(const Model& model, double t_sum) {
  Model r = model;
  Reversal reverse(*r.graph, t_sum);
  r.lagrangian = reverse(r.lagrangian);
  for (Contact& c : r.contacts) c.gap = reverse(c.gap);
  for (Constraint& c : r.holonomic) c.equation = reverse(c.equation);
  for (Constraint& c : r.nonholonomic) c.equation = reverse(c.equation);
  for (Force& f : r.forces)
    for (Expr& component : f.components) component = reverse(component);
  return r;
}

}  // namespace ricochet
