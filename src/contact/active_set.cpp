#include "ricochet/contact/active_set.hpp"

#include <fmt/format.h>

#include <cmath>

#include "ricochet/error.hpp"
#include "ricochet/numerics/epsilon.hpp"

namespace ricochet {

using Eigen::Map;
using Eigen::VectorXd;

ActiveSet::ActiveSet(SubStep& step, Gaps& gaps)
    : step_(step),
      gaps_(gaps),
      L_(step.lagrangian()),
      forces_(L_.system()),
      system_(L_.system()),
      frames_(step.constrained().frames()),
      n_(system_.n()),
      constrained_(!system_.constraints().empty()),
      steady_(system_.separable() && !system_.velocity_forces() && !constrained_) {
  for (auto* x : {&q_, &p_, &v_, &a_, &reach_, &after_}) x->assign(n_, 0.0);
  for (auto* x : {&in_, &out_}) x->assign(2 * n_ + 1, 0.0);
  for (auto* x : {&values_, &approach_, &rho_}) x->assign(gaps.pieces(), 0.0);
  kkt_.assign(n_ + system_.constraints().size(), 0.0);
  if (steady_) force_ = formula::Evaluator<double>(system_.force());
  for (const Contact& contact : system_.model().contacts) {
    laws_.push_back(law_named(contact.law));
    frictions_.push_back(contact.friction           ? formula::fixed_value(contact.friction)
                         : contact.law == "plastic" ? 1.0
                                                    : 0.0);
  }
}

void ActiveSet::place(double t, const double* q, const double* p, double h) {
  t_ = t;
  h_ = h;
  std::copy(q, q + n_, q_.begin());
  std::copy(p, p + n_, p_.begin());
  c_.clear();
  contacts_.clear();
  lowest_ = INFINITY;
  L_.velocity(q, p, t, v_.data());
  if (constrained_) step_.constrained().at_point(t, q);
  double of_v = 0, of_a = 0;  // vᵀMv, aᵀMa
  if (steady_) {              // p = Mv, F − ∇V = Ma
    std::copy(q, q + n_, force_.inputs());
    force_.inputs()[n_] = t;
    force_.run();
    for (int i = 0; i < n_; ++i) kkt_[i] = force_.output(i);
    L_.apply_inverse_mass(kkt_.data(), a_.data());
    for (int i = 0; i < n_; ++i) of_v += v_[i] * p[i], of_a += a_[i] * kkt_[i];
    potential_ = L_.potential(q, t);
    energy_ = of_v / 2 + potential_;
  } else {
    acceleration(v_.data(), a_.data());
    energy_ = -L_.value();
    for (int i = 0; i < n_; ++i) energy_ += v_[i] * L_.Lv()[i];
    of_v = twice_kinetic(v_);
    of_a = twice_kinetic(a_);
  }
  speed_ = std::sqrt(std::fmax(0, of_v + h * h * of_a));
  for (int i = 0; i < n_; ++i) reach_[i] = std::abs(q_[i]) + h * std::abs(v_[i]) + h * h * std::abs(a_[i]);
}

// xᵀMx with M = L_vv where L was evaluated last.
double ActiveSet::twice_kinetic(const std::vector<double>& x) {
  std::fill(in_.begin(), in_.end(), 0.0);
  std::copy(x.begin(), x.end(), in_.begin() + n_);
  L_.apply_hessian(in_.data(), out_.data());
  double sum = 0;
  for (int i = 0; i < n_; ++i) sum += x[i] * out_[n_ + i];
  return sum;
}

double ActiveSet::energy(const double* p, const double* v) {
  if (!steady_) return L_.energy(q_.data(), v, t_);
  double of_v = 0;
  for (int i = 0; i < n_; ++i) of_v += v[i] * p[i];
  return of_v / 2 + potential_;
}

double ActiveSet::speed_round_off(double G, double g_t) const {
  return 16 * epsilon * (std::sqrt(std::fmax(0, G)) * speed_ + std::abs(g_t));
}

// M a = L_q + F − L_vq v − L_vt + Cμ with the constraints' rates kept at zero.
void ActiveSet::acceleration(const double* v, double* a) {
  L_.evaluate(2, q_.data(), v, t_);
  std::fill(in_.begin(), in_.end(), 0.0);
  std::copy(v, v + n_, in_.begin());
  in_[2 * n_] = 1;
  L_.apply_hessian(in_.data(), out_.data());
  for (int i = 0; i < n_; ++i) kkt_[i] = L_.Lq()[i] - out_[n_ + i];
  if (!forces_.empty()) {
    forces_.evaluate(0, q_.data(), v, t_);
    for (int i = 0; i < n_; ++i) kkt_[i] += forces_.F()[i];
  }
  if (!constrained_) return L_.nearest_acceleration(kkt_.data(), a);
  Constraints& constraints = step_.constrained().constraints();
  constraints.rate_derivative(q_.data(), v, v, kkt_.data() + n_);
  for (std::size_t k = n_; k < kkt_.size(); ++k) kkt_[k] = -kkt_[k];
  step_.constrained().solve_at_point(kkt_.data());
  std::copy(kkt_.begin(), kkt_.begin() + n_, a);
}

void ActiveSet::inverse_mass(double* covector, double* w) {
  constrained_ ? step_.constrained().free_covector(covector, w) : L_.apply_inverse_mass(covector, w);
}

bool ActiveSet::add(int gap, std::span<const char> closed, double eps_g, std::span<const char> reachable) {
  for (int piece = gaps_.begin(gap); piece < gaps_.end(gap); ++piece) {
    const bool far = closed[piece] == 0 && !reachable.empty() && reachable[piece] == 0;
    values_[piece] = far ? INFINITY : frames_.approach(piece, q_.data(), t_, v_.data(), approach_[piece]);
    rho_[piece] = far ? 0 : -1;
  }
  lowest_ = std::fmin(lowest_, gaps_.fold(gap, [&](int k) { return values_[k]; }));
  return collect(gaps_.tree(gap), gap, closed, eps_g);
}

double ActiveSet::rho(int piece) {
  if (rho_[piece] < 0) rho_[piece] = round_off(piece, q_.data(), t_);
  return rho_[piece];
}

bool ActiveSet::collect(const formula::KinkTree& tree, int gap, std::span<const char> closed, double eps_g) {
  using Kind = formula::KinkTree::Kind;
  if (tree.kind == Kind::piece) return take(gap, tree.piece, closed[tree.piece] != 0, eps_g);
  const std::size_t before = contacts_.size();
  // what was passed within eps_g of a step is met at the same instant
  const auto slack = [&](int k) { return values_[k] + rho(k) + soon(k, eps_g); };
  bool any = false;
  for (const formula::KinkTree& child : tree.children) {
    // below the largest: another child keeps the way open or is the one that is met
    if (tree.kind == Kind::maximum && Gaps::fold(child, slack) < 0) continue;
    const bool takes_part = collect(child, gap, closed, eps_g);
    if (tree.kind == Kind::maximum && !takes_part) {
      if (before < contacts_.size()) c_.resize(contacts_[before].row);
      contacts_.resize(before);
      return false;
    }
    any |= takes_part;
  }
  return any;
}

bool ActiveSet::take(int gap, int piece, bool closed, double eps_g) {
  const double value = values_[piece], early = soon(piece, eps_g);
  if (!closed && value > early && !(value <= rho(piece) + early)) return false;
  const std::size_t first = c_.size();
  const bool rubs = laws_[gap] == ImpactLaw::coulomb || laws_[gap] == ImpactLaw::plastic;
  const int rows = 1 + frames_.tangents(piece), used = rubs ? rows : 1;
  if (rates_.size() < first + rows) {
    for (auto* list : {&rows_, &gradients_, &w_}) list->resize((first + rows) * n_);
    rates_.resize(first + rows);
  }
  ActiveContact contact{.gap = gap,
                        .piece = piece,
                        .row = static_cast<int>(first),
                        .tangents = used - 1,
                        .value = value,
                        .scale = 1,
                        .still = 0,
                        .closed = closed};
  double* J = gradients_.data() + first * n_;
  contact.scale = frames_.evaluate(piece, q_.data(), t_, J, rates_.data() + first);
  for (int r = 0; r < used; ++r) {
    double c = rates_[first + r];
    for (int i = 0; i < n_; ++i) c += J[r * n_ + i] * v_[i];
    c_.push_back(c);
  }
  for (int r = 0; r < used; ++r) {
    double *row = rows_.data() + (first + r) * n_, *w = w_.data() + (first + r) * n_;
    std::copy(J + r * n_, J + (r + 1) * n_, row);
    inverse_mass(row, w);
  }
  const double c = c_[first];
  double G = 0;
  for (int i = 0; i < n_; ++i) G += J[i] * w_[first * n_ + i];
  if (!std::isfinite(G))
    throw SolverError(fmt::format("the gap of contact '{}' is so steep that the square of its slope is not finite",
                                  system_.gaps()[gap].name),
                      G, 0, "write the gap in another unit");
  contact.still = speed_round_off(G, rates_[first]);
  const bool part =
      (closed || c < -contact.still || (c <= contact.still && value <= rho(piece))) && !is_carried(G, J, c, gap);
  if (part)
    contacts_.push_back(contact);
  else
    c_.resize(first);
  return part;
}

// A contact whose normal lies in the span of the constraints, as of a rail along a wall, takes no part.
bool ActiveSet::is_carried(double G, const double* gradient, double c, int gap) {
  if (!constrained_ || system_.degenerate()) return false;
  constexpr double in_the_span = 1e-20;  // of nᵀM⁻¹n, the square of ten digits of the normal
  L_.apply_inverse_mass(gradient, after_.data());
  double whole = 0;
  for (int i = 0; i < n_; ++i) whole += gradient[i] * after_[i];
  if (G > in_the_span * whole || whole == 0) return false;
  if (c < -std::sqrt(in_the_span * whole) * speed_)
    throw SolverError(
        fmt::format("at contact '{}' the constraints leave no way to bounce: its normal lies in the span of their "
                    "reactions",
                    system_.gaps()[gap].name),
        c, 0, "another start, or a contact that the constraints do not block");
  return true;
}

void ActiveSet::complete() {
  const int rows = rows_count();
  delta_.resize(static_cast<std::size_t>(rows) * rows);
  double* delta = delta_.data();
  const int n = n_;
  const double* row = rows_.data();
  for (int k = 0; k < rows; ++k, row += n) {
    const double* w = w_.data();
    for (int l = 0; l < rows; ++l, w += n) {
      double sum = 0;
      for (int i = 0; i < n; ++i) sum += row[i] * w[i];
      *delta++ = sum;
    }
  }
  for (const ActiveContact& contact : contacts_)
    if (const double G = delta_[contact.row * rows + contact.row]; !(G > 0))
      throw SolverError(fmt::format("the gap of contact '{}' has no slope where it closes, so its normal is undefined",
                                    system_.gaps()[contact.gap].name),
                        G, 0, "write the gap so that it crosses zero with a slope, for instance x instead of x^2");
}

// Δ is symmetric: its rows are its columns.
void ActiveSet::add_rows(const std::vector<double>& rows, int length, const double* share, double* sum) const {
  const double* row = rows.data();
  for (int r = 0; r < rows_count(); ++r, row += length)
    for (int i = 0; i < length; ++i) sum[i] += row[i] * share[r];
}

LawContact<double> ActiveSet::law(int k, Restitution& restitution) const {
  const ActiveContact& a = contacts_[k];
  return {.law = laws_[a.gap],
          .row = a.row,
          .tangents = a.tangents,
          .friction = frictions_[a.gap],
          .restitution = &restitution,
          .length = frames_.is_length(a.piece)};
}

Rub ActiveSet::rub(int piece) const {
  const int gap = system_.contact_of(piece);
  const bool rubs = laws_[gap] == ImpactLaw::coulomb || laws_[gap] == ImpactLaw::plastic;
  if (!rubs || !(frictions_[gap] > 0)) return {};
  return {.tangents = frames_.tangents(piece), .friction = frictions_[gap], .sticks = true, .slip = {}};
}

double ActiveSet::reaction(const double* impulse) const {
  double squares = 0;
  for (int i = 0; i < n_ && constrained_; ++i) {
    double sum = 0;
    for (int r = 0; r < rows_count(); ++r) sum += impulse[r] * (rows_[r * n_ + i] - gradients_[r * n_ + i]);
    squares += sum * sum;
  }
  return std::sqrt(squares);
}

void ActiveSet::accelerations(const double* impulse, std::vector<double>& out) {
  after_ = v_;
  add_to_velocity(impulse, after_.data());
  if (!steady_) acceleration(after_.data(), a_.data());  // else that of place()
  out.assign(contacts_.size(), 0.0);
  std::copy(after_.begin(), after_.end(), in_.begin());
  in_[n_] = 1;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const ActiveContact& contact = contacts_[k];
    gaps_.hessian_times(contact.piece, q_.data(), t_, in_.data(), out_.data());
    double curvature = out_[n_];
    for (int i = 0; i < n_; ++i) {
      curvature += in_[i] * out_[i];
      out[k] += gradients_[contact.row * n_ + i] * a_[i];
    }
    out[k] += curvature / contact.scale;
  }
}

void ActiveSet::press(std::span<const int> contacts, std::span<const double> c_plus,
                      std::vector<double>& accelerations) {
  if (contacts.empty()) return;
  for (const int k : contacts)
    if (contacts_[k].tangents > 0 && frictions_[contacts_[k].gap] > 0)
      return press_rough(contacts, c_plus, accelerations);
  const int m = static_cast<int>(contacts.size());
  const auto delta = this->delta();
  const auto row = [&](int k) { return contacts_[contacts[k]].row; };
  cone_.resize(m);
  for (int k = 0; k < m; ++k) {
    cone_.b(k) = accelerations[contacts[k]];
    for (int l = 0; l < m; ++l) cone_.gram(k, l) = delta(row(k), row(l));
  }
  cone_.solve();
  for (int k = 0; k < size(); ++k)
    for (int l = 0; l < m; ++l) accelerations[k] += delta(contacts_[k].row, row(l)) * cone_.y(l);
}

// d(t_r·v + P_t)/dt of the last accelerations().
double ActiveSet::tangential_acceleration(int contact, int r) {
  const ActiveContact& a = contacts_[contact];
  if (dual_frames_.empty()) dual_frames_.emplace_back(system_);
  dual_q_.resize(n_);
  dual_rows_.resize(static_cast<std::size_t>(3) * n_);
  dual_frames_[0].vary_parameter(-1);
  for (int i = 0; i < n_; ++i) dual_q_[i] = {q_[i], after_[i]};
  formula::Dual<double> rates[3];
  dual_frames_[0].evaluate(a.piece, dual_q_.data(), {t_, 1.0}, dual_rows_.data(), rates);
  double sum = rates[1 + r].derivative;
  for (int i = 0; i < n_; ++i)
    sum += gradients_[(a.row + 1 + r) * n_ + i] * a_[i] + dual_rows_[(1 + r) * n_ + i].derivative * after_[i];
  return sum;
}

// Contact after contact, its normal and then its friction with the others as they are, until nothing changes (the
// method of nonsmooth contact dynamics). Where there is no such force (Painlevé) what results is not finite.
void ActiveSet::press_rough(std::span<const int> contacts, std::span<const double> c_plus,
                            std::vector<double>& accelerations) {
  constexpr double settled = 1e-13;  // of the largest
  const auto delta = this->delta();
  const int rows = rows_count();
  pressed_.assign(rows, 0.0);
  rough_.assign(rows, 0.0);
  double size = 0;
  for (const int k : contacts)
    for (int r = 0; r <= contacts_[k].tangents; ++r) {
      const int row = contacts_[k].row + r;
      pressed_[row] = r == 0 ? accelerations[k] : tangential_acceleration(k, r - 1);
      size = std::fmax(size, std::abs(pressed_[row]) / std::sqrt(delta(row, row)));
    }
  double change = 0;
  const auto set = [&](int row, double x) {
    const double dx = x - rough_[row];
    rough_[row] = x;
    for (int l = 0; l < rows; ++l) pressed_[l] += delta(l, row) * dx;
    change = std::fmax(change, std::abs(dx) * std::sqrt(delta(row, row)));
  };
  for (int sweep = 0; sweep < 1000; ++sweep) {
    change = 0;
    for (const int k : contacts) {
      const ActiveContact& a = contacts_[k];
      set(a.row, std::fmax(0, rough_[a.row] - pressed_[a.row] / delta(a.row, a.row)));
      const double most = frictions_[a.gap] * rough_[a.row];
      double slip = 0, pull = 0, x[2] = {0, 0};
      for (int r = 0; r < a.tangents; ++r) {
        const int row = a.row + 1 + r;
        slip = std::hypot(slip, c_plus[row]);
        x[r] = rough_[row] - pressed_[row] / delta(row, row);
        pull = std::hypot(pull, x[r]);
      }
      for (int r = 0; r < a.tangents; ++r) {
        if (slip > a.still) x[r] = -most * c_plus[a.row + 1 + r] / slip;
        if (slip <= a.still && pull > most) x[r] *= most / pull;
        set(a.row + 1 + r, x[r]);
      }
    }
    if (!(change > settled * size)) break;
  }
  for (int k = 0; k < this->size(); ++k)
    for (int row = 0; row < rows; ++row) accelerations[k] += delta(contacts_[k].row, row) * rough_[row];
}

// d(L_vv) w along (dq, dt) and by θ, by dual numbers through the Hessian program.
void ActiveSet::mass_derivative(const double* dq, double dt, int theta, const double* w, double* out) {
  std::fill(out, out + n_, 0.0);
  if (system_.separable() && theta < 0) return;
  if (hessian_along_.empty()) hessian_along_.emplace_back(system_.lagrangian().order(2));
  formula::Evaluator<formula::Dual<double>>& program = hessian_along_.front();
  formula::Dual<double>* in = program.inputs();
  for (int i = 0; i < n_; ++i) in[i] = {q_[i], dq[i]}, in[n_ + i] = {0.0, 0.0};
  in[2 * n_] = {t_, dt};
  program.vary_parameter(theta);
  program.run();
  const auto& pattern = L_.pattern();
  for (std::size_t e = 0; e < pattern.size(); ++e) {
    const int i = static_cast<int>(pattern[e].first) - n_, j = static_cast<int>(pattern[e].second) - n_;
    if (i < 0 || i >= n_ || j < 0) continue;
    const double dm = program.output(system_.lagrangian().hessian_output(e)).derivative;
    out[i] += dm * w[j];
    if (i != j) out[j] += dm * w[i];
  }
}

// With K = [M −C; Cᵀ 0] and K[w; ξ] = [J; 0] for each row, freed row J + Cξ:
//   K[dw; dξ] = [dJ − dM w + dC ξ; −dCᵀw],   M dv = dp − L_vq dq − L_vt dt (with dCᵀv + Cᵀdv = 0),
//   Δ_kl = J_k·w_l,   c = Jv + J_t.
void ActiveSet::differentiate(const double* dq, double dt, const double* dp, int theta, Differential& d) {
  using Dual = formula::Dual<double>;
  const int rows = rows_count(), nc = static_cast<int>(system_.constraints().size());
  ConstrainedStep& constrained = step_.constrained();
  VectorXd dv(n_), in = VectorXd::Zero(2 * n_ + 1), out(2 * n_ + 1), dm(n_), rate(nc), x(n_ + nc);
  const auto solve = [&](VectorXd& y) {
    if (constrained_)
      constrained.solve_at_point(y.data());
    else
      L_.apply_inverse_mass(VectorXd(y).data(), y.data());
  };
  // d(cᵀ) x of the constraints, without db
  const auto turn_of_constraints = [&](const double* along) {
    constrained.constraints().rate_derivative(q_.data(), along, dq, rate.data());
    if (system_.nonholonomic() == 0) return;
    VectorXd at_rest = VectorXd::Zero(nc);
    const VectorXd zero = VectorXd::Zero(n_);
    constrained.constraints().rate_derivative(q_.data(), zero.data(), dq, at_rest.data());
    rate -= at_rest;
  };
  std::vector<Constraints::Entry> turned;  // ∂c/∂θ of the constraints
  VectorXd values_by_theta(nc);
  if (theta >= 0 && constrained_)
    turned = constrained.constraints().parameter_derivative(theta, q_.data(), values_by_theta.data());
  L_.velocity(q_.data(), p_.data(), t_, v_.data());
  L_.evaluate(2, q_.data(), v_.data(), t_);
  if (constrained_) constrained.at_point(t_, q_.data());
  in.head(n_) = Map<const VectorXd>(dq, n_);
  in[2 * n_] = dt;
  L_.evaluate(2, q_.data(), v_.data(), t_);
  L_.apply_hessian(in.data(), out.data());
  x.head(n_) = Map<const VectorXd>(dp, n_) - out.segment(n_, n_);
  if (theta >= 0) {
    L_.parameter_derivative(theta, q_.data(), v_.data(), t_, out.data());
    x.head(n_) -= out.segment(n_, n_);
  }
  if (constrained_) {
    constrained.constraints().rate_derivative(q_.data(), v_.data(), dq, rate.data());
    for (const Constraints::Entry& e : turned) rate[e.constraint] += e.value * v_[e.coordinate];
    for (int k = system_.holonomic(); k < nc && theta >= 0; ++k) rate[k] += values_by_theta[k];
    x.tail(nc) = -rate;
  }
  solve(x);
  dv = x.head(n_);

  if (dual_frames_.empty()) dual_frames_.emplace_back(system_);
  dual_frames_[0].vary_parameter(theta);
  std::vector<Dual> dual_q(n_), dual_rows, dual_rates(3);
  for (int i = 0; i < n_; ++i) dual_q[i] = {q_[i], dq[i]};
  Eigen::MatrixXd dJ(rows, n_), dw(rows, n_);
  d.rates.setZero(rows);
  for (const ActiveContact& contact : contacts_) {
    dual_rows.assign(static_cast<std::size_t>(1 + frames_.tangents(contact.piece)) * n_, Dual(0.0));
    dual_frames_[0].evaluate(contact.piece, dual_q.data(), Dual(t_, dt), dual_rows.data(), dual_rates.data());
    for (int r = 0; r <= contact.tangents; ++r) {
      d.rates[contact.row + r] = dual_rates[r].derivative;
      for (int i = 0; i < n_; ++i) dJ(contact.row + r, i) = dual_rows[r * n_ + i].derivative;
    }
  }
  d.rows = dJ;
  d.c = d.rates;
  for (int k = 0; k < rows; ++k) {
    const double *w = w_.data() + k * n_, *J = gradients_.data() + k * n_;
    mass_derivative(dq, dt, theta, w, dm.data());
    x.head(n_) = dJ.row(k).transpose() - dm;
    if (constrained_) {
      VectorXd y = VectorXd::Zero(n_ + nc), curved = VectorXd::Zero(n_);
      y.head(n_) = Map<const VectorXd>(J, n_);
      solve(y);  // ξ of this row
      constrained.constraints().curvature_times(q_.data(), y.data() + n_, dq, curved.data());
      turn_of_constraints(w);
      for (const Constraints::Entry& e : turned) {
        curved[e.coordinate] += y[n_ + e.constraint] * e.value;
        rate[e.constraint] += e.value * w[e.coordinate];
      }
      x.head(n_) += curved;
      x.tail(nc) = -rate;
      solve(x);
      d.rows.row(k) += curved.transpose();
      constrained.constraints().evaluate(q_.data());
      for (const Constraints::Entry& e : constrained.constraints().entries())
        d.rows(k, e.coordinate) += e.value * x[n_ + e.constraint];
    } else {
      solve(x);
    }
    dw.row(k) = x.head(n_);
    for (int i = 0; i < n_; ++i) d.c[k] += dJ(k, i) * v_[i] + J[i] * dv[i];
  }
  d.delta.setZero(rows, rows);
  for (int k = 0; k < rows; ++k)
    for (int l = 0; l < rows; ++l)
      for (int i = 0; i < n_; ++i) d.delta(k, l) += dJ(k, i) * w_[l * n_ + i] + gradients_[k * n_ + i] * dw(l, i);
}

}  // namespace ricochet
