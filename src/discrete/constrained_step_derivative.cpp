// The derivative of a constrained step, projection included. With friction the columns T, the directions τ, the places
// P and |ν| turn with (q, t, θ) too (mechanics/contact_frame_derivative.hpp):
//
//   sticks   d[τ̂(q0)·(P(q1) − P(q0))/h] = 0,   in the projection  Tᵀdv = −d(Tᵀv + P_t),
//   slides   dτ + μ|ν|σ dλ = −μλ d(|ν|σ),      ζ, ξ likewise.
//
// In the plane σ = ±1. In space σ = s/|s| with the slip s = Tᵀv + P_t, so dσ = (1 − σσᵀ)ds/|s| at the start; at the end
// the rows of the projection are those of Newton's method and know dσ.

#include <algorithm>
#include <cmath>

#include "constrained_rows.hpp"
#include "ricochet/numerics/epsilon.hpp"

namespace ricochet {

using Eigen::MatrixXd;
using Eigen::VectorXd;

ConstrainedStep::Place ConstrainedStep::place_at(const double* q, double t) {
  Place place{q, t, std::vector<ContactFrameDerivative>(pieces_.size())};
  if (base_ > constraints_.count() && !frame_derivatives_)
    frame_derivatives_ = std::make_unique<ContactFrameDerivatives>(system_);
  for (std::size_t k = 0; k < pieces_.size(); ++k)
    if (tangents_[k] > 0) frame_derivatives_->evaluate(pieces_[k], q, t, place.frames[k]);
  return place;
}

// d(Σ_k ν_k c_k) by (q, t, θ), over constraints and contacts: n rows.
MatrixXd ConstrainedStep::bend(const Place& place, const double* nu) {
  const int parameters = system_.parameters();
  MatrixXd result = MatrixXd::Zero(n_, n_ + 1 + parameters);
  std::vector<double> unit(n_ + 1, 0.0), bent(n_ + 1);
  for (int i = 0; i <= n_; ++i) {
    unit[i] = 1;
    if (i < n_) constraints_.curvature_times(place.q, nu, unit.data(), result.col(i).data());
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
      gaps_.hessian_times(pieces_[k], place.q, place.t, unit.data(), bent.data());
      for (int j = 0; j < n_; ++j) result(j, i) += nu[base_ + k] * bent[j];
    }
    unit[i] = 0;
  }
  std::vector<double> values(constraints_.count());
  for (int theta = 0; theta < parameters; ++theta) {
    auto column = result.col(n_ + 1 + theta);
    if (!values.empty())
      for (const Constraints::Entry& e : constraints_.parameter_derivative(theta, place.q, values.data()))
        column[e.coordinate] += nu[e.constraint] * e.value;
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
      gaps_.parameter_derivative(pieces_[k], theta, place.q, place.t, bent.data());
      for (int j = 0; j < n_; ++j) column[j] += nu[base_ + k] * bent[j];
    }
  }
  for (int k = constraints_.count(); k < base_; ++k)
    result += nu[k] * place.frames[contact_of_[k]].rows[1 + tangent_of_[k]];
  return result;
}

// d(c_k·v + b_k) by (q, t, θ) at fixed v: a row for each multiplier.
MatrixXd ConstrainedStep::rate_derivatives(const Place& place, const double* v) {
  const int count = constraints_.count(), parameters = system_.parameters();
  MatrixXd rates = MatrixXd::Zero(m_, n_ + 1 + parameters);
  std::vector<double> unit(n_, 0.0), rate(count, 0.0), along(n_ + 1), bent(n_ + 1);
  for (int i = 0; i < n_ && count > 0; ++i) {
    unit[i] = 1;
    constraints_.rate_derivative(place.q, v, unit.data(), rate.data());
    for (int k = 0; k < count; ++k) rates(k, i) = rate[k];
    unit[i] = 0;
  }
  std::copy(v, v + n_, along.begin());
  along[n_] = 1;
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    gaps_.hessian_times(pieces_[k], place.q, place.t, along.data(), bent.data());
    for (int i = 0; i <= n_; ++i) rates(base_ + static_cast<int>(k), i) = bent[i];
  }
  for (int theta = 0; theta < parameters; ++theta) {
    const int column = n_ + 1 + theta;
    if (count > 0)
      for (const Constraints::Entry& e : constraints_.parameter_derivative(theta, place.q, rate.data()))
        rates(e.constraint, column) += e.value * v[e.coordinate];
    for (int k = constraints_.holonomic(); k < count; ++k) rates(k, column) += rate[k];
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
      double& sum = rates(base_ + static_cast<int>(k), column);
      gaps_.parameter_derivative(pieces_[k], theta, place.q, place.t, bent.data());
      for (int i = 0; i <= n_; ++i) sum += bent[i] * along[i];
    }
  }
  for (int k = count; k < base_; ++k) {
    const ContactFrameDerivative& frame = place.frames[contact_of_[k]];
    const int a = 1 + tangent_of_[k];
    rates.row(k) = Eigen::Map<const VectorXd>(v, n_).transpose() * frame.rows[a] + frame.rates.row(a);
  }
  return rates;
}

// ∂f_k/∂θ and ∂g_k/∂θ: a row for each multiplier.
MatrixXd ConstrainedStep::values_by_parameters(const Place& place) {
  MatrixXd values = MatrixXd::Zero(m_, system_.parameters());
  std::vector<double> unused(n_ + 1);
  for (int theta = 0; theta < values.cols(); ++theta) {
    if (constraints_.count() > 0) constraints_.parameter_derivative(theta, place.q, values.col(theta).data());
    for (std::size_t k = 0; k < pieces_.size(); ++k)
      values(base_ + static_cast<int>(k), theta) =
          gaps_.parameter_derivative(pieces_[k], theta, place.q, place.t, unused.data());
  }
  return values;
}

// dv = M⁻¹(dp − L_vq dq − L_vt dt − L_vθ dθ) at the start.
MatrixXd ConstrainedStep::start_velocity_derivative(VectorXd& v) {
  const int columns = step_.columns();
  Lagrangian& L = step_.lagrangian_;
  v.resize(n_);
  L.velocity(step_.q0_.data(), p_start_.data(), step_.t0_, v.data());
  L.evaluate(2, step_.q0_.data(), v.data(), step_.t0_);
  MatrixXd dv(n_, columns);
  VectorXd in(2 * n_ + 1), out(2 * n_ + 1), x(n_);
  for (int column = 0; column < columns; ++column) {
    in.setZero();
    if (column < n_) in[column] = 1;
    if (column == 2 * n_ + 1) in[2 * n_] = 1;
    L.apply_hessian(in.data(), out.data());
    x = -out.segment(n_, n_);
    if (column >= n_ && column < 2 * n_) x[column - n_] += 1;
    if (column >= 2 * n_ + 2) {
      L.parameter_derivative(column - 2 * n_ - 2, step_.q0_.data(), v.data(), step_.t0_, out.data());
      x -= out.segment(n_, n_);
    }
    L.apply_inverse_mass(x.data(), dv.col(column).data());
  }
  return dv;
}

const char* ConstrainedStep::why_no_derivative() const {
  bool in_space = false;
  for (int k = 0; k < static_cast<int>(pieces_.size()); ++k) {
    if (!slides_in_space(k)) continue;
    in_space = true;
    const double* s = start_slip_.data() + first_tangent_[k];
    const std::array<double, 2>& sigma = held_rubs_[k].slip;  // at the start
    const double along = sigma[0] * s[0] + sigma[1] * s[1], across = sigma[0] * s[1] - sigma[1] * s[0];
    if (!(along > slip_round_off(k, 0) && std::abs(across) <= std::sqrt(epsilon) * along))
      return "a slip in space begins, and its direction is that of a force";
  }
  return in_space && !directions_found_ ? "several slips in space come to an end together" : nullptr;
}

// (P(q1) − P(q0))/h of the contact of a tangent.
Eigen::RowVectorXd ConstrainedStep::way_of(int k) {
  const int contact = contact_of_[k], d = frames_.components(pieces_[contact]);
  Eigen::RowVectorXd place(d);
  frames_.place(pieces_[contact], q1_.data(), step_.t0_ + step_.h_, place.data());
  return (place - Eigen::Map<const Eigen::RowVectorXd>(place0_[contact].data(), d)) / step_.h_;
}

// Rows of tangents at the solution, without dV and dν: d(row) by (q0, p0, h, t0, θ).
void ConstrainedStep::differentiate_tangents(const Place& start, const Place& end, const MatrixXd& by_half,
                                             MatrixXd& low) {
  const int n = n_, h_column = 2 * n, t_column = 2 * n + 1, parameters = system_.parameters();
  const double h = step_.h_;
  const Eigen::Map<const VectorXd> w(step_.mean_.data(), n);
  MatrixXd slip;  // of the start, in space
  for (int k = constraints_.count(); k < base_; ++k) {
    const int contact = contact_of_[k], a = tangent_of_[k];
    auto row = low.row(k);
    if (slides(k)) {
      const Rub& rub = rubs_[contact];
      const double size = gram_[k] * nu_[base_ + contact] * rub.friction;
      row.head(n) = size * rub.slip[a] * start.frames[contact].scale.head(n);
      row[t_column] = size * rub.slip[a] * start.frames[contact].scale[n];
      row.tail(parameters) = size * rub.slip[a] * start.frames[contact].scale.tail(parameters);
      for (int theta = 0; theta < parameters; ++theta)
        row[2 * n + 2 + theta] += gram_[k] * nu_[base_ + contact] * scale0_[contact] * rub.slip[a] *
                                  system_.friction_derivative(system_.contact_of(pieces_[contact]), theta);
      if (rub.tangents < 2 || rub.sticks) continue;
      if (slip.size() == 0) {
        VectorXd v0;
        const MatrixXd dv = start_velocity_derivative(v0), by = rate_derivatives(start, v0.data());
        slip = MatrixXd::Zero(m_, step_.columns());
        for (const Column& c : c0_) slip.row(c.multiplier) += c.value * dv.row(c.coordinate);
        slip.leftCols(n) += by.leftCols(n);
        slip.col(t_column) += by.col(n);
        slip.rightCols(parameters) += by.rightCols(parameters);
      }
      const int first = first_tangent_[contact], other = 1 - a;  // dσ = (1 − σσᵀ)ds/|s| = σ⊥(σ⊥·ds)/|s|
      const double part = size * scale0_[contact] / std::hypot(start_slip_[first], start_slip_[first + 1]);
      row += part * rub.slip[other] * (rub.slip[other] * slip.row(k) - rub.slip[a] * slip.row(first + other));
      continue;
    }
    const auto add = [&](const Eigen::RowVectorXd& by) {  // d by (q0, t0, θ)
      row.head(n) += by.head(n);
      row[t_column] += by[n];
      row.tail(parameters) += by.tail(parameters);
    };
    if (instant_[k] || turns(k)) {
      add(by_half.row(k));
      row[h_column] += (by_half.row(k).head(n).dot(w) + by_half(k, n)) / 2;
    }
    if (instant_[k]) continue;
    const Eigen::RowVectorXd way = way_of(k);
    const Eigen::RowVectorXd tau = Eigen::Map<const Eigen::RowVectorXd>(way_tau_[k].data(), way.size()) / h;
    const MatrixXd &from = start.frames[contact].place, &to = end.frames[contact].place;
    if (!turns(k)) add(way * start.frames[contact].tau[a]);
    add(tau * (to - from));
    row[h_column] += tau.dot((to.leftCols(n) * w + to.col(n)).transpose() - way);
  }
}

// What the iteration does without: of rows at q_½ h/2 wᵀf'', of ways along the τ there h/2 (P(q1) − P(q0))/h · τ'.
void ConstrainedStep::complete_kkt(const MatrixXd& by_half) {
  const Tableau& tableau = step_.tableau();
  double* values = rows_of_->kkt.values();
  for (std::size_t e = 0; e < c0_.size(); ++e) {
    const int k = c0_[e].multiplier, i = c0_[e].coordinate;
    const bool in_the_middle = kinds_[k] == RowKind::instant || (kinds_[k] == RowKind::position && turns(k));
    if (!in_the_middle || (k >= base_ && open_[k - base_] != 0)) continue;
    for (int j = 0; j < tableau.unknowns; ++j)
      values[rows_of_->low[e * tableau.unknowns + j]] += tableau.beta[j] * step_.h_ / 2 * by_half(k, i);
  }
}

// dR = 0 and the rows give dV and dν; then the projection at q1:
//   M dv − C dξ = dp + dC ξ − L_vq dq1 − L_vt dt1 − L_vθ dθ,   Cᵀdv = −d(Cᵀv + b),   dp1 = dp + dC ξ + C dξ.
void ConstrainedStep::derivative(SubStepDerivative& out) {
  const int n = n_, columns = step_.columns(), h_column = 2 * n, t_column = 2 * n + 1,
            parameters = system_.parameters();
  const double h = step_.h_;
  const Tableau& tableau = step_.tableau();
  const bool rubbing = rubs();
  // The projection of the last solve came after it: its velocity and ξ, and the directions of slips at the end, are
  // needed again below.
  const std::vector<double> projected = solution_;
  const std::vector<Rub> at_the_end = rubs_;
  if (rubbing) rubs_ = held_rubs_;
  MatrixXd known;
  step_.known_derivative(known);
  const Place start = place_at(step_.q0_.data(), step_.t0_);
  const MatrixXd start_bend = bend(start, nu_.data());
  MatrixXd dP = MatrixXd::Zero(n, columns);  // of p0 + C0ν without dν
  dP.middleCols(n, n).setIdentity();
  dP.leftCols(n) += start_bend.leftCols(n);
  dP.col(t_column) += start_bend.col(n);
  dP.rightCols(parameters) += start_bend.rightCols(parameters);

  evaluate(x_.data(), 2);  // columns and the core Jacobian at the solution
  MatrixXd low = MatrixXd::Zero(m_, columns);
  const double part = at_end_ ? 1 : 0;  // where in the step the constraints of velocities are taken
  const Eigen::Map<const VectorXd> w(step_.mean_.data(), n);
  const std::vector<double> kept = q1_;
  const Place end = place_at(kept.data(), step_.t0_ + h);
  const MatrixXd by_w = rate_derivatives(at_end_ ? end : start, w.data()), by_theta = values_by_parameters(end);
  MatrixXd by_half;
  if (in_the_middle_) {
    const Place middle = place_at(q_half_.data(), step_.t0_ + h / 2);
    by_half = rate_derivatives(middle, w.data());
    for (int k = constraints_.count(); k < base_; ++k)
      if (kinds_[k] == RowKind::position && turns(k))
        by_half.row(k) = way_of(k) * middle.frames[contact_of_[k]].tau[tangent_of_[k]];
  }
  for (int k = 0; k < m_; ++k) {
    if (is_tangent(k) || (k >= base_ && open_[k - base_] != 0)) continue;
    if (by_position(k)) {
      low(k, h_column) += rate1_[k] / h - value1_[k] / (h * h);
      low(k, t_column) += rate1_[k] / h;
      low.row(k).tail(parameters) = by_theta.row(k) / h;
      continue;
    }
    const MatrixXd& by = instant_[k] ? by_half : by_w;
    const double share = instant_[k] ? 0.5 : part;
    low.row(k).head(n) = by.row(k).head(n);
    low(k, h_column) = share * (by.row(k).head(n).dot(w) + by(k, n));
    low(k, t_column) = by(k, n);
    low.row(k).tail(parameters) = by.row(k).tail(parameters);
  }
  for (const Column& c : c1_) {  // f(q1)/h and g(q1)/h
    const int k = c.multiplier;
    if (is_tangent(k) || !by_position(k) || (k >= base_ && open_[k - base_] != 0)) continue;
    low(k, c.coordinate) += c.value / h;
    low(k, h_column) += c.value * w[c.coordinate] / h;
  }
  if (rubbing) differentiate_tangents(start, end, by_half, low);
  MatrixXd rhs(ns_ + m_, columns), solved(ns_ + m_, columns);
  for (int j = 0; j < tableau.unknowns; ++j) known.middleRows(j * n, n) -= tableau.beta[j] * dP;
  rhs << -known, -low;
  fill_kkt(open_.data());
  complete_kkt(by_half);
  LinearSolver& kkt = rows_of_->kkt;
  const bool regular = kkt.factorize();
  for (int column = 0; column < columns; ++column)
    regular ? kkt.solve(rhs.col(column).data(), solved.col(column).data())
            : kkt.solve_minimum_norm(rhs.col(column).data(), solved.col(column).data());
  for (const Column& c : c0_) dP.row(c.coordinate) += c.value * solved.row(ns_ + c.multiplier);
  step_.output_derivative(dP, solved.topRows(ns_), out);
  rubs_ = at_the_end;

  // projection
  MatrixXd dq1 = MatrixXd::Zero(n + 1 + parameters, columns);  // of q1, t1 = t0 + h, θ
  dq1.bottomRightCorner(parameters, parameters).setIdentity();
  dq1.topRows(n) = out.matrix.topRows(n);
  dq1(n, h_column) = dq1(n, t_column) = 1;
  const double* xi = projected.data() + n;
  MatrixXd dp = out.matrix.middleRows(n, n) + bend(end, xi) * dq1;
  const MatrixXd rates = rate_derivatives(end, projected.data()) * dq1;
  Lagrangian& L = step_.lagrangian_;
  L.evaluate(2, kept.data(), projected.data(), t1_);
  MatrixXd solved2(n + m_, columns);
  std::vector<double> in(2 * n + 1), hessian(2 * n + 1);
  for (int column = 0; column < columns; ++column) {
    std::fill(in.begin(), in.end(), 0.0);
    for (int i = 0; i < n; ++i) in[i] = dq1(i, column);
    in[2 * n] = dq1(n, column);
    L.apply_hessian(in.data(), hessian.data());
    for (int i = 0; i < n; ++i) solved2(i, column) = dp(i, column) - hessian[n + i];
    if (column < 2 * n + 2) continue;
    L.parameter_derivative(column - 2 * n - 2, kept.data(), projected.data(), t1_, hessian.data());
    for (int i = 0; i < n; ++i) solved2(i, column) -= hessian[n + i];
  }
  solved2.bottomRows(m_) = -rates;
  fill_mass(kept.data(), t1_);
  for (int k = constraints_.count(); k < base_; ++k) {
    if (!slides(k)) continue;
    const int contact = contact_of_[k], a = tangent_of_[k];
    const Rub& rub = rubs_[contact];
    const bool in_space = turns_in_space(contact);  // then the rows of σ and σ⊥
    const int first = first_tangent_[contact];
    const double part = in_space ? (k == cone_row(contact) ? gram_[first] : 0) : rub.slip[a] * gram_[k];
    solved2.row(n + k) = -part * rub.friction * xi[base_ + contact] * end.frames[contact].scale * dq1;
    for (int theta = 0; theta < parameters; ++theta)
      solved2(n + k, 2 * n + 2 + theta) -= part * xi[base_ + contact] * scale1_[contact] *
                                           system_.friction_derivative(system_.contact_of(pieces_[contact]), theta);
    if (in_space && k == turn_row(contact))
      solved2.row(n + k) -=
          turns_[contact].alpha * (rub.slip[0] * rates.row(first + 1) - rub.slip[1] * rates.row(first));
  }
  for (int k = constraints_.count(); k < m_; ++k)
    if (is_left(k)) solved2.row(n + k).setZero();
  mass_regular_ = rows_of_->mass.factorize();
  for (int column = 0; column < columns; ++column) solve_mass(solved2.col(column).data());
  for (const Column& c : c1_) dp.row(c.coordinate) += c.value * solved2.row(n + c.multiplier);
  out.matrix.middleRows(n, n) = dp;
  slip_derivative_ = rates;
  for (const Column& c : c1_) slip_derivative_.row(c.multiplier) += c.value * solved2.row(c.coordinate);
}

}  // namespace ricochet
