#include "hamiltonian_flow.hpp"

#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_serial.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "ricochet/error.hpp"

namespace ricochet {

namespace {

int right_hand_side(realtype t, N_Vector y, N_Vector dydt, void* flow) {
  return static_cast<HamiltonianFlow*>(flow)->rhs(t, N_VGetArrayPointer(y), N_VGetArrayPointer(dydt));
}

void stay_silent(int, const char*, const char*, char*, void*) {}  // failures are reported by return codes

}  // namespace

struct HamiltonianFlow::Solver {
  SUNContext context = nullptr;
  N_Vector y = nullptr, absolute = nullptr;
  void* memory = nullptr;
  ARKodeButcherTable table = nullptr;
  ~Solver() {
    if (memory != nullptr) ERKStepFree(&memory);
    if (table != nullptr) ARKodeButcherTable_Free(table);
    for (N_Vector vector : {y, absolute})
      if (vector != nullptr) N_VDestroy(vector);
    if (context != nullptr) SUNContext_Free(&context);
  }
};

HamiltonianFlow::HamiltonianFlow(Lagrangian& lagrangian, double tolerance)
    : L_(&lagrangian),
      forces_(lagrangian.system()),
      tolerance_(tolerance),
      separable_(lagrangian.system().separable() && !lagrangian.system().velocity_forces()),
      frames_(lagrangian.system()),
      dual_q_(lagrangian.n()),
      dual_rows_(static_cast<std::size_t>(3) * lagrangian.n()),
      n_(lagrangian.n()),
      from_(2 * n_),
      y_(2 * n_),
      stage_(2 * n_),
      rate_(2 * n_),
      work_(n_),
      inertia_(n_),
      absolute_(2 * n_, 1.0),
      solver_(std::make_unique<Solver>()) {
  if (separable_) {
    inverse_mass_ = InverseMass(lagrangian.system());
    force_ = formula::Evaluator<double>(lagrangian.system().force());
  }
  if (!lagrangian.system().constraints().empty()) constraints_.emplace(lagrangian.system());
  set_rows();
  Solver& s = *solver_;
  const auto check = [](bool fine) {
    if (!fine) throw std::runtime_error("SUNDIALS could not be set up");
  };
  check(SUNContext_Create(nullptr, &s.context) == 0);
  check((s.y = N_VMake_Serial(2 * n_, y_.data(), s.context)) != nullptr);
  check((s.absolute = N_VMake_Serial(2 * n_, absolute_.data(), s.context)) != nullptr);
  check((s.memory = ERKStepCreate(right_hand_side, 0.0, s.y, s.context)) != nullptr);
  check((s.table = ARKodeButcherTable_LoadERK(ARKODE_FEHLBERG_13_7_8)) != nullptr);
  k_.resize(static_cast<std::size_t>(s.table->stages) * 2 * n_);
  check(ERKStepSetUserData(s.memory, this) == ARK_SUCCESS);
  check(ERKStepSetErrHandlerFn(s.memory, stay_silent, nullptr) == ARK_SUCCESS);
  check(ERKStepSetTableNum(s.memory, ARKODE_FEHLBERG_13_7_8) == ARK_SUCCESS);
  check(ERKStepSVtolerances(s.memory, tolerance, s.absolute) == ARK_SUCCESS);
  check(ERKStepSetMaxErrTestFails(s.memory, 40) == ARK_SUCCESS);
}

HamiltonianFlow::~HamiltonianFlow() = default;

void HamiltonianFlow::set_rows() {
  int m = (constraints_ ? constraints_->count() : 0) + static_cast<int>(held_.size());
  first_tangent_.assign(held_.size(), m);
  for (std::size_t k = 0; k < held_.size(); ++k) {
    first_tangent_[k] = m;
    if (rubs_[k].sticks) m += rubs_[k].tangents;
  }
  slips_.assign(2 * held_.size(), 0.0);
  slip_rates_.assign(2 * held_.size(), 0.0);
  slip_accelerations_.assign(2 * held_.size(), 0.0);
  tangents_.setZero(n_, 2 * static_cast<int>(held_.size()));
  directions_.assign(2 * held_.size(), 0.0);
  slip_sizes_.assign(held_.size(), 0.0);
  scales_.assign(held_.size(), 1.0);
  LinearSolver::Pattern full;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) full.emplace_back(i, j);
  gram_.reset();
  gram_slots_.clear();
  if (m == 0) return;
  gram_.emplace(m, full);
  for (const auto& [i, j] : full) gram_slots_.push_back(gram_->slot(i, j));
  columns_.resize(n_, m);
  rows_.resize(n_, m);
  inverse_mass_c_.resize(n_, m);
  direction_.setZero(2 * n_ + 1);
  bent_.setZero(2 * n_ + 1);
  gamma_.setZero(m);
}

void HamiltonianFlow::hold(Gaps& gaps, std::span<const int> pieces, std::span<const Rub> rubs) {
  gaps_ = &gaps;
  bool same = std::equal(pieces.begin(), pieces.end(), held_.begin(), held_.end());
  for (std::size_t k = 0; k < pieces.size() && same; ++k)
    same = rubs_[k].tangents == rubs[k].tangents && rubs_[k].sticks == rubs[k].sticks;
  rubs_.assign(rubs.begin(), rubs.end());
  held_.assign(pieces.begin(), pieces.end());
  if (!same) set_rows();
}

double HamiltonianFlow::friction(int k, int a) const {
  return rubs_[k].sticks ? gamma_[first_tangent_[k] + a] : -cone(k) * directions_[2 * k + a];
}

double HamiltonianFlow::normal_force(int k) const {
  return scales_[k] * gamma_[(constraints_ ? constraints_->count() : 0) + k];
}

double HamiltonianFlow::cone(int k) const { return rubs_[k].friction * normal_force(k); }

bool HamiltonianFlow::jams(int k) const {
  const int normal = (constraints_ ? constraints_->count() : 0) + k;
  return rubs_[k].tangents > 0 && !rubs_[k].sticks && rows_.col(normal).dot(inverse_mass_c_.col(normal)) <= 0;
}

double HamiltonianFlow::tangent_size(int k) const {
  const int row = first_tangent_[k];
  return std::sqrt(rows_.col(row).dot(inverse_mass_c_.col(row)));
}

// Rows and columns of the friction of the k-th contact held, with v; its normal is there.
void HamiltonianFlow::add_friction(int k, double t, const double* y, const double* v) {
  const Rub& rub = rubs_[k];
  if (rub.tangents == 0) return;
  using Dual = formula::Dual<double>;
  for (int i = 0; i < n_; ++i) dual_q_[i] = {y[i], v[i]};
  Dual rates[3];
  scales_[k] = frames_.evaluate(held_[k], dual_q_.data(), Dual(t, 1.0), dual_rows_.data(), rates).value;
  double* direction = &directions_[2 * k];
  direction[0] = rub.slip[0], direction[1] = rub.slip[1];
  slip_sizes_[k] = 0;
  for (int a = 0; a < rub.tangents; ++a) {
    double slip = rates[1 + a].value, turn = rates[1 + a].derivative;
    slip_sizes_[k] += std::abs(slip);
    slip_rates_[2 * k + a] = slip;
    for (int i = 0; i < n_; ++i) {
      const Dual& entry = dual_rows_[(1 + a) * n_ + i];
      slip += entry.value * v[i];
      turn += entry.derivative * v[i];
      slip_sizes_[k] += std::abs(entry.value * v[i]);
    }
    slips_[2 * k + a] = slip;
    slip_accelerations_[2 * k + a] = turn;
    for (int i = 0; i < n_; ++i) tangents_(i, 2 * k + a) = dual_rows_[(1 + a) * n_ + i].value;
    if (!rub.sticks) continue;
    const int row = first_tangent_[k] + a;
    for (int i = 0; i < n_; ++i) rows_(i, row) = columns_(i, row) = dual_rows_[(1 + a) * n_ + i].value;
    gamma_[row] = turn;
  }
  if (rub.sticks) return;
  if (rub.tangents == 2 && slips_[2 * k] * direction[0] + slips_[2 * k + 1] * direction[1] > 0) {
    Rub now = rub;
    now.slide(slips_[2 * k], slips_[2 * k + 1]);
    direction[0] = now.slip[0], direction[1] = now.slip[1];
  }
  const int normal = (constraints_ ? constraints_->count() : 0) + k;
  for (int a = 0; a < rub.tangents; ++a)
    for (int i = 0; i < n_; ++i)
      columns_(i, normal) -= rub.friction * scales_[k] * direction[a] * dual_rows_[(1 + a) * n_ + i].value;
}

void HamiltonianFlow::reactions(double t, const double* y, double* mu) {
  std::vector<double> dydt(2 * n_);
  constrained_rhs(t, y, dydt.data());
  Eigen::VectorXd a(n_);
  L_->apply_inverse_mass(r_.data(), a.data());
  const auto turned = bent_.segment(n_, n_);  // r = L_q + F less this: where they cancel r is round-off
  force_size_ = std::sqrt(r_.dot(a)) + inertial_size_;
  L_->apply_inverse_mass(turned.data(), a.data());
  force_size_ += std::sqrt(std::fmax(0, turned.dot(a)));
  const Eigen::VectorXd force = r_ + columns_ * gamma_;
  L_->apply_inverse_mass(force.data(), a.data());
  for (std::size_t k = 0; k < slip_accelerations_.size(); ++k)
    slip_accelerations_[k] += tangents_.col(static_cast<int>(k)).dot(a);
  const std::size_t first = constraints_ ? constraints_->count() : 0;
  share_friction();
  for (std::size_t k = 0; k < held_.size(); ++k) mu[k] = gamma_[static_cast<int>(first + k)];
}

// The rule of discrete/share_friction.hpp, where friction and pressure may replace each other: a ball in a groove could
// be wedged by any friction across it. Of all multipliers that give the same motion those of the least Στ²/λ; G is the
// Gram matrix of all rows but of what slides, its parts n of constraints and normals, τ of tangents:
//
//   τ = D(Gy)_τ,   (Gy)_n = 0,   G_·τ τ + G_·n δλ = G_·τ τ₀
void HamiltonianFlow::share_friction() {
  const int first = (constraints_ ? constraints_->count() : 0), tangents = first + static_cast<int>(held_.size());
  const int m = static_cast<int>(rows_.cols());
  if (m == tangents || held_.size() < 2) return;  // nothing sticks, or one alone
  std::vector<int> used;                          // rows, tangents last
  for (int k = 0; k < m; ++k)
    if (k < first || k >= tangents || rubs_[k - first].tangents == 0 || rubs_[k - first].sticks) used.push_back(k);
  const int size = static_cast<int>(used.size()), stuck = m - tangents, free = size - stuck;
  share_pressure_.assign(size, 0.0);
  for (int k = 0; k < static_cast<int>(held_.size()); ++k)
    for (int a = 0; a < rubs_[k].tangents && rubs_[k].sticks; ++a)
      share_pressure_[free + first_tangent_[k] + a - tangents] = std::fmax(normal_force(k), 1e-300);
  const auto gram = [&](int i, int j) { return share_gram_[static_cast<std::size_t>(i) * size + j]; };
  share_gram_.assign(static_cast<std::size_t>(size) * size, 0.0);
  double scale = 0;
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j)
      share_gram_[static_cast<std::size_t>(i) * size + j] = rows_.col(used[i]).dot(inverse_mass_c_.col(used[j]));
  for (int l = free; l < size; ++l) scale += gram(l, l) * share_pressure_[l];
  share_.resize(size + free);
  for (int i = 0; i < size; ++i) {
    share_.row_scale(i) = share_.column_scale(i) = gram(i, i) * scale;
    for (int l = free; l < size; ++l) {
      share_.b(i) += gram(i, l) * gamma_[used[l]];
      for (int j = 0; j < size; ++j) share_.a(i, j) += gram(i, l) * share_pressure_[l] * gram(l, j);
    }
  }
  for (int n = 0; n < free; ++n) {
    share_.row_scale(size + n) = share_.column_scale(size + n) = gram(n, n) / scale;
    for (int j = 0; j < size; ++j) share_.a(j, size + n) = share_.a(size + n, j) = gram(j, n);
  }
  share_.solve();
  for (int n = 0; n < free; ++n) gamma_[used[n]] += share_.x(size + n);
  for (int l = free; l < size; ++l) {
    double sum = 0;
    for (int j = 0; j < size; ++j) sum += gram(l, j) * share_.x(j);
    gamma_[used[l]] = share_pressure_[l] * sum;
  }
}

double HamiltonianFlow::slip_reach(int k, double t, const double* y) {
  using Dual = formula::Dual<double>;
  for (int i = 0; i < n_; ++i) dual_q_[i] = y[i];
  Dual rates[3];
  frames_.evaluate(held_[k], dual_q_.data(), Dual(t), dual_rows_.data(), rates);
  Eigen::VectorXd row(n_), w(n_);
  for (int i = 0; i < n_; ++i) row[i] = dual_rows_[n_ + i].value;
  L_->apply_inverse_mass(row.data(), w.data());
  return force_size_ * std::sqrt(row.dot(w));
}

int HamiltonianFlow::rhs(double t, const double* y, double* dydt) {
  try {
    if (gram_) {
      constrained_rhs(t, y, dydt);
    } else if (separable_) {
      inverse_mass_.apply(y + n_, dydt);
      std::copy(y, y + n_, force_.inputs());
      force_.inputs()[n_] = t;
      force_.run();
      for (int i = 0; i < n_; ++i) dydt[n_ + i] = force_.output(i);
    } else {
      L_->velocity(y, y + n_, t, dydt);
      L_->evaluate(1, y, dydt, t);
      std::copy(L_->Lq(), L_->Lq() + n_, dydt + n_);
      add_forces(t, y, dydt, dydt + n_);
    }
  } catch (const SolverError&) {
    trouble_ = std::current_exception();
    return 1;
  }
  return std::all_of(dydt, dydt + 2 * n_, [](double x) { return std::isfinite(x); }) ? 0 : 1;
}

void HamiltonianFlow::add_forces(double t, const double* q, const double* v, double* sum) {
  if (forces_.empty()) return;
  forces_.evaluate(0, q, v, t);
  for (int i = 0; i < n_; ++i) sum[i] += forces_.F()[i];
}

void HamiltonianFlow::constrained_rhs(double t, const double* y, double* dydt) {
  using Eigen::Map, Eigen::VectorXd;
  double *v = dydt, *force = dydt + n_;
  L_->velocity(y, y + n_, t, v);
  L_->evaluate(2, y, v, t);
  std::copy(L_->Lq(), L_->Lq() + n_, force);
  add_forces(t, y, v, force);
  direction_.head(n_) = Map<const VectorXd>(v, n_);
  direction_[2 * n_] = 1;
  L_->apply_hessian(direction_.data(), bent_.data());
  r_ = Map<const VectorXd>(force, n_) - bent_.segment(n_, n_);
  columns_.setZero();
  const int m = static_cast<int>(columns_.cols()), count = constraints_ ? constraints_->count() : 0;
  if (constraints_) {
    constraints_->evaluate(y);
    for (const Constraints::Entry& e : constraints_->entries()) columns_(e.coordinate, e.constraint) = e.value;
    constraints_->rate_derivative(y, v, v, gamma_.data());
  }
  Eigen::VectorXd along(n_ + 1), curved(n_ + 1);
  along << Map<const VectorXd>(v, n_), 1.0;
  const int held = static_cast<int>(held_.size());
  for (int k = count; k < count + held; ++k) {
    double g_t = 0;
    gaps_->gradient(held_[k - count], y, t, columns_.col(k).data(), g_t);
    gaps_->hessian_times(held_[k - count], y, t, along.data(), curved.data());
    gamma_[k] = along.dot(curved);
  }
  rows_ = columns_;
  for (int k = 0; k < held; ++k) add_friction(k, t, y, v);
  for (int k = 0; k < m; ++k) L_->apply_inverse_mass(columns_.col(k).data(), inverse_mass_c_.col(k).data());
  inertial_size_ = 0;
  for (int k = 0; k < m; ++k)
    if (const double G = rows_.col(k).dot(inverse_mass_c_.col(k)); G > 0)
      inertial_size_ = std::fmax(inertial_size_, std::abs(gamma_[k]) / std::sqrt(G));
  L_->apply_inverse_mass(r_.data(), curved.data());
  for (int k = 0; k < m; ++k) gamma_[k] = -gamma_[k] - rows_.col(k).dot(curved.head(n_));
  for (int k = 0; k < m; ++k)
    for (int l = 0; l < m; ++l) gram_->values()[gram_slots_[k * m + l]] = rows_.col(k).dot(inverse_mass_c_.col(l));
  if (gram_->factorize())
    gram_->solve(gamma_.data(), gamma_.data());
  else
    gram_->solve_minimum_norm(gamma_.data(), gamma_.data());
  Map<VectorXd>(force, n_).noalias() += columns_ * gamma_;
}

double HamiltonianFlow::kick(double t, const double* y) {
  if (rhs(t, y, rate_.data()) != 0) return 0;  // the integration will meet the trouble again, and report it
  const double* f = gram_ ? r_.data() : rate_.data() + n_;  // without reactions: what rests has forces too
  separable_ && !gram_ ? inverse_mass_.apply(f, work_.data()) : L_->apply_inverse_mass(f, work_.data());
  double sum = 0;
  for (int i = 0; i < n_; ++i) sum += f[i] * work_[i];
  return std::abs(sum);
}

// Roots are taken of products whose unit is a square, so that powers of two in the units change no digit.
void HamiltonianFlow::set_tolerances(double t, const double* y, double h) {
  const System& system = L_->system();
  double f = kick(t, y), kinetic = 0;
  L_->evaluate(2, y, rate_.data(), t);
  std::fill(inertia_.begin(), inertia_.end(), 0.0);
  for (std::size_t e = 0; e < L_->pattern().size(); ++e) {  // M = L_vv
    const int i = static_cast<int>(L_->pattern()[e].first) - n_, j = static_cast<int>(L_->pattern()[e].second) - n_;
    if (i < 0 || i >= n_ || j < 0) continue;
    const double m = L_->hessian(e);
    kinetic += (i == j ? 1 : 2) * rate_[i] * m * rate_[j];
    if (i == j) inertia_[i] = std::abs(m);
  }
  if (!system.autonomous() || !system.model().forces.empty())
    for (const double part : {0.5, 1.0}) f = std::fmax(f, kick(t + part * h, y));
  trouble_ = nullptr;
  const double energy = std::abs(kinetic) + h * h * f;
  constexpr double smallest = std::numeric_limits<double>::min();  // at rest without a force nothing moves
  for (int i = 0; i < n_; ++i) {
    const double way = inertia_[i] > 0 ? h * std::sqrt(energy / inertia_[i]) : 0;
    absolute_[i] = std::fmax(smallest, tolerance_ / 4 * (std::abs(y[i]) + way));
    absolute_[n_ + i] = std::fmax(smallest, tolerance_ / 4 * std::sqrt(energy * inertia_[i]));
  }
}

void HamiltonianFlow::start(double t, const double* y, double end, double max_step) {
  std::copy(y, y + 2 * n_, y_.begin());
  t_ = t_from_ = t;
  end_ = end;
  trouble_ = nullptr;
  set_tolerances(t, y, max_step);
  void* m = solver_->memory;
  const bool fine = ERKStepReInit(m, right_hand_side, t, solver_->y) == ARK_SUCCESS &&
                    ERKStepSVtolerances(m, tolerance_, solver_->absolute) == ARK_SUCCESS &&
                    ERKStepSetMaxStep(m, max_step) == ARK_SUCCESS &&
                    ERKStepSetInitStep(m, std::min(max_step, end - t)) == ARK_SUCCESS &&
                    ERKStepSetStopTime(m, end) == ARK_SUCCESS;
  if (!fine) throw std::runtime_error("SUNDIALS could not be started");
}

void HamiltonianFlow::advance() {
  t_from_ = t_;
  from_ = y_;
  // ARKODE refuses lengths near round-off of the time.
  if (end_ - t_ <= 1e-13 * std::max(std::abs(t_), std::abs(end_))) {
    step_of_length(t_from_, from_.data(), end_ - t_, y_.data());
    t_ = end_;
    return;
  }
  const int flag = ERKStepEvolve(solver_->memory, end_, solver_->y, &t_, ARK_ONE_STEP);
  if (flag >= 0) return;
  if (trouble_) std::rethrow_exception(trouble_);
  throw SolverError(flag == ARK_RHSFUNC_FAIL || flag == ARK_FIRST_RHSFUNC_ERR || flag == ARK_REPTD_RHSFUNC_ERR
                        ? "the equations of motion have no finite value"
                        : "the error control found no step small enough",
                    -1, -1, "a larger integrator.tolerance, or look for a singularity of the Lagrangian");
}

void HamiltonianFlow::partial(double s, double* y) { step_of_length(t_from_, from_.data(), s, y); }

void HamiltonianFlow::step_of_length(double t, const double* y, double s, double* out) {
  const ARKodeButcherTable table = solver_->table;
  const int size = 2 * n_;
  for (int i = 0; i < table->stages; ++i) {
    for (int c = 0; c < size; ++c) {
      double sum = 0;
      for (int j = 0; j < i; ++j) sum += table->A[i][j] * k_[j * size + c];
      stage_[c] = y[c] + s * sum;
    }
    trouble_ = nullptr;
    if (rhs(t + table->c[i] * s, stage_.data(), k_.data() + i * size) != 0) {
      if (trouble_) std::rethrow_exception(trouble_);
      throw SolverError("the equations of motion have no finite value", -1, -1, "a smaller integrator.step");
    }
  }
  for (int c = 0; c < size; ++c) {
    double sum = 0;
    for (int i = 0; i < table->stages; ++i) sum += table->b[i] * k_[i * size + c];
    stage_[c] = sum;
  }
  for (int c = 0; c < size; ++c) out[c] = y[c] + s * stage_[c];
}

}  // namespace ricochet
