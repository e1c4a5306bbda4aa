// The derivative of a step through its flows, events and impulses (event_loop.hpp).

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "event_loop.hpp"
#include "ricochet/contact/hold.hpp"

namespace ricochet {

using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

void EventLoop::Sensitivity::reset(int n, int columns) {
  q = MatrixXd::Zero(n, columns);
  p = MatrixXd::Zero(n, columns);
  q.leftCols(n).setIdentity();
  p.middleCols(n, n).setIdentity();
  energy = t = end = RowVectorXd::Zero(columns);
  t[2 * n + 1] = end[2 * n] = end[2 * n + 1] = 1;
}

// dJ, d(Λ) and the change of the work along one column of the sensitivity, at fixed λ.
void EventLoop::differentiate_impulse(int column, VectorXd& dp, double& d_work) {
  using Dual = formula::Dual<double>;
  const int rows = active_.rows_count();
  const VectorXd dq = sensitivity_.q.col(column);
  dp = sensitivity_.p.col(column);
  const int theta = std::max(-1, theta_of(column));
  active_.differentiate(dq.data(), sensitivity_.t[column], dp.data(), theta, differential_);
  VectorXd d_impulse = VectorXd::Zero(rows);
  if (system_.quadratic()) {
    dual_delta_.assign(static_cast<std::size_t>(rows) * rows, Dual(0.0));
    dual_c_.assign(rows, Dual(0.0));
    for (int k = 0; k < rows; ++k) {
      dual_c_[k] = {active_.c()[k], differential_.c[k]};
      for (int l = 0; l < rows; ++l) dual_delta_[k * rows + l] = {active_.delta()(k, l), differential_.delta(k, l)};
    }
    std::vector<Dual> held(rows), of_mirror(rows), speeds(rows);
    std::vector<LawContact<Dual>> contacts;
    const std::vector<LawContact<double>>& all = law_ == Law::rest ? capture_contacts_ : law_contacts_;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const LawContact<double>& from = all[k];
      from.restitution->vary_parameter(theta);
      const double by_theta = theta < 0 ? 0 : system_.friction_derivative(active_[static_cast<int>(k)].gap, theta);
      contacts.push_back({.law = from.law,
                          .row = from.row,
                          .tangents = from.tangents,
                          .friction = {from.friction, by_theta},
                          .restitution = from.restitution,
                          .captured = from.captured,
                          .pressed = from.pressed,
                          .length = from.length});
    }
    const bool by_law = law_ != Law::rest || by_law_;
    if (by_law)
      dual_resolver_.resolve(contacts, rows, dual_delta_.data(), dual_c_.data(), still_, settings_.simultaneous);
    if (by_law && dual_resolver_.has_kink())
      refuse_derivative("it slips from an impact without slip: neighbours slip at once, or back first",
                        contacts.size() == 1 ? active_[0].gap : -1);
    for (int k = 0; k < rows && by_law; ++k) d_impulse[k] = dual_resolver_.impulse()[k].derivative;
    if (law_ == Law::rest) {
      const Dual* from = by_law ? dual_resolver_.c_plus().data() : dual_c_.data();
      hold(dual_delta_.data(), rows, set_, from, held.data(), dual_solver_);
      for (int k = 0; k < rows; ++k) d_impulse[k] += held[k].derivative;
    } else if (law_ == Law::discrete) {
      for (int k = 0; k < rows; ++k) {
        speeds[k] = Dual(0.0);
        for (int l = 0; l < rows; ++l) speeds[k] = speeds[k] + dual_delta_[k * rows + l] * dual_resolver_.impulse()[l];
      }
      hold(dual_delta_.data(), rows, set_, speeds.data(), of_mirror.data(), dual_solver_);
      hold(dual_delta_.data(), rows, set_, dual_c_.data(), held.data(), dual_solver_);
      for (int k = 0; k < rows; ++k)
        d_impulse[k] = held[k].derivative + out_.lambda * (d_impulse[k] + of_mirror[k].derivative);
    }
  }
  dp += differential_.rows.transpose() * view(impulse_) + active_.rows().transpose() * d_impulse;
  d_work = d_impulse.dot(active_.rates()) + view(impulse_).dot(differential_.rates);
}

// Where the map has no derivative.
void EventLoop::refuse_derivative(const std::string& why, int gap) {
  if (jacobian_ == nullptr || !jacobian_->reason.empty()) return;
  const std::string contact = gap < 0 ? "" : fmt::format("contact '{}': ", system_.gaps()[gap].name);
  jacobian_->reason = fmt::format("at t = {:.9g}: {}{}", t_, contact, why);
}

void EventLoop::check_differentiable() {
  if (jacobian_ == nullptr) return;
  std::string names;
  int open = 0;
  for (int k = 0; k < active_.size(); ++k) {
    if (active_[k].closed || active_.speed(k) >= -active_[k].still) continue;
    names += (open++ > 0 ? ", " : "") + system_.gaps()[active_[k].gap].name;
  }
  if (open > 1)
    refuse_derivative(fmt::format("several gaps close at the same instant ({}), and which is first decides", names));
  if (active_.size() > 1 && !system_.quadratic())
    refuse_derivative("several contacts, and the Lagrangian is not quadratic in the velocities", active_[0].gap);
}

// Through an impulse of known size at the running point.
void EventLoop::jump() {
  if (!jacobian_->reason.empty()) return;
  const int columns = step_.columns();
  StepJacobian::AtImpact& at =
      jacobian_->impacts.emplace_back(StepJacobian::AtImpact{sensitivity_.q, sensitivity_.p, {}, sensitivity_.t});
  MatrixXd dp_plus(n_, columns);
  VectorXd dp(n_);
  double d_work = 0;
  const bool by_energy = law_ == Law::continuous;
  const EnergyRow row = by_energy ? linearize_continuous(step_.lagrangian(), line_, out_.lambda) : EnergyRow{};
  for (int column = 0; column < columns; ++column) {
    differentiate_impulse(column, dp, d_work);
    if (by_energy) {
      const double by_theta = theta_of(column) < 0 ? 0 : row.theta[theta_of(column)];
      const double F = row.q.dot(sensitivity_.q.col(column)) + row.p_plus.dot(dp) +
                       row.p_minus.dot(sensitivity_.p.col(column)) + row.t * sensitivity_.t[column] + d_work + by_theta;
      dp -= F / (row.p_plus.dot(line_.d) + line_.d_t) * line_.d;
    }
    dp_plus.col(column) = dp;
  }
  sensitivity_.p = at.p_plus = dp_plus;
}

// The piece that an event of a gap has met.
int EventLoop::met(const Event& event, double t1) {
  const double value = gaps_.fold(event.gap, [&](int k) {
    return closed_[k] != 0 ? std::numeric_limits<double>::infinity() : gaps_.value_of(k, flow_.q(), t1);
  });
  int piece = gaps_.begin(event.gap);
  const int last = gaps_.end(event.gap) - 1;
  while (piece < last && (closed_[piece] != 0 || gaps_.value_of(piece, flow_.q(), t1) != value)) ++piece;
  return piece;
}

// The gap of a piece by (q, p, length, t, θ).
RowVectorXd EventLoop::gap_row(int piece, double t1) {
  VectorXd normal(n_), unused(n_ + 1);
  double g_t = 0;
  gaps_.gradient(piece, flow_.q(), t1, normal.data(), g_t);
  RowVectorXd row = normal.transpose() * derivative_.matrix.topRows(n_);
  row[2 * n_] += g_t;
  row[2 * n_ + 1] += g_t;
  for (int k = 0; k < system_.parameters(); ++k)
    row[2 * n_ + 2 + k] += gaps_.parameter_derivative(piece, k, flow_.q(), t1, unused.data());
  return row;
}

// ġ² <= 2|g̈|ρ_g: the path was above the wall, or dips behind it, by no more than the round-off of the gap, which then
// decides where it enters, if at all: there is no ds = −dg/ġ. So it is where a contact without speed is left too early.
bool EventLoop::only_touches(int piece, double t, double length, double rate) {
  VectorXd normal(n_), v(n_);
  double rate_at_start = 0;
  gaps_.gradient(piece, q_.data(), t, normal.data(), rate_at_start);
  step_.lagrangian().velocity(q_.data(), pending_ ? line_.p_plus.data() : p_.data(), t, v.data());
  rate_at_start += normal.dot(v);
  return rate * rate * length < 2 * std::abs(rate - rate_at_start) * flow_round_off(piece, flow_.q(), t + length);
}

// The same of a slip, with the parabola through its ends. So it is where others that stick stop it at once.
bool EventLoop::ends_without_rate(int stops, double length, double rate) {
  const double change = rate * length;
  return change * change < 4 * std::abs(flow_.slip_at_start(stops) + change) * slip_floor_[held_[stops]];
}

// Through the pending impulse (if any) and the flow just solved, which ends at an event or at the end of the step.
// Unknown differentials: λ of a pending impulse, the length if the flow ends at an event.
void EventLoop::propagate(double t, double length, const Event* event, int stops) {
  if (!jacobian_->reason.empty()) return;
  Sensitivity& x = sensitivity_;
  if (const char* why = flow_.derivative(derivative_)) {  // of a slip in space
    const auto slides = std::find_if(held_.begin(), held_.end(),
                                     [&](int piece) { return rubs_[piece].tangents == 2 && !rubs_[piece].sticks; });
    return refuse_derivative(why, slides == held_.end() ? -1 : system_.contact_of(*slides));
  }
  const MatrixXd& D = derivative_.matrix;  // of q1, p1, E⁻, E⁺ by q, p⁺, length, t, θ
  const int columns = step_.columns(), parameters = columns - 2 * n_ - 2;
  MatrixXd dp = x.p;  // of p⁺ without dλ
  EnergyRow row;
  RowVectorXd energy_known = RowVectorXd::Zero(columns);
  if (pending_) {
    row = linearize_discrete(line_, derivative_);
    VectorXd column_dp(n_);
    double d_work = 0;
    for (int column = 0; column < columns; ++column) {
      differentiate_impulse(column, column_dp, d_work);
      dp.col(column) = column_dp;
      energy_known[column] = row.q.dot(x.q.col(column)) + row.p_plus.dot(column_dp) + row.t * x.t[column] +
                             row.energy_minus * x.energy[column] + d_work;
    }
    energy_known.tail(parameters) += row.theta;
  }
  // Outputs as known part + (by λ) dλ + (by length) ds.
  const auto known = [&](int first, int rows) -> MatrixXd {
    MatrixXd sum = D.block(first, 0, rows, n_) * x.q + D.block(first, n_, rows, n_) * dp +
                   D.block(first, 2 * n_ + 1, rows, 1) * x.t;
    sum.rightCols(parameters) += D.block(first, 2 * n_ + 2, rows, parameters);
    return sum;
  };
  VectorXd by_lambda = VectorXd::Zero(2 * n_ + 2);
  if (pending_) by_lambda = D.middleCols(n_, n_) * line_.d;
  const VectorXd by_length = D.col(2 * n_);
  const double energy_by_lambda = pending_ ? row.p_plus.dot(line_.d) + line_.d_t : 1;
  const double energy_by_length = pending_ ? row.length : 0;
  RowVectorXd d_lambda = RowVectorXd::Zero(columns), d_length = x.end - x.t;
  const MatrixXd q1 = known(0, n_);
  bool by_round_off = false;  // its length is
  if (event != nullptr) {
    const int piece = stops < 0 ? met(*event, t + length) : -1;
    const RowVectorXd e = stops < 0 ? gap_row(piece, t + length) : flow_.slip_derivative(stops);  // what vanishes there
    RowVectorXd event_known = e.head(n_) * x.q + e.segment(n_, n_) * dp + e[2 * n_ + 1] * x.t;
    event_known.tail(parameters) += e.tail(parameters);
    const double event_by_lambda = pending_ ? e.segment(n_, n_).dot(line_.d) : 0, event_by_length = e[2 * n_];
    const double determinant = energy_by_lambda * event_by_length - energy_by_length * event_by_lambda;
    const double rate = determinant / energy_by_lambda;
    by_round_off = stops < 0 ? only_touches(piece, t, length, rate) : ends_without_rate(stops, length, rate);
    d_lambda = -(event_by_length * energy_known - energy_by_length * event_known) / determinant;
    d_length = -(energy_by_lambda * event_known - event_by_lambda * energy_known) / determinant;
  } else if (pending_) {
    d_lambda = -(energy_known + energy_by_length * d_length) / energy_by_lambda;
  }
  if (pending_) jacobian_->impacts.push_back({x.q, x.p, dp + line_.d * d_lambda, x.t});
  const MatrixXd p1 = known(n_, n_) + by_lambda.segment(n_, n_) * d_lambda + by_length.segment(n_, n_) * d_length;
  const RowVectorXd energy = known(2 * n_, 1).row(0) + by_lambda[2 * n_] * d_lambda + by_length[2 * n_] * d_length;
  x.q = q1 + by_lambda.head(n_) * d_lambda + by_length.head(n_) * d_length;
  x.p = p1;
  x.energy = energy;
  x.t += d_length;
  if (by_round_off || !x.q.allFinite() || !x.p.allFinite())
    refuse_derivative(stops >= 0 ? "its slip ends without a rate" : "the path touches it tangentially",
                      stops >= 0         ? system_.contact_of(held_[stops])
                      : event != nullptr ? event->gap
                                         : -1);
}

}  // namespace ricochet
