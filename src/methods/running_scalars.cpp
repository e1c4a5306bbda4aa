#include "ricochet/methods/running_scalars.hpp"

#include <algorithm>

namespace ricochet {

RunningScalars::RunningScalars(const Model& model) {
  for (const Force& force : model.forces) names.push_back("work." + force.name);
  const auto add = [&](bool meaning, const char* name) {
    if (!meaning) return -1;
    names.emplace_back(name);
    return static_cast<int>(names.size()) - 1;
  };
  const Expr t = model.graph->time();
  const auto moves = [&](const Contact& c) {
    return formula::depends_on(c.gap, t) ||
           std::any_of(c.point.begin(), c.point.end(), [&](Expr x) { return formula::depends_on(x, t); });
  };
  const auto rubs = [](const Contact& c) { return c.law == "coulomb" || c.law == "plastic"; };
  const auto& contacts = model.contacts;
  obstacles = add(std::any_of(contacts.begin(), contacts.end(), moves), "work.obstacles");
  impact = add(!contacts.empty(), "loss.impact");
  friction = add(std::any_of(contacts.begin(), contacts.end(), rubs), "loss.friction");
}

}  // namespace ricochet
