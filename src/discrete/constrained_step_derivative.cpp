// The derivative of a constrained step, projection included.

#include <algorithm>

#include "constrained_rows.hpp"

namespace ricochet {

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
