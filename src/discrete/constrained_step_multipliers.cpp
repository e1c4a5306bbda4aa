// The constrained step where M is constant and diagonal and no force depends on velocities, as in RATTLE: with the
// force at the start MV = p0 + C0ν + h b F(q0) gives V for any ν, so that only the rows are left,
//
//   r(ν) = 0,   ∂r/∂ν = S = D + L M⁻¹C0,
//
// L the derivatives of the rows by V and D those by ν, as in the whole matrix. The projection likewise, where the start
// of the matrix alone must be constant: (D + C1ᵀM⁻¹C1) ξ = −(b + C1ᵀM⁻¹p). S is a Gram matrix and has the square of the
// condition of C: Newton's method corrects that, the projection is corrected once, and where S is singular or the
// iteration does not end at round-off (rows that nearly repeat each other) the whole matrix is asked. Used where S has
// no more entries than that.

#include <algorithm>
#include <cmath>
#include <utility>

#include "constrained_rows.hpp"
#include "ricochet/numerics/epsilon.hpp"

namespace ricochet {

void ConstrainedStep::prepare_gram(Rows& rows) const {
  if (!system_.separable() || !system_.diagonal_mass() || m_ == 0) return;
  LinearSolver::Pattern pattern;
  std::vector<std::vector<int>> at(n_);  // columns of each coordinate
  const std::size_t entries = n_ + 2 * rows.columns.size() + m_;
  for (std::size_t e = 0; e < rows.columns.size(); ++e) at[rows.columns[e].coordinate].push_back(static_cast<int>(e));
  for (const std::vector<int>& list : at) {
    if (list.size() * list.size() > entries) return;
    for (const int low : list)
      for (const int up : list) pattern.emplace_back(rows.columns[low].multiplier, rows.columns[up].multiplier);
  }
  for (int k = 0; k < m_; ++k) pattern.emplace_back(k, k);
  for (int k = constraints_.count(); k < base_; ++k) pattern.emplace_back(k, base_ + contact_of_[k]);
  std::sort(pattern.begin(), pattern.end());
  pattern.erase(std::unique(pattern.begin(), pattern.end()), pattern.end());
  if (pattern.size() > entries) return;
  rows.gram.emplace(m_, pattern);
  const auto entry = [&](const Rows::Product& product) {
    return std::pair(rows.columns[product.low].multiplier, rows.columns[product.up].multiplier);
  };
  for (const std::vector<int>& list : at)
    for (const int low : list)
      for (const int up : list) rows.products.push_back({low, up});
  std::stable_sort(rows.products.begin(), rows.products.end(),
                   [&](const Rows::Product& a, const Rows::Product& b) { return entry(a) < entry(b); });
  for (int end = 0; const std::pair<int, int>& place : pattern) {
    while (end < static_cast<int>(rows.products.size()) && entry(rows.products[end]) == place) ++end;
    rows.gram_entries.push_back({rows.gram->slot(place.first, place.second), end});
  }
  for (int k = 0; k < m_; ++k) rows.gram_diagonal.push_back(rows.gram->slot(k, k));
  for (int k = constraints_.count(); k < base_; ++k)
    rows.gram_cone.push_back(rows.gram->slot(k, base_ + contact_of_[k]));
}

const double* ConstrainedStep::inverse_mass() const { return step_.inverse_mass_.diagonal().data(); }

// S of the step's rows, those of its start for all or as they were evaluated last; or of the projection.
void ConstrainedStep::fill_gram(GramOf what) {
  if (what == GramOf::path) find_ways();
  const double* const inverse = inverse_mass();
  const bool at_end = what == GramOf::projection;
  double *const values = rows_of_->gram->values(), *const low = low_.data();
  for (int k = 0; k < m_; ++k) {
    const auto [first, end] = rows_of_->places[k];
    const bool at_start = what == GramOf::start || (what == GramOf::path && kinds_[k] == RowKind::start),
               instant = what == GramOf::path && kinds_[k] == RowKind::instant;
    const Column* const of_row = (at_start ? c0_ : instant ? half_ : c1_).data();
    const bool none = at_end ? has_no_speed(k) : slides(k);
    for (int e = first; e < end; ++e) low[e] = none ? 0 : of_row[e].value * inverse[of_row[e].coordinate];
  }
  const Column* const up = (at_end ? c1_ : c0_).data();
  const Rows::Product* product = rows_of_->products.data();
  for (const auto& [slot, end] : rows_of_->gram_entries) {
    double sum = 0;
    for (const Rows::Product* const last = rows_of_->products.data() + end; product != last; ++product)
      sum += low[product->low] * up[product->up].value;
    values[slot] = sum;
  }
  for (int k = constraints_.count(); k < m_; ++k) {
    if (!(at_end ? has_no_speed(k) : slides(k))) continue;
    values[rows_of_->gram_diagonal[k]] = gram_[k];
    if (k < base_)
      values[rows_of_->gram_cone[k - constraints_.count()]] =
          gram_[k] * (at_end ? slope_at_end(k) : slope_of_cone(k, scale0_));
  }
}

// The unknown is ν, V follows; sizes of rows are compared with those at the start of the iteration (newton.hpp).
struct MultiplierProblem {
  ConstrainedStep& step;
  double norm_ = 0, growth_ = 1;

  void place(const double* nu) const {  // V of ν, in x_
    const double* const inverse = step.inverse_mass();
    double* const V = step.x_.data();
    std::copy(step.free_.begin(), step.free_.end(), V);
    for (const auto& c : step.c0_) V[c.coordinate] += inverse[c.coordinate] * c.value * nu[c.multiplier];
  }
  [[gnu::noinline]] void residual(const double* nu) {  // Newton's method has it in three places
    place(nu);
    step.evaluate_rows(step.x_.data(), nu, false);
    norm_ = 0, growth_ = 1;
    for (int k = 0; k < step.m_; ++k) {
      double& held = step.held_sizes_[k];
      if (!(held > 0)) held = step.row_scale_[k];
      const double part = std::abs(step.rows_[k]) / held;
      norm_ = std::isfinite(part) ? std::max(norm_, part) : INFINITY;
      growth_ = std::max(growth_, step.row_scale_[k] / held);
    }
  }
  void residual_and_jacobian(const double* nu) { residual(nu); }
  double norm() const { return norm_; }
  double scale() const { return growth_; }
  bool direction(double* dnu) const {
    step.fill_gram(ConstrainedStep::GramOf::path);
    return step.rows_of_->gram->factorize() && again(dnu);
  }
  bool again(double* dnu) const {
    for (int k = 0; k < step.m_; ++k) dnu[k] = -step.rows_[k];
    step.rows_of_->gram->solve(dnu, dnu);
    return true;
  }
};

// All contacts closed. False: the whole matrix is needed; nothing but work was changed.
bool ConstrainedStep::solve_multipliers() {
  const double* const inverse = inverse_mass();
  const double h = step_.h_, kick = h * step_.b_start_;
  for (int i = 0; i < n_; ++i) {
    const double force = kick != 0 ? kick * step_.start_force_[i] : 0;
    free_[i] = inverse[i] * (p_start_[i] + force);
  }
  std::fill(held_sizes_.begin(), held_sizes_.end(), 0.0);
  // the first step from V = 0, where the rows are those of the start
  for (int k = 0; k < m_; ++k)
    rows_[k] = kinds_[k] == RowKind::cone ? 0 : kinds_[k] == RowKind::position ? value0_[k] / h + rate0_[k] : rate0_[k];
  for (const Column& c : c0_)
    if (kinds_[c.multiplier] != RowKind::cone) rows_[c.multiplier] += c.value * free_[c.coordinate];
  MultiplierProblem problem{*this};
  fill_gram(GramOf::start);
  if (!rows_of_->gram->factorize() || !problem.again(nu_.data())) return false;
  const NewtonResult result = newton(problem, nu_.data(), dnu_.data(), best_nu_.data(), m_, step_.settings_);
  if (!result.converged || result.residual > newton_round_off) return false;
  std::copy(nu_.begin(), nu_.end(), x_.begin() + ns_);
  for (const Column& c : c0_) step_.p0_[c.coordinate] += c.value * nu_[c.multiplier];  // p0 is p_start_ until here
  step_.result_ = result;
  return step_.find_impulse(x_.data());
}

bool ConstrainedStep::project_by_multipliers(const double* q, const double* p) {
  if (!rows_of_->gram) return false;
  for (int k = 0; k < static_cast<int>(pieces_.size()); ++k)
    if (turns_in_space(k)) return false;  // whose rows follow the direction of the slip
  columns_at_end(q, t1_);
  fill_gram(GramOf::projection);
  if (!rows_of_->gram->factorize()) return false;
  const double* const inverse = inverse_mass();
  double *const v = solution_.data(), *const xi = v + n_, *const dnu = dnu_.data();
  const Column* const c1 = c1_.data();
  for (int i = 0; i < n_; ++i) v[i] = inverse[i] * p[i];
  for (int k = 0; k < m_; ++k) xi[k] = 0;
  for (int pass = 0; pass < 2; ++pass) {
    for (int k = 0; k < m_; ++k) {
      if (has_no_speed(k)) {
        dnu[k] = is_left(k) ? 0 : -gram_[k] * (xi[k] + slope_of_cone(k, scale1_) * xi[base_ + contact_of_[k]]);
        continue;
      }
      const auto [first, end] = rows_of_->places[k];
      double rest = -rate1_[k];
      for (int e = first; e < end; ++e) rest -= c1[e].value * v[c1[e].coordinate];
      dnu[k] = rest;
    }
    rows_of_->gram->solve(dnu, dnu);
    for (int k = 0; k < m_; ++k) xi[k] += dnu[k];
    for (const Column& c : c1_) v[c.coordinate] += inverse[c.coordinate] * (c.value * dnu[c.multiplier]);
  }
  return true;
}

}  // namespace ricochet
