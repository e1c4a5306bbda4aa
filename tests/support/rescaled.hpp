#pragma once
// Any model in other units, by substitution: each coordinate is written in its own unit, and what the formulas see of
// it is the same number as before. So only exponents of what they return change, whatever numbers stand in them.

#include "ricochet/formula/substitute.hpp"
#include "support/units.hpp"

namespace ricochet::units {

// dimensions: of each coordinate. Gaps and contact points are lengths.
inline Model rescaled(const Model& model, const Units& units, const std::vector<Dimension>& dimensions) {
  Model m = model;
  std::vector<std::pair<Expr, Expr>> replacements{{m.time(), units.back(1, duration) * m.time()}};
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    const Expr q = model.q()[i], v = model.v()[i];
    replacements.emplace_back(q, units.back(1, dimensions[i]) * q);
    replacements.emplace_back(v, units.back(1, dimensions[i] / duration) * v);
  }
  const auto rescale = [&](Expr& f, Dimension d) {
    if (f) f = units(1, d) * formula::substitute(f, replacements);
  };
  rescale(m.lagrangian, energy);
  const Expr speed = m.graph->symbol(formula::SymbolKind::other, 0, "speed");
  for (Contact& c : m.contacts) {
    rescale(c.gap, length);
    for (Expr& component : c.point) rescale(component, length);
    for (std::vector<Expr>& row : c.tangent)
      for (std::size_t i = 0; i < row.size(); ++i) rescale(row[i], length / dimensions[i]);
    if (c.restitution)
      c.restitution = formula::substitute(c.restitution, {{speed, units.back(1, length / duration) * speed}});
  }
  for (Constraint& c : m.holonomic) rescale(c.equation, length);
  for (Constraint& c : m.nonholonomic) rescale(c.equation, length / duration);
  for (Force& force : m.forces)
    for (std::size_t i = 0; i < force.components.size(); ++i) rescale(force.components[i], energy / dimensions[i]);
  m.symmetries.clear();
  return m;
}

}  // namespace ricochet::units
