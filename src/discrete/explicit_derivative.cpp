// The derivative of the explicit step (sub_step.hpp), where most of a motion is spent. With Q = L_q + F,
//
//   P = p0 + h b_start Q(q0, t0),   M w = P,   q1 = q0 + h w,   p1 = P + h b_end Q(q1, t0 + h),
//
// and each line is differentiated by x = (q0, p0, h, t0, θ): no equation is solved but that of the mass. ∂Q at the end
// is ∂Q at the start of the next step, so a step needs one of them.

#include <algorithm>

#include "ricochet/discrete/sub_step.hpp"
#include "ricochet/error.hpp"
#include "with_size.hpp"

namespace ricochet {

// Q and ∂Q/∂(q, t, θ) at (q, t), n rows: n + 1 columns and one for each parameter. M_θ w is of the same evaluation.
void SubStep::differentiate_force(const double* q, double t, ForcePoint& at) {
  const int n = n_;
  if (at.by.cols() == 0) at.q.resize(n), at.Q.resize(n), at.by.resize(n, n + 1 + parameters_);
  std::copy(q, q + n, at.q.data());
  at.t = t;
  at.known = true;
  at.by.setZero();
  lagrangian_.evaluate(2, q, V_.data(), t);
  for (const ForceEntry& e : force_entries_) {
    const double entry = lagrangian_.hessian(e.entry);
    at.by.data()[e.place] = entry;
    if (e.mirror >= 0) at.by.data()[e.mirror] = entry;
  }
  std::copy(lagrangian_.Lq(), lagrangian_.Lq() + n, at.Q.data());
  for (int k = 0; k < parameters_; ++k) {
    lagrangian_.parameter_derivative(k, q, V_.data(), t, by_theta_.data());
    at.by.col(n + 1 + k) = by_theta_.head(n);
    mass_by_theta_.col(k) = by_theta_.segment(n, n);
  }
  if (forces_.empty()) return;
  forces_.evaluate(1, q, V_.data(), t);
  if (!forces_.is_smooth())
    throw SolverError("the step has no derivative: a force has an infinite slope", -1, -1,
                      "a force that is smooth where the motion rests");
  for (int i = 0; i < n; ++i) at.Q[i] += forces_.F()[i];
  for (std::size_t e = 0; e < forces_.pattern().size(); ++e) {
    const int i = static_cast<int>(forces_.pattern()[e].first), j = static_cast<int>(forces_.pattern()[e].second);
    if (j < n || j == 2 * n) at.by(i, j < n ? j : n) += forces_.derivative(e);
  }
  for (int k = 0; k < parameters_; ++k) {
    forces_.parameter_derivative(k, q, V_.data(), t, by_theta_.data());
    at.by.col(n + 1 + k) += by_theta_.head(n);
  }
}

template <int N>
void SubStep::explicit_derivative(Eigen::MatrixXd& by_state, Eigen::MatrixXd& by_inputs) {
  const int n = N > 0 ? N : n_;
  if (by_theta_.size() == 0) {
    by_theta_.resize(2 * n + 1), rate_.resize(n), mass_by_theta_.setZero(n, parameters_);
    const auto& pattern = lagrangian_.pattern();
    for (std::size_t e = 0; e < pattern.size(); ++e) {
      const int i = static_cast<int>(pattern[e].first), j = static_cast<int>(pattern[e].second);  // i >= j
      if (j < n && i < n) force_entries_.push_back({static_cast<std::uint32_t>(e), i + j * n, i == j ? -1 : j + i * n});
      if (j < n && i == 2 * n) force_entries_.push_back({static_cast<std::uint32_t>(e), j + n * n, -1});
    }
  }
  by_state.resize(2 * n, 2 * n);
  by_inputs.resize(2 * n, 2 + parameters_);
  const double* const w = V_.data();
  const double t0 = autonomous_ ? 0 : t0_, t1 = autonomous_ ? 0 : t0_ + h_;
  ForcePoint &at_start = points_[end_point_], &at_end = points_[1 - end_point_];
  end_point_ = 1 - end_point_;
  if (b_start_ != 0 || b_end_ == 0) {
    bool known = b_end_ != 0 && at_start.known && at_start.t == t0;  // M_θ w is of the end, or of now
    for (int k = 0; k < n && known; ++k) known = at_start.q[k] == q0_[k];
    if (!known) differentiate_force(q0_.data(), t0, at_start);
  }
  if (b_end_ != 0) {
    for (int i = 0; i < n; ++i) q_[i] = q0_[i] + h_ * w[i];
    differentiate_force(q_.data(), t1, at_end);
  }
  // Copies that no store of a result can change: the compiler keeps them in registers where n is known.
  const double h = h_, start = h_ * b_start_, end = h_ * b_end_, b_end = b_end_;
  constexpr int room = std::max(N, 1);
  double of_end[room * (room + 1)], dP_here[room], inverse_here[room];
  if (N == 0) kick_.resize(n * (n + 1));
  double *const E = N > 0 ? of_end : kick_.data(), *const dP =
                                                       N > 0 ? dP_here : by_theta_.data();  // E = h b ∂Q/∂(q, t)
  const double *const D0 = at_start.by.data(), *const D1 = at_end.by.data();
  for (int k = 0; k < n * (n + 1); ++k) E[k] = b_end != 0 ? end * D1[k] : 0;
  const bool diagonal = inverse_mass_.is_diagonal();
  if (N > 0 && diagonal) std::copy_n(inverse_mass_.diagonal().data(), n, inverse_here);
  const double* const inverse = N > 0 ? inverse_here : inverse_mass_.diagonal().data();
  // dq = dq0 + h M⁻¹ dP (+ more), dp = dP + E dq
  const auto rate = [&](double* dq, const double* of) {
    if (!diagonal) inverse_mass_.apply(of, rate_.data());
    for (int i = 0; i < n; ++i) dq[i] = h * (diagonal ? inverse[i] * of[i] : rate_[i]);
  };
  const auto arrive = [&](const double* dq, double* dp) {
    for (int i = 0; i < n; ++i) {
      double sum = dP[i];
      for (int j = 0; j < n; ++j) sum += E[i + j * n] * dq[j];
      dp[i] = sum;
    }
  };
  const auto kick = [&](int column) {
    for (int i = 0; i < n; ++i) dP[i] = start != 0 ? start * D0[i + column * n] : 0;
  };
  double* out = by_state.data();
  for (int j = 0; j < n; ++j, out += 2 * n) {  // q0
    kick(j);
    rate(out, dP);
    out[j] += 1;
    arrive(out, out + n);
  }
  for (int j = 0; j < n; ++j, out += 2 * n) {  // p0
    for (int i = 0; i < n; ++i) dP[i] = i == j ? 1 : 0;
    rate(out, dP);
    arrive(out, out + n);
  }
  out = by_inputs.data();  // h: the end comes later too
  for (int i = 0; i < n; ++i) dP[i] = b_start_ != 0 ? b_start_ * at_start.Q[i] : 0;
  rate(out, dP);
  for (int i = 0; i < n; ++i) out[i] += w[i];
  arrive(out, out + n);
  for (int i = 0; i < n && b_end != 0; ++i) out[n + i] += b_end * at_end.Q[i] + E[i + n * n];
  out += 2 * n;  // t0
  kick(n);
  rate(out, dP);
  arrive(out, out + n);
  for (int i = 0; i < n; ++i) out[n + i] += E[i + n * n];
  for (int k = 0; k < parameters_; ++k) {
    out += 2 * n;
    kick(n + 1 + k);
    for (int i = 0; i < n; ++i) by_theta_[n + i] = dP[i] - mass_by_theta_(i, k);
    rate(out, by_theta_.data() + n);
    arrive(out, out + n);
    for (int i = 0; i < n && b_end != 0; ++i) out[n + i] += end * D1[i + (n + 1 + k) * n];
  }
}

void SubStep::step_derivative(Eigen::MatrixXd& by_state, Eigen::MatrixXd& by_inputs) {
  if (explicit_ && is_free())
    return with_size(n_, [&]<int N>(std::integral_constant<int, N>) { explicit_derivative<N>(by_state, by_inputs); });
  derivative(general_);
  by_state = general_.matrix.topLeftCorner(2 * n_, 2 * n_);
  by_inputs = general_.matrix.block(0, 2 * n_, 2 * n_, columns() - 2 * n_);
}

}  // namespace ricochet
