#include "ricochet/mechanics/lagrangian.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "ricochet/error.hpp"
#include "ricochet/numerics/newton.hpp"

namespace ricochet {

namespace {

LinearSolver::Pattern mass_pattern(const System& system) {
  LinearSolver::Pattern pattern;
  const auto n = static_cast<std::uint32_t>(system.n());
  for (const auto& [i, j] : system.lagrangian().hessian_pattern())
    if (i >= n && i < 2 * n && j >= n) {
      pattern.emplace_back(i - n, j - n);
      pattern.emplace_back(j - n, i - n);
    }
  return pattern;
}

}  // namespace

Lagrangian::Lagrangian(const System& system)
    : system_(&system),
      n_(system.n()),
      first_hessian_(system.lagrangian().hessian_output(0)),
      potential_(system.potential()),
      order1_(system.lagrangian().order(1)),
      order2_(system.lagrangian().order(2)),
      generators_(system.generators()),
      gradient_(2 * n_ + 1, 0.0),
      work_(3 * n_, 0.0),
      row_sizes_(n_, 1.0),
      mass_(n_, mass_pattern(system)) {
  if (system.separable() && system.diagonal_mass()) {
    diagonal_.assign(n_, 0.0);
    for (const MassEntry& e : system.mass()) diagonal_[e.row] = e.value;
  }
  const auto n = static_cast<std::uint32_t>(n_);
  const auto& entries = system.lagrangian().hessian_pattern();
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const auto [i, j] = entries[k];
    if (i < n || i >= 2 * n || j < n) continue;
    mass_slots_.emplace_back(k, mass_.slot(static_cast<int>(i - n), static_cast<int>(j - n)));
    if (i != j) mass_slots_.emplace_back(k, mass_.slot(static_cast<int>(j - n), static_cast<int>(i - n)));
  }
}

const std::vector<std::pair<std::uint32_t, std::uint32_t>>& Lagrangian::pattern() const {
  return system_->lagrangian().hessian_pattern();
}

void Lagrangian::evaluate(int order, const double* q, const double* v, double t) {
  formula::Evaluator<double>& program = order == 1 ? order1_ : order2_;
  double* in = program.inputs();
  for (int i = 0; i < n_; ++i) in[i] = q[i];
  for (int i = 0; i < n_; ++i) in[n_ + i] = v[i];
  in[2 * n_] = t;
  program.run();
  value_ = program.output(0);
  const auto& places = system_->lagrangian().gradient_pattern();  // the other components stay zero
  for (std::size_t k = 0; k < places.size(); ++k) gradient_[places[k]] = program.output(1 + k);
}

void Lagrangian::apply_hessian(const double* x, double* y) const {
  std::fill(y, y + 2 * n_ + 1, 0.0);
  const auto& entries = pattern();
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const auto [i, j] = entries[k];
    const double h = hessian(k);
    y[i] += h * x[j];
    if (i != j) y[j] += h * x[i];
  }
}

double Lagrangian::parameter_derivative(int k, const double* q, const double* v, double t, double* out) {
  if (dual_.empty()) dual_.emplace_back(system_->lagrangian().order(1));
  formula::Evaluator<formula::Dual<double>>& program = dual_.front();
  std::fill(out, out + 2 * n_ + 1, 0.0);
  if (!program.vary_parameter(k)) return 0;
  for (int i = 0; i < n_; ++i) program.inputs()[i] = {q[i], 0.0}, program.inputs()[n_ + i] = {v[i], 0.0};
  program.inputs()[2 * n_] = {t, 0.0};
  program.run();
  const auto& places = system_->lagrangian().gradient_pattern();
  for (std::size_t e = 0; e < places.size(); ++e) out[places[e]] = program.output(1 + e).derivative;
  return program.output(0).derivative;
}

void Lagrangian::momentum(const double* q, const double* v, double t, double* p) {
  evaluate(1, q, v, t);
  std::copy(Lv(), Lv() + n_, p);
}

void Lagrangian::set_mass() {
  mass_.clear();
  for (const auto& [entry, slot] : mass_slots_) mass_.values()[slot] = hessian(entry);
}

struct LegendreProblem {
  Lagrangian& L;
  const double *q, *p;
  double t;
  double norm_ = 0, scale_ = 0;
  bool measured = false;  // the sizes of the rows, at the start

  // Momenta of different units are compared as p_i/√M_ii. The terms of L_v = A + Mv, which may vanish where v does not,
  // are no smaller than those at the start, v = 0.
  void measure() {
    norm_ = 0;
    for (int i = 0; i < L.n_; ++i) {
      const double r = L.row_sizes_[i];
      L.work_[i] = p[i] - L.Lv()[i];
      norm_ = std::isfinite(L.work_[i]) ? std::fmax(norm_, std::abs(L.work_[i]) / r) : INFINITY;
      scale_ = std::fmax(scale_, std::fmax(std::abs(p[i]), std::abs(L.Lv()[i])) / r);
    }
  }
  void residual(const double* v) { L.evaluate(1, q, v, t), measure(); }
  void residual_and_jacobian(const double* v) {
    L.evaluate(2, q, v, t);
    L.set_mass();
    if (!measured) L.mass_.row_sizes(L.row_sizes_.data());
    measured = true;
    measure();
  }
  double norm() const { return norm_; }
  double scale() const { return scale_; }
  bool direction(double* dv) {
    if (!L.mass_.factorize()) return false;
    L.mass_.solve(L.work_.data(), dv);
    return true;
  }
};

void Lagrangian::velocity(const double* q, const double* p, double t, double* v) {
  LegendreProblem problem{*this, q, p, t};
  std::fill(v, v + n_, 0.0);
  if (system_->degenerate()) {  // quadratic in v: p = A + Mv
    evaluate(2, q, v, t);
    set_mass();
    for (int i = 0; i < n_; ++i) work_[i] = p[i] - Lv()[i];
    mass_.solve_minimum_norm(work_.data(), v);
    return;
  }
  if (system_->separable()) {
    if (!mass_known_ && diagonal_.empty()) {
      evaluate(2, q, v, t);
      set_mass();
      mass_known_ = mass_.factorize();
    }
    const bool known = mass_known_ || !diagonal_.empty();
    if (known) solve_mass(p, v);
    if (known && std::all_of(v, v + n_, [](double x) { return std::isfinite(x); })) return;
    std::fill(v, v + n_, 0.0);  // Newton's words for what is wrong
  }
  const NewtonResult result = newton(problem, v, work_.data() + n_, work_.data() + 2 * n_, n_, {});
  if (!result.converged)
    throw SolverError(fmt::format("the velocity could not be found from the momentum: {}", result.reason),
                      result.residual, result.iterations, "check that the mass matrix is regular along the motion");
  // at rest the iteration ends at once: factorise for apply_inverse_mass
  if (result.iterations == 0) mass_.factorize();
}

void Lagrangian::apply_degenerate(const double* x, double* w) const {
  double rest = 0;
  mass_.solve_minimum_norm(x, w, &rest);
  if (rest > 1e-9)
    throw SolverError("an impulse acts where there is no inertia", rest, 0,
                      "contacts that do not depend on coordinates without kinetic energy");
}

double Lagrangian::energy(const double* q, const double* v, double t) {
  evaluate(1, q, v, t);
  double e = -value_;
  for (int i = 0; i < n_; ++i) e += v[i] * Lv()[i];
  return e;
}

double Lagrangian::potential(const double* q, double t) {
  double* const in = potential_.inputs();
  for (int i = 0; i < n_; ++i) in[i] = q[i];
  in[n_] = t;
  potential_.run();
  return potential_.output(0);
}

void Lagrangian::momentum_maps(const double* q, const double* p, double* out) {
  const std::size_t count = system_->model().symmetries.size();
  if (count == 0) return;
  std::copy(q, q + n_, generators_.inputs());
  generators_.run();
  for (std::size_t s = 0; s < count; ++s) {
    out[s] = 0;
    for (int i = 0; i < n_; ++i) out[s] += p[i] * generators_.output(s * n_ + i);
  }
}

std::string direction_in_words(const System& system, const double* direction) {
  const auto& names = system.model().coordinates;
  const auto largest =
      std::max_element(direction, direction + system.n(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  std::string words;
  for (int i = 0; i < system.n(); ++i) {
    const double x = direction[i] / *largest;
    if (std::abs(x) < 1e-6) continue;
    const std::string size = std::abs(std::abs(x) - 1) < 1e-6 ? "" : fmt::format("{:.4g} ", std::abs(x));
    words += fmt::format("{}{}{}", words.empty() ? (x < 0 ? "-" : "") : (x < 0 ? " - " : " + "), size, names[i]);
  }
  return words;
}

std::optional<std::string> singular_direction(Lagrangian& lagrangian, const double* q, const double* v, double t) {
  const int n = lagrangian.n();
  lagrangian.evaluate(2, q, v, t);
  const auto& names = lagrangian.system().model().coordinates;
  Eigen::VectorXd row_size = Eigen::VectorXd::Zero(n), diagonal = row_size;
  Eigen::MatrixXd mass = n <= 400 ? Eigen::MatrixXd::Zero(n, n) : Eigen::MatrixXd();
  for (std::size_t k = 0; k < lagrangian.pattern().size(); ++k) {
    const int i = static_cast<int>(lagrangian.pattern()[k].first) - n,
              j = static_cast<int>(lagrangian.pattern()[k].second) - n;
    if (i < 0 || i >= n || j < 0) continue;
    row_size[i] = std::fmax(row_size[i], std::abs(lagrangian.hessian(k)));
    row_size[j] = std::fmax(row_size[j], std::abs(lagrangian.hessian(k)));
    if (i == j) diagonal[i] = std::abs(lagrangian.hessian(k));
    if (mass.size() > 0) mass(i, j) = mass(j, i) = lagrangian.hessian(k);
  }
  for (int i = 0; i < n; ++i)
    if (!(row_size[i] > 0)) return names[i];
  if (mass.size() == 0) return {};  // a large matrix: its factorisation will tell
  if (!mass.allFinite()) return {};
  // Scale to a diagonal of ones, so that a light body beside a heavy one is not called singular in any units.
  Eigen::VectorXd scale(n);
  for (int i = 0; i < n; ++i) scale[i] = 1 / std::sqrt(diagonal[i] > 0 ? diagonal[i] : row_size[i]);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scale.asDiagonal() * mass * scale.asDiagonal());
  int smallest = 0;
  const Eigen::VectorXd sizes = eigen.eigenvalues().cwiseAbs();
  if (sizes.minCoeff(&smallest) > 1e-13 * sizes.maxCoeff()) return {};
  const Eigen::VectorXd direction = scale.asDiagonal() * eigen.eigenvectors().col(smallest);
  return direction_in_words(lagrangian.system(), direction.data());
}

}  // namespace ricochet
