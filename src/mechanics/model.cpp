#include "ricochet/mechanics/model.hpp"

namespace ricochet {

Expr Model::coordinate(const std::string& name) {
  coordinates.push_back(name);
  return graph->coordinate(static_cast<std::uint32_t>(coordinates.size() - 1), name);
}

std::vector<Expr> Model::q() const {
  std::vector<Expr> result;
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    result.push_back(graph->coordinate(static_cast<std::uint32_t>(i), coordinates[i]));
  return result;
}

std::vector<Expr> Model::v() const {
  std::vector<Expr> result;
  for (const Expr& x : q()) result.push_back(dot(x));
  return result;
}

}  // namespace ricochet
