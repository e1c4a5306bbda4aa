#include "ricochet/mechanics/system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ricochet/error.hpp"
#include "ricochet/formula/differentiate.hpp"
#include "ricochet/formula/interval.hpp"
#include "ricochet/formula/substitute.hpp"
#include "ricochet/numerics/linear_solver.hpp"

namespace ricochet {

using formula::depends_on;
using formula::Op;

namespace {

// Which kinds of symbols an expression uses.
struct Uses {
  bool q = false, t = false;
  std::vector<Expr> velocities;
};
Uses uses(Expr f) {
  Uses result;
  for (const std::uint32_t id : formula::dependencies({f})) {
    const formula::Node& node = (*f.graph)[id];
    if (node.op != Op::symbol) continue;
    const formula::SymbolKind kind = f.graph->symbol_of(node).kind;
    result.q |= kind == formula::SymbolKind::coordinate;
    if (kind == formula::SymbolKind::velocity) result.velocities.push_back({f.graph, id});
    result.t |= kind == formula::SymbolKind::time;
  }
  return result;
}

bool are_zero_at_rest(const std::vector<Expr>& f, const std::vector<Expr>& inputs) {
  const formula::Program program(f, inputs);
  formula::Evaluator<double> evaluate(program);
  evaluate.run();
  for (std::size_t k = 0; k < f.size(); ++k)
    if (evaluate.output(k) != 0) return false;
  return true;
}

void check_smooth(const std::string& key, Expr equation) {
  if (formula::has_kinks(equation))
    throw ModelError(key + ".equation", "abs, min and max have no place in a constraint");
}

// Is f(q, v = 0) = 0? As a formula, or, where terms cancel, up to their round-off at a few positions.
bool vanishes_at_rest(Expr f, const std::vector<Expr>& q, const std::vector<Expr>& v) {
  std::vector<std::pair<Expr, Expr>> at_rest;
  at_rest.reserve(v.size());
  for (const Expr& velocity : v) at_rest.emplace_back(velocity, f.graph->constant(0));
  const Expr rest = formula::substitute(f, at_rest);
  if (rest.is_constant()) return rest.value() == 0;
  const formula::Program program({rest}, q);
  formula::Evaluator<formula::Interval> evaluate(program);
  for (int k = 0; k < 8; ++k) {
    for (std::size_t i = 0; i < q.size(); ++i)
      evaluate.inputs()[i] = std::sin(1 + 3.7 * static_cast<double>(i) + 1.3 * k);
    evaluate.run();
    const formula::Interval value = evaluate.output(0);
    if (value.lo > 0 || value.hi < 0) return false;
  }
  return true;
}

bool is_singular(int n, const std::vector<MassEntry>& mass) {
  LinearSolver::Pattern pattern;
  for (const MassEntry& e : mass) pattern.emplace_back(e.row, e.column);
  LinearSolver matrix(n, pattern);
  for (const MassEntry& e : mass) matrix.values()[matrix.slot(e.row, e.column)] = e.value;
  return !matrix.factorize();
}

// ±(1 + a) where the slopes of a gap by the coordinates are, as formulas, ± those of component a of its point; else 0.
int axis_of_slopes(const std::vector<Expr>& slopes, const std::vector<std::vector<Expr>>& of_point, int n) {
  for (int a = 0; a < static_cast<int>(of_point.size()); ++a) {
    const std::vector<Expr>& row = of_point[a];
    if (std::equal(row.begin(), row.begin() + n, slopes.begin())) return 1 + a;
    if (std::equal(row.begin(), row.begin() + n, slopes.begin(), [](Expr x, Expr y) {
          return x.is_constant() && y.is_constant() ? -x.value() == y.value() : -x == y;
        }))
      return -(1 + a);
  }
  return 0;
}

void number_pieces(formula::KinkTree& tree, int first) {
  if (tree.kind == formula::KinkTree::Kind::piece) tree.piece += first;
  for (formula::KinkTree& child : tree.children) number_pieces(child, first);
}

}  // namespace

System::System(const Model& model)
    : model_(model),
      n_(static_cast<int>(model.coordinates.size())),
      parameters_(static_cast<int>(model.graph->parameters().size())) {
  if (n_ == 0) throw ModelError("system.coordinates", "there are no coordinates");
  if (!model.lagrangian) throw ModelError("system.lagrangian", "there is no Lagrangian");
  if (formula::has_kinks(model.lagrangian))
    throw ModelError("system.lagrangian", "abs, min and max are not smooth and have no place in a Lagrangian");
  const std::vector<Expr> q = model_.q(), v = model_.v();
  const Expr t = model_.time();
  std::vector<Expr> qt = q, qvt = q;
  qt.push_back(t);
  qvt.insert(qvt.end(), v.begin(), v.end());
  qvt.push_back(t);

  lagrangian_ = formula::ScalarFunction(model.lagrangian, qvt);
  autonomous_ = !depends_on(model.lagrangian, t);
  const std::vector<Expr> total = compile_forces(q, v, qvt);

  const std::vector<Expr> momentum = formula::gradient(model.lagrangian, v);
  quadratic_ = true;
  bool constant_mass = true, coupled = false, massless = false;
  for (int i = 0; i < n_; ++i) {
    const Uses u = uses(momentum[i]);
    coupled |= u.q || u.t;
    massless |= u.velocities.empty();
    const std::vector<Expr> row = formula::gradient(momentum[i], u.velocities);
    for (std::size_t k = 0; k < row.size(); ++k) {
      const int j = static_cast<int>(model.graph->symbol_of(u.velocities[k].node()).index);
      quadratic_ &= uses(row[k]).velocities.empty();
      const bool fixed = formula::is_fixed(row[k]);
      constant_mass &= fixed;
      if (const double m = fixed ? formula::fixed_value(row[k]) : 0; m != 0) mass_.push_back({i, j, m});
    }
  }
  degenerate_ = quadratic_ && (massless || (constant_mass && is_singular(n_, mass_)));
  separable_ = constant_mass && !coupled && !massless && !degenerate_ && are_zero_at_rest(momentum, qvt);
  if (separable_) {
    diagonal_mass_ = std::all_of(mass_.begin(), mass_.end(), [](const MassEntry& e) { return e.row == e.column; });
    std::vector<Expr> force = formula::gradient(model.lagrangian, q);
    for (int i = 0; i < n_ && forced(); ++i) force[i] = force[i] + total[i];
    if (!velocity_forces_) {
      force_ = formula::Program(force, qt);
      uniform_force_ = std::all_of(force.begin(), force.end(), formula::is_fixed);
    }
    std::vector<std::pair<Expr, Expr>> at_rest;
    at_rest.reserve(v.size());
    for (const Expr& x : v) at_rest.emplace_back(x, model.graph->constant(0));
    potential_ = formula::Program({-formula::substitute(model.lagrangian, at_rest)}, qt);
  }

  std::vector<Expr> pieces;
  for (const Contact& contact : model.contacts) {
    if (!uses(contact.gap).velocities.empty())
      throw ModelError("system.contact." + contact.name + ".gap",
                       "a gap depends on positions and time, not on velocities");
    try {
      formula::Kinks kinks = formula::split_kinks(contact.gap);
      number_pieces(kinks.tree, static_cast<int>(pieces.size()));
      std::vector<std::vector<Expr>> gradients;
      for (const Expr& piece : kinks.pieces) {
        gradients.push_back(formula::gradient(piece, qt));
        std::erase_if(gradients.back(), [](const Expr& g) { return g.is_constant(0); });
      }
      gaps_.push_back({contact.name, std::move(kinks.tree), static_cast<int>(pieces.size()),
                       static_cast<int>(kinks.pieces.size()), formula::Program(kinks.pieces, qt, gradients)});
      pieces.insert(pieces.end(), kinks.pieces.begin(), kinks.pieces.end());
      contact_of_.resize(pieces.size(), static_cast<int>(gaps_.size()) - 1);
    } catch (const formula::KinkError& error) {
      throw ModelError("system.contact." + contact.name + ".gap", error.what());
    }
  }
  compile_laws(qt);
  for (const Expr& piece : pieces) pieces_.emplace_back(piece, qt);
  piece_values_ = formula::Program(pieces, qt);

  for (const Constraint& c : model.holonomic) {
    check_smooth("system.holonomic." + c.name, c.equation);
    const Uses u = uses(c.equation);
    if (!u.velocities.empty() || u.t)
      throw ModelError("system.holonomic." + c.name + ".equation", "a holonomic constraint depends on positions alone");
    if (!u.q) throw ModelError("system.holonomic." + c.name + ".equation", "a constraint must depend on a coordinate");
    constraints_.emplace_back(c.equation, qvt);
  }
  holonomic_ = static_cast<int>(model.holonomic.size());
  for (const Constraint& c : model.nonholonomic) {
    const std::string key = "system.nonholonomic." + c.name + ".equation";
    check_smooth("system.nonholonomic." + c.name, c.equation);
    const Uses u = uses(c.equation);
    if (u.velocities.empty()) throw ModelError(key, "a nonholonomic constraint must have a velocity in it");
    if (u.t) throw ModelError(key, "a nonholonomic constraint may not depend on t");
    for (const Expr& velocity : u.velocities) {
      const Expr coefficient = formula::derivative(c.equation, velocity);
      const Uses inner = uses(coefficient);
      if (!inner.velocities.empty())
        throw ModelError(
            key, fmt::format("the equation must be linear in the velocities, but the coefficient of {} is {}",
                             model.graph->symbol_of(velocity.node()).name, formula::to_string(coefficient, 80)));
    }
    affine_ |= !vanishes_at_rest(c.equation, q, v);
    constraints_.emplace_back(c.equation, qvt);
  }

  std::vector<Expr> generators;
  for (const Symmetry& symmetry : model.symmetries)
    generators.insert(generators.end(), symmetry.generator.begin(), symmetry.generator.end());
  generators_ = formula::Program(generators, q);
}

// The sum of the forces, and their powers.
std::vector<Expr> System::compile_forces(const std::vector<Expr>& q, const std::vector<Expr>& v,
                                         const std::vector<Expr>& qvt) {
  std::vector<Expr> total(q.size(), model_.graph->constant(0)), powers;
  for (const Force& force : model_.forces) {
    if (force.components.size() != q.size())
      throw ModelError("system.force." + force.name + ".components",
                       fmt::format("{} components for {} coordinates", force.components.size(), q.size()));
    Expr power = model_.graph->constant(0);
    for (std::size_t i = 0; i < q.size(); ++i) {
      const Uses u = uses(force.components[i]);
      velocity_forces_ |= !u.velocities.empty();
      autonomous_ &= !u.t;
      total[i] = total[i] + force.components[i];
      power = power + force.components[i] * v[i];
    }
    powers.push_back(power);
  }
  if (!forced()) return total;
  forces_ = formula::VectorFunction(total, qvt);
  powers_ = formula::Program(powers, qvt);
  return total;
}

double System::friction_derivative(int contact, int parameter) const {
  const Expr& friction = model_.contacts[contact].friction;
  if (!friction || friction.is_constant()) return 0;
  formula::Graph& graph = *model_.graph;
  const std::string name = graph.parameters()[parameter].name;
  const Expr theta = graph.symbol(formula::SymbolKind::parameter, static_cast<std::uint32_t>(parameter), name);
  return formula::fixed_value(formula::derivative(friction, theta));
}

void System::compile_laws(const std::vector<Expr>& qt) {
  for (const Contact& contact : model_.contacts) {
    restitutions_.emplace_back();
    if (contact.restitution && !contact.restitution.is_constant())
      restitutions_.back() =
          formula::Program({contact.restitution}, {model_.graph->symbol(formula::SymbolKind::other, 0, "speed")});

    const std::string key = "system.contact." + contact.name;
    if (contact.law != "elastic" && !quadratic_)
      throw ModelError(
          key + ".law",
          fmt::format("the law {} needs a Lagrangian that is quadratic in the velocities; this one has only "
                      "elastic impacts",
                      contact.law));
    FrameProgram frame;
    std::vector<Expr> entries;
    const auto add = [&](int a, int i, Expr entry) {
      if (entry.is_constant() && entry.value() == 0) return;
      entries.push_back(entry);
      frame.pattern.emplace_back(a, i);
    };
    frame.components = static_cast<int>(contact.point.size());
    frame.tangents = frame.components > 0 ? frame.components - 1 : static_cast<int>(contact.tangent.size());
    if (frame.tangents > 2 || (frame.components > 0 && frame.tangents < 1))
      throw ModelError(key + (frame.components > 0 ? ".point" : ".tangent"),
                       "a contact point has 2 or 3 components, and there are 1 or 2 tangents");
    std::vector<std::vector<Expr>> of_point;
    for (int a = 0; a < frame.components; ++a) {
      of_point.push_back(formula::gradient(contact.point[a], qt));
      for (int i = 0; i <= n_; ++i) add(a, i, of_point[a][i]);
    }
    for (int a = 0; frame.components == 0 && a < frame.tangents; ++a) {
      if (static_cast<int>(contact.tangent[a].size()) != n_)
        throw ModelError(key + ".tangent", fmt::format("expected {} entries in a row, one for each coordinate", n_));
      if (std::all_of(contact.tangent[a].begin(), contact.tangent[a].end(), [](Expr x) { return x.is_constant(0); }))
        throw ModelError(key + ".tangent", "a row of zeros: nothing slips along it");
      for (int i = 0; i < n_; ++i) add(a, i, contact.tangent[a][i]);
    }
    entries.insert(entries.end(), contact.point.begin(), contact.point.end());
    const std::vector<Expr> pieces = formula::split_kinks(contact.gap).pieces;
    for (const Expr& piece : pieces) axes_.push_back(axis_of_slopes(formula::gradient(piece, qt), of_point, n_));
    if (frame.components > 0 && pieces.size() == 1) {
      entries.push_back(pieces[0]);
      for (const Expr& slope : formula::gradient(pieces[0], qt))
        if (!(slope.is_constant() && slope.value() == 0)) entries.push_back(slope);
    }
    frame.program = formula::Program(entries, qt);
    frames_.push_back(std::move(frame));
  }
}

}  // namespace ricochet
