#include "ricochet/design/block.hpp"

#include "ricochet/formula/differentiate.hpp"

namespace ricochet {

namespace {

std::vector<Expr> joined(std::vector<Expr> a, const std::vector<Expr>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

Block::Block(const BlockFormulas& f)
    : name_(f.name),
      row_names_(f.row_names),
      variables_(static_cast<int>(f.variables.size())),
      constants_(static_cast<int>(f.constants.size())) {
  formula::Graph& graph = *f.variables.front().graph;
  const Expr zero = graph.constant(0), cost = f.cost ? f.cost : zero;
  const std::vector<Expr> inputs = joined(f.variables, f.constants);
  values_ = formula::Program(joined(f.rows, {cost}), inputs);

  std::vector<Expr> entries;
  for (int r = 0; r < rows(); ++r) {
    const std::vector<Expr> row = formula::gradient(f.rows[r], f.variables);
    for (int i = 0; i < variables_; ++i)
      if (!row[i].is_constant(0)) jacobian_.emplace_back(r, i), entries.push_back(row[i]);
  }
  const std::vector<Expr> by = formula::gradient(cost, f.variables);
  for (int i = 0; i < variables_; ++i)
    if (!by[i].is_constant(0)) gradient_.push_back(i), entries.push_back(by[i]);
  derivatives_ = formula::Program(entries, inputs);

  std::vector<Expr> weights;
  weights.reserve(rows() + 1);
  for (int r = 0; r < rows(); ++r)
    weights.push_back(graph.symbol(formula::SymbolKind::other, static_cast<std::uint32_t>(r), "block lambda"));
  weights.push_back(graph.symbol(formula::SymbolKind::other, 0, "block sigma"));
  Expr sum = weights.back() * cost;
  for (int r = 0; r < rows(); ++r) sum = sum + weights[r] * f.rows[r];
  const std::vector<Expr> slope = formula::gradient(sum, f.variables);
  entries.clear();
  for (int i = 0; i < variables_; ++i) {
    const std::vector<Expr> row = formula::gradient(slope[i], f.variables);
    for (int j = 0; j <= i; ++j)
      if (!row[j].is_constant(0)) hessian_.emplace_back(i, j), entries.push_back(row[j]);
  }
  curvature_ = formula::Program(entries, joined(inputs, weights));
}

}  // namespace ricochet
