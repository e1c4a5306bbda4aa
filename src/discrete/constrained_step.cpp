#include "ricochet/discrete/constrained_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/error.hpp"

namespace ricochet {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr std::size_t most_prepared = 64;  // sets of contacts whose matrices are kept

}  // namespace

struct ConstrainedStep::Rows {
  std::vector<int> pieces, tangents;
  std::vector<Column> columns;                          // pattern of C
  LinearSolver kkt, mass;                               // of the step, of the projection
  std::vector<std::pair<int, int>> core_slots;          // place in the step's Jacobian -> place in kkt
  std::vector<int> core_diagonal;                       // place in the step's Jacobian of (i, i), summed over unknowns
  std::vector<std::pair<std::size_t, int>> mass_slots;  // entry of L'' -> place in mass
  std::vector<int> bend;                                // places of ∂ω/∂q, for constraints at the end
  std::vector<int> up, low, diagonal, mass_up, mass_low;  // places of the columns, their transposes, the multipliers
  std::vector<int> cone, mass_diagonal, mass_cone;        // of tangents: row of the tangent, column of its normal
};

ConstrainedStep::ConstrainedStep(SubStep& step, const System& system)
    : step_(step),
      system_(system),
      constraints_(system),
      gaps_(system),
      n_(system.n()),
      ns_(n_ * step.tableau().unknowns),
      frames_(system),
      frame_(static_cast<std::size_t>(3) * n_) {
  for (auto* vector : {&q1_, &q_half_, &velocity_, &normal_}) vector->assign(n_, 0.0);
}

ConstrainedStep::~ConstrainedStep() = default;

// The matrices for a set of contacts. They are kept, so that a set that comes back costs nothing.
void ConstrainedStep::use(std::span<const int> pieces, std::span<const Rub> rubs) {
  bool same = rows_of_ != nullptr && std::equal(pieces.begin(), pieces.end(), pieces_.begin(), pieces_.end());
  for (std::size_t k = 0; k < pieces.size() && same; ++k)
    same = rubs_[k].tangents == (rubs.empty() ? 0 : rubs[k].tangents);
  if (same) {
    std::copy(rubs.begin(), rubs.end(), rubs_.begin());
    return;
  }
  pieces_.assign(pieces.begin(), pieces.end());
  rubs_.assign(pieces.size(), Rub{});
  std::copy(rubs.begin(), rubs.end(), rubs_.begin());
  const int count = constraints_.count();
  base_ = count;
  first_tangent_.assign(pieces.size(), count);
  contact_of_.assign(count, -1);
  tangent_of_.assign(count, 0);
  tangents_.assign(pieces.size(), 0);
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    first_tangent_[k] = base_;
    tangents_[k] = rubs_[k].tangents;
    for (int a = 0; a < rubs_[k].tangents; ++a, ++base_) {
      contact_of_.push_back(static_cast<int>(k));
      tangent_of_.push_back(a);
    }
  }
  m_ = base_ + static_cast<int>(pieces_.size());
  for (auto* vector : {&value0_, &value1_, &value_half_, &rate0_, &rate1_, &rate_half_, &nu_, &rows_, &gram_,
                       &start_slip_, &path_slip_, &end_slip_, &place_size_})
    vector->assign(m_, 0.0);
  for (auto* vector : {&scales_, &scale0_, &scale1_}) vector->assign(pieces_.size(), 1.0);
  place0_.resize(pieces_.size());
  redundant_.assign(m_, 0);
  for (auto* vector : {&taus_, &tau0_}) vector->resize(base_);
  x_.assign(ns_ + m_, 0.0);
  open_.assign(pieces_.size(), 0);
  complementarity_.resize(ns_ + m_, static_cast<int>(pieces_.size()));
  instant_.assign(m_, 0);
  const auto known = std::find_if(prepared_.begin(), prepared_.end(), [&](const std::unique_ptr<Rows>& rows) {
    return rows->pieces == pieces_ && rows->tangents == tangents_;
  });
  if (known != prepared_.end()) {
    rows_of_ = known->get();
    c0_ = c1_ = half_ = rows_of_->columns;
    return;
  }
  std::vector<Column> columns;
  for (const Constraints::Entry& e : constraints_.entries()) columns.push_back({e.coordinate, e.constraint, 0.0});
  for (std::size_t k = 0; k < pieces_.size(); ++k)
    for (const std::uint32_t i : system_.pieces()[pieces_[k]].gradient_pattern())
      if (static_cast<int>(i) < n_) columns.push_back({static_cast<int>(i), base_ + static_cast<int>(k), 0.0});
  for (int k = count; k < base_; ++k) {
    std::vector<int> coordinates;
    for (const auto& [a, i] : system_.frames()[system_.contact_of(pieces_[contact_of_[k]])].pattern)
      if (i < n_ && std::find(coordinates.begin(), coordinates.end(), i) == coordinates.end()) coordinates.push_back(i);
    for (const int i : coordinates) columns.push_back({i, k, 0.0});
  }

  const int s = ns_ / n_;
  const LinearSolver::Pattern& block = step_.pattern();
  LinearSolver::Pattern mass_block;
  for (const auto& [row, column] : system_.lagrangian().hessian_pattern()) {
    const int r = static_cast<int>(row), c = static_cast<int>(column);
    if (r < n_ || c < n_ || r >= 2 * n_ || c >= 2 * n_) continue;
    mass_block.emplace_back(r - n_, c - n_);
    mass_block.emplace_back(c - n_, r - n_);
  }
  const auto pattern = [&](LinearSolver::Pattern result, int size) {  // of [block, C; Cᵀ, 1]
    for (const Column& c : columns)
      for (int first = 0; first < size; first += n_) {
        result.emplace_back(first + c.coordinate, size + c.multiplier);
        result.emplace_back(size + c.multiplier, first + c.coordinate);
      }
    for (const Constraints::Entry& e : constraints_.rate_entries())
      for (int first = 0; first < size; first += n_) result.emplace_back(size + e.constraint, first + e.coordinate);
    for (int k = 0; k < m_; ++k) result.emplace_back(size + k, size + k);
    for (int k = count; k < base_; ++k) result.emplace_back(size + k, size + base_ + contact_of_[k]);
    return result;
  };
  auto rows = std::make_unique<Rows>(Rows{.pieces = pieces_,
                                          .tangents = tangents_,
                                          .columns = columns,
                                          .kkt = LinearSolver(ns_ + m_, pattern(block, ns_)),
                                          .mass = LinearSolver(n_ + m_, pattern(mass_block, n_)),
                                          .core_slots = {},
                                          .core_diagonal = {},
                                          .mass_slots = {},
                                          .bend = {},
                                          .up = {},
                                          .low = {},
                                          .diagonal = {},
                                          .mass_up = {},
                                          .mass_low = {},
                                          .cone = {},
                                          .mass_diagonal = {},
                                          .mass_cone = {}});
  for (const auto& [r, c] : block) {
    rows->core_slots.emplace_back(step_.jacobian_.slot(r, c), rows->kkt.slot(r, c));
    if (r == c && r < n_) rows->core_diagonal.push_back(step_.jacobian_.slot(r, c));
  }
  const auto& entries = system_.lagrangian().hessian_pattern();
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const int r = static_cast<int>(entries[e].first) - n_, c = static_cast<int>(entries[e].second) - n_;
    if (r < 0 || r >= n_ || c < 0) continue;
    rows->mass_slots.emplace_back(e, rows->mass.slot(r, c));
    if (r != c) rows->mass_slots.emplace_back(e, rows->mass.slot(c, r));
  }
  for (const Column& c : columns) {
    for (int j = 0; j < s; ++j) {
      rows->up.push_back(rows->kkt.slot(j * n_ + c.coordinate, ns_ + c.multiplier));
      rows->low.push_back(rows->kkt.slot(ns_ + c.multiplier, j * n_ + c.coordinate));
    }
    rows->mass_up.push_back(rows->mass.slot(c.coordinate, n_ + c.multiplier));
    rows->mass_low.push_back(rows->mass.slot(n_ + c.multiplier, c.coordinate));
  }
  for (int k = 0; k < m_; ++k) rows->diagonal.push_back(rows->kkt.slot(ns_ + k, ns_ + k));
  for (int k = count; k < base_; ++k) {
    rows->cone.push_back(rows->kkt.slot(ns_ + k, ns_ + base_ + contact_of_[k]));
    rows->mass_cone.push_back(rows->mass.slot(n_ + k, n_ + base_ + contact_of_[k]));
    rows->mass_diagonal.push_back(rows->mass.slot(n_ + k, n_ + k));
  }
  for (const Constraints::Entry& e : constraints_.rate_entries())
    for (int j = 0; j < s; ++j) rows->bend.push_back(rows->kkt.slot(ns_ + e.constraint, j * n_ + e.coordinate));
  if (prepared_.size() == most_prepared) prepared_.erase(prepared_.begin());
  prepared_.push_back(std::move(rows));
  rows_of_ = prepared_.back().get();
  c0_ = c1_ = half_ = rows_of_->columns;
}

void ConstrainedStep::columns_at(const double* q, double t, std::vector<Column>& columns, std::vector<double>& values,
                                 std::vector<double>& rates) {
  constraints_.evaluate(q);
  const auto& entries = constraints_.entries();
  for (std::size_t e = 0; e < entries.size(); ++e) columns[e].value = entries[e].value;
  const int count = constraints_.count();
  for (int k = 0; k < count; ++k) {
    values[k] = constraints_.value(k);
    rates[k] = by_velocity(k) ? values[k] : 0;
  }
  std::size_t at = entries.size();
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    values[base_ + k] = gaps_.gradient(pieces_[k], q, t, normal_.data(), rates[base_ + k]);
    for (; at < columns.size() && columns[at].multiplier == base_ + static_cast<int>(k); ++at)
      columns[at].value = normal_[columns[at].coordinate];
  }
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    if (tangents_[k] == 0) continue;
    double speeds[3];
    scales_[k] = frames_.evaluate(pieces_[k], q, t, frame_.data(), speeds);
    for (int a = 0; a < tangents_[k]; ++a) {
      const int row = first_tangent_[k] + a;
      values[row] = 0;
      rates[row] = speeds[1 + a];
      for (int b = 0; b < frames_.components(pieces_[k]); ++b) taus_[row][b] = frames_.direction(a)[b];
      for (; at < columns.size() && columns[at].multiplier == row; ++at)
        columns[at].value = frame_[(1 + a) * n_ + columns[at].coordinate];
    }
  }
}

double ConstrainedStep::inertia_of(int i) const {
  return std::abs(step_.jacobian_.values()[rows_of_->core_diagonal[i]] / step_.tableau().beta[0]);
}

// Columns at the start, and which rows are those of velocities: where the way hw, estimated from the momentum, changes
// f by less than ε^⅓ of the terms c_i q_i of which f is made, f(q1)/h has lost the digits that the speed has.
void ConstrainedStep::prepare() {
  columns_at(step_.q0_.data(), step_.t0_, c0_, value0_, rate0_);
  scale0_ = scales_;
  tau0_ = taus_;
  for (std::size_t k = 0; k < pieces_.size(); ++k)
    if (tangents_[k] > 0) frames_.place(pieces_[k], step_.q0_.data(), step_.t0_, place0_[k].data());
  std::fill(x_.begin(), x_.end(), 0.0);
  step_.p0_ = p_start_;
  for (int i = 0; i < n_; ++i) step_.p0_terms_[i] = std::abs(p_start_[i]);
  step_.evaluate(x_.data(), 2);
  at_start_ = true;  // where the iteration begins: the same evaluation is not made twice
  find_redundant();
  const double h = std::abs(step_.h_), cube_root = std::cbrt(epsilon);
  std::fill(gram_.begin(), gram_.end(), 0.0);
  std::fill(rows_.begin(), rows_.end(), 0.0);  // the way, here
  std::fill(value1_.begin(), value1_.end(), 0.0);
  for (const Column& c : c0_) {
    const double inertia = inertia_of(c.coordinate);
    if (inertia > 0) {
      gram_[c.multiplier] += c.value * c.value / inertia;
      const double speed = (std::abs(p_start_[c.coordinate]) + h * std::abs(step_.impulse_[c.coordinate])) / inertia;
      rows_[c.multiplier] += h * std::abs(c.value) * speed;
    }
    value1_[c.multiplier] += std::abs(c.value * step_.q0_[c.coordinate]);
  }
  for (int k = constraints_.count(); k < base_; ++k)
    for (int b = 0; b < frames_.components(pieces_[contact_of_[k]]); ++b)
      value1_[k] += std::abs(tau0_[k][b] * place0_[contact_of_[k]][b]);
  // The speed that can be told from nothing: that of the whole system, so that bodies at rest have one too.
  double squares = 0;
  for (int i = 0; i < n_; ++i) {
    const double inertia = inertia_of(i), p = std::abs(p_start_[i]) + h * std::abs(step_.impulse_[i]);
    if (inertia > 0) squares += p * p / inertia;
  }
  for (int k = 0; k < m_; ++k) row_floor_[k] = std::sqrt(gram_[k] * squares) + std::abs(rate0_[k]);
  for (int k = 0; k < m_; ++k)
    instant_[k] =
        (rows_[k] + h * std::abs(rate0_[k]) <= cube_root * value1_[k] || h == 0 || has_no_place(k)) && !by_velocity(k);
}

// What sticks in several points may be held by some of them: by Gram–Schmidt over constraints, normals, tangents.
void ConstrainedStep::find_redundant() {
  std::fill(redundant_.begin(), redundant_.end(), 0);
  int sticking = 0;
  for (const Rub& rub : rubs_) sticking += rub.tangents > 0 && rub.sticks;
  if (sticking < 2) return;
  basis_.assign(static_cast<std::size_t>(m_) * n_, 0.0);
  const int count = constraints_.count();
  for (const Column& c : c0_)
    if (const double inertia = inertia_of(c.coordinate); inertia > 0)
      basis_[static_cast<std::size_t>(c.multiplier) * n_ + c.coordinate] = c.value / std::sqrt(inertia);
  const auto place = [&](int i) {
    return i < count ? i : i < m_ - (base_ - count) ? base_ + i - count : i - (m_ - base_);
  };
  for (int i = 0; i < m_; ++i) {
    const int k = place(i);
    double* const v = basis_.data() + static_cast<std::size_t>(k) * n_;
    const auto dot = [&](const double* x, const double* y) {
      double sum = 0;
      for (int l = 0; l < n_; ++l) sum += x[l] * y[l];
      return sum;
    };
    const bool used = !is_tangent(k) || rubs_[contact_of_[k]].sticks;
    const double whole = dot(v, v);
    for (int pass = 0; pass < 2; ++pass)
      for (int j = 0; j < i; ++j) {
        const double* const u = basis_.data() + static_cast<std::size_t>(place(j)) * n_;
        const double size = dot(u, u), part = size > 0 ? dot(u, v) / size : 0;
        for (int l = 0; l < n_; ++l) v[l] -= part * u[l];
      }
    constexpr double in_the_span = 1e-20;  // of the square: ten digits of the row
    if (used && dot(v, v) > in_the_span * whole) continue;
    redundant_[k] = used && is_tangent(k);
    std::fill(v, v + n_, 0.0);
  }
}

bool ConstrainedStep::has_no_place(int k) const {
  return is_tangent(k) && frames_.components(pieces_[contact_of_[k]]) == 0;
}

// Residual of the step with p0 + C0ν, and the rows of constraints and contacts; x = (V, ν).
void ConstrainedStep::evaluate(const double* x, int order) {
  const double* nu = x + ns_;
  step_.p0_ = p_start_;
  for (int i = 0; i < n_; ++i) step_.p0_terms_[i] = std::abs(p_start_[i]);
  for (const Column& c : c0_) {
    const double term = c.value * nu[c.multiplier];
    step_.p0_[c.coordinate] += term;
    step_.p0_terms_[c.coordinate] = std::max(step_.p0_terms_[c.coordinate], std::abs(term));
  }
  if (!at_start_) step_.evaluate(x, order);
  at_start_ = false;
  const Tableau& tableau = step_.tableau();
  const double h = step_.h_;
  std::vector<double>& w = step_.mean_;
  for (int i = 0; i < n_; ++i) {
    w[i] = 0;
    for (int j = 0; j < tableau.unknowns; ++j) w[i] += tableau.beta[j] * x[j * n_ + i];
    q1_[i] = step_.q0_[i] + h * w[i];
    q_half_[i] = step_.q0_[i] + h / 2 * w[i];
  }
  const int holonomic = constraints_.holonomic(), count = constraints_.count();
  const bool any_instant = std::find(instant_.begin(), instant_.end(), 1) != instant_.end();
  if (any_instant) columns_at(q_half_.data(), step_.t0_ + h / 2, half_, value_half_, rate_half_);
  if (at_end_ || holonomic > 0 || m_ > count) columns_at(q1_.data(), step_.t0_ + h, c1_, value1_, rate1_);
  for (int k = count; k < base_; ++k) {
    if (instant_[k] || slides(k)) continue;
    const int contact = contact_of_[k];
    double place[3];
    place_size_[k] = 0;
    frames_.place(pieces_[contact], q1_.data(), step_.t0_ + h, place);
    for (int b = 0; b < frames_.components(pieces_[contact]); ++b) {
      value1_[k] += tau0_[k][b] * (place[b] - place0_[contact][b]);
      place_size_[k] += std::abs(tau0_[k][b]) * (std::abs(place[b]) + std::abs(place0_[contact][b]));
    }
  }
  for (int k = 0; k < m_; ++k)
    rows_[k] = by_position(k) ? value1_[k] / h : instant_[k] ? rate_half_[k] : at_end_ ? rate1_[k] : rate0_[k];
  row_scale_ = row_floor_;
  for (std::size_t e = 0; e < c0_.size(); ++e) {
    const int k = c0_[e].multiplier, i = c0_[e].coordinate;
    const double value = instant_[k] ? half_[e].value : at_end_ && by_velocity(k) ? c1_[e].value : c0_[e].value;
    if (!by_position(k)) rows_[k] += value * w[i];
    // the speed that the terms can resolve
    if (by_position(k)) row_scale_[k] += std::abs(value * q1_[i] / h);
  }
  norm_ = step_.relative_;
  for (int k = count; k < base_; ++k) {
    if (by_position(k)) row_scale_[k] += place_size_[k] / h;
    if (!slides(k)) continue;
    rows_[k] = gram_[k] * (nu[k] + slope_of_cone(k, scale0_) * nu[base_ + contact_of_[k]]);
    row_scale_[k] = row_floor_[k] + gram_[k] * std::abs(nu[k]);
  }
  for (int k = 0; k < m_; ++k) {
    row_scale_[k] += std::numeric_limits<double>::min();
    if (k < base_) norm_ = std::isfinite(rows_[k]) ? std::max(norm_, std::abs(rows_[k]) / row_scale_[k]) : INFINITY;
  }
}

// τ_a = −(this) λ of what slides.
double ConstrainedStep::slope_of_cone(int k, const std::vector<double>& scale) const {
  const Rub& rub = rubs_[contact_of_[k]];
  return rub.friction * scale[contact_of_[k]] * rub.slip[tangent_of_[k]];
}

// Of the last evaluation, with contacts closed or open.
void ConstrainedStep::fill_kkt(const char* open_contacts) {
  LinearSolver& kkt = rows_of_->kkt;
  kkt.clear();
  double* values = kkt.values();
  const double* core = step_.jacobian_.values();
  for (const auto& [from, to] : rows_of_->core_slots) values[to] = core[from];
  const Tableau& tableau = step_.tableau();
  const int s = tableau.unknowns, count = constraints_.count();
  for (std::size_t e = 0; e < c0_.size(); ++e) {
    const int k = c0_[e].multiplier;
    const bool open = slides(k) || (k >= base_ && open_contacts[k - base_] != 0);
    const double low = by_position(k) ? c1_[e].value
                       : instant_[k]  ? half_[e].value
                       : at_end_      ? c1_[e].value
                                      : c0_[e].value;
    for (int j = 0; j < s; ++j) {
      values[rows_of_->up[e * s + j]] = -tableau.beta[j] * c0_[e].value;
      values[rows_of_->low[e * s + j]] = open ? 0 : tableau.beta[j] * low;
    }
  }
  for (std::size_t k = 0; k < pieces_.size(); ++k)
    values[rows_of_->diagonal[base_ + k]] = open_contacts[k] != 0 ? gram_[base_ + k] : 0;
  for (int k = count; k < base_; ++k) {
    values[rows_of_->diagonal[k]] = slides(k) ? gram_[k] : 0;
    values[rows_of_->cone[k - count]] = slides(k) ? gram_[k] * slope_of_cone(k, scale0_) : 0;
  }
  if (!at_end_) return;
  const auto& entries =
      constraints_.rate_gradient(q1_.data(), step_.mean_.data());  // d(W(q1)w + b(q1)) also by q1 = q0 + hw
  for (std::size_t e = 0; e < entries.size(); ++e)
    for (int j = 0; j < s; ++j) values[rows_of_->bend[e * s + j]] += step_.h_ * tableau.beta[j] * entries[e].value;
}

bool ConstrainedStep::direction(const char* open, const double* contact_rows, double* dx) {
  fill_kkt(open);
  kkt_regular_ = rows_of_->kkt.factorize();
  if (direction_again(contact_rows, dx)) return true;
  rows_of_->kkt.solve_minimum_norm(dx, dx);
  return true;
}

bool ConstrainedStep::direction_again(const double* contact_rows, double* dx) {
  for (int k = 0; k < ns_; ++k) dx[k] = -step_.R_[k];
  for (int k = 0; k < m_; ++k) dx[ns_ + k] = k < base_ ? -rows_[k] : -contact_rows[k - base_];
  if (kkt_regular_) rows_of_->kkt.solve(dx, dx);
  return kkt_regular_;
}

struct ConstrainedProblem {
  ConstrainedStep& step;
  int row(int k) const { return step.base_ + k; }
  void evaluate(const double* z, bool with_jacobian) { step.evaluate(z, with_jacobian ? 2 : 1); }
  double norm() const { return step.norm_; }
  double scale() const { return 1; }
  double slack(int k) const { return step.rows_[row(k)]; }
  double slack_scale(int k) const { return step.row_scale_[row(k)]; }
  double compliance(int k) const { return step.gram_[row(k)]; }
  double slack_round_off(int k) const { return 16 * epsilon * step.row_scale_[row(k)]; }
  double multiplier_round_off(int k) const { return slack_round_off(k) / compliance(k); }
  bool direction(const char* open, const double* rows, double* dz) { return step.direction(open, rows, dz); }
  bool again(const double* rows, double* dz) { return step.direction_again(rows, dz); }
};

// With all contacts closed, or each as it likes.
bool ConstrainedStep::iterate(bool closed) {
  p_start_ = step_.p0_;
  row_scale_.assign(m_, 0.0);
  row_floor_.assign(m_, 0.0);
  prepare();
  ConstrainedProblem problem{*this};
  std::fill(open_.begin(), open_.end(), 0);
  step_.result_ = closed ? complementarity_.solve_set(problem, step_.settings_, open_)
                         : complementarity_.solve(problem, step_.settings_);
  if (!step_.result_.converged) return false;
  x_ = complementarity_.z();
  open_ = complementarity_.open();
  std::copy(x_.begin(), x_.begin() + ns_, step_.V_.begin());
  std::copy(x_.begin() + ns_, x_.end(), nu_.begin());
  holonomic_max_ = nonholonomic_max_ = 0;
  for (int k = 0; k < constraints_.count(); ++k) {
    double& largest = k < constraints_.holonomic() ? holonomic_max_ : nonholonomic_max_;
    largest = std::max(largest, std::abs(k < constraints_.holonomic() ? value1_[k] : rows_[k]));
  }
  return true;
}

void ConstrainedStep::solve_rows(bool closed) {
  if (iterate(closed)) return;
  throw SolverError(
      closed || pieces_.empty()
          ? fmt::format("the constrained step equations were not solved: {}", step_.result_.reason)
          : fmt::format("the step with {} closed contacts was not solved: {}", pieces_.size(), step_.result_.reason),
      step_.result_.residual, step_.result_.iterations,
      pieces_.empty() ? "a smaller integrator.step; constraints that do not contradict each other"
                      : "a smaller integrator.step");
}

void ConstrainedStep::solve(double* q1, double* p1) {
  use(held_, held_rubs_);
  solve_rows(true);
  step_.finish(q1, p1);
  project_held(step_.t0_ + step_.h_, q1, p1);
}

bool ConstrainedStep::solve_pressed(double t0, const double* q0, const double* p0, double h, double* q1, double* p1) {
  step_.start(t0, q0, p0, h);
  use(held_, held_rubs_);
  if (!iterate(true)) return false;
  for (std::size_t k = 0; k < pieces_.size(); ++k)
    if (pressure(static_cast<int>(k)) < -pressure_round_off(static_cast<int>(k))) return false;
  step_.finish(q1, p1);
  project_held(t0 + h, q1, p1);
  return true;
}

bool ConstrainedStep::solve_held(double t0, const double* q0, const double* p0, double h, double* q1, double* p1) {
  step_.start(t0, q0, p0, h);
  use(held_, held_rubs_);
  if (!iterate(true)) return false;
  step_.finish(q1, p1);
  project_held(t0 + h, q1, p1);
  return true;
}

double ConstrainedStep::pressure_round_off(int k) const {
  return 16 * epsilon * row_scale_[base_ + k] / gram_[base_ + k];
}

double ConstrainedStep::slip_round_off(int k, int a) const { return 16 * epsilon * row_floor_[first_tangent_[k] + a]; }

bool ConstrainedStep::jams(int piece, const Rub& rub, double t, const double* q, const double* p) {
  if (rub.tangents == 0 || rub.sticks) return false;
  double rates[3];
  frames_.evaluate(piece, q, t, frame_.data(), rates);
  for (int i = 0; i < n_; ++i) {
    normal_[i] = frame_[i];
    for (int a = 0; a < rub.tangents; ++a) normal_[i] -= rub.friction * rub.slip[a] * frame_[(1 + a) * n_ + i];
  }
  if (constraints_.count() > 0) {
    at_point(t, q);
    free_covector(normal_.data(), velocity_.data());
  } else {
    step_.lagrangian_.velocity(q, p, t, velocity_.data());
    step_.lagrangian_.apply_inverse_mass(normal_.data(), velocity_.data());
  }
  double sum = 0, size = 0;
  for (int i = 0; i < n_; ++i) sum += frame_[i] * velocity_[i], size += std::abs(frame_[i] * velocity_[i]);
  return sum <= epsilon * size;
}

void ConstrainedStep::tangent_gram(std::span<const int> tangents, double* gram) {
  const std::size_t m = tangents.size();
  std::fill(gram, gram + m * m, 0.0);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j) {
      const int row = first_tangent_[tangents[i] / 2] + tangents[i] % 2,
                other = first_tangent_[tangents[j] / 2] + tangents[j] % 2;
      for (const Column& c : c0_)
        for (const Column& d : c0_)
          if (c.multiplier == row && d.multiplier == other && c.coordinate == d.coordinate &&
              inertia_of(c.coordinate) > 0)
            gram[i * m + j] += c.value * d.value / inertia_of(c.coordinate);
    }
}

double ConstrainedStep::friction_loss() const {
  double loss = 0;
  for (int k = constraints_.count(); k < base_; ++k)
    if (!rubs_[contact_of_[k]].sticks) loss += nu_[k] * start_slip_[k] + solution_[n_ + k] * end_slip_[k];
  return loss;
}

void ConstrainedStep::solve_with_contacts(double t0, const double* q0, const double* p0, double h,
                                          std::span<const int> pieces, double* q1, double* p1) {
  step_.start(t0, q0, p0, h);
  use(pieces);
  solve_rows(false);
  step_.finish(q1, p1);
}

// [ M  −C; Cᵀ  0 ] at (t, q); leaves A = L_v at rest in the Lagrangian's gradient.
void ConstrainedStep::factorize_mass(const double* q, double t) {
  columns_at(q, t, c1_, value1_, rate1_);
  std::fill(velocity_.begin(), velocity_.end(), 0.0);
  step_.lagrangian_.evaluate(2, q, velocity_.data(), t);  // quadratic in v: M is L_vv
  LinearSolver& mass = rows_of_->mass;
  mass.clear();
  double* values = mass.values();
  for (const auto& [entry, slot] : rows_of_->mass_slots) values[slot] = step_.lagrangian_.hessian(entry);
  for (std::size_t e = 0; e < c1_.size(); ++e) {
    values[rows_of_->mass_up[e]] = -c1_[e].value;
    values[rows_of_->mass_low[e]] = slides(c1_[e].multiplier) ? 0 : c1_[e].value;
  }
  scale1_ = scales_;
  for (int k = constraints_.count(); k < base_; ++k) {
    values[rows_of_->mass_diagonal[k - constraints_.count()]] = slides(k) ? gram_[k] : 0;
    values[rows_of_->mass_cone[k - constraints_.count()]] = slides(k) ? gram_[k] * slope_of_cone(k, scale1_) : 0;
  }
  mass_regular_ = mass.factorize();
}

void ConstrainedStep::solve_mass(double* x) {
  mass_regular_ ? rows_of_->mass.solve(x, x) : rows_of_->mass.solve_minimum_norm(x, x);
}

const std::vector<double>& ConstrainedStep::project(double t, const double* q, double* p, std::span<const int> pieces,
                                                    std::span<const Rub> rubs) {
  use(pieces, rubs);
  return project_on_rows(t, q, p);
}

// The slip velocities at both ends and of the path; then with the direction of a spatial slip at the end its own.
void ConstrainedStep::project_held(double t, const double* q, double* p) {
  if (base_ == constraints_.count()) {
    project_on_rows(t, q, p);
    return;
  }
  step_.lagrangian_.velocity(step_.q0_.data(), p_start_.data(), step_.t0_, velocity_.data());
  start_slip_ = rate0_;
  for (const Column& c : c0_) start_slip_[c.multiplier] += c.value * velocity_[c.coordinate];
  p_end_.assign(p, p + n_);
  for (int pass = 0;; ++pass) {
    std::copy(p_end_.begin(), p_end_.end(), p);
    project_on_rows(t, q, p);
    end_slip_ = rate1_;
    for (const Column& c : c1_) end_slip_[c.multiplier] += c.value * velocity_[c.coordinate];
    double change = 0;
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
      if (tangents_[k] != 2 || rubs_[k].sticks) continue;
      const double s0 = end_slip_[first_tangent_[k]], s1 = end_slip_[first_tangent_[k] + 1];
      const Rub before = rubs_[k];
      if (!(s0 * before.slip[0] + s1 * before.slip[1] > 0)) continue;  // it comes to a stop: an event
      rubs_[k].slide(s0, s1);
      change = std::max(change, std::hypot(rubs_[k].slip[0] - before.slip[0], rubs_[k].slip[1] - before.slip[1]));
    }
    if (!(change > 4 * epsilon) || pass == 50) break;
  }
  path_slip_.assign(m_, 0.0);
  for (int k = constraints_.count(); k < base_; ++k) path_slip_[k] = (rate0_[k] + rate1_[k]) / 2;
  for (std::size_t e = 0; e < c0_.size(); ++e)
    if (is_tangent(c0_[e].multiplier))
      path_slip_[c0_[e].multiplier] += (c0_[e].value + c1_[e].value) / 2 * step_.mean_[c0_[e].coordinate];
}

const std::vector<double>& ConstrainedStep::project_on_rows(double t, const double* q, double* p) {
  t1_ = t;
  factorize_mass(q, t);
  const int holonomic = constraints_.holonomic(), count = constraints_.count();
  solution_.assign(n_ + m_, 0.0);
  for (int i = 0; i < n_; ++i) solution_[i] = p[i] - step_.lagrangian_.Lv()[i];
  for (int k = 0; k < m_; ++k) solution_[n_ + k] = slides(k) ? 0 : -rate1_[k];
  solve_mass(solution_.data());
  for (const Column& c : c1_) p[c.coordinate] += c.value * solution_[n_ + c.multiplier];
  std::copy(solution_.begin(), solution_.begin() + n_, velocity_.begin());
  std::copy(rate1_.begin(), rate1_.begin() + count, rows_.begin());
  for (const Column& c : c1_)
    if (c.multiplier < count) rows_[c.multiplier] += c.value * velocity_[c.coordinate];
  for (int k = holonomic; k < count; ++k) nonholonomic_max_ = std::fmax(nonholonomic_max_, std::abs(rows_[k]));
  return velocity_;
}

double ConstrainedStep::obstacle_work() const {
  double work = 0;
  for (int k = constraints_.count(); k < m_; ++k) work -= nu_[k] * rate0_[k] + solution_[n_ + k] * rate1_[k];
  return work;
}

void ConstrainedStep::at_point(double t, const double* q) {
  use({});
  factorize_mass(q, t);
}

void ConstrainedStep::solve_at_point(double* x) { solve_mass(x); }

void ConstrainedStep::free_covector(double* normal, double* inverse_mass_n) {
  solution_.assign(n_ + m_, 0.0);
  std::copy(normal, normal + n_, solution_.begin());
  solve_mass(solution_.data());
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
    fill_kkt(open_.data());
    x = rows_of_->kkt.null_vector(ns_);
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
      for (int j = 0; j < n_; ++j) result(j, i) += nu[base_ + k] * bent[j];
    }
    unit[i] = 0;
  }
  return result;
}

// Σ_k ν_k ∂c_k/∂t: of contacts alone.
Eigen::VectorXd ConstrainedStep::curvature_in_time(const double* q, double t, const double* nu) {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(n_);
  std::vector<double> unit(n_ + 1, 0.0), bent(n_ + 1);
  unit[n_] = 1;
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    gaps_.hessian_times(pieces_[k], q, t, unit.data(), bent.data());
    for (int j = 0; j < n_; ++j) result[j] += nu[base_ + k] * bent[j];
  }
  return result;
}

// d(c_k·v + b_k) by (q, t) at fixed v: a row for each multiplier, n + 1 columns.
Eigen::MatrixXd ConstrainedStep::rate_derivatives(const double* q, double t, const double* v) {
  const int count = constraints_.count();
  Eigen::MatrixXd rates = Eigen::MatrixXd::Zero(m_, n_ + 1);
  std::vector<double> unit(n_, 0.0), rate(count, 0.0), along(n_ + 1), bent(n_ + 1);
  for (int i = 0; i < n_ && count > 0; ++i) {
    unit[i] = 1;
    constraints_.rate_derivative(q, v, unit.data(), rate.data());
    for (int k = 0; k < count; ++k) rates(k, i) = rate[k];
    unit[i] = 0;
  }
  std::copy(v, v + n_, along.begin());
  along[n_] = 1;
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    gaps_.hessian_times(pieces_[k], q, t, along.data(), bent.data());
    for (int i = 0; i <= n_; ++i) rates(base_ + static_cast<int>(k), i) = bent[i];
  }
  return rates;
}

// dR = 0 and the rows give dV and dν; then the projection at q1:
//   M dv − C dξ = dp + dC ξ − L_vq dq1 − L_vt dt1,   Cᵀdv = −d(Cᵀv + b),   dp1 = dp + dC ξ + C dξ.
void ConstrainedStep::derivative(SubStepDerivative& out) {
  const int n = n_, columns = 2 * n + 2, h_column = 2 * n, t_column = 2 * n + 1;
  using Matrix = Eigen::MatrixXd;
  const double h = step_.h_;
  const Tableau& tableau = step_.tableau();
  // The projection of the last solve came after it: its velocity and ξ are needed again below.
  const std::vector<double> projected = solution_;
  Matrix known;
  step_.known_derivative(known);
  Matrix dP = Matrix::Zero(n, columns);  // of p0 + C0ν without dν
  dP.middleCols(n, n).setIdentity();
  dP.leftCols(n) += curvature(step_.q0_.data(), step_.t0_, nu_.data());
  dP.col(t_column) += curvature_in_time(step_.q0_.data(), step_.t0_, nu_.data());

  evaluate(x_.data(), 2);  // columns and the core Jacobian at the solution
  Matrix low = Matrix::Zero(m_, columns);
  const double part = at_end_ ? 1 : 0;  // where in the step the constraints of velocities are taken
  const Eigen::Map<const Eigen::VectorXd> w(step_.mean_.data(), n);
  const Matrix by_w = rate_derivatives(at_end_ ? q1_.data() : step_.q0_.data(), step_.t0_ + part * h, w.data());
  const Matrix by_half = rate_derivatives(q_half_.data(), step_.t0_ + h / 2, w.data());
  for (int k = 0; k < m_; ++k) {
    if (k >= base_ && open_[k - base_] != 0) continue;
    if (by_position(k)) {
      low(k, h_column) += rate1_[k] / h - value1_[k] / (h * h);
      low(k, t_column) += rate1_[k] / h;
      continue;
    }
    const Matrix& by = instant_[k] ? by_half : by_w;
    const double share = instant_[k] ? 0.5 : part;
    low.row(k).head(n) = by.row(k).head(n);
    low(k, h_column) = share * (by.row(k).head(n).dot(w) + by(k, n));
    low(k, t_column) = by(k, n);
  }
  for (const Column& c : c1_) {  // f(q1)/h and g(q1)/h
    const int k = c.multiplier;
    if (!by_position(k) || (k >= base_ && open_[k - base_] != 0)) continue;
    low(k, c.coordinate) += c.value / h;
    low(k, h_column) += c.value * w[c.coordinate] / h;
  }
  Matrix rhs(ns_ + m_, columns), solved(ns_ + m_, columns);
  for (int j = 0; j < tableau.unknowns; ++j) known.middleRows(j * n, n) -= tableau.beta[j] * dP;
  rhs << -known, -low;
  fill_kkt(open_.data());
  LinearSolver& kkt = rows_of_->kkt;
  if (std::find(instant_.begin(), instant_.end(), 1) != instant_.end()) add_bend_of_short_ways(by_half);
  const bool regular = kkt.factorize();
  for (int column = 0; column < columns; ++column)
    regular ? kkt.solve(rhs.col(column).data(), solved.col(column).data())
            : kkt.solve_minimum_norm(rhs.col(column).data(), solved.col(column).data());
  for (const Column& c : c0_) dP.row(c.coordinate) += c.value * solved.row(ns_ + c.multiplier);
  step_.output_derivative(dP, solved.topRows(ns_), out);

  // projection
  Matrix dq1 = Matrix::Zero(n + 1, columns);  // of q1 and t1 = t0 + h
  dq1.topRows(n) = out.matrix.topRows(n);
  dq1(n, h_column) = dq1(n, t_column) = 1;
  Matrix dp = out.matrix.middleRows(n, n);
  dp += curvature(q1_.data(), t1_, projected.data() + n) * dq1.topRows(n) +
        curvature_in_time(q1_.data(), t1_, projected.data() + n) * dq1.row(n);
  const Matrix rates = rate_derivatives(q1_.data(), t1_, projected.data());
  Lagrangian& L = step_.lagrangian_;
  L.evaluate(2, q1_.data(), projected.data(), t1_);
  Matrix rhs2(n + m_, columns), solved2(n + m_, columns);
  std::vector<double> in(2 * n + 1), hessian(2 * n + 1);
  for (int column = 0; column < columns; ++column) {
    std::fill(in.begin(), in.end(), 0.0);
    for (int i = 0; i < n; ++i) in[i] = dq1(i, column);
    in[2 * n] = dq1(n, column);
    L.apply_hessian(in.data(), hessian.data());
    for (int i = 0; i < n; ++i) rhs2(i, column) = dp(i, column) - hessian[n + i];
  }
  rhs2.bottomRows(m_) = -rates * dq1;
  const std::vector<double> kept = q1_;
  factorize_mass(kept.data(), t1_);
  solved2 = rhs2;
  for (int column = 0; column < columns; ++column) solve_mass(solved2.col(column).data());
  for (const Column& c : c1_) dp.row(c.coordinate) += c.value * solved2.row(n + c.multiplier);
  out.matrix.middleRows(n, n) = dp;
}

// d(∇f(q_½)·w) by w holds h/2 wᵀf'' too; the iteration does without, the derivative does not.
void ConstrainedStep::add_bend_of_short_ways(const Eigen::MatrixXd& by_half) {
  const Tableau& tableau = step_.tableau();
  for (std::size_t e = 0; e < c0_.size(); ++e) {
    const int k = c0_[e].multiplier;
    if (!instant_[k] || (k >= base_ && open_[k - base_] != 0)) continue;
    for (int j = 0; j < tableau.unknowns; ++j)
      rows_of_->kkt.values()[rows_of_->low[e * tableau.unknowns + j]] +=
          tableau.beta[j] * step_.h_ / 2 * by_half(k, c0_[e].coordinate);
  }
}

}  // namespace ricochet
