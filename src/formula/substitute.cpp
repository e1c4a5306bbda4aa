#include "ricochet/formula/substitute.hpp"

#include <unordered_map>

namespace ricochet::formula {

Expr substitute(Expr f, const std::vector<std::pair<Expr, Expr>>& replacements) {
  Graph& graph = *f.graph;
  std::unordered_map<std::uint32_t, Expr> image;
  for (const auto& [from, to] : replacements) image[from.id] = to;
  for (const std::uint32_t id : dependencies({f})) {
    if (image.contains(id)) continue;
    const Node n = graph[id];  // a copy: making nodes may move the graph's storage
    const int k = arity(n.op);
    image[id] = k == 0
                    ? Expr{&graph, id}
                    : graph.make(n.op, image.at(n.a), k > 1 ? image.at(n.b) : Expr{}, k > 2 ? image.at(n.c) : Expr{});
  }
  return image.at(f.id);
}

}  // namespace ricochet::formula
