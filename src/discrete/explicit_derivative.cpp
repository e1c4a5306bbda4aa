// The derivative of the explicit step (sub_step.hpp), where most of a motion is spent. With Q = L_q + F,
//
//   P = p0 + h b_start Q(q0, t0),   M w = P,   q1 = q0 + h w,   p1 = P + h b_end Q(q1, t0 + h),
//
// and each line is differentiated by x = (q0, p0, h, t0, θ): no equation is solved but that of the mass.

#include "ricochet/discrete/sub_step.hpp"
#include "ricochet/error.hpp"

namespace ricochet {

// ∂Q/∂(q, t, θ) at a point, n rows: n + 1 columns and one for each parameter. v is only for M_θ v, which goes to
// `momentum` (a column for each parameter).
void SubStep::force_derivative(const double* q, const double* v, double t, Eigen::MatrixXd& by,
                               Eigen::MatrixXd* momentum) {
  const int n = n_;
  by.setZero(n, n + 1 + parameters_);
  lagrangian_.evaluate(2, q, v, t);
  const auto& pattern = lagrangian_.pattern();
  for (std::size_t e = 0; e < pattern.size(); ++e) {
    const int i = static_cast<int>(pattern[e].first), j = static_cast<int>(pattern[e].second);  // i >= j
    if (j >= n) continue;
    const double entry = lagrangian_.hessian(e);
    if (i < n) {
      by(i, j) += entry;
      if (i != j) by(j, i) += entry;
    } else if (i == 2 * n) {
      by(j, n) += entry;
    }
  }
  if (!forces_.empty()) {
    forces_.evaluate(1, q, v, t);
    if (!forces_.is_smooth())
      throw SolverError("the step has no derivative: a force has an infinite slope", -1, -1,
                        "a force that is smooth where the motion rests");
    for (std::size_t e = 0; e < forces_.pattern().size(); ++e) {
      const int i = static_cast<int>(forces_.pattern()[e].first), j = static_cast<int>(forces_.pattern()[e].second);
      if (j < n || j == 2 * n) by(i, j < n ? j : n) += forces_.derivative(e);
    }
  }
  for (int k = 0; k < parameters_; ++k) {
    lagrangian_.parameter_derivative(k, q, v, t, by_theta_.data());
    by.col(n + 1 + k) = by_theta_.head(n);
    if (momentum != nullptr) momentum->col(k) = by_theta_.segment(n, n);
    if (forces_.empty()) continue;
    forces_.parameter_derivative(k, q, v, t, by_theta_.data());
    by.col(n + 1 + k) += by_theta_.head(n);
  }
}

void SubStep::explicit_derivative(Eigen::MatrixXd& by_all) {
  const int n = n_, h_column = 2 * n, t_column = 2 * n + 1, of_theta = 2 * n + 2;
  by_theta_.resize(2 * n + 1);
  by_all.setZero(2 * n, columns());
  mass_by_theta_.setZero(n, parameters_);
  const double* const w = V_.data();
  auto dq = by_all.topRows(n), dp = by_all.bottomRows(n);
  // adds h b dQ + b Q dh to dp; the point moves by dq, and with its time by h too if it is the end
  const auto kick = [&](double b, const double* q, double t, bool end) {
    force_derivative(q, w, t, force_by_, end ? nullptr : &mass_by_theta_);
    for (int i = 0; i < n; ++i) {
      double force = lagrangian_.Lq()[i];
      if (!forces_.empty()) force += forces_.F()[i];
      for (int column = 0; column < by_all.cols(); ++column) {
        double sum = 0;
        for (int j = 0; j < n; ++j) sum += force_by_(i, j) * dq(j, column);
        if (column == t_column || (end && column == h_column)) sum += force_by_(i, n);
        if (column >= of_theta) sum += force_by_(i, n + 1 + column - of_theta);
        dp(i, column) += h_ * b * sum + (column == h_column ? b * force : 0);
      }
    }
  };
  for (int i = 0; i < n; ++i) dq(i, i) = dp(i, n + i) = 1;
  if (b_start_ != 0)
    kick(b_start_, q0_.data(), t0_, false);
  else if (parameters_ > 0)
    force_derivative(q0_.data(), w, t0_, force_by_, &mass_by_theta_);
  for (int column = 0; column < by_all.cols(); ++column) {
    for (int i = 0; i < n; ++i)
      by_theta_[i] = dp(i, column) - (column >= of_theta ? mass_by_theta_(i, column - of_theta) : 0);
    inverse_mass_.apply(by_theta_.data(), by_theta_.data() + n);
    for (int i = 0; i < n; ++i) dq(i, column) += h_ * by_theta_[n + i] + (column == h_column ? w[i] : 0);
  }
  if (b_end_ == 0) return;
  for (int i = 0; i < n; ++i) q_[i] = q0_[i] + h_ * w[i];
  kick(b_end_, q_.data(), t0_ + h_, true);
}

void SubStep::step_derivative(Eigen::MatrixXd& by_all) {
  if (explicit_ && is_free()) return explicit_derivative(by_all);
  derivative(general_);
  by_all = general_.matrix.topRows(2 * n_);
}

}  // namespace ricochet
