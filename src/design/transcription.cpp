#include "ricochet/design/transcription.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ricochet/formula/differentiate.hpp"
#include "ricochet/formula/kinks.hpp"
#include "ricochet/formula/program.hpp"
#include "ricochet/formula/substitute.hpp"

namespace ricochet {

namespace {

using Replacements = std::vector<std::pair<Expr, Expr>>;

void replace(Replacements& list, const std::vector<Expr>& from, const std::vector<Expr>& to) {
  for (std::size_t i = 0; i < from.size(); ++i) list.emplace_back(from[i], to[i]);
}

std::vector<Expr> substituted(const std::vector<Expr>& list, const Replacements& replacements) {
  std::vector<Expr> result;
  result.reserve(list.size());
  for (const Expr& f : list) result.push_back(formula::substitute(f, replacements));
  return result;
}

std::vector<int> joined(std::initializer_list<std::vector<int>> lists) {
  std::vector<int> result;
  for (const auto& list : lists) result.insert(result.end(), list.begin(), list.end());
  return result;
}

std::vector<Expr> joined(std::initializer_list<std::vector<Expr>> lists) {
  std::vector<Expr> result;
  for (const auto& list : lists) result.insert(result.end(), list.begin(), list.end());
  return result;
}

}  // namespace

Transcription::Transcription(const ControlProblem& problem)
    : problem_(problem),
      tableau_(make_tableau(problem.integrator.discretization, problem.integrator.parameters)),
      n_(static_cast<int>(problem.model.coordinates.size())),
      m_(static_cast<int>(problem.controls.size())),
      holonomic_(static_cast<int>(problem.model.holonomic.size())),
      q_(problem.model.q()),
      v_(problem.model.v()) {
  const auto asks = [&](Expr f) { return std::any_of(v_.begin(), v_.end(), [&](Expr v) { return depends_on(f, v); }); };
  velocities_everywhere_ = holonomic_ > 0;
  for (const PathFormula& path : problem_.path) velocities_everywhere_ |= asks(path.formula);
  for (const Range& r : problem_.velocity_bounds)
    velocities_everywhere_ |= std::isfinite(r.min) || std::isfinite(r.max);
  add_unknowns();
  add_intervals();
  add_velocities();
  add_gaps();
  add_paths();
  add_impacts();
  add_ends();
  program_.prepare();
}

Expr Transcription::symbol(const char* name, int index) const {
  return problem_.model.graph->symbol(formula::SymbolKind::other, static_cast<std::uint32_t>(index), name);
}

std::vector<Expr> Transcription::symbols(const char* name, int count) const {
  std::vector<Expr> result;
  result.reserve(count);
  for (int i = 0; i < count; ++i) result.push_back(symbol(name, i));
  return result;
}

std::string Transcription::where(int arc, int node) const {
  return problem_.arcs() == 1 ? fmt::format("grid point {}", node)
                              : fmt::format("arc {}, grid point {}", arc + 1, node);
}

bool Transcription::start_is_free() const {
  const auto any = [](const std::vector<char>& list) {
    return std::any_of(list.begin(), list.end(), [](char x) { return x != 0; });
  };
  return any(problem_.free_position) || any(problem_.free_velocity);
}

std::vector<int> Transcription::new_variables(int count, const std::vector<Range>& bounds) {
  std::vector<int> result;
  result.reserve(count);
  for (int i = 0; i < count; ++i)
    result.push_back(bounds.empty() ? program_.add_variable() : program_.add_variable(bounds[i].min, bounds[i].max));
  return result;
}

void Transcription::add_unknowns() {
  const auto fix = [&](int variable, double value) { program_.x_min[variable] = program_.x_max[variable] = value; };
  const int arcs = problem_.arcs();
  for (int a = 0; a <= arcs; ++a) T_.push_back(program_.add_variable());
  fix(T_.front(), problem_.start);
  if (!problem_.free_duration) {
    fix(T_.back(), problem_.start + problem_.duration);
  } else {
    program_.x_min[T_.back()] = problem_.start + problem_.free_duration->min;
    program_.x_max[T_.back()] = problem_.start + problem_.free_duration->max;
  }
  for (int a = 0; a + 1 < arcs; ++a) lambda_.push_back(program_.add_variable(0));
  for (int a = 0; a < arcs; ++a) {
    Arc& arc = arcs_.emplace_back();
    for (int k = 0; k <= problem_.intervals[a]; ++k) {
      Node& node = arc.nodes.emplace_back();
      const bool corner = k == 0 || k == problem_.intervals[a];
      node.q = a > 0 && k == 0 ? arcs_[a - 1].nodes.back().q : new_variables(n_, problem_.position_bounds);
      node.p = new_variables(n_);
      if (corner || velocities_everywhere_) node.v = new_variables(n_, problem_.velocity_bounds);
      if (k == problem_.intervals[a]) continue;
      Interval& interval = arc.intervals.emplace_back();
      interval.V = new_variables(tableau_.unknowns * n_);
      interval.u = new_variables(m_, problem_.control_bounds);
      interval.nu = new_variables(holonomic_);
      interval.xi = new_variables(holonomic_);
    }
  }
  const Node& start = arcs_.front().nodes.front();
  for (int i = 0; i < n_; ++i) {
    if (problem_.free_position[i] == 0) fix(start.q[i], problem_.position[i]);
    if (problem_.free_velocity[i] == 0) fix(start.v[i], problem_.velocity[i]);
  }
  // arcs not shorter than a minimum
  const Expr Ta = symbol("Ta", 0), Tb = symbol("Tb", 0);
  if (arcs > 1) {
    const int length = program_.add_block({"length", {Tb - Ta}, {"the shortest arc"}, {}, {Ta, Tb}, {}});
    for (int a = 0; a < arcs; ++a)
      program_.add_place(length, fmt::format("arc {}", a + 1), {T_[a], T_[a + 1]}, {},
                         problem_.minimum_arc * problem_.duration / arcs, SparseProgram::infinity);
  } else if (problem_.free_duration) {
    program_.x_min[T_.back()] =
        std::fmax(program_.x_min[T_.back()], problem_.start + problem_.minimum_arc * problem_.duration);
  }
}

void Transcription::add_intervals() {
  const Model& model = problem_.model;
  formula::Graph& graph = *model.graph;
  const std::vector<Expr> q0 = symbols("q0", n_), p0 = symbols("p0", n_), q1 = symbols("q1", n_),
                          p1 = symbols("p1", n_), V = symbols("V", tableau_.unknowns * n_), u = symbols("u", m_),
                          nu = symbols("nu", holonomic_), xi = symbols("xi", holonomic_);
  const Expr Ta = symbol("Ta", 0), Tb = symbol("Tb", 0), s = symbol("s", 0), share = symbol("share", 0);
  const Expr h = (Tb - Ta) * share, t0 = Ta + (Tb - Ta) * s, zero = graph.constant(0);

  const std::vector<Expr> Lq = formula::gradient(model.lagrangian, q_), Lv = formula::gradient(model.lagrangian, v_);
  std::vector<Expr> force = Lq;
  for (const Force& f : model.forces)
    for (int i = 0; i < n_; ++i) force[i] = force[i] + f.components[i];

  std::vector<Expr> sum_G(n_, zero), stage(tableau_.unknowns * n_, zero);
  Expr cost = zero;
  for (int i = 0; i < tableau_.points; ++i) {
    std::vector<Expr> q, v;
    for (int c = 0; c < n_; ++c) {
      Expr path = zero, speed = zero;
      for (int j = 0; j < tableau_.unknowns; ++j) {
        path = path + tableau_.a(i, j) * V[j * n_ + c];
        speed = speed + tableau_.d(i, j) * V[j * n_ + c];
      }
      q.push_back(q0[c] + h * path);
      v.push_back(speed);
    }
    Replacements at;
    replace(at, q_, q);
    replace(at, v_, v);
    replace(at, problem_.controls, u);
    at.emplace_back(graph.time(), t0 + tableau_.c[i] * h);
    const std::vector<Expr> G = substituted(force, at), P = substituted(Lv, at);
    for (int c = 0; c < n_; ++c) {
      sum_G[c] = sum_G[c] + tableau_.b[i] * G[c];
      for (int j = 0; j < tableau_.unknowns; ++j)
        stage[j * n_ + c] =
            stage[j * n_ + c] + tableau_.b[i] * (h * (tableau_.a(i, j) * G[c]) + tableau_.d(i, j) * P[c]);
    }
    if (problem_.running) cost = cost + tableau_.b[i] * formula::substitute(problem_.running, at);
  }

  // reactions of the holonomic constraints at both ends
  std::vector<Expr> pi = p1, reaction(n_, zero), rows;
  std::vector<std::string> names;
  Replacements begin, end;
  replace(begin, q_, q0);
  replace(end, q_, q1);
  for (int k = 0; k < holonomic_; ++k) {
    const std::vector<Expr> gradient = formula::gradient(model.holonomic[k].equation, q_);
    for (int c = 0; c < n_; ++c) {
      pi[c] = pi[c] - xi[k] * formula::substitute(gradient[c], end);
      reaction[c] = reaction[c] + nu[k] * formula::substitute(gradient[c], begin);
    }
  }
  for (int c = 0; c < n_; ++c) {
    Expr way = zero;
    for (int j = 0; j < tableau_.unknowns; ++j) way = way + tableau_.beta[j] * V[j * n_ + c];
    rows.push_back(q1[c] - q0[c] - h * way);
    names.push_back("path of " + model.coordinates[c]);
  }
  for (int c = 0; c < n_; ++c) {
    rows.push_back(p0[c] + reaction[c] + h * sum_G[c] - pi[c]);
    names.push_back("momentum of " + model.coordinates[c]);
  }
  for (int j = 0; j < tableau_.unknowns; ++j)
    for (int c = 0; c < n_; ++c) {
      rows.push_back(stage[j * n_ + c] - tableau_.beta[j] * pi[c]);
      names.push_back("velocity of " + model.coordinates[c]);
    }
  for (const Constraint& f : model.holonomic) {
    rows.push_back(formula::substitute(f.equation, end));
    names.push_back("constraint " + f.name);
  }
  const int block = program_.add_block(
      {"interval", rows, names, h * cost, joined({q0, p0, q1, p1, V, u, nu, xi, {Ta, Tb}}), {s, share}});
  for (int a = 0; a < problem_.arcs(); ++a) {
    const double N = problem_.intervals[a];
    for (int k = 0; k < problem_.intervals[a]; ++k) {
      const Node &from = arcs_[a].nodes[k], &to = arcs_[a].nodes[k + 1];
      Interval& i = arcs_[a].intervals[k];
      i.place = program_.add_place(block, where(a, k),
                                   joined({from.q, from.p, to.q, to.p, i.V, i.u, i.nu, i.xi, {T_[a], T_[a + 1]}}),
                                   {k / N, 1 / N});
    }
  }
}

// p = L_v(q, v, t), and velocities along the constraints.
void Transcription::add_velocities() {
  const Model& model = problem_.model;
  const std::vector<Expr> q = symbols("q0", n_), p = symbols("p0", n_), v = symbols("v0", n_);
  const Expr Ta = symbol("Ta", 0), Tb = symbol("Tb", 0), s = symbol("s", 0);
  Replacements at;
  replace(at, q_, q);
  replace(at, v_, v);
  at.emplace_back(model.graph->time(), Ta + (Tb - Ta) * s);
  std::vector<Expr> rows = substituted(formula::gradient(model.lagrangian, v_), at), rates;
  std::vector<std::string> names, rate_names;
  for (int c = 0; c < n_; ++c) {
    rows[c] = p[c] - rows[c];
    names.push_back("velocity of " + model.coordinates[c]);
  }
  for (const Constraint& f : model.holonomic) {
    const std::vector<Expr> gradient = substituted(formula::gradient(f.equation, q_), at);
    Expr rate = model.graph->constant(0);
    for (int c = 0; c < n_; ++c) rate = rate + gradient[c] * v[c];
    rates.push_back(rate);
    rate_names.push_back("rate of constraint " + f.name);
  }
  const int block = program_.add_block({"velocity", rows, names, {}, joined({q, p, v, {Ta, Tb}}), {s}});
  const int rate = holonomic_ == 0 ? -1 : program_.add_block({"rate", rates, rate_names, {}, joined({q, v}), {}});
  for (int a = 0; a < problem_.arcs(); ++a)
    for (int k = 0; k <= problem_.intervals[a]; ++k) {
      const Node& node = arcs_[a].nodes[k];
      if (node.v.empty()) continue;
      program_.add_place(block, where(a, k), joined({node.q, node.p, node.v, {T_[a], T_[a + 1]}}),
                         {k / static_cast<double>(problem_.intervals[a])});
      if (rate >= 0 && (a > 0 || k > 0 || start_is_free()))
        program_.add_place(rate, where(a, k), joined({node.q, node.v}), {});
    }
  if (holonomic_ == 0 || !start_is_free()) return;
  Replacements begin;
  replace(begin, q_, q);
  std::vector<Expr> equations;
  std::vector<std::string> equation_names;
  for (const Constraint& f : model.holonomic) {
    equations.push_back(formula::substitute(f.equation, begin));
    equation_names.push_back("constraint " + f.name);
  }
  program_.add_place(program_.add_block({"start", equations, equation_names, {}, q, {}}), "at the start",
                     arcs_.front().nodes.front().q, {});
}

// Every piece of every gap >= 0 at the grid points, but where the contact is struck, and at a start that is given.
void Transcription::add_gaps() {
  const Model& model = problem_.model;
  const std::vector<Expr> q = symbols("q0", n_);
  const Expr Ta = symbol("Ta", 0), Tb = symbol("Tb", 0), s = symbol("s", 0);
  Replacements at;
  replace(at, q_, q);
  at.emplace_back(model.graph->time(), Ta + (Tb - Ta) * s);
  const bool given =
      std::none_of(problem_.free_position.begin(), problem_.free_position.end(), [](char x) { return x != 0; });
  for (int c = 0; c < static_cast<int>(model.contacts.size()); ++c)
    for (const Expr& piece : formula::split_kinks(model.contacts[c].gap).pieces) {
      const int block = program_.add_block({"gap",
                                            {formula::substitute(piece, at)},
                                            {"gap of " + model.contacts[c].name},
                                            {},
                                            joined({q, {Ta, Tb}}),
                                            {s}});
      for (int a = 0; a < problem_.arcs(); ++a)
        for (int k = a == 0 && !given ? 0 : 1; k <= problem_.intervals[a]; ++k) {
          const bool struck = k == problem_.intervals[a] && a + 1 < problem_.arcs() && problem_.impacts[a] == c;
          if (struck) continue;
          watch("gap of " + model.contacts[c].name, a, k,
                program_.add_place(block, where(a, k), joined({arcs_[a].nodes[k].q, {T_[a], T_[a + 1]}}),
                                   {k / static_cast<double>(problem_.intervals[a])}, 0, SparseProgram::infinity));
        }
    }
}

// Formulas of the controls at both ends of every interval, others at the grid points.
void Transcription::add_paths() {
  const Model& model = problem_.model;
  const std::vector<Expr> q = symbols("q0", n_), v = symbols("v0", n_), u = symbols("u", m_);
  const Expr Ta = symbol("Ta", 0), Tb = symbol("Tb", 0), s = symbol("s", 0);
  Replacements at;
  replace(at, q_, q);
  replace(at, v_, v);
  replace(at, problem_.controls, u);
  at.emplace_back(model.graph->time(), Ta + (Tb - Ta) * s);
  for (const PathFormula& path : problem_.path) {
    const auto uses = [&](const std::vector<Expr>& list) {
      return std::any_of(list.begin(), list.end(), [&](Expr x) { return depends_on(path.formula, x); });
    };
    const bool velocities = uses(v_), controls = uses(problem_.controls);
    std::vector<Expr> variables = q;
    if (velocities) variables = joined({variables, v});
    if (controls) variables = joined({variables, u});
    variables = joined({variables, {Ta, Tb}});
    const int block = program_.add_block(
        {"path", {formula::substitute(path.formula, at)}, {"path formula " + path.name}, {}, variables, {s}});
    const auto add = [&](int a, int k, const std::vector<int>& control) {
      const Node& node = arcs_[a].nodes[k];
      const int place = program_.add_place(
          block, where(a, k), joined({node.q, velocities ? node.v : std::vector<int>{}, control, {T_[a], T_[a + 1]}}),
          {k / static_cast<double>(problem_.intervals[a])}, path.range.min, path.range.max);
      watch("path " + path.name, a, k, place);
    };
    for (int a = 0; a < problem_.arcs(); ++a)
      for (int k = 0; k <= problem_.intervals[a]; ++k) {
        if (controls) {
          if (k < problem_.intervals[a]) add(a, k, arcs_[a].intervals[k].u);
          if (k > 0) add(a, k, arcs_[a].intervals[k - 1].u);
        } else if ((a == 0 && k == 0 && !start_is_free()) || (a > 0 && k == 0 && !velocities)) {
          continue;  // nothing to choose there; the same point as before
        } else {
          add(a, k, {});
        }
      }
  }
}

void Transcription::add_impacts() {
  const Model& model = problem_.model;
  formula::Graph& graph = *model.graph;
  const std::vector<Expr> q = symbols("q0", n_), p_minus = symbols("p0", n_), p_plus = symbols("p1", n_),
                          v_minus = symbols("v0", n_), v_plus = symbols("v1", n_), kappa = symbols("nu", holonomic_);
  const Expr T = symbol("Ta", 0), lambda = symbol("lambda", 0);
  Replacements at;
  replace(at, q_, q);
  at.emplace_back(graph.time(), T);
  for (int a = 0; a + 1 < problem_.arcs(); ++a) {
    const Contact& contact = model.contacts[problem_.impacts[a]];
    const std::vector<Expr> normal = substituted(formula::gradient(contact.gap, q_), at);
    const Expr rate = formula::substitute(formula::derivative(contact.gap, graph.time()), at);
    Expr c_minus = rate, c_plus = rate;
    for (int i = 0; i < n_; ++i) c_minus = c_minus + normal[i] * v_minus[i], c_plus = c_plus + normal[i] * v_plus[i];
    Expr e = graph.constant(contact.law == "elastic" ? 1 : 0);
    if (contact.law == "newton")
      e = formula::substitute(contact.restitution, {{graph.symbol(formula::SymbolKind::other, 0, "speed"), -c_minus}});
    std::vector<Expr> rows{formula::substitute(contact.gap, at)};
    std::vector<std::string> names{"gap of " + contact.name};
    for (int i = 0; i < n_; ++i) {
      Expr change = p_plus[i] - p_minus[i] - lambda * normal[i];
      for (int k = 0; k < holonomic_; ++k)
        change = change - kappa[k] * formula::substitute(formula::derivative(model.holonomic[k].equation, q_[i]), at);
      rows.push_back(change);
      names.push_back("impulse on " + model.coordinates[i]);
    }
    rows.push_back(c_plus + e * c_minus);
    names.push_back("law of " + contact.name);
    const std::string label = fmt::format("impact {}", a + 1);
    const Node &before = arcs_[a].nodes.back(), &after = arcs_[a + 1].nodes.front();
    program_.add_place(
        program_.add_block(
            {"impact", rows, names, {}, joined({q, p_minus, p_plus, v_minus, v_plus, {lambda, T}, kappa}), {}}),
        label,
        joined({before.q, before.p, after.p, before.v, after.v, {lambda_[a], T_[a + 1]}, new_variables(holonomic_)}),
        {});
    program_.add_place(
        program_.add_block({"approach", {c_minus}, {"approach to " + contact.name}, {}, joined({q, v_minus, {T}}), {}}),
        label, joined({before.q, before.v, {T_[a + 1]}}), {}, -SparseProgram::infinity, 0);
  }
}

// Conditions, and the cost of the end.
void Transcription::add_ends() {
  const Model& model = problem_.model;
  const std::vector<Expr> q = symbols("q0", n_), v = symbols("v0", n_);
  const Expr T = symbol("Ta", 0);
  Replacements at;
  replace(at, q_, q);
  replace(at, v_, v);
  at.emplace_back(model.graph->time(), T);
  const auto add = [&](const std::string& name, const std::vector<Expr>& rows, const std::vector<std::string>& names,
                       Expr cost, const Node& node, int time) {
    return program_.add_place(program_.add_block({name, rows, names, cost, joined({q, v, {T}}), {}}), "",
                              joined({node.q, node.v, {time}}), {});
  };
  if (problem_.final_cost)
    add("final", {}, {}, formula::substitute(problem_.final_cost, at), arcs_.back().nodes.back(), T_.back());
  for (const Quantity& condition : problem_.conditions) {
    const int a = condition.at == 0 ? problem_.arcs() - 1 : condition.at - 1;
    const Node& node = condition.after ? arcs_[a + 1].nodes.front() : arcs_[a].nodes.back();
    const int place = add("condition", {formula::substitute(condition.formula, at)}, {"condition " + condition.name},
                          {}, node, T_[a + 1]);
    condition_rows_.emplace_back(condition.name, program_.first_row(place));
  }
}

void Transcription::measure(const Trajectory& trajectory) {
  const Model& model = problem_.model;
  const double T = trajectory.times.back() - trajectory.times.front();
  Eigen::VectorXd Q = Eigen::VectorXd::Zero(n_), P = Q;
  for (const TrajectoryArc& arc : trajectory.arcs)
    for (int i = 0; i < n_; ++i)
      Q[i] = std::fmax(Q[i], std::fmax(arc.q.row(i).cwiseAbs().maxCoeff(), T * arc.v.row(i).cwiseAbs().maxCoeff()));
  // M, F and ∂F/∂u at the start
  const std::vector<Expr> p = formula::gradient(model.lagrangian, v_);
  const TrajectoryArc& first = trajectory.arcs.front();
  std::vector<Expr> inputs = joined({q_, v_, {model.graph->time()}});
  const auto at_start = [&](Expr f) {
    const formula::Program program({f}, inputs);
    formula::Evaluator<double> evaluator(program);
    for (int i = 0; i < n_; ++i) evaluator.inputs()[i] = first.q(i, 0), evaluator.inputs()[n_ + i] = first.v(i, 0);
    evaluator.inputs()[2 * n_] = trajectory.times.front();
    evaluator.run();
    return evaluator.output(0);
  };
  // one that does not move in the guess: as far as the energy of the others, or else its force, leads it
  Eigen::VectorXd mass(n_);
  double energy = 0;
  for (int i = 0; i < n_; ++i) {
    mass[i] = std::abs(at_start(formula::derivative(p[i], v_[i])));
    energy = std::fmax(energy, mass[i] * Q[i] * Q[i]);
  }
  for (int i = 0; i < n_; ++i) {
    if (Q[i] > 0) continue;
    Q[i] = energy > 0 ? std::sqrt(energy / mass[i])
                      : T * T * std::abs(at_start(formula::derivative(model.lagrangian, q_[i]))) / mass[i];
    if (!(Q[i] > 0 && std::isfinite(Q[i]))) Q[i] = 1;
  }
  for (int i = 0; i < n_; ++i)
    for (int j = 0; j < n_; ++j) P[i] += std::abs(at_start(formula::derivative(p[i], v_[j]))) * Q[j] / T;
  for (int i = 0; i < n_; ++i)
    if (!(P[i] > 0)) P[i] = 1;
  Eigen::VectorXd U(m_);
  for (int j = 0; j < m_; ++j) {
    double size = 0;
    for (int i = 0; i < n_; ++i) {
      Expr force = formula::derivative(formula::derivative(model.lagrangian, q_[i]), problem_.controls[j]);
      for (const Force& f : model.forces) force = force + formula::derivative(f.components[i], problem_.controls[j]);
      const double share = std::abs(at_start(force));
      if (share > 0) size = size > 0 ? std::fmin(size, P[i] / T / share) : P[i] / T / share;
    }
    for (const double bound : {problem_.control_bounds[j].min, problem_.control_bounds[j].max})
      if (std::isfinite(bound) && bound != 0) size = std::abs(bound);
    U[j] = size > 0 && std::isfinite(size) ? size : 1;
  }
  std::vector<double>& size = program_.x_size;
  const auto set = [&](const std::vector<int>& variables, const Eigen::VectorXd& sizes) {
    for (std::size_t k = 0; k < variables.size(); ++k)
      size[variables[k]] = sizes[static_cast<Eigen::Index>(k) % sizes.size()];
  };
  for (const int time : T_) size[time] = T;
  for (std::size_t a = 0; a < lambda_.size(); ++a) {
    double largest = 0;
    for (int i = 0; i < n_; ++i) {
      const double n = std::abs(at_start(formula::derivative(model.contacts[problem_.impacts[a]].gap, q_[i])));
      if (n > 0) largest = std::fmax(largest, P[i] / n);
    }
    size[lambda_[a]] = largest > 0 ? largest : 1;
  }
  for (const Arc& arc : arcs_) {
    for (const Node& node : arc.nodes) {
      set(node.q, Q);
      set(node.p, P);
      set(node.v, Q / T);
    }
    for (const Interval& interval : arc.intervals) {
      set(interval.V, Q / T);
      if (m_ > 0) set(interval.u, U);
    }
  }
}

std::vector<double> Transcription::pack(const Trajectory& trajectory) const {
  std::vector<double> x(static_cast<std::size_t>(program_.variables()), 0.0);
  const auto set = [&](const std::vector<int>& variables, const auto& values) {
    for (std::size_t i = 0; i < variables.size(); ++i) x[variables[i]] = values[static_cast<Eigen::Index>(i)];
  };
  for (std::size_t a = 0; a < T_.size(); ++a) x[T_[a]] = trajectory.times[a];
  for (std::size_t a = 0; a < lambda_.size(); ++a) x[lambda_[a]] = trajectory.impulses[a];
  for (std::size_t a = 0; a < arcs_.size(); ++a) {
    const TrajectoryArc& from = trajectory.arcs[a];
    const double h = (trajectory.times[a + 1] - trajectory.times[a]) / from.intervals();
    for (std::size_t k = 0; k < arcs_[a].nodes.size(); ++k) {
      const Eigen::Index column = static_cast<Eigen::Index>(k);
      set(arcs_[a].nodes[k].q, from.q.col(column));
      set(arcs_[a].nodes[k].p, from.p.col(column));
      set(arcs_[a].nodes[k].v, from.v.col(column));
      if (k + 1 == arcs_[a].nodes.size()) continue;
      const Interval& interval = arcs_[a].intervals[k];
      set(interval.u, from.u.col(column));
      const Eigen::VectorXd V = (from.q.col(column + 1) - from.q.col(column)) / h;
      for (int j = 0; j < tableau_.unknowns; ++j)
        for (int c = 0; c < n_; ++c) x[interval.V[j * n_ + c]] = V[c];
    }
  }
  for (int j = 0; j < program_.variables(); ++j) x[j] = std::clamp(x[j], program_.x_min[j], program_.x_max[j]);
  return x;
}

void Transcription::bend(std::vector<double>& x) const {
  const double pi = std::acos(-1.0);
  const auto add = [&](int variable, double by) {
    x[variable] = std::clamp(x[variable] + 1e-3 * by * program_.x_size[variable], program_.x_min[variable],
                             program_.x_max[variable]);
  };
  // another way for each coordinate: an obstacle may be symmetric about a diagonal
  const auto part = [](int i) { return (i % 2 == 0 ? 1.0 : -1.0) * (i + 1) / (i + 2); };
  for (const Arc& arc : arcs_) {
    const double N = static_cast<double>(arc.intervals.size());
    for (std::size_t k = 0; k < arc.intervals.size(); ++k) {
      for (int i = 0; i < n_; ++i) add(arc.nodes[k].q[i], part(i) * std::sin(pi * static_cast<double>(k) / N));
      for (int j = 0; j < m_; ++j) add(arc.intervals[k].u[j], part(j));
    }
  }
}

Trajectory Transcription::unpack(const std::vector<double>& x) const {
  Trajectory result;
  const auto get = [&](const std::vector<int>& variables) {
    Eigen::VectorXd values(static_cast<Eigen::Index>(variables.size()));
    for (std::size_t i = 0; i < variables.size(); ++i) values[static_cast<Eigen::Index>(i)] = x[variables[i]];
    return values;
  };
  for (const int T : T_) result.times.push_back(x[T]);
  for (const int lambda : lambda_) result.impulses.push_back(x[lambda]);
  for (const Arc& arc : arcs_) {
    const Eigen::Index N = static_cast<Eigen::Index>(arc.intervals.size());
    TrajectoryArc& to = result.arcs.emplace_back();
    to.q.resize(n_, N + 1), to.p.resize(n_, N + 1), to.v.resize(n_, N + 1), to.u.resize(m_, N);
    for (Eigen::Index k = 0; k <= N; ++k) {
      const Node& node = arc.nodes[k];
      to.q.col(k) = get(node.q);
      to.p.col(k) = get(node.p);
      if (k < N) to.u.col(k) = get(arc.intervals[k].u);
      // where it is no unknown: between the mean velocities beside it, good enough for a guess
      to.v.col(k) = !node.v.empty()
                        ? get(node.v)
                        : ((get(arc.intervals[k].V).head(n_) + get(arc.intervals[k - 1].V).head(n_)) / 2).eval();
    }
  }
  return result;
}

void Transcription::watch(const std::string& name, int arc, int node, int place) {
  int point = node;
  for (int a = 0; a < arc; ++a) point += problem_.intervals[a];
  auto found = std::find_if(watched_.begin(), watched_.end(), [&](const Watched& w) { return w.name == name; });
  if (found == watched_.end()) found = watched_.insert(watched_.end(), {name, {}});
  found->rows.emplace_back(point, program_.first_row(place));
}

Multipliers Transcription::multipliers(const std::vector<double>& lambda, const std::vector<double>& z_min,
                                       const std::vector<double>& z_max) const {
  Multipliers result;
  std::size_t points = 1;
  for (const Arc& arc : arcs_) points += arc.intervals.size();
  for (const Watched& w : watched_) {
    std::vector<double> values(points, 0.0);
    for (const auto& [point, row] : w.rows) values[static_cast<std::size_t>(point)] -= lambda[row];
    result.series.emplace_back(w.name, std::move(values));
  }
  const auto bounded = [](const Range& r) { return std::isfinite(r.min) || std::isfinite(r.max); };
  const auto of_bounds = [&](const std::string& name, const Range& range, const auto& variable_at) {
    if (!bounded(range)) return;
    std::vector<double> values(points, 0.0);
    std::size_t first = 0;
    for (std::size_t a = 0; a < arcs_.size(); ++a) {
      for (std::size_t k = 0; k <= arcs_[a].intervals.size(); ++k) {
        const int j = variable_at(a, k);
        if (j >= 0 && program_.x_min[j] < program_.x_max[j]) values[first + k] += z_min[j] - z_max[j];
      }
      first += arcs_[a].intervals.size();
    }
    result.series.emplace_back(name, std::move(values));
  };
  for (int i = 0; i < n_; ++i) {
    const std::string& name = problem_.model.coordinates[i];
    of_bounds(name, problem_.position_bounds[i],  // the point of an impact is that of the arc before
              [&](std::size_t a, std::size_t k) { return a > 0 && k == 0 ? -1 : arcs_[a].nodes[k].q[i]; });
    of_bounds(name + "'", problem_.velocity_bounds[i],
              [&](std::size_t a, std::size_t k) { return arcs_[a].nodes[k].v[i]; });
  }
  for (int i = 0; i < m_; ++i)
    of_bounds(problem_.control_names[i], problem_.control_bounds[i], [&](std::size_t a, std::size_t k) {
      return k < arcs_[a].intervals.size() ? arcs_[a].intervals[k].u[i] : -1;  // at the beginning of its interval
    });
  for (const auto& [name, row] : condition_rows_) result.conditions.emplace_back(name, -lambda[row]);
  return result;
}

std::vector<Eigen::MatrixXd> Transcription::costates(const std::vector<double>& x, const std::vector<double>& lambda) {
  std::vector<Eigen::MatrixXd> result;
  for (const Arc& arc : arcs_) {
    const Eigen::Index N = static_cast<Eigen::Index>(arc.intervals.size());
    Eigen::MatrixXd& mu = result.emplace_back(2 * n_, N + 1);
    for (Eigen::Index k = 0; k < N; ++k) {
      const Eigen::VectorXd slope = program_.slope_of_place(arc.intervals[k].place, x.data(), 1, lambda.data());
      mu.col(k) = slope.head(2 * n_);
      // at a grid point without conditions of its own what the next interval asks for is what this one offers
      if (k + 1 == N) mu.col(N) = -slope.segment(2 * n_, 2 * n_);
    }
  }
  return result;
}

}  // namespace ricochet
