#include "contact_step.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "registry.hpp"
#include "ricochet/error.hpp"

namespace ricochet {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Column by column.
LinearSolver::Pattern full_pattern(int size) {
  LinearSolver::Pattern full;
  for (int j = 0; j < size; ++j)
    for (int i = 0; i < size; ++i) full.emplace_back(i, j);
  return full;
}

}  // namespace

ContactStep::ContactStep(const System& system, const NewtonSettings& newton)
    : n_(system.n()),
      m_(static_cast<int>(system.pieces().size())),
      newton_(newton),
      lagrangian_(system),
      forces_(system),
      gaps_(system),
      mass_(MatrixXd::Zero(n_, n_)),
      inverse_mass_(system) {
  for (int contact = 0; contact < gaps_.count(); ++contact) restitutions_.emplace_back(system, contact);
  for (int piece = 0; piece < m_; ++piece) contact_of_.push_back(system.contact_of(piece));
  for (const MassEntry& e : system.mass()) mass_(e.row, e.column) = e.value;
  LinearSolver rows(n_, full_pattern(n_));
  for (const MassEntry& e : system.mass()) rows.values()[rows.slot(e.row, e.column)] = e.value;
  unit_.resize(n_);
  rows.row_sizes(unit_.data());
  normals_ = MatrixXd::Zero(n_, m_);
  lambda_ = c0_ = VectorXd::Zero(m_);
}

VectorXd ContactStep::solve_mass(const VectorXd& p) const {
  VectorXd v(n_);
  inverse_mass_.apply(p.data(), v.data());
  return v;
}

VectorXd ContactStep::force(const VectorXd& q, const VectorXd& v, double t) {
  const VectorXd at_rest = VectorXd::Zero(n_);
  lagrangian_.evaluate(1, q.data(), at_rest.data(), t);
  VectorXd f = Eigen::Map<const VectorXd>(lagrangian_.Lq(), n_);
  if (forces_.empty()) return f;
  forces_.evaluate(0, q.data(), v.data(), t);
  return f + Eigen::Map<const VectorXd>(forces_.F(), n_);
}

VectorXd ContactStep::velocity_at(const VectorXd& w) const {
  return rule_.u.size() > 0 ? VectorXd(rule_.u + rule_.kappa * w) : VectorXd(rule_.kappa * w);
}

VectorXd ContactStep::normal(int piece, const VectorXd& q, double t, double& g_t) {
  VectorXd n(n_);
  gaps_.gradient(piece, q.data(), t, n.data(), g_t);
  return n;
}

void ContactStep::set_speeds(std::vector<int> pieces, double c, const VectorXd& c0) {
  pieces_ = std::move(pieces);
  c_ = c;
  c0_ = c0;
}

// Round-off, compliance; contacts that no impulse can move (∇g = 0 here and at the end of the free step) are left out.
void ContactStep::weigh() {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const VectorXd f = force(q0_, start_, t0_), a = solve_mass(f), ahead = q0_ + h_ * start_;
  const VectorXd reach = q0_.cwiseAbs() + h_ * start_.cwiseAbs() + h_ * h_ * a.cwiseAbs();
  const double energy = start_.dot(mass_ * start_) + h_ * h_ * f.dot(a);
  compliance_ = round_off_ = VectorXd::Zero(static_cast<int>(pieces_.size()));
  int kept = 0;
  for (const int k : pieces_) {
    double gram = 0, g_t = 0;
    for (const VectorXd* q : {static_cast<const VectorXd*>(&q0_), &ahead}) {
      const VectorXd n = normal(k, *q, t0_, g_t);
      gram = n.dot(solve_mass(n));
      if (gram > 0) break;
    }
    if (!(gram > 0)) continue;
    compliance_[kept] = rule_.b * (rule_.velocity_level ? c_ : rule_.sigma) * gram;
    round_off_[kept] = 16 * epsilon * (std::sqrt(gram * energy) + std::abs(g_t));
    if (!rule_.velocity_level) round_off_[kept] += gaps_.round_off(k, q0_.data(), t0_, reach.data()) / h_;
    pieces_[kept++] = k;
  }
  pieces_.resize(kept);
  condition_ = VectorXd::Zero(kept);
}

// Unknowns: the mean velocity (x − q0)/h, so that nothing large cancels, then λ of each of pieces_.
void ContactStep::evaluate(const double* unknowns, bool with_jacobian) {
  const int m = static_cast<int>(pieces_.size());
  const Eigen::Map<const VectorXd> w(unknowns, n_), lambda(unknowns + n_, m);
  const VectorXd at_force = q0_ + rule_.theta * h_ * w, at_contact = q0_ + rule_.sigma * h_ * w;
  const double t_force = t0_ + rule_.theta * h_, t_contact = t0_ + rule_.sigma * h_;
  const VectorXd at_rest = VectorXd::Zero(n_);
  lagrangian_.evaluate(with_jacobian ? 2 : 1, at_force.data(), at_rest.data(), t_force);
  VectorXd f = Eigen::Map<const VectorXd>(lagrangian_.Lq(), n_);
  if (!forces_.empty()) {
    forces_.evaluate(with_jacobian ? 1 : 0, at_force.data(), velocity_at(w).data(), t_force);
    f += Eigen::Map<const VectorXd>(forces_.F(), n_);
  }
  const VectorXd momentum = mass_ * w, before = mass_ * start_;
  residual_ = mass_ * (w - start_) - rule_.a * h_ * f;
  VectorXd terms = momentum.cwiseAbs().cwiseMax(before.cwiseAbs()).cwiseMax(h_ * f.cwiseAbs());
  if (with_jacobian) {
    jacobian_ = MatrixXd::Zero(n_ + m, n_ + m);
    jacobian_.topLeftCorner(n_, n_) = mass_;
    const auto& pattern = lagrangian_.pattern();
    const double factor = rule_.a * rule_.theta * h_ * h_;
    for (std::size_t e = 0; e < pattern.size(); ++e) {
      const int i = static_cast<int>(pattern[e].first), j = static_cast<int>(pattern[e].second);
      if (i >= n_ || j >= n_) continue;
      jacobian_(i, j) -= factor * lagrangian_.hessian(e);
      if (i != j) jacobian_(j, i) -= factor * lagrangian_.hessian(e);
    }
    for (std::size_t e = 0; e < forces_.pattern().size(); ++e) {  // ∂f/∂w = θh F_q + κ F_v
      const int i = static_cast<int>(forces_.pattern()[e].first), j = static_cast<int>(forces_.pattern()[e].second);
      if (j < 2 * n_)
        jacobian_(i, j % n_) -= rule_.a * h_ * (j < n_ ? rule_.theta * h_ : rule_.kappa) * forces_.derivative(e);
    }
  }
  VectorXd unit = VectorXd::Zero(n_ + 1), bent(n_ + 1);
  for (int k = 0; k < m; ++k) {
    double g_t = 0;
    auto normal = normals_.col(pieces_[k]);
    const double gap = gaps_.gradient(pieces_[k], at_contact.data(), t_contact, normal.data(), g_t);
    residual_ -= rule_.b * lambda[k] * normal;
    terms = terms.cwiseMax(std::abs(lambda[k]) * normal.cwiseAbs());
    condition_[k] = rule_.velocity_level ? c_ * normal.dot(w) + c0_[pieces_[k]] : gap / h_;
    if (!with_jacobian) continue;
    jacobian_.block(0, n_ + k, n_, 1) = -rule_.b * normal;
    jacobian_.block(n_ + k, 0, 1, n_) = (rule_.velocity_level ? c_ : rule_.sigma) * normal.transpose();
    if (rule_.sigma == 0 || lambda[k] == 0) continue;
    for (int i = 0; i < n_; ++i) {
      unit[i] = 1;
      gaps_.hessian_times(pieces_[k], at_contact.data(), t_contact, unit.data(), bent.data());
      jacobian_.block(0, i, n_, 1) -= rule_.b * rule_.sigma * h_ * lambda[k] * bent.head(n_);
      unit[i] = 0;
    }
  }
  norm_ = residual_.allFinite() ? residual_.cwiseQuotient(unit_).cwiseAbs().maxCoeff() : INFINITY;
  scale_ = terms.cwiseQuotient(unit_).maxCoeff();
}

bool ContactStep::direction(const char* open, const double* rows, double* dz) {
  const int m = static_cast<int>(pieces_.size()), size = n_ + m;
  if (!kkt_ || kkt_->size() != size) {
    const LinearSolver::Pattern full = full_pattern(size);
    kkt_.emplace(size, full);
    slots_.clear();
    for (const auto& [i, j] : full) slots_.push_back(kkt_->slot(i, j));
  }
  for (int k = 0; k < m; ++k) {
    dz[n_ + k] = -rows[k];
    if (open[k] == 0) continue;
    jacobian_.row(n_ + k).setZero();
    jacobian_(n_ + k, n_ + k) = compliance_[k];
  }
  Eigen::Map<VectorXd>(dz, n_) = -residual_;
  for (std::size_t e = 0; e < slots_.size(); ++e) kkt_->values()[slots_[e]] = jacobian_.data()[e];
  if (kkt_->factorize())
    kkt_->solve(dz, dz);
  else
    kkt_->solve_minimum_norm(dz, dz);
  return true;
}

struct ContactStepProblem {
  ContactStep& step;
  void evaluate(const double* z, bool with_jacobian) { step.evaluate(z, with_jacobian); }
  double norm() const { return step.norm_; }
  double scale() const { return step.scale_; }
  double slack(int k) const { return step.condition_[k]; }
  double slack_scale(int k) const { return step.round_off_[k] / (8 * std::numeric_limits<double>::epsilon()); }
  double compliance(int k) const { return step.compliance_[k]; }
  double slack_round_off(int k) const { return step.round_off_[k]; }
  double multiplier_round_off(int k) const { return step.round_off_[k] / step.compliance_[k]; }
  bool direction(const char* open, const double* rows, double* dz) { return step.direction(open, rows, dz); }
};

void ContactStep::solve(double t0, const VectorXd& q0, double h, const VectorXd& x_hat, const ContactStepRule& rule) {
  t0_ = t0;
  h_ = h;
  q0_ = q0;
  rule_ = rule;
  start_ = (x_hat - q0) / h;
  if (!rule.velocity_level) {
    pieces_.resize(m_);
    std::iota(pieces_.begin(), pieces_.end(), 0);
  }
  weigh();
  const int m = static_cast<int>(pieces_.size());
  complementarity_.resize(n_ + m, m);
  std::copy(start_.data(), start_.data() + n_, complementarity_.start());
  ContactStepProblem problem{*this};
  const NewtonResult result = complementarity_.solve(problem, newton_);
  if (!result.converged)
    throw SolverError(fmt::format("the step with {} contacts was not solved: {}", m, result.reason), result.residual,
                      result.iterations, "a smaller integrator.step");
  const Eigen::Map<const VectorXd> z(complementarity_.z().data(), n_ + m);
  x_ = q0_ + h_ * z.head(n_);
  lambda_.setZero();
  for (int k = 0; k < m; ++k) lambda_[pieces_[k]] = std::fmax(0, z[n_ + k]);
}

ContactStepMethod::ContactStepMethod(const Descriptor& about, std::shared_ptr<const System> system,
                                     const IntegratorOptions& options)
    : about_(about), system_(std::move(system)), options_(options), scalars_(system_->model()) {
  if (!system_->separable())
    throw ModelError("system.lagrangian",
                     fmt::format("the method {} needs L = v'Mv/2 - V(q) with constant M", about.name));
  refuse_unions(*system_);
}

std::unique_ptr<Workspace> ContactStepMethod::workspace() const {
  return std::make_unique<ContactStepWorkspace>(*system_, NewtonSettings{.tolerance = number("tolerance")});
}

void ContactStepMethod::step(State& state, double h, Workspace& workspace, StepJacobian* jacobian) const {
  auto& w = static_cast<ContactStepWorkspace&>(workspace);
  const int n = system_->n(), m = static_cast<int>(system_->pieces().size());
  Motion before{Eigen::Map<const VectorXd>(state.q.data(), n),
                w.step.solve_mass(Eigen::Map<const VectorXd>(state.p.data(), n)), VectorXd::Zero(m)};
  if (static_cast<int>(state.modes.size()) == m) before.reaction = Eigen::Map<const VectorXd>(state.modes.data(), m);
  const double energy = w.step.lagrangian().energy(before.q.data(), before.v.data(), state.t);
  const Motion after = move(w.step, state.t, h, before);
  Impact& impact = w.impacts.add();
  impact.time = state.t;
  impact.energy_before = energy;
  impact.iterations = w.step.iterations();
  const VectorXd way = after.q - before.q;
  double lasting_loss = 0, lasting_work = 0;
  double hardest = -1;
  for (int k = 0; k < m; ++k) {
    if (!(after.reaction[k] > 0)) continue;
    const VectorXd normal = w.step.normals().col(k);
    double g_t = 0;
    w.step.normal(k, before.q, state.t, g_t);
    // The reaction r works r n·(q1 − q0) in the step; −r g_t h of it is the obstacle's.
    const double obstacle = -h * after.reaction[k] * g_t, loss = after.reaction[k] * normal.dot(way) - obstacle;
    const bool begins = !(before.reaction[k] > 0);
    (begins ? impact.loss : lasting_loss) += loss;
    (begins ? impact.obstacle_work : lasting_work) += obstacle;
    if (!begins) continue;
    const double c = normal.dot(before.v) + g_t, size = c * c / normal.dot(w.step.solve_mass(normal));
    if (c < 0 ? size > hardest : hardest < 0) {  // restitution is that of the contact that is hit hardest
      impact.obtained_restitution = c < 0 ? -(normal.dot(after.v) + g_t) / c : 0;
      impact.requested_restitution = after.requested.size() > 0 ? after.requested[k] : 1;
      if (c < 0) hardest = size;
    }
    impact.contacts.push_back(
        {.contact = system_->contact_of(static_cast<int>(k)),
         .lambda = h * after.reaction[k],
         .law = law_named(system_->model().contacts[system_->contact_of(static_cast<int>(k))].law)});
    impact.momentum_change += h * after.reaction[k] * normal.norm();
  }
  if (!w.scalars.empty()) {  // power at both ends: order 2, as these rules
    w.step.forces().add_powers(h / 2, before.q.data(), before.v.data(), state.t, w.scalars.data());
    w.step.forces().add_powers(h / 2, after.q.data(), after.v.data(), state.t + h, w.scalars.data());
    if (scalars_.impact >= 0) w.scalars[scalars_.impact] += lasting_loss;
    if (scalars_.obstacles >= 0) w.scalars[scalars_.obstacles] += lasting_work;
  }
  Eigen::Map<VectorXd>(state.q.data(), n) = after.q;
  Eigen::Map<VectorXd>(state.p.data(), n) = w.step.mass() * after.v;
  state.modes.assign(after.reaction.data(), after.reaction.data() + m);
  state.t += h;
  if (impact.contacts.empty()) {
    w.impacts.pop();
  } else {
    impact.q.assign(before.q.data(), before.q.data() + n);
    impact.v_before.assign(before.v.data(), before.v.data() + n);
    impact.v_after.assign(after.v.data(), after.v.data() + n);
    impact.energy_after = w.step.lagrangian().energy(after.q.data(), after.v.data(), state.t);
    impact.discrete_energy_before = impact.energy_before;
    impact.discrete_energy_after = impact.energy_after;
  }
  w.step.gaps().evaluate(state.q.data(), state.t);
  w.gap_min = std::fmin(w.gap_min, w.step.gaps().minimum());
  if (jacobian != nullptr) {  // the step has kinks
    jacobian->clear();
    jacobian->reason = "the method has no step derivative";
  }
}

std::vector<ParameterDoc> newmark_parameters(double smallest_beta, const char* why) {
  return {tolerance_parameter(),
          {.name = "beta",
           .default_value = 0.25,
           .doc = std::string("weight of the new acceleration in the position") + why,
           .min = smallest_beta,
           .max = 0.5},
          {.name = "gamma",
           .default_value = 0.5,
           .doc = "weight of the new acceleration in the velocity",
           .min = 0,
           .max = 1}};
}

}  // namespace ricochet
