#include "ricochet/discrete/sub_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/discrete/constrained_step.hpp"
#include "ricochet/error.hpp"
#include "with_size.hpp"

namespace ricochet {

namespace {

// An entry (row, column) of L'' or F' in (q,v) reaches block (j,k) of ∂R/∂V for all unknowns j and k.
LinearSolver::Pattern jacobian_pattern(const System& system, int s) {
  LinearSolver::Pattern pattern;
  const int n = system.n();
  const auto add = [&](int row, int column) {
    for (int j = 0; j < s; ++j)
      for (int k = 0; k < s; ++k) pattern.emplace_back(j * n + row % n, k * n + column % n);
  };
  for (const auto& [row, column] : system.lagrangian().hessian_pattern()) {
    const int r = static_cast<int>(row), c = static_cast<int>(column);
    if (r >= 2 * n || c >= 2 * n) continue;  // time is no unknown
    add(r, c);
    add(c, r);
  }
  for (const auto& [row, column] : system.forces().jacobian_pattern())
    if (static_cast<int>(column) < 2 * n) add(static_cast<int>(row), static_cast<int>(column));
  for (int k = 0; k < n * s; ++k) pattern.emplace_back(k, k);
  std::sort(pattern.begin(), pattern.end());
  pattern.erase(std::unique(pattern.begin(), pattern.end()), pattern.end());
  return pattern;
}

}  // namespace

SubStep::SubStep(const System& system, const Tableau& tableau, const NewtonSettings& newton)
    : n_(system.n()),
      s_(tableau.unknowns),
      m_(tableau.points),
      parameters_(system.parameters()),
      tableau_(tableau),
      settings_(newton),
      lagrangian_(system),
      forces_(system),
      explicit_(system.separable() && !system.velocity_forces() &&
                (tableau.ends_only() || (system.uniform_force() && s_ == 1))),
      autonomous_(system.autonomous()),
      has_constraints_(!system.constraints().empty()),
      pattern_(jacobian_pattern(system, s_)),
      jacobian_(n_ * s_, pattern_) {
  if (explicit_ || (system.separable() && system.diagonal_mass())) inverse_mass_ = InverseMass(system);
  if (explicit_) {
    for (int i = 0; i < m_; ++i) {
      b_start_ += tableau_.b[i] * (1 - tableau_.c[i]);
      b_end_ += tableau_.b[i] * tableau_.c[i];
    }
    force_ = formula::Evaluator<double>(system.force());
    force_value_.assign(n_, 0.0);
    force_.inputs()[n_] = std::numeric_limits<double>::quiet_NaN();  // nowhere
    if (system.uniform_force()) {
      force_.run();
      for (int k = 0; k < n_; ++k) force_value_[k] = force_.output(k);
      force_known_ = true;
    }
    half_.assign(n_, 0.0);
    start_force_.assign(n_, 0.0);
    for (const MassEntry& e : system.mass()) jacobian_.values()[jacobian_.slot(e.row, e.column)] = e.value;
    potential_q_.assign(n_, std::numeric_limits<double>::quiet_NaN());
  }
  for (auto* vector : {&q0_, &p0_, &impulse_, &q_, &v_, &mean_, &sum_, &terms_size_, &p0_terms_, &rest_terms_})
    vector->assign(n_, 0.0);
  weights_.assign(static_cast<std::size_t>(n_) * s_, 1.0);
  for (int k = 0; k < n_ * s_; ++k) diagonal_.push_back(jacobian_.slot(k, k));
  for (auto* vector : {&V_, &dV_, &best_, &R_}) vector->assign(static_cast<std::size_t>(n_) * s_, 0.0);
  coefficients_.assign(static_cast<std::size_t>(4) * s_ * s_, 0.0);
  const auto add = [&](std::vector<Term>& terms, std::size_t e, int row, int column) {
    for (int j = 0; j < s_; ++j)
      for (int k = 0; k < s_; ++k)
        terms.push_back({static_cast<std::uint32_t>(e), jacobian_.slot(j * n_ + row % n_, k * n_ + column % n_),
                         ((j * s_ + k) * 2 + (row >= n_)) * 2 + (column >= n_)});
  };
  const auto& entries = lagrangian_.pattern();
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const int row = static_cast<int>(entries[e].first), column = static_cast<int>(entries[e].second);
    if (row >= 2 * n_ || column >= 2 * n_) continue;
    add(terms_, e, row, column);
    if (row != column) add(terms_, e, column, row);
  }
  for (std::size_t e = 0; e < forces_.pattern().size(); ++e) {  // F stands beside L_q: rows below n
    const int row = static_cast<int>(forces_.pattern()[e].first),
              column = static_cast<int>(forces_.pattern()[e].second);
    if (column < 2 * n_) add(force_terms_, e, row, column);
  }
  constrained_ = std::make_unique<ConstrainedStep>(*this, system);
}

SubStep::~SubStep() = default;

bool SubStep::is_free() const { return !has_constraints_ && constrained_->held().empty(); }

template <int N, int S>
void SubStep::place_point(const double* V, int i) {
  const int n = N > 0 ? N : n_, s = S > 0 ? S : s_;
  const double *const A = tableau_.A.data() + static_cast<std::ptrdiff_t>(i) * s,
                      *const B = tableau_.B.data() + static_cast<std::ptrdiff_t>(i) * s, *const q0 = q0_.data();
  double *const q = q_.data(), *const v = v_.data(), h = h_;
  for (int k = 0; k < n; ++k) {
    double displacement = 0, velocity = 0;
    for (int j = 0; j < s; ++j) {
      displacement += A[j] * V[j * n + k];
      velocity += B[j] * V[j * n + k];
    }
    q[k] = q0[k] + h * displacement;
    v[k] = velocity;
  }
  t_ = t0_ + tableau_.c[i] * h;
}

void SubStep::place_point(const double* V, int i) { place_point<0, 0>(V, i); }

void SubStep::evaluate_point(int order) {
  lagrangian_.evaluate(order, q_.data(), v_.data(), t_);
  Q_ = lagrangian_.Lq();
  power_ = 0;
  if (forces_.empty()) return;
  forces_.evaluate(order - 1, q_.data(), v_.data(), t_);
  for (int k = 0; k < n_; ++k) {
    sum_[k] = lagrangian_.Lq()[k] + forces_.F()[k];
    power_ += forces_.F()[k] * v_[k];
  }
  Q_ = sum_.data();
}

bool SubStep::find_impulse(const double* V) {
  if (!start_force_known_ && b_start_ != 0) {
    evaluate_force<0>(q0_.data(), autonomous_ ? 0.0 : t0_);
    std::copy(force_value_.begin(), force_value_.end(), start_force_.begin());
    start_force_known_ = true;
  }
  if (b_end_ != 0 && !force_known_) {
    for (int k = 0; k < n_; ++k) q_[k] = q0_[k] + h_ * V[k];
    evaluate_force<0>(q_.data(), autonomous_ ? 0.0 : t0_ + h_);
  }
  const double b_start = b_start_, b_end = b_end_;
  const double *const start_force = start_force_.data(), *const end_force =
                                                             b_end != 0 ? force_value_.data() : start_force;
  double* const impulse = impulse_.data();
  bool finite = true;
  for (int k = 0, n = n_; k < n; ++k) {
    impulse[k] = b_start * start_force[k] + b_end * end_force[k];
    finite = finite && std::isfinite(impulse[k]);
  }
  return finite;
}

// L_v = MV, and of the forces that at the start alone acts on V: R = MV − p0 − h b_start F(q0). Its Jacobian is M.
void SubStep::evaluate_explicit(const double* V, int order) {
  find_impulse(V);
  std::fill(R_.begin(), R_.end(), 0.0);
  for (const MassEntry& e : lagrangian_.system().mass()) R_[e.row] += e.value * V[e.column];
  for (int k = 0; k < n_; ++k) {
    const double end_force = b_end_ != 0 ? force_value_[k] : start_force_[k];
    terms_size_[k] = std::max(
        {std::abs(p0_[k]), p0_terms_[k], std::abs(R_[k]), std::abs(h_ * start_force_[k]), std::abs(h_ * end_force)});
    R_[k] -= p0_[k] + h_ * (b_start_ * start_force_[k]);
  }
  if (order == 2 && !weighted_) set_weights();
  measure();
}

void SubStep::evaluate(const double* V, int order) {
  if (explicit_) return evaluate_explicit(V, order);
  with_size(n_, [&]<int N>(std::integral_constant<int, N>) {
    s_ == 1 ? evaluate_points<N, 1>(V, order) : evaluate_points<N, 0>(V, order);
  });
}

template <int N, int S>
void SubStep::evaluate_points(const double* V, int order) {
  const int n = N > 0 ? N : n_, s = S > 0 ? S : s_;
  double *const R = R_.data(), *const impulse = impulse_.data(), *const sizes = terms_size_.data();
  const double *const p0 = p0_.data(), *const p0_terms = p0_terms_.data(), *const beta = tableau_.beta.data(), h = h_;
  for (int j = 0; j < s; ++j)
    for (int k = 0; k < n; ++k) R[j * n + k] = -beta[j] * p0[k];
  const double* const rest_terms = rest_terms_.data();
  for (int k = 0; k < n; ++k) impulse[k] = 0, sizes[k] = std::max({std::abs(p0[k]), p0_terms[k], rest_terms[k]});
  if (order == 2) jacobian_.clear();
  for (int i = 0; i < m_; ++i) {
    place_point<N, S>(V, i);
    evaluate_point(order);
    const double b = tableau_.b[i];
    const double *const Q = Q_, *const Lv = lagrangian_.Lv();
    for (int j = 0; j < s; ++j) {
      const double of_v = b * tableau_.d(i, j), of_q = b * h * (tableau_.a(i, j) - beta[j]);
      for (int k = 0; k < n; ++k) R[j * n + k] += of_v * Lv[k] + of_q * Q[k];
    }
    for (int k = 0; k < n; ++k) {
      impulse[k] += b * Q[k];
      sizes[k] = std::max(sizes[k], std::max(std::abs(Lv[k]), std::abs(h * Q[k])));
    }
    if (order < 2) continue;
    for (int j = 0; j < s; ++j)
      for (int l = 0; l < s; ++l) {
        const double row_q = b * h * (tableau_.a(i, j) - beta[j]), row_v = b * tableau_.d(i, j);
        const double column_q = h * tableau_.a(i, l), column_v = tableau_.d(i, l);
        double* c = coefficients_.data() + static_cast<std::ptrdiff_t>(4) * (j * s + l);
        c[0] = row_q * column_q;
        c[1] = row_q * column_v;
        c[2] = row_v * column_q;
        c[3] = row_v * column_v;
      }
    double* const values = jacobian_.values();
    const double* const coefficients = coefficients_.data();
    for (const Term& term : terms_)
      values[term.slot] += coefficients[term.coefficient] * lagrangian_.hessian(term.entry);
    for (const Term& term : force_terms_)
      values[term.slot] += coefficients[term.coefficient] * forces_.derivative(term.entry);
  }
  if (order == 2 && !weighted_) {  // the first evaluation, at V = 0
    rest_terms_ = terms_size_;
    set_weights();
  }
  measure();
}

// Where J_kk = 0 (a coordinate without inertia) the largest of the others serves.
void SubStep::set_weights() {
  double largest = 0;
  for (int k = 0; k < n_ * s_; ++k) {
    const double diagonal = std::abs(jacobian_.values()[diagonal_[k]]);
    weights_[k] = diagonal > 0 && std::isfinite(diagonal) ? diagonal : 0;
    largest = std::max(largest, weights_[k]);
  }
  for (double& weight : weights_) weight = 1 / (weight > 0 ? weight : largest > 0 ? largest : 1);
  weighted_ = true;
}

void SubStep::measure() {
  double residual = 0, size = 0;
  bool finite = true;
  scale_ = 1e-300;
  for (int j = 0; j < s_; ++j)
    for (int k = 0; k < n_; ++k) {
      const double r = R_[j * n_ + k], term = terms_size_[k], weight = weights_[j * n_ + k];
      finite = finite && std::isfinite(r) && std::isfinite(term);
      residual = std::max(residual, r * weight * r);
      size = std::max(size, term * weight * term);
      scale_ = std::max(scale_, term);
    }
  relative_ = residual > 0 ? std::sqrt(residual / size) : 0;
  if (!finite || std::isnan(relative_)) relative_ = INFINITY, scale_ = 1;
  norm_ = relative_ * scale_;
}

struct StepProblem {
  SubStep& step;
  void residual(const double* V) { step.evaluate(V, 1); }
  void residual_and_jacobian(const double* V) { step.evaluate(V, 2); }
  double norm() const { return step.relative_; }
  double scale() const { return 1; }
  bool factorized = false;
  bool direction(double* dV) {
    factorized = step.jacobian_.factorize();
    if (factorized) return again(dV);
    if (!step.lagrangian_.system().degenerate()) return false;
    step.jacobian_.solve_minimum_norm(step.R_.data(), dV);  // a sub-step of no length determines inert coordinates
    for (int k = 0; k < step.n_ * step.s_; ++k) dV[k] = -dV[k];
    return true;
  }
  bool again(double* dV) const {
    if (!factorized) return false;
    step.jacobian_.solve(step.R_.data(), dV);
    for (int k = 0; k < step.n_ * step.s_; ++k) dV[k] = -dV[k];
    return true;
  }
};

void SubStep::start(double t0, const double* q0, const double* p0, double h) {
  t0_ = t0;
  h_ = h;
  weighted_ = start_force_known_ = point_kept_ = false;
  std::copy(q0, q0 + n_, q0_.begin());
  std::copy(p0, p0 + n_, p0_.begin());
  std::fill(p0_terms_.begin(), p0_terms_.end(), 0.0);
  std::fill(rest_terms_.begin(), rest_terms_.end(), 0.0);
}

void SubStep::finish(double* q1, double* p1) {
  const double *const beta = tableau_.beta.data(), *const V = V_.data(), *const impulse = impulse_.data();
  const double *const q0 = q0_.data(), *const p0 = p0_.data(), h = h_;
  for (int k = 0, n = n_, s = s_; k < n; ++k) {
    double mean = 0;
    for (int j = 0; j < s; ++j) mean += beta[j] * V[j * n + k];
    mean_[k] = mean;
    q1[k] = q0[k] + h * mean;
    p1[k] = p0[k] + h * impulse[k];
  }
}

void SubStep::solve(double t0, const double* q0, const double* p0, double h, double* q1, double* p1) {
  if (is_free()) return solve_free(t0, q0, p0, h, q1, p1);
  start(t0, q0, p0, h);
  constrained_->solve(q1, p1);
}

template <int N>
void SubStep::evaluate_force(const double* q, double t) {
  const int n = N > 0 ? N : n_;
  if (force_known_) return;  // everywhere
  // The force at the end of a step is the force at the start of the next: the same point gives the same bits.
  double* const in = force_.inputs();
  bool known = t == in[n];
  for (int k = 0; k < n; ++k) known = known && q[k] == in[k];
  if (known) return;
  for (int k = 0; k < n; ++k) in[k] = q[k];
  in[n] = t;
  force_.run();
  for (int k = 0; k < n; ++k) force_value_[k] = force_.output(k);
}

template <int N>
void SubStep::explicit_position(double t0, const double* q0, const double* p0, double h, double* q1) {
  const int n = N > 0 ? N : n_;
  t0_ = t0;
  h_ = h;
  if (b_start_ != 0) evaluate_force<N>(q0, autonomous_ ? 0.0 : t0);
  const double kick = h * b_start_;
  double *const start_q = q0_.data(), *const start_p = p0_.data(), *const half = half_.data(), *const w = V_.data();
  const double* const f = force_value_.data();
  if (inverse_mass_.is_diagonal()) {
    const double* const inverse_mass = inverse_mass_.diagonal().data();
    for (int k = 0; k < n; ++k) {
      const double q = start_q[k] = q0[k], p = start_p[k] = p0[k];
      half[k] = kick != 0 ? p + kick * f[k] : p;
      w[k] = half[k] * inverse_mass[k];
      q1[k] = q + h * w[k];
    }
  } else {
    for (int k = 0; k < n; ++k) {
      start_q[k] = q0[k], start_p[k] = p0[k];
      half[k] = kick != 0 ? p0[k] + kick * f[k] : p0[k];
    }
    inverse_mass_.apply(half, w);
    for (int k = 0; k < n; ++k) q1[k] = start_q[k] + h * w[k];
  }
  result_ = {.converged = true};
}

template <int N>
void SubStep::explicit_momentum(double t1, double h, const double* q1, double* p1) {
  const int n = N > 0 ? N : n_;
  const double *const half = half_.data(), *const f = force_value_.data();
  if (b_end_ != 0) {
    evaluate_force<N>(q1, autonomous_ ? 0.0 : t1);
    const double kick = h * b_end_;
    for (int k = 0; k < n; ++k) p1[k] = half[k] + kick * f[k];
  } else {
    for (int k = 0; k < n; ++k) p1[k] = half[k];
  }
}

template <int N>
void SubStep::explicit_step(double t0, const double* q0, const double* p0, double h, double* q1, double* p1) {
  explicit_position<N>(t0, q0, p0, h, q1);
  explicit_momentum<N>(t0 + h, h, q1, p1);
}

void SubStep::solve_free(double t0, const double* q0, const double* p0, double h, double* q1, double* p1) {
  if (explicit_)
    return with_size(n_, [&]<int N>(std::integral_constant<int, N>) { explicit_step<N>(t0, q0, p0, h, q1, p1); });
  start(t0, q0, p0, h);
  // From V = 0 the first iteration is the inverse Legendre transform: a function of the state alone, no warm start.
  std::fill(V_.begin(), V_.end(), 0.0);
  StepProblem problem{*this};
  result_ = newton(problem, V_.data(), dV_.data(), best_.data(), n_ * s_, settings_);
  if (!result_.converged)
    throw SolverError(fmt::format("the step equations were not solved: {}", result_.reason), result_.residual,
                      result_.iterations, "a smaller integrator.step");
  finish(q1, p1);
}

void SubStep::place(double t0, const double* q0, const double* p0, double h, double* q1) {
  with_size(n_, [&]<int N>(std::integral_constant<int, N>) { explicit_position<N>(t0, q0, p0, h, q1); });
}

void SubStep::arrive(const double* q1, double* p1) {
  with_size(n_, [&]<int N>(std::integral_constant<int, N>) { explicit_momentum<N>(t0_ + h_, h_, q1, p1); });
}

// ½ wᵀMw + Σ b_i V(q_i): where nothing depends on t both energies are this.
template <int N>
double SubStep::explicit_energy() {
  const int n = N > 0 ? N : n_;
  const double *const w = V_.data(), *const half = half_.data(), *const q0 = q0_.data();
  double energy = 0;
  for (int k = 0; k < n; ++k) energy += w[k] * half[k];
  energy /= 2;
  if (b_start_ != 0) {
    bool known = true;
    for (int k = 0; k < n; ++k) known = known && q0[k] == potential_q_[k];
    if (!known) {
      std::copy(q0, q0 + n, potential_q_.begin());
      potential_ = lagrangian_.potential(q0_.data(), 0);
    }
    energy += b_start_ * potential_;
  }
  if (b_end_ == 0) return energy;
  double* const q = q_.data();
  for (int k = 0; k < n; ++k) q[k] = q0[k] + h_ * w[k];
  return energy + b_end_ * lagrangian_.potential(q, 0);
}

void SubStep::energies(double& before, double& after) {
  if (explicit_ && autonomous_ && forces_.empty() && is_free()) {
    with_size(n_, [&]<int N>(std::integral_constant<int, N>) { before = after = explicit_energy<N>(); });
    return;
  }
  before = after = 0;
  for (int i = 0; i < m_; ++i) {
    place_point(V_.data(), i);
    evaluate_point(1);
    double energy = -lagrangian_.value();
    for (int k = 0; k < n_; ++k) energy += v_[k] * lagrangian_.Lv()[k];
    const double rate = lagrangian_.Lt() - power_;
    before += tableau_.b[i] * (energy - h_ * tableau_.c[i] * rate);
    after += tableau_.b[i] * (energy + h_ * (1 - tableau_.c[i]) * rate);
  }
}

void SubStep::add_work(double* work) {
  if (forces_.empty()) return;
  for (int i = 0; i < m_; ++i) {
    place_point(V_.data(), i);
    forces_.add_powers(h_ * tableau_.b[i], q_.data(), v_.data(), t_, work);
  }
}

// With z_i = (q_i, v_i, t_i) and columns x = (q0, p0, h, t0, θ): dz_i follows from dx and dV, d(∇L)_i = L''_i dz_i +
// ∇L_θ dθ, and every output is a combination of these. dV comes first, from dR = 0. dg holds d(L_q + F), dL_v, d(L_t −
// F·v), and in its last row L_θ dθ.
void SubStep::differentiate_point(int i, const Eigen::MatrixXd& dV, Eigen::MatrixXd& dz, Eigen::MatrixXd& dg) {
  const int n = n_, columns = this->columns(), h_column = 2 * n, t_column = 2 * n + 1;
  if (!point_kept_) {
    place_point(V_.data(), i);
    evaluate_point(2);
  }
  dz.setZero(2 * n + 1, columns);
  dg.setZero(2 * n + 2, columns);
  dz.topLeftCorner(n, n).setIdentity();
  for (int j = 0; j < s_; ++j) {
    dz.topRows(n) += h_ * tableau_.a(i, j) * dV.middleRows(j * n, n);
    dz.middleRows(n, n) += tableau_.d(i, j) * dV.middleRows(j * n, n);
    for (int k = 0; k < n; ++k) dz(k, h_column) += tableau_.a(i, j) * V_[j * n + k];
  }
  dz(2 * n, h_column) = tableau_.c[i];
  dz(2 * n, t_column) = 1;
  for (int column = 0; column < columns; ++column)
    lagrangian_.apply_hessian(dz.col(column).data(), dg.col(column).data());
  Eigen::VectorXd& by_theta = of_point_;
  by_theta.resize(2 * n + 1);
  for (int k = 0; k < parameters_; ++k) {
    auto column = dg.col(2 * n + 2 + k);
    column[2 * n + 1] = lagrangian_.parameter_derivative(k, q_.data(), v_.data(), t_, by_theta.data());
    column.head(2 * n + 1) += by_theta;
  }
  if (forces_.empty()) return;
  if (!forces_.is_smooth())
    throw SolverError("the step has no derivative: a force has an infinite slope", -1, -1,
                      "a force that is smooth where the motion rests");
  const Eigen::Map<const Eigen::VectorXd> F(forces_.F(), n), v(v_.data(), n);
  Eigen::VectorXd& dF = dF_;
  dF.resize(n);
  for (int column = 0; column < columns; ++column) {
    forces_.apply_derivative(dz.col(column).data(), dF.data());
    if (column >= 2 * n + 2) {
      forces_.parameter_derivative(column - 2 * n - 2, q_.data(), v_.data(), t_, by_theta.data());
      dF += by_theta.head(n);
    }
    dg.col(column).head(n) += dF;
    dg(2 * n, column) -= v.dot(dF) + F.dot(dz.col(column).segment(n, n));
  }
}

void SubStep::known_derivative(Eigen::MatrixXd& dR) {
  const int n = n_, columns = this->columns(), h_column = 2 * n;
  Eigen::MatrixXd &dz = dz_, &dg = dg_, &dV = no_dV_;
  dV.setZero(n * s_, columns);
  dR.setZero(n * s_, columns);
  for (int i = 0; i < m_; ++i) {
    differentiate_point(i, dV, dz, dg);
    for (int j = 0; j < s_; ++j) {
      const double c = tableau_.a(i, j) - tableau_.beta[j];
      dR.middleRows(j * n, n) += tableau_.b[i] * (tableau_.d(i, j) * dg.middleRows(n, n) + h_ * c * dg.topRows(n));
      for (int k = 0; k < n; ++k) dR(j * n + k, h_column) += tableau_.b[i] * c * Q_[k];
    }
  }
}

void SubStep::output_derivative(const Eigen::MatrixXd& dP, const Eigen::MatrixXd& dV, SubStepDerivative& out) {
  const int n = n_, columns = this->columns(), h_column = 2 * n;
  Eigen::MatrixXd &dz = dz_, &dg = dg_;
  out.matrix.setZero(2 * n + 2, columns);
  auto dq1 = out.matrix.topRows(n), dp1 = out.matrix.middleRows(n, n);
  auto before = out.matrix.row(2 * n), after = out.matrix.row(2 * n + 1);
  dq1.leftCols(n).setIdentity();
  dp1 = dP;
  for (int j = 0; j < s_; ++j) {
    dq1 += h_ * tableau_.beta[j] * dV.middleRows(j * n, n);
    for (int k = 0; k < n; ++k) dq1(k, h_column) += tableau_.beta[j] * V_[j * n + k];
  }
  for (int i = 0; i < m_; ++i) {
    differentiate_point(i, dV, dz, dg);
    const double b = tableau_.b[i], c = tableau_.c[i];
    dp1 += h_ * b * dg.topRows(n);
    const Eigen::Map<const Eigen::VectorXd> g(lagrangian_.gradient(), 2 * n + 1), v(v_.data(), n), Q(Q_, n);
    dp1.col(h_column) += b * Q;
    // dE_i = v·d(L_v) − L_q·dq − L_t dt − L_θ dθ
    const Eigen::RowVectorXd dE = v.transpose() * dg.middleRows(n, n) - g.head(n).transpose() * dz.topRows(n) -
                                  g[2 * n] * dz.row(2 * n) - dg.row(2 * n + 1);
    before += b * (dE - h_ * c * dg.row(2 * n));
    after += b * (dE + h_ * (1 - c) * dg.row(2 * n));
    before[h_column] -= b * c * (g[2 * n] - power_);
    after[h_column] += b * (1 - c) * (g[2 * n] - power_);
  }
}

void SubStep::derivative(SubStepDerivative& out) {
  if (!is_free()) return constrained_->derivative(out);
  const int n = n_, columns = this->columns();
  Eigen::MatrixXd &dR = dR_, &dV = dV_all_, &dP = dP_;
  dV.resize(n * s_, columns);
  dP.setZero(n, columns);
  dP.middleCols(n, n).setIdentity();
  evaluate(V_.data(), 2);
  point_kept_ = m_ == 1 && !explicit_;
  known_derivative(dR);
  for (int j = 0; j < s_; ++j) dR.middleRows(j * n, n) -= tableau_.beta[j] * dP;
  if (!jacobian_.factorize())
    throw SolverError("the step has no derivative: singular Jacobian", 0, 0, "a smaller integrator.step");
  dR = -dR;
  for (int column = 0; column < columns; ++column) jacobian_.solve(dR.col(column).data(), dV.col(column).data());
  output_derivative(dP, dV, out);
  point_kept_ = false;
}

}  // namespace ricochet
