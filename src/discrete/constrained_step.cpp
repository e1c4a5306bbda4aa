#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "constrained_rows.hpp"
#include "ricochet/error.hpp"
#include "ricochet/numerics/epsilon.hpp"

namespace ricochet {

ConstrainedStep::ConstrainedStep(SubStep& step, const System& system)
    : step_(step),
      system_(system),
      constraints_(system),
      gaps_(system),
      n_(system.n()),
      ns_(n_ * step.tableau().unknowns),
      frames_(system),
      frame_(static_cast<std::size_t>(3) * n_) {
  for (auto* vector : {&q1_, &q_half_, &velocity_, &normal_, &c1_q_, &inertias_, &speeds_, &free_})
    vector->assign(n_, 0.0);
  const Tableau& rule = step.tableau();
  const double at_end = std::inner_product(rule.b.begin(), rule.b.end(), rule.c.begin(), 0.0);
  halves_ = std::abs(at_end - 0.5) <= 8 * epsilon;
}

ConstrainedStep::~ConstrainedStep() = default;

void ConstrainedStep::normals_at(const double* q, double t, std::vector<Column>& columns, std::vector<double>& values,
                                 std::vector<double>& rates) {
  Column* column = columns.data();
  if (const int count = constraints_.count(); count > 0) {
    constraints_.evaluate(q);
    for (const Constraints::Entry& e : constraints_.entries()) (column++)->value = e.value;
    for (int k = 0; k < count; ++k) {
      values[k] = constraints_.value(k);
      rates[k] = by_velocity(k) ? values[k] : 0;
    }
  }
  for (std::size_t k = 0; k < pieces_.size(); ++k)
    values[base_ + k] =
        frames_.gradient(pieces_[k], q, t, rates[base_ + k], [&](double slope) { (column++)->value = slope; });
}

void ConstrainedStep::tangents_at(const double* q, double t, std::vector<Column>& columns, std::vector<double>& rates,
                                  std::vector<double>& scales) {
  const int contacts = static_cast<int>(pieces_.size());
  for (int k = 0; k < contacts; ++k) {
    const int first = first_tangent_[k], tangents = tangents_[k];
    if (tangents == 0) continue;
    const ContactFrames<double>::Frame& frame = frames_.frame(pieces_[k], q, t);
    scales[k] = frame.scale;
    for (int a = 0; a < tangents; ++a) {
      rates[first + a] = frame.rates[1 + a];
      const double* const of_row = frame.rows.data() + static_cast<std::ptrdiff_t>(1 + a) * n_;
      const auto [begin, end] = rows_of_->places[first + a];
      for (Column *c = columns.data() + begin, *last = columns.data() + end; c != last; ++c)
        c->value = of_row[c->coordinate];
    }
  }
}

void ConstrainedStep::normals_at_end(const double* q, double t) {
  if (c1_known_ && t == c1_t_ && std::equal(q, q + n_, c1_q_.begin())) return;
  normals_at(q, t, c1_, value1_, rate1_);
  c1_tangents_ = base_ == constraints_.count();
  c1_known_ = true;
  c1_t_ = t;
  std::copy(q, q + n_, c1_q_.begin());
}

void ConstrainedStep::columns_at_end(const double* q, double t) {
  normals_at_end(q, t);
  if (!c1_tangents_) tangents_at(q, t, c1_, rate1_, scale1_);
  c1_tangents_ = true;
}

// Columns at the start, and which rows are those of velocities: where the way hw, estimated from the momentum, changes
// f by less than ε^⅓ of the terms c_i q_i of which f is made, f(q1)/h has lost the digits that the speed has.
void ConstrainedStep::prepare(bool alone) {
  normals_at(step_.q0_.data(), step_.t0_, c0_, value0_, rate0_);
  if (base_ > constraints_.count()) tangents_at(step_.q0_.data(), step_.t0_, c0_, rate0_, scale0_);
  for (int k = 0; k < static_cast<int>(pieces_.size()); ++k) {
    if (tangents_[k] == 0) continue;
    frames_.place(pieces_[k], step_.q0_.data(), step_.t0_, place0_[k].data());
    for (int a = 0; a < tangents_[k]; ++a) {
      const double* const tau = frames_.direction(pieces_[k], a);
      tau0_[first_tangent_[k] + a] = way_tau_[first_tangent_[k] + a] = {tau[0], tau[1], tau[2]};
    }
  }
  std::fill(x_.begin(), x_.end(), 0.0);
  if (alone) {
    step_.find_impulse(x_.data());
  } else {
    step_.p0_ = p_start_;
    for (int i = 0; i < n_; ++i) step_.p0_terms_[i] = std::abs(p_start_[i]);
    step_.evaluate(x_.data(), 2);
    at_start_ = true;  // where the iteration begins: the same evaluation is not made twice
  }
  const double h = std::abs(step_.h_), cube_root = std::cbrt(epsilon);
  // The speed that can be told from nothing: that of the whole system, so that bodies at rest have one too.
  double squares = 0;
  for (int i = 0; i < n_; ++i) {
    inertias_[i] = std::abs(step_.jacobian_.values()[rows_of_->core_diagonal[i]] / step_.tableau().beta[0]);
    const double p = std::abs(p_start_[i]) + h * std::abs(step_.impulse_[i]);
    speeds_[i] = inertias_[i] > 0 ? p / inertias_[i] : 0;
    squares += p * speeds_[i];
  }
  find_redundant();
  c1_known_ = false;
  in_the_middle_ = false;
  for (int k = 0; k < m_; ++k) {
    double gram = 0, way = 0, terms = 0;
    const auto [first, end] = rows_of_->places[k];
    for (const Column *c = c0_.data() + first, *last = c0_.data() + end; c != last; ++c) {
      const double inertia = inertias_[c->coordinate];
      if (inertia > 0) gram += c->value * c->value / inertia;
      way += h * std::abs(c->value) * speeds_[c->coordinate];
      terms += std::abs(c->value * step_.q0_[c->coordinate]);
    }
    for (int b = 0, d = is_tangent(k) ? frames_.components(pieces_[contact_of_[k]]) : 0; b < d; ++b)
      terms += std::abs(tau0_[k][b] * place0_[contact_of_[k]][b]);
    gram_[k] = gram;
    const double rate = std::abs(rate0_[k]);
    row_floor_[k] = std::sqrt(gram * squares) + rate;
    instant_[k] = (way + h * rate <= cube_root * terms || h == 0 || has_no_place(k)) && !by_velocity(k);
    in_the_middle_ |= instant_[k] != 0 || turns(k);
    kinds_[k] = slides(k)        ? RowKind::cone
                : by_position(k) ? RowKind::position
                : instant_[k]    ? RowKind::instant
                : at_end_        ? RowKind::end
                                 : RowKind::start;
  }
}

// The constants of which f and g are made (a circle round a far centre) are not in the terms c_i q_i: the sizes of rows
// of positions from the width of enclosures (Gaps::round_off). Whether any was larger than known; asked only where the
// iteration finds no end.
bool ConstrainedStep::find_constants() {
  const double h = std::abs(step_.h_);
  const double* const q0 = step_.q0_.data();
  for (int i = 0; i < n_; ++i) velocity_[i] = std::abs(q0[i]) + h * speeds_[i];
  bool more = false;
  for (int k = 0; k < m_; ++k) {
    if (kinds_[k] != RowKind::position || is_tangent(k)) continue;
    const double width = k < base_ ? constraints_.round_off(k, q0, velocity_.data())
                                   : gaps_.round_off(pieces_[k - base_], q0, step_.t0_, velocity_.data());
    const double speed = width / (8 * epsilon) / h;  // that it can resolve
    if (!std::isfinite(speed)) continue;
    more |= speed > row_scale_[k];
    row_floor_[k] += speed;
  }
  return more;
}

// p0 + C0ν, and the size of its terms.
void ConstrainedStep::add_columns(const double* nu) {
  double *const p0 = step_.p0_.data(), *const p0_terms = step_.p0_terms_.data();
  for (int i = 0; i < n_; ++i) p0[i] = p_start_[i], p0_terms[i] = std::abs(p0[i]);
  for (const Column& c : c0_) {
    const double term = c.value * nu[c.multiplier];
    p0[c.coordinate] += term;
    p0_terms[c.coordinate] = std::max(p0_terms[c.coordinate], std::abs(term));
  }
}

// Residual of the step with p0 + C0ν, and the rows of constraints and contacts; x = (V, ν).
void ConstrainedStep::evaluate(const double* x, int order) {
  const double* const nu = x + ns_;
  add_columns(nu);
  const bool at_start = at_start_;
  if (!at_start) step_.evaluate(x, order);
  at_start_ = false;
  evaluate_rows(x, nu, at_start && timeless_);  // there q1 = q0
  norm_ = step_.relative_;
  for (int k = 0; k < base_; ++k)
    norm_ = std::isfinite(rows_[k]) ? std::max(norm_, std::abs(rows_[k]) / row_scale_[k]) : INFINITY;
}

// Of the path with these velocities. still: they are zero.
void ConstrainedStep::evaluate_rows(const double* x, const double* nu, bool still) {
  const int n = n_, m = m_, s = step_.tableau().unknowns, count = constraints_.count();
  const double *const q0 = step_.q0_.data(), h = step_.h_;
  double *const w = step_.mean_.data(), *const q1 = q1_.data();
  const double* const beta = step_.tableau().beta.data();
  for (int i = 0; i < n; ++i) {
    double mean = beta[0] * x[i];
    if (s > 1)
      for (int j = 1; j < s; ++j) mean += beta[j] * x[j * n + i];
    w[i] = mean;
    q1[i] = q0[i] + h * mean;
  }
  if (in_the_middle_) {
    for (int i = 0; i < n; ++i) q_half_[i] = q0[i] + h / 2 * w[i];
    normals_at(q_half_.data(), step_.t0_ + h / 2, half_, value_half_, rate_half_);
    if (base_ > count) tangents_at(q_half_.data(), step_.t0_ + h / 2, half_, rate_half_, scales_);
    for (int k = count; k < base_; ++k) {
      if (!turns(k)) continue;
      const double* const tau = frames_.direction(pieces_[contact_of_[k]], tangent_of_[k]);
      way_tau_[k] = {tau[0], tau[1], tau[2]};
    }
  }
  if (still) {
    c1_ = c0_, value1_ = value0_, rate1_ = rate0_;
    c1_known_ = false;
  } else if (at_end_ || constraints_.holonomic() > 0 || m > count) {
    normals_at_end(q1, step_.t0_ + h);
  }
  if (base_ > count) move_places(still);
  const Column *const c0 = c0_.data(), *const c1 = c1_.data(), *const half = half_.data();
  for (int k = 0; k < m; ++k) {
    const auto [first, end] = rows_of_->places[k];
    double row = 0, size = row_floor_[k];
    const auto add_rate = [&](const Column* of_row) {
      for (int e = first; e < end; ++e) row += of_row[e].value * w[of_row[e].coordinate];
    };
    switch (kinds_[k]) {
      case RowKind::position:
        row = value1_[k] / h;
        for (int e = first; e < end; ++e)  // the speed that it can resolve
          size += std::abs(c0[e].value * q1[c0[e].coordinate] / h);
        if (is_tangent(k)) size += place_size_[k] / h;
        break;
      case RowKind::instant: row = rate_half_[k], add_rate(half); break;
      case RowKind::start: row = rate0_[k], add_rate(c0); break;
      case RowKind::end: row = rate1_[k], add_rate(c1); break;
      case RowKind::cone:
        row = gram_[k] * (nu[k] + slope_of_cone(k, scale0_) * nu[base_ + contact_of_[k]]);
        size += gram_[k] * std::abs(nu[k]);
    }
    rows_[k] = row;
    row_scale_[k] = size + std::numeric_limits<double>::min();
  }
}

// The ways of the points of contacts that stick, along their tangents: those of the middle where an obstacle moves and
// its tangents turn, else the way along the normal would count for half of that turn.
void ConstrainedStep::move_places(bool still) {
  c1_tangents_ = false;
  ways_known_ = still;
  for (int contact = 0; contact < static_cast<int>(pieces_.size()); ++contact) {
    const int piece = pieces_[contact], first = first_tangent_[contact], end = first + tangents_[contact];
    if (std::none_of(kinds_.begin() + first, kinds_.begin() + end, [](RowKind k) { return k == RowKind::position; }))
      continue;
    const double* const from = place0_[contact].data();
    double place[3] = {from[0], from[1], from[2]};
    if (!still) frames_.place(piece, q1_.data(), step_.t0_ + step_.h_, place);
    const int components = frames_.components(piece);
    for (int k = first; k < end; ++k) {
      if (kinds_[k] != RowKind::position) continue;
      const double* const tau = way_tau_[k].data();
      double way = 0, size = 0;
      for (int b = 0; b < components; ++b) {
        way += tau[b] * (place[b] - from[b]);
        size += std::abs(tau[b]) * (std::abs(place[b]) + std::abs(from[b]));
      }
      value1_[k] = way;
      place_size_[k] = size;
    }
  }
}

// How these ways depend on q1, in c1_: J_Pᵀτ, only where the last evaluation needs a matrix.
void ConstrainedStep::find_ways() {
  if (ways_known_) return;
  ways_known_ = true;
  for (int k = constraints_.count(); k < base_; ++k) {
    if (kinds_[k] != RowKind::position) continue;
    const int piece = pieces_[contact_of_[k]];
    for (int e = rows_of_->places[k][0]; e < rows_of_->places[k][1]; ++e) c1_[e].value = 0;
    for (int s = rows_of_->first_slopes[k][0]; s < rows_of_->first_slopes[k][1]; ++s) {
      const auto& [column, entry, component] = rows_of_->slopes[s];
      c1_[column].value += way_tau_[k][component] * frames_.slope(piece, entry);
    }
  }
}

// Of the last evaluation, with contacts closed or open.
void ConstrainedStep::fill_kkt(const char* open_contacts) {
  find_ways();
  LinearSolver& kkt = rows_of_->kkt;
  kkt.clear();
  double* values = kkt.values();
  const double* core = step_.jacobian_.values();
  for (const auto& [from, to] : rows_of_->core_slots) values[to] = core[from];
  const int s = step_.tableau().unknowns, count = constraints_.count();
  const double* const beta = step_.tableau().beta.data();
  const int *const up = rows_of_->up.data(), *const low = rows_of_->low.data();
  for (std::size_t e = 0; e < c0_.size(); ++e) {
    const int k = c0_[e].multiplier;
    const RowKind kind = kinds_[k];
    const bool open = kind == RowKind::cone || (k >= base_ && open_contacts[k - base_] != 0);
    const Column& of_row = kind == RowKind::instant ? half_[e] : kind == RowKind::start ? c0_[e] : c1_[e];
    for (int j = 0; j < s; ++j) {
      values[up[e * s + j]] = -beta[j] * c0_[e].value;
      values[low[e * s + j]] = open ? 0 : beta[j] * of_row.value;
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
    for (int j = 0; j < s; ++j) values[rows_of_->bend[e * s + j]] += step_.h_ * beta[j] * entries[e].value;
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
  for (int k = 0; k < m_; ++k) {
    const double row = k < base_ ? rows_[k] : contact_rows[k - base_];
    dx[ns_ + k] = k >= base_ && std::abs(row) <= 8 * epsilon * row_scale_[k] ? 0 : -row;
  }
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
  const bool alone = (closed || pieces_.empty()) && rows_of_->gram && step_.is_explicit() && !at_end_;
  prepare(alone);
  std::fill(open_.begin(), open_.end(), 0);
  if (!alone || !solve_multipliers()) {
    ConstrainedProblem problem{*this};
    const auto solve = [&] {
      step_.result_ = closed ? complementarity_.solve_set(problem, step_.settings_, open_)
                             : complementarity_.solve(problem, step_.settings_);
      return step_.result_.converged;
    };
    if (!solve() && !(find_constants() && solve())) return false;
    x_ = complementarity_.z();
    open_ = complementarity_.open();
    std::copy(x_.begin() + ns_, x_.end(), nu_.begin());
  }
  std::copy(x_.begin(), x_.begin() + ns_, step_.V_.begin());
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
  use(held_, held_rubs_, held_leaving_);
  solve_rows(true);
  step_.finish(q1, p1);
  project_held(step_.t0_ + step_.h_, q1, p1);
}

bool ConstrainedStep::solve_held(double t0, const double* q0, const double* p0, double h, bool pressed, double* q1,
                                 double* p1) {
  step_.start(t0, q0, p0, h);
  use(held_, held_rubs_, held_leaving_);
  if (!iterate(true)) return false;
  const auto pulls = [&] {
    for (int k = 0; k < static_cast<int>(pieces_.size()); ++k)
      if (pressure(k) < -pressure_round_off(k)) return true;
    return false;
  };
  if (pressed && halves_ && pulls()) return false;
  step_.finish(q1, p1);
  project_held(t0 + h, q1, p1);
  return !pressed || halves_ || !pulls();
}

double ConstrainedStep::pressure_round_off(int k) const {
  return 16 * epsilon * row_scale_[base_ + k] / gram_[base_ + k];
}

void ConstrainedStep::solve_with_contacts(double t0, const double* q0, const double* p0, double h,
                                          std::span<const int> pieces, double* q1, double* p1) {
  step_.start(t0, q0, p0, h);
  use(pieces);
  solve_rows(false);
  step_.finish(q1, p1);
}

// [ M  −C; Cᵀ  0 ] at (t, q); leaves A = L_v at rest in the Lagrangian's gradient.
void ConstrainedStep::fill_mass(const double* q, double t) {
  columns_at_end(q, t);
  std::fill(velocity_.begin(), velocity_.end(), 0.0);
  step_.lagrangian_.evaluate(2, q, velocity_.data(), t);  // quadratic in v: M is L_vv
  LinearSolver& mass = rows_of_->mass;
  mass.clear();
  double* values = mass.values();
  for (const auto& [entry, slot] : rows_of_->mass_slots) values[slot] = step_.lagrangian_.hessian(entry);
  for (std::size_t e = 0; e < c1_.size(); ++e) {
    values[rows_of_->mass_up[e]] = -c1_[e].value;
    values[rows_of_->mass_low[e]] = has_no_speed(c1_[e].multiplier) ? 0 : c1_[e].value;
  }
  const int count = constraints_.count();
  for (int k = count; k < m_; ++k) values[rows_of_->mass_diagonal[k - count]] = has_no_speed(k) ? gram_[k] : 0;
  for (int k = count; k < base_; ++k)
    values[rows_of_->mass_cone[k - count]] = has_no_speed(k) ? gram_[k] * slope_at_end(k) : 0;
  for (int k = 0; k < static_cast<int>(pieces_.size()); ++k)
    if (turns_in_space(k)) fill_spatial_slide(k);
}

void ConstrainedStep::factorize_mass(const double* q, double t) {
  fill_mass(q, t);
  mass_regular_ = rows_of_->mass.factorize();
}

void ConstrainedStep::solve_mass(double* x) {
  mass_regular_ ? rows_of_->mass.solve(x, x) : rows_of_->mass.solve_minimum_norm(x, x);
}

const std::vector<double>& ConstrainedStep::project(double t, const double* q, double* p, std::span<const int> pieces,
                                                    std::span<const Rub> rubs) {
  use(pieces, rubs);
  return project_on_rows(t, q, p);
}

const std::vector<double>& ConstrainedStep::project_on_rows(double t, const double* q, double* p) {
  t1_ = t;
  const int holonomic = constraints_.holonomic(), count = constraints_.count();
  if (!project_by_multipliers(q, p)) {
    factorize_mass(q, t);
    solution_.assign(n_ + m_, 0.0);
    for (int i = 0; i < n_; ++i) solution_[i] = p[i] - step_.lagrangian_.Lv()[i];
    for (int k = 0; k < m_; ++k) solution_[n_ + k] = has_no_speed(k) ? 0 : -rate1_[k];
    for (int k = 0; k < static_cast<int>(pieces_.size()); ++k)
      if (turns_in_space(k)) solution_[n_ + turn_row(k)] = -turns_[k].alpha * across(k, rate1_);
    solve_mass(solution_.data());
  }
  for (const Column& c : c1_) p[c.coordinate] += c.value * solution_[n_ + c.multiplier];
  std::copy(solution_.begin(), solution_.begin() + n_, velocity_.begin());
  std::copy(rate1_.begin(), rate1_.begin() + count, rows_.begin());
  for (std::size_t e = 0; e < c1_.size() && c1_[e].multiplier < count; ++e)  // theirs come first
    rows_[c1_[e].multiplier] += c1_[e].value * velocity_[c1_[e].coordinate];
  for (int k = holonomic; k < count; ++k) nonholonomic_max_ = std::fmax(nonholonomic_max_, std::abs(rows_[k]));
  return velocity_;
}

double ConstrainedStep::end_speed(int k) const {
  double speed = rate1_[base_ + k];
  for (const Column& c : c1_)
    if (c.multiplier == base_ + k) speed += c.value * solution_[c.coordinate];
  return speed;
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

}  // namespace ricochet
