#include "ricochet/mechanics/model.hpp"

#include "ricochet/formula/substitute.hpp"

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

Model reversed(const Model& model, double t) {
  Model result = model;
  std::vector<std::pair<Expr, Expr>> replacements{{result.time(), 2 * t - result.time()}};
  for (const Expr& velocity : model.v()) replacements.emplace_back(velocity, -velocity);
  const auto reverse = [&](Expr& f) {
    if (f) f = formula::substitute(f, replacements);
  };
  reverse(result.lagrangian);
  for (Contact& c : result.contacts) {
    reverse(c.gap);
    for (Expr& component : c.point) reverse(component);
    for (std::vector<Expr>& row : c.tangent)
      for (Expr& entry : row) reverse(entry);
  }
  for (Constraint& c : result.nonholonomic) reverse(c.equation);
  for (Force& force : result.forces)
    for (Expr& component : force.components) reverse(component);
  return result;
}

}  // namespace ricochet
