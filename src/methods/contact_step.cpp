#include "contact_step.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "registry.hpp"
#include "ricochet/error.hpp"

namespace ricochet {

using Eigen::MatrixXd;
using Eigen::VectorXd;

ContactStep::ContactStep(const System& system, const NewtonSettings& newton)
    : n_(system.n()),
      m_(static_cast<int>(system.pieces().size())),
      newton_(newton),
      lagrangian_(system),
      gaps_(system),
      mass_(MatrixXd::Zero(n_, n_)) {
  for (const MassEntry& e : system.mass()) mass_(e.row, e.column) = e.value;
  factor_.compute(mass_);
  normals_ = MatrixXd::Zero(n_, m_);
  lambda_ = condition_ = c0_ = VectorXd::Zero(m_);
  residual_ = unknowns_ = direction_ = best_ = VectorXd::Zero(n_ + m_);
  open_.assign(m_, 1);
}

VectorXd ContactStep::force(const VectorXd& q, double t) {
  const VectorXd at_rest = VectorXd::Zero(n_);
  lagrangian_.evaluate(1, q.data(), at_rest.data(), t);
  return Eigen::Map<const VectorXd>(lagrangian_.Lq(), n_);
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

// Unknowns: the mean velocity (x − q0)/h, so that nothing large cancels, then λ.
void ContactStep::evaluate(const double* unknowns, bool with_jacobian) {
  const Eigen::Map<const VectorXd> w(unknowns, n_), lambda(unknowns + n_, m_);
  const VectorXd x = q0_ + h_ * w, at_force = q0_ + rule_.theta * h_ * w, at_contact = q0_ + rule_.sigma * h_ * w;
  const double t_force = t0_ + rule_.theta * h_, t_contact = t0_ + rule_.sigma * h_;
  const VectorXd at_rest = VectorXd::Zero(n_);
  lagrangian_.evaluate(with_jacobian ? 2 : 1, at_force.data(), at_rest.data(), t_force);
  const VectorXd f = Eigen::Map<const VectorXd>(lagrangian_.Lq(), n_), inertia = mass_ * (w - start_);
  residual_.head(n_) = inertia - rule_.a * h_ * f;
  if (with_jacobian) {
    jacobian_ = MatrixXd::Zero(n_ + m_, n_ + m_);
    jacobian_.topLeftCorner(n_, n_) = mass_;
    const auto& pattern = lagrangian_.pattern();
    const double factor = rule_.a * rule_.theta * h_ * h_;
    for (std::size_t e = 0; e < pattern.size(); ++e) {
      const int i = static_cast<int>(pattern[e].first), j = static_cast<int>(pattern[e].second);
      if (i >= n_ || j >= n_) continue;
      jacobian_(i, j) -= factor * lagrangian_.hessian(e);
      if (i != j) jacobian_(j, i) -= factor * lagrangian_.hessian(e);
    }
    for (int k = 0; k < m_; ++k) jacobian_(n_ + k, n_ + k) = 1;  // a contact that may not react: λ = 0
  }
  residual_.tail(m_) = lambda;
  VectorXd unit = VectorXd::Zero(n_ + 1), bent(n_ + 1);
  double impulse = (mass_ * w).cwiseAbs().maxCoeff() + h_ * f.cwiseAbs().maxCoeff() + 1e-300;
  for (const int k : pieces_) {
    double g_t = 0;
    const double gap = gaps_.gradient(k, at_contact.data(), t_contact, normals_.col(k).data(), g_t);
    residual_.head(n_) -= rule_.b * lambda[k] * normals_.col(k);
    impulse = std::fmax(impulse, std::abs(lambda[k]) * normals_.col(k).cwiseAbs().maxCoeff());
    condition_[k] = rule_.velocity_level ? c_ * normals_.col(k).dot(w) + c0_[k] : gap / h_;
    if (!chosen_) open_[k] = lambda[k] < condition_[k];
    if (open_[k] == 0) residual_[n_ + k] = condition_[k];
    if (!with_jacobian) continue;
    jacobian_.block(0, n_ + k, n_, 1) = -rule_.b * normals_.col(k);
    if (rule_.sigma != 0 && lambda[k] != 0)
      for (int i = 0; i < n_; ++i) {
        unit[i] = 1;
        gaps_.hessian_times(k, at_contact.data(), t_contact, unit.data(), bent.data());
        jacobian_.block(0, i, n_, 1) -= rule_.b * rule_.sigma * h_ * lambda[k] * bent.head(n_);
        unit[i] = 0;
      }
    if (open_[k] != 0) continue;
    jacobian_(n_ + k, n_ + k) = 0;
    jacobian_.block(n_ + k, 0, 1, n_) = (rule_.velocity_level ? c_ : rule_.sigma) * normals_.col(k).transpose();
  }
  // momenta against their largest term, contact conditions against the speed that positions of this size can resolve
  const double speed = w.cwiseAbs().maxCoeff() + start_.cwiseAbs().maxCoeff() +
                       (x.cwiseAbs().maxCoeff() + q0_.cwiseAbs().maxCoeff()) / h_ +
                       h_ * factor_.solve(f).cwiseAbs().maxCoeff() + 1e-300;
  norm_ = residual_.head(n_).cwiseAbs().maxCoeff() / impulse;
  for (int k = 0; k < m_; ++k)
    norm_ = std::fmax(norm_, std::abs(residual_[n_ + k]) / (open_[k] != 0 ? impulse : speed));
  if (!residual_.allFinite()) norm_ = INFINITY;
}

struct ContactStepProblem {
  ContactStep& step;
  void residual(const double* x) { step.evaluate(x, false); }
  void residual_and_jacobian(const double* x) { step.evaluate(x, true); }
  double norm() const { return step.norm_; }
  double scale() const { return 1; }
  bool direction(double* dx) {
    const int size = step.n_ + step.m_;
    Eigen::Map<VectorXd>(dx, size) = -step.jacobian_.completeOrthogonalDecomposition().solve(step.residual_);
    return true;
  }
};

bool ContactStep::try_newton() {
  unknowns_.setZero();
  unknowns_.head(n_) = start_;
  ContactStepProblem problem{*this};
  result_ = newton(problem, unknowns_.data(), direction_.data(), best_.data(), n_ + m_, newton_);
  return result_.converged;
}

bool ContactStep::open_and_close() {
  chosen_ = true;
  std::fill(open_.begin(), open_.end(), 1);
  bool solved = false;
  for (int change = 0; change < 20 + 10 * m_ && !solved && try_newton(); ++change) {
    int flip = -1;
    double worst = 1e-12;
    for (const int k : pieces_) {
      const double violation = open_[k] != 0 ? -condition_[k] : -unknowns_[n_ + k];
      if (violation > worst) worst = violation, flip = k;
    }
    solved = flip < 0;
    if (flip >= 0) open_[flip] = open_[flip] == 0;
  }
  chosen_ = false;
  return solved;
}

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
  std::fill(open_.begin(), open_.end(), 1);
  if (!try_newton() && !open_and_close())
    throw SolverError(fmt::format("the step with {} contacts was not solved: {}", m_, result_.reason), result_.residual,
                      result_.iterations, "a smaller integrator.step");
  x_ = q0_ + h_ * unknowns_.head(n_);
  lambda_ = unknowns_.tail(m_).cwiseMax(0.0);
}

ContactStepMethod::ContactStepMethod(const Descriptor& about, std::shared_ptr<const System> system,
                                     const IntegratorOptions& options)
    : about_(about), system_(std::move(system)), options_(options) {
  if (!system_->separable())
    throw ModelError("system.lagrangian",
                     fmt::format("the method {} needs L = v'Mv/2 - V(q) with constant M", about.name));
  for (const Contact& contact : system_->model().contacts)
    if (contact.law != "elastic")
      throw ModelError(
          fmt::format("system.contact.{}.law", contact.name),
          fmt::format("the method {} has no contact laws; write elastic, its restitution is its own", about.name));
  gap_of_.assign(system_->pieces().size(), 0);
  for (std::size_t g = 0; g < system_->gaps().size(); ++g) number_pieces(system_->gaps()[g].tree, static_cast<int>(g));
}

void ContactStepMethod::number_pieces(const formula::KinkTree& tree, int gap) {
  if (tree.kind == formula::KinkTree::Kind::maximum)
    throw ModelError("system.contact." + system_->gaps()[gap].name + ".gap",
                     "this method has no unions (max) of admissible sets");
  if (tree.kind == formula::KinkTree::Kind::piece) gap_of_[tree.piece] = gap;
  for (const formula::KinkTree& child : tree.children) number_pieces(child, gap);
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
  Impact impact{.time = state.t, .contacts = {}, .energy_before = energy, .iterations = w.step.iterations()};
  for (int k = 0; k < m; ++k) {
    if (!(after.reaction[k] > 0) || before.reaction[k] > 0) continue;
    const VectorXd normal = w.step.normals().col(k);
    const double c = normal.dot(before.v);
    impact.obtained_restitution = c < 0 ? -normal.dot(after.v) / c : 0;
    impact.contacts.push_back({gap_of_[k], h * after.reaction[k]});
    impact.momentum_change += h * after.reaction[k] * normal.norm();
  }
  Eigen::Map<VectorXd>(state.q.data(), n) = after.q;
  Eigen::Map<VectorXd>(state.p.data(), n) = w.step.mass() * after.v;
  state.modes.assign(after.reaction.data(), after.reaction.data() + m);
  state.t += h;
  if (!impact.contacts.empty()) {
    impact.energy_after = w.step.lagrangian().energy(after.q.data(), after.v.data(), state.t);
    impact.discrete_energy_before = impact.energy_before;
    impact.discrete_energy_after = impact.energy_after;
    w.impacts.push_back(impact);
  }
  w.step.gaps().evaluate(state.q.data(), state.t);
  w.gap_min = std::fmin(w.gap_min, w.step.gaps().minimum());
  if (jacobian != nullptr) jacobian->matrix.resize(0, 0);  // the step has kinks
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
