#include "ricochet/discrete/constrained_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ricochet/error.hpp"

namespace ricochet {

namespace {

// hw below this part of q: f(q1) = ½h²wᵀf''w is round-off, and f(q1)/h has lost half of its digits.
constexpr double instant_way = 1e-8;

LinearSolver::Pattern unique(LinearSolver::Pattern pattern) {
  std::sort(pattern.begin(), pattern.end());
  pattern.erase(std::unique(pattern.begin(), pattern.end()), pattern.end());
  return pattern;
}

}  // namespace

ConstrainedStep::ConstrainedStep(SubStep& step, const System& system)
    : step_(step),
      system_(system),
      constraints_(system),
      gaps_(system),
      n_(system.n()),
      ns_(n_ * step.tableau().unknowns) {
  q1_.assign(n_, 0.0);
  velocity_.assign(n_, 0.0);
  double heaviest = 0;
  for (const MassEntry& e : system.mass()) heaviest = std::fmax(heaviest, std::abs(e.value));
  if (heaviest > 0) inverse_mass_scale_ = 1 / heaviest;
  if (constraints_.count() > 0) set_contacts({});
}

// The matrices for a set of contacts. They are kept as long as the set stays the same.
void ConstrainedStep::set_contacts(std::span<const int> pieces) {
  if (kkt_ && std::equal(pieces.begin(), pieces.end(), pieces_.begin(), pieces_.end())) return;
  pieces_.assign(pieces.begin(), pieces.end());
  m_ = constraints_.count() + static_cast<int>(pieces_.size());
  for (auto* vector : {&value0_, &value1_, &nu_, &rows_}) vector->assign(m_, 0.0);
  for (auto* vector : {&x_, &dx_, &best_}) vector->assign(ns_ + m_, 0.0);
  open_.assign(pieces_.size(), 0);
  c0_.clear();
  for (const Constraints::Entry& e : constraints_.entries()) c0_.push_back({e.coordinate, e.constraint, 0.0});
  for (std::size_t k = 0; k < pieces_.size(); ++k)
    for (const std::uint32_t i : system_.pieces()[pieces_[k]].gradient_pattern())
      if (static_cast<int>(i) < n_)
        c0_.push_back({static_cast<int>(i), constraints_.count() + static_cast<int>(k), 0.0});
  c1_ = c0_;

  LinearSolver::Pattern block, mass_block;
  const int s = ns_ / n_;
  for (const auto& [row, column] : system_.lagrangian().hessian_pattern()) {
    const int r = static_cast<int>(row), c = static_cast<int>(column);
    if (r >= 2 * n_ || c >= 2 * n_) continue;
    for (int j = 0; j < s; ++j)
      for (int k = 0; k < s; ++k) {
        block.emplace_back(j * n_ + r % n_, k * n_ + c % n_);
        block.emplace_back(j * n_ + c % n_, k * n_ + r % n_);
      }
    if (r < n_ || c < n_) continue;
    mass_block.emplace_back(r - n_, c - n_);
    mass_block.emplace_back(c - n_, r - n_);
  }
  block = unique(block);
  kkt_.emplace(ns_ + m_, pattern(block, ns_));
  mass_.emplace(n_ + m_, pattern(mass_block, n_));
  core_slots_.clear();
  for (const auto& [r, c] : block) core_slots_.emplace_back(step_.jacobian_.slot(r, c), kkt_->slot(r, c));
  mass_slots_.clear();
  const auto& entries = system_.lagrangian().hessian_pattern();
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const int r = static_cast<int>(entries[e].first) - n_, c = static_cast<int>(entries[e].second) - n_;
    if (r < 0 || r >= n_ || c < 0) continue;
    mass_slots_.emplace_back(e, mass_->slot(r, c));
    if (r != c) mass_slots_.emplace_back(e, mass_->slot(c, r));
  }
  for (auto* slots : {&up_, &low_, &diagonal_, &mass_up_, &mass_low_}) slots->clear();
  for (const Column& c : c0_) {
    for (int j = 0; j < s; ++j) {
      up_.push_back(kkt_->slot(j * n_ + c.coordinate, ns_ + c.multiplier));
      low_.push_back(kkt_->slot(ns_ + c.multiplier, j * n_ + c.coordinate));
    }
    mass_up_.push_back(mass_->slot(c.coordinate, n_ + c.multiplier));
    mass_low_.push_back(mass_->slot(n_ + c.multiplier, c.coordinate));
  }
  for (int k = 0; k < m_; ++k) diagonal_.push_back(kkt_->slot(ns_ + k, ns_ + k));
  bend_.clear();
  for (const Constraints::Entry& e : constraints_.rate_entries())
    for (int j = 0; j < s; ++j) bend_.push_back(kkt_->slot(ns_ + e.constraint, j * n_ + e.coordinate));
}

LinearSolver::Pattern ConstrainedStep::pattern(const LinearSolver::Pattern& block, int size) const {
  LinearSolver::Pattern result = block;
  for (const Column& c : c0_)
    for (int first = 0; first < size; first += n_) {
      result.emplace_back(first + c.coordinate, size + c.multiplier);
      result.emplace_back(size + c.multiplier, first + c.coordinate);
    }
  for (const Constraints::Entry& e : constraints_.rate_entries())
    for (int first = 0; first < size; first += n_) result.emplace_back(size + e.constraint, first + e.coordinate);
  for (int k = 0; k < m_; ++k) result.emplace_back(size + k, size + k);
  return result;
}

void ConstrainedStep::columns_at(const double* q, double t, std::vector<Column>& columns, std::vector<double>& values) {
  constraints_.evaluate(q);
  const auto& entries = constraints_.entries();
  for (std::size_t e = 0; e < entries.size(); ++e) columns[e].value = entries[e].value;
  for (int k = 0; k < constraints_.count(); ++k) values[k] = constraints_.value(k);
  std::size_t at = entries.size();
  std::vector<double>& normal = velocity_;  // free here
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    double g_t = 0;
    values[constraints_.count() + k] = gaps_.gradient(pieces_[k], q, t, normal.data(), g_t);
    for (; at < columns.size() && columns[at].multiplier == constraints_.count() + static_cast<int>(k); ++at)
      columns[at].value = normal[columns[at].coordinate];
  }
}

// Residual of the step with p0 + C0ν, and the rows of constraints and contacts; x = (V, ν).
void ConstrainedStep::evaluate(const double* x, int order) {
  const double* nu = x + ns_;
  step_.p0_ = p_start_;
  for (const Column& c : c0_) step_.p0_[c.coordinate] += c.value * nu[c.multiplier];
  step_.evaluate(x, order);
  const Tableau& tableau = step_.tableau();
  const double h = step_.h_;
  double fastest = 0, farthest = 0;
  std::vector<double>& w = step_.mean_;
  for (int i = 0; i < n_; ++i) {
    w[i] = 0;
    for (int j = 0; j < tableau.unknowns; ++j) w[i] += tableau.beta[j] * x[j * n_ + i];
    q1_[i] = step_.q0_[i] + h * w[i];
    fastest = std::fmax(fastest, std::abs(w[i]));
    farthest = std::fmax(farthest, std::abs(q1_[i]));
  }
  const int holonomic = constraints_.holonomic(), count = constraints_.count();
  if (at_end_ || holonomic > 0 || m_ > count) columns_at(q1_.data(), step_.t0_ + h, c1_, value1_);
  instant_ = std::abs(h) * fastest <= instant_way * farthest;
  const auto position = [&](int k) { return k < holonomic ? !instant_ : k >= count && h != 0; };
  const auto velocity = [&](int k) { return k >= holonomic && k < count; };
  const std::vector<double>& b = at_end_ ? value1_ : value0_;
  for (int k = 0; k < m_; ++k) rows_[k] = position(k) ? value1_[k] / h : velocity(k) ? b[k] : 0.0;
  for (std::size_t e = 0; e < c0_.size(); ++e) {
    const Column& c = at_end_ && velocity(c0_[e].multiplier) ? c1_[e] : c0_[e];
    if (!position(c.multiplier)) rows_[c.multiplier] += c.value * w[c.coordinate];
  }
  double impulse = 1e-300;
  for (int k = 0; k < m_; ++k) impulse = std::fmax(impulse, std::abs(nu[k]));
  // The speed that the terms can resolve; that of the momenta counts too, for bodies at rest in a corner at the origin.
  const double velocity_scale =
      fastest + (h != 0 ? farthest / std::abs(h) : 0) + step_.scale_ * inverse_mass_scale_ + 1e-300;
  norm_ = step_.norm_ / step_.scale_;
  for (int k = 0; k < m_; ++k) {
    if (k >= count) {
      char& open = open_[k - count];
      if (!chosen_) open = nu[k] < rows_[k];
      if (open != 0) {
        rows_[k] = nu[k];
        norm_ = std::fmax(norm_, std::abs(rows_[k]) / (step_.scale_ + impulse));
        continue;
      }
    }
    norm_ = std::isfinite(rows_[k]) ? std::fmax(norm_, std::abs(rows_[k]) / velocity_scale) : INFINITY;
  }
}

void ConstrainedStep::fill_kkt() {
  kkt_->clear();
  double* values = kkt_->values();
  const double* core = step_.jacobian_.values();
  for (const auto& [from, to] : core_slots_) values[to] = core[from];
  const Tableau& tableau = step_.tableau();
  const int s = tableau.unknowns, count = constraints_.count(), holonomic = constraints_.holonomic();
  for (std::size_t e = 0; e < c0_.size(); ++e) {
    const int k = c0_[e].multiplier;
    const bool open = k >= count && open_[k - count] != 0;
    const bool end = k < holonomic ? !instant_ : k >= count ? step_.h_ != 0 : at_end_;
    for (int j = 0; j < s; ++j) {
      values[up_[e * s + j]] = -tableau.beta[j] * c0_[e].value;
      values[low_[e * s + j]] = open ? 0 : tableau.beta[j] * (end ? c1_[e].value : c0_[e].value);
    }
  }
  for (std::size_t k = 0; k < pieces_.size(); ++k) values[diagonal_[count + k]] = open_[k] != 0 ? 1 : 0;
  if (!at_end_) return;
  const auto& entries =
      constraints_.rate_gradient(q1_.data(), step_.mean_.data());  // d(W(q1)w + b(q1)) also by q1 = q0 + hw
  for (std::size_t e = 0; e < entries.size(); ++e)
    for (int j = 0; j < s; ++j) values[bend_[e * s + j]] += step_.h_ * tableau.beta[j] * entries[e].value;
}

bool ConstrainedStep::direction(double* dx) {
  fill_kkt();
  for (int k = 0; k < ns_; ++k) dx[k] = -step_.R_[k];
  for (int k = 0; k < m_; ++k) dx[ns_ + k] = -rows_[k];
  if (kkt_->factorize())
    kkt_->solve(dx, dx);
  else
    kkt_->solve_minimum_norm(dx, dx);
  return true;
}

struct ConstrainedProblem {
  ConstrainedStep& step;
  void residual(const double* x) { step.evaluate(x, 1); }
  void residual_and_jacobian(const double* x) { step.evaluate(x, 2); }
  double norm() const { return step.norm_; }
  double scale() const { return 1; }
  bool direction(double* dx) { return step.direction(dx); }
};

bool ConstrainedStep::try_newton() {
  std::fill(x_.begin(), x_.end(), 0.0);
  ConstrainedProblem problem{*this};
  step_.result_ = newton(problem, x_.data(), dx_.data(), best_.data(), ns_ + m_, step_.settings_);
  return step_.result_.converged;
}

// The contact that most needs to be opened (it pulls) or closed (it is penetrated); −1: none.
int ConstrainedStep::worst_contact() const {
  double worst = 1e-12;
  int flip = -1;
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    const std::size_t row = constraints_.count() + k;
    const double violation = open_[k] != 0 ? -value1_[row] / std::fmax(std::abs(step_.h_), 1e-300) : -x_[ns_ + row];
    if (violation > worst) worst = violation, flip = static_cast<int>(k);
  }
  return flip;
}

// Contacts closed by choice: open and close one at a time, the worst first; if that leads nowhere, try every set of a
// few contacts.
bool ConstrainedStep::open_and_close() {
  std::fill(open_.begin(), open_.end(), 1);
  for (std::size_t change = 0; change < 20 + 10 * pieces_.size() && try_newton(); ++change) {
    const int flip = worst_contact();
    if (flip < 0) return true;
    open_[flip] = open_[flip] == 0;
  }
  if (pieces_.size() > 10) return false;
  for (unsigned set = 0; set < 1u << pieces_.size(); ++set) {
    for (std::size_t k = 0; k < pieces_.size(); ++k) open_[k] = (set >> k & 1) == 0;
    if (try_newton() && worst_contact() < 0) return true;
  }
  return false;
}

void ConstrainedStep::solve_newton() {
  p_start_ = step_.p0_;
  columns_at(step_.q0_.data(), step_.t0_, c0_, value0_);
  if (!try_newton()) {
    if (pieces_.empty())
      throw SolverError(fmt::format("the constrained step equations were not solved: {}", step_.result_.reason),
                        step_.result_.residual, step_.result_.iterations,
                        "a smaller integrator.step; constraints that do not contradict each other");
    chosen_ = true;
    const bool solved = open_and_close();
    chosen_ = false;
    if (!solved)
      throw SolverError(
          fmt::format("the step with {} closed contacts was not solved: {}", pieces_.size(), step_.result_.reason),
          step_.result_.residual, step_.result_.iterations, "a smaller integrator.step");
  }
  std::copy(x_.begin(), x_.begin() + ns_, step_.V_.begin());
  std::copy(x_.begin() + ns_, x_.end(), nu_.begin());
  holonomic_max_ = nonholonomic_max_ = 0;
  for (int k = 0; k < constraints_.count(); ++k) {
    double& largest = k < constraints_.holonomic() ? holonomic_max_ : nonholonomic_max_;
    largest = std::fmax(largest, std::abs(k < constraints_.holonomic() ? value1_[k] : rows_[k]));
  }
}

void ConstrainedStep::solve(double* q1, double* p1) {
  set_contacts({});
  solve_newton();
  step_.finish(q1, p1);
  project(step_.t0_ + step_.h_, q1, p1);
}

void ConstrainedStep::solve_with_contacts(double t0, const double* q0, const double* p0, double h,
                                          std::span<const int> pieces, double* q1, double* p1) {
  step_.start(t0, q0, p0, h);
  set_contacts(pieces);
  solve_newton();
  step_.finish(q1, p1);
}

// [ M  −C; Cᵀ  0 ] at (t, q); leaves A = L_v at rest in the Lagrangian's gradient.
void ConstrainedStep::factorize_mass(const double* q, double t) {
  columns_at(q, t, c1_, value1_);
  std::fill(velocity_.begin(), velocity_.end(), 0.0);
  step_.lagrangian_.evaluate(2, q, velocity_.data(), t);  // quadratic in v: M is L_vv
  mass_->clear();
  double* values = mass_->values();
  for (const auto& [entry, slot] : mass_slots_) values[slot] = step_.lagrangian_.hessian(entry);
  for (std::size_t e = 0; e < c1_.size(); ++e) {
    values[mass_up_[e]] = -c1_[e].value;
    values[mass_low_[e]] = c1_[e].value;
  }
  mass_regular_ = mass_->factorize();
}

void ConstrainedStep::solve_mass() {
  if (mass_regular_)
    mass_->solve(solution_.data(), solution_.data());
  else
    mass_->solve_minimum_norm(solution_.data(), solution_.data());
}

const std::vector<double>& ConstrainedStep::project(double t, const double* q, double* p, std::span<const int> pieces) {
  set_contacts(pieces);
  t1_ = t;
  factorize_mass(q, t);
  const int holonomic = constraints_.holonomic(), count = constraints_.count();
  solution_.assign(n_ + m_, 0.0);
  for (int i = 0; i < n_; ++i) solution_[i] = p[i] - step_.lagrangian_.Lv()[i];
  for (int k = holonomic; k < count; ++k) solution_[n_ + k] = -value1_[k];
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    double g_t = 0;
    gaps_.gradient(pieces_[k], q, t, velocity_.data(), g_t);
    solution_[n_ + count + k] = -g_t;
  }
  solve_mass();
  for (const Column& c : c1_) p[c.coordinate] += c.value * solution_[n_ + c.multiplier];
  std::copy(solution_.begin(), solution_.begin() + n_, velocity_.begin());
  std::copy(value1_.begin(), value1_.begin() + count, rows_.begin());
  for (const Column& c : c1_)
    if (c.multiplier < count) rows_[c.multiplier] += c.value * velocity_[c.coordinate];
  for (int k = holonomic; k < count; ++k) nonholonomic_max_ = std::fmax(nonholonomic_max_, std::abs(rows_[k]));
  return velocity_;
}

void ConstrainedStep::project_covector(double t, const double* q, double* normal, double* inverse_mass_n) {
  set_contacts({});
  factorize_mass(q, t);
  solution_.assign(n_ + m_, 0.0);
  std::copy(normal, normal + n_, solution_.begin());
  solve_mass();
  for (const Column& c : c1_) normal[c.coordinate] += c.value * solution_[n_ + c.multiplier];
  std::copy(solution_.begin(), solution_.begin() + n_, inverse_mass_n);
}

std::vector<double> ConstrainedStep::undetermined() {
  std::vector<double> x;
  if (constraints_.count() == 0) {
    step_.evaluate(step_.V_.data(), 2);
    x = step_.jacobian_.null_vector(ns_);
  } else {
    evaluate(x_.data(), 2);
    fill_kkt();
    x = kkt_->null_vector(ns_);
  }
  if (x.empty()) return {};
  std::vector<double> direction(n_, 0.0);
  for (int k = 0; k < ns_; ++k) direction[k % n_] += step_.tableau().beta[k / n_] * x[k];
  return direction;
}

// Σ_k ν_k dc_k/dq at (t, q), over constraints and contacts.
Eigen::MatrixXd ConstrainedStep::curvature(const double* q, double t, const double* nu) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(n_, n_);
  std::vector<double> unit(n_ + 1, 0.0), bent(n_ + 1);
  for (int i = 0; i < n_; ++i) {
    unit[i] = 1;
    constraints_.curvature_times(q, nu, unit.data(), result.col(i).data());
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
      gaps_.hessian_times(pieces_[k], q, t, unit.data(), bent.data());
      for (int j = 0; j < n_; ++j) result(j, i) += nu[constraints_.count() + k] * bent[j];
    }
    unit[i] = 0;
  }
  return result;
}

// dR = 0 and the rows give dV and dν; then the projection at q1:
//   M dv − C dξ = dp + dC ξ − L_vq dq1 − L_vt dt1,   Cᵀdv = −d(Cᵀv + b)/dq dq1,   dp1 = dp + dC ξ + C dξ.
void ConstrainedStep::derivative(SubStepDerivative& out) {
  const int n = n_, columns = 2 * n + 2, h_column = 2 * n, count = constraints_.count();
  using Matrix = Eigen::MatrixXd;
  const double h = step_.h_;
  const Tableau& tableau = step_.tableau();
  // The projection of the last solve came after it: its velocity and ξ are needed again below.
  const std::vector<double> projected = solution_;
  Matrix known;
  step_.known_derivative(known);
  Matrix dP = Matrix::Zero(n, columns);  // of p0 + C0ν without dν
  dP.middleCols(n, n).setIdentity();
  Matrix dC = curvature(step_.q0_.data(), step_.t0_, nu_.data()), low = Matrix::Zero(m_, columns);
  std::vector<double> unit(n, 0.0), rate(count, 0.0);
  const int first_rate = instant_ ? 0 : constraints_.holonomic();
  for (int i = 0; i < n && first_rate < count; ++i) {
    unit[i] = 1;
    constraints_.rate_derivative(at_end_ ? q1_.data() : step_.q0_.data(), step_.mean_.data(), unit.data(), rate.data());
    for (int k = first_rate; k < count; ++k) {
      low(k, i) = rate[k];
      if (at_end_ && k >= constraints_.holonomic()) low(k, h_column) += rate[k] * step_.mean_[i];
    }
    unit[i] = 0;
  }
  dP.leftCols(n) += dC;
  evaluate(x_.data(), 2);        // c0, c1 and the core Jacobian at the solution
  for (const Column& c : c1_) {  // f(q1)/h and g(q1)/h of closed contacts
    if (h == 0 || (c.multiplier >= first_rate && c.multiplier < count)) continue;
    if (c.multiplier >= count && open_[c.multiplier - count] != 0) continue;
    low(c.multiplier, c.coordinate) += c.value / h;
    low(c.multiplier, h_column) += c.value * step_.mean_[c.coordinate] / h;
  }
  Matrix rhs(ns_ + m_, columns), solved(ns_ + m_, columns);
  for (int j = 0; j < tableau.unknowns; ++j) known.middleRows(j * n, n) -= tableau.beta[j] * dP;
  rhs << -known, -low;
  fill_kkt();
  const bool regular = kkt_->factorize();
  for (int column = 0; column < columns; ++column)
    regular ? kkt_->solve(rhs.col(column).data(), solved.col(column).data())
            : kkt_->solve_minimum_norm(rhs.col(column).data(), solved.col(column).data());
  for (const Column& c : c0_) dP.row(c.coordinate) += c.value * solved.row(ns_ + c.multiplier);
  step_.output_derivative(dP, solved.topRows(ns_), out);

  // projection
  const Matrix dq1 = out.matrix.topRows(n);
  Matrix dp = out.matrix.middleRows(n, n);
  const Matrix dC1 = curvature(q1_.data(), t1_, projected.data() + n);
  Matrix rates = Matrix::Zero(m_, n);
  for (int i = 0; i < n; ++i) {
    unit[i] = 1;
    constraints_.rate_derivative(q1_.data(), projected.data(), unit.data(), rate.data());
    for (int k = 0; k < count; ++k) rates(k, i) = rate[k];
    unit[i] = 0;
  }
  std::vector<double> direction(n + 1, 0.0), bent(n + 1);
  std::copy(projected.begin(), projected.begin() + n, direction.begin());
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    gaps_.hessian_times(pieces_[k], q1_.data(), t1_, direction.data(), bent.data());
    for (int i = 0; i < n; ++i) rates(count + static_cast<int>(k), i) = bent[i];
  }
  dp += dC1 * dq1;
  Lagrangian& L = step_.lagrangian_;
  L.evaluate(2, q1_.data(), projected.data(), t1_);
  Matrix rhs2(n + m_, columns), solved2(n + m_, columns);
  std::vector<double> in(2 * n + 1), hessian(2 * n + 1);
  for (int column = 0; column < columns; ++column) {
    std::fill(in.begin(), in.end(), 0.0);
    for (int i = 0; i < n; ++i) in[i] = dq1(i, column);
    in[2 * n] = column >= h_column ? 1.0 : 0.0;  // t1 = t0 + h
    L.apply_hessian(in.data(), hessian.data());
    for (int i = 0; i < n; ++i) rhs2(i, column) = dp(i, column) - hessian[n + i];
  }
  rhs2.bottomRows(m_) = -rates * dq1;
  const std::vector<double> kept = q1_;
  factorize_mass(kept.data(), t1_);
  for (int column = 0; column < columns; ++column)
    mass_regular_ ? mass_->solve(rhs2.col(column).data(), solved2.col(column).data())
                  : mass_->solve_minimum_norm(rhs2.col(column).data(), solved2.col(column).data());
  for (const Column& c : c1_) dp.row(c.coordinate) += c.value * solved2.row(n + c.multiplier);
  out.matrix.middleRows(n, n) = dp;
}

}  // namespace ricochet
