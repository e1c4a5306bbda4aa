#include "start_warnings.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "ricochet/mechanics/small_oscillations.hpp"

namespace ricochet {

namespace {

constexpr double fewest_steps = 8;  // of a period

// Coordinates that the formulas know by sine, cosine and tangent alone: those whose symbol no path from a formula
// reaches without passing one of these. Operands have smaller numbers than their node, so one pass from above does.
std::vector<int> angles(const Model& model) {
  const formula::Graph& graph = *model.graph;
  std::vector<char> reached(graph.size(), 0), bare(graph.size(), 0);
  const auto begin = [&](Expr f) {
    if (f) reached[f.id] = bare[f.id] = 1;
  };
  begin(model.lagrangian);
  for (const Contact& contact : model.contacts) begin(contact.gap);
  for (const auto* list : {&model.holonomic, &model.nonholonomic})
    for (const Constraint& constraint : *list) begin(constraint.equation);
  for (const Force& force : model.forces)
    for (const Expr& f : force.components) begin(f);
  std::vector<int> found;
  for (auto id = static_cast<std::uint32_t>(graph.size()); id-- > 0;) {
    const formula::Node& node = graph[id];
    if (!reached[id]) continue;
    using formula::Op;
    if (node.op == Op::symbol) {
      const formula::Symbol& symbol = graph.symbol_of(node);
      if (symbol.kind == formula::SymbolKind::coordinate && !bare[id]) found.push_back(static_cast<int>(symbol.index));
      continue;
    }
    const bool passes = bare[id] && node.op != Op::sin && node.op != Op::cos && node.op != Op::tan;
    const std::uint32_t operands[] = {node.a, node.b, node.c};
    for (int k = 0; k < formula::arity(node.op); ++k) {
      reached[operands[k]] = 1;
      if (passes) bare[operands[k]] = 1;
    }
  }
  return found;
}

}  // namespace

std::vector<std::string> start_warnings(const System& system, const Descriptor& method,
                                        const IntegratorOptions& options, const std::vector<double>& q,
                                        const std::vector<double>& v, double t) {
  std::vector<std::string> warnings;
  const SmallOscillations modes = small_oscillations(system, q, v, t);
  if (!modes.negative.empty())
    warnings.push_back(
        fmt::format("the mass matrix is not positive definite at the start: the kinetic energy is negative in the "
                    "direction of {}; is a sign of system.lagrangian wrong?",
                    modes.negative));
  for (const int i : angles(system.model()))
    if (const double turns = std::abs(q[i]) / (2 * std::numbers::pi); turns > 1)
      warnings.push_back(fmt::format(
          "the angle {} starts at {:.6g}, which is {:.2g} turns: angles are in radians, and 60 degrees are 60*pi/180",
          system.model().coordinates[i], q[i], turns));
  if (method.discretizations.empty() || modes.fastest == 0) return warnings;  // the reference chooses its own steps
  const std::string& rule = options.discretization.empty() ? method.discretizations.front() : options.discretization;
  const double angle = options.step * modes.fastest, period = 2 * std::numbers::pi / modes.fastest;
  if (angle > 2 && (rule == "trapezoidal" || rule == "rectangle"))
    warnings.push_back(fmt::format(
        "the step {} is beyond the limit of stability 2/ω = {:.3g} of the fastest oscillation at the start; "
        "integrator.step = {:.2g} has {} steps a period",
        options.step, 2 / modes.fastest, period / 20, 20));
  else if (angle * fewest_steps > 2 * std::numbers::pi)
    warnings.push_back(
        fmt::format("the step {} has only {:.2g} steps in a period of the fastest oscillation at the start ({:.3g}); "
                    "integrator.step = {:.2g} has {}",
                    options.step, period / options.step, period, period / 20, 20));
  return warnings;
}

}  // namespace ricochet
