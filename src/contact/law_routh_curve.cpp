// Routh's process: a slip in space, whose direction turns.

#include <algorithm>
#include <cmath>
#include <limits>

#include "law_routh.hpp"
#include "ricochet/error.hpp"
#include "ricochet/numerics/epsilon.hpp"

namespace ricochet {

namespace {

constexpr int columns = 8;  // of the extrapolation: order 16

}  // namespace

// y = (Λ, works, s, c) as functions of τ, with (φ, ln u) in place of the c_t = u(cos φ, sin φ) of a turning slip:
//
//   dφ = (σ⊥·dc_t)/u,   d ln u = (σ·dc_t)/u.
//
// Taken from Λ, a small slip speed would be all round-off; and φ ends at its equilibrium to the last digits. u is
// measured in units of u_start_.
template <class T>
void Routh<T>::load(const T* y) {
  using formula::scalar::cos, formula::scalar::exp, formula::scalar::sin;
  const int k = static_cast<int>(contacts_.size());
  std::copy(y + rows_ + k + 1, y + 2 * rows_ + k + 1, c_.begin());
  for (int i = 0; i < k; ++i) {
    if (!modes_[i].turns) continue;
    T* const c = c_.data() + contacts_[i].row + 1;
    T* const sigma = modes_[i].sigma;
    const T u = scaled(u_start_[i], exp(c[1]));
    sigma[0] = cos(c[0]), sigma[1] = sin(c[0]);
    for (int a = 0; a < 2; ++a) c[a] = u * sigma[a];
  }
}

template <class T>
void Routh<T>::store(T* y, int i) const {
  using formula::scalar::atan2, formula::scalar::log;
  T* const c = y + rows_ + contacts_.size() + 1 + contacts_[i].row + 1;
  const T phi = atan2(c[1], c[0]), u = root(c[0] * c[0] + c[1] * c[1]);
  c[0] = phi, c[1] = log(scaled(1 / u_start_[i], u));
}

template <class T>
void Routh<T>::derivative_at(const T* y, T* dy) {
  const int k = static_cast<int>(contacts_.size());
  load(y);
  solve_rates();
  T sum(0.0);
  for (int i = 0; i < k; ++i)
    if (modes_[i].turns) sum = sum + T(1.0) / slip_speed(i);
  const T omega = T(1.0) / sum;
  for (int i = 0; i < rows_; ++i) dy[i] = omega * rate_[i];
  for (int i = 0; i < k; ++i) dy[rows_ + i] = omega * rate_[contacts_[i].row] * c_[contacts_[i].row];
  dy[rows_ + k] = omega;
  T* const dc = dy + rows_ + k + 1;
  for (int i = 0; i < rows_; ++i) dc[i] = omega * c_rate_[i];
  for (int i = 0; i < k; ++i) {
    if (!modes_[i].turns) continue;
    const T* const sigma = modes_[i].sigma;
    T* const d = dc + contacts_[i].row + 1;
    const T u = slip_speed(i), across = sigma[0] * d[1] - sigma[1] * d[0], along = sigma[0] * d[0] + sigma[1] * d[1];
    d[0] = across / u, d[1] = along / u;
  }
}

// A step by the midpoint rule with 2, 4, … 16 parts, extrapolated to none. error: of the values of Λ, against scale_.
template <class T>
void Routh<T>::extrapolate(const std::vector<T>& from, const T& length, std::vector<T>& to, double* error) {
  const int size = static_cast<int>(from.size());
  derivative_at(from.data(), dy_.data());
  const std::vector<T>& first = (m_ = dy_);
  for (int j = 0; j < columns; ++j) {
    const int parts = 2 * (j + 1);
    const T h = scaled(1.0 / parts, length);
    T* const now = table_.data() + static_cast<std::ptrdiff_t>(j) * size;
    for (int i = 0; i < size; ++i) a_[i] = from[i], b_[i] = from[i] + h * first[i];
    for (int part = 1; part < parts; ++part) {
      derivative_at(b_.data(), dy_.data());
      for (int i = 0; i < size; ++i) {
        const T next = a_[i] + scaled(2, h * dy_[i]);
        a_[i] = b_[i];
        b_[i] = next;
      }
    }
    derivative_at(b_.data(), dy_.data());
    for (int i = 0; i < size; ++i) now[i] = scaled(0.5, a_[i] + b_[i] + h * dy_[i]);
    for (int back = j - 1; back >= 0; --back) {  // Aitken and Neville
      const double ratio = static_cast<double>(parts) / (2 * (back + 1)), factor = 1 / (ratio * ratio - 1);
      T* const lower = table_.data() + static_cast<std::ptrdiff_t>(back) * size;
      const T* const higher = lower + size;
      if (error != nullptr && j == columns - 1 && back == 0) {
        *error = 0;
        for (int i = 0; i < size; ++i)
          if (!std::isfinite(value(higher[i]))) *error = std::numeric_limits<double>::infinity();
        for (int i = 0; i < rows_; ++i)
          *error = std::fmax(*error, factor * std::fabs(value(higher[i]) - value(lower[i])) / scale_[i]);
        const int speeds = size - rows_;
        for (int i = 0; i < rows_; ++i)
          *error = std::fmax(
              *error, factor * std::fabs(value(higher[speeds + i]) - value(lower[speeds + i])) / scale_[rows_ + i]);
      }
      for (int i = 0; i < size; ++i) lower[i] = higher[i] + scaled(factor, higher[i] - lower[i]);
    }
  }
  to.assign(table_.begin(), table_.begin() + size);
}

// Functions whose change of sign ends a curve: 0 the end of the phase, 1 + i a slip that does not turn.
template <class T>
T Routh<T>::event(int k) const {
  if (k == 0) {
    if (compressing_) return single() ? c_[contacts_[0].row] : s_ - T(1.0);
    T sum = -target_;
    for (const T& w : work_) sum = sum + w;
    return sum;
  }
  T u(0.0);
  for (int a = 0; a < contacts_[k - 1].tangents; ++a) u = u - modes_[k - 1].sigma[a] * c_[contacts_[k - 1].row + 1 + a];
  return u;
}

// The first event within a step that ends in y_end_: its number, or −1, and the length at which it happens.
template <class T>
int Routh<T>::first_event(double length, double& shortest) {
  int first = -1;
  shortest = length;
  for (int e = 0; e <= static_cast<int>(contacts_.size()); ++e) {
    load_all(y_end_);
    if (!(event_start_[e] < 0) || !(value(event(e)) >= 0)) continue;
    double low = 0, high = length, f_low = event_start_[e], f_high = value(event(e));
    int side = 0;
    for (int iteration = 0; iteration < 60 && high - low > 4 * epsilon * length && f_high != 0; ++iteration) {
      double middle = low + (high - low) * (-f_low / (f_high - f_low));  // Illinois
      if (!(middle > low && middle < high)) middle = low + (high - low) / 2;
      if (middle == low || middle == high) break;
      extrapolate(y_, T(middle), y_part_, nullptr);
      load_all(y_part_);
      const double f = value(event(e));
      if (f < 0) {
        low = middle, f_low = f;
        if (side == -1) f_high /= 2;
        side = -1;
      } else {
        high = middle, f_high = f;
        if (side == 1) f_low /= 2;
        side = 1;
      }
    }
    if (first < 0 || high < shortest) first = e, shortest = high;
  }
  return first;
}

// To the event: its length as an implicit function of the start.
template <class T>
void Routh<T>::go_to_event(int e, double length) {
  const int k = static_cast<int>(contacts_.size());
  extrapolate(y_, T(length), y_part_, nullptr);
  load_all(y_part_);
  const T f = event(e);
  derivative_at(y_part_.data(), dy_.data());
  const double omega = value(dy_[rows_ + k]);
  double slope = 0;  // df/dτ
  if (e == 0 && compressing_)
    slope = single() ? value(c_rate_[contacts_[0].row]) * omega : omega;
  else if (e == 0)
    for (int i = 0; i < k; ++i) slope += value(dy_[rows_ + i]);
  else
    for (int a = 0; a < contacts_[e - 1].tangents; ++a)
      slope -= value(modes_[e - 1].sigma[a]) * value(c_rate_[contacts_[e - 1].row + 1 + a]) * omega;
  if (slope > 0) extrapolate(y_, T(length) - scaled(1 / slope, f), y_part_, nullptr);
  load_all(y_part_);
}

// One contact whose slip falls straight to zero but for δφ = −h/h' from the stable direction h(φ) = σ⊥·dc_t = 0: where
// uδφ is round-off the direction is set to it, and the rest is linear.
template <class T>
bool Routh<T>::settles() {
  const RouthContact<T>& contact = contacts_[0];
  const int n = contact.row;
  T* const sigma = modes_[0].sigma;
  const T u = slip_speed(0);
  double speed = 0, change = 0;
  for (int a = 0; a <= 2; ++a) {
    speed += std::fabs(value(c_minus_[n + a]));
    change += std::fabs(derivative(c_minus_[n + a])) + std::fabs(derivative(c_[n + a]));
  }
  const T start[2] = {sigma[0], sigma[1]};
  for (int iteration = 0; iteration < 3; ++iteration) {
    solve_rates();
    const T h = sigma[0] * c_rate_[n + 2] - sigma[1] * c_rate_[n + 1];
    const T fall = sigma[0] * c_rate_[n + 1] + sigma[1] * c_rate_[n + 2];
    const T across = sigma[1] * (delta(n + 1, n + 1) * sigma[1] - delta(n + 1, n + 2) * sigma[0]) -
                     sigma[0] * (delta(n + 2, n + 1) * sigma[1] - delta(n + 2, n + 2) * sigma[0]);
    const T slope = -fall - contact.friction * across, turn = -(h / slope);
    const bool near = value(fall) < 0 && value(slope) < 0 && std::fabs(value(turn)) < 1e-6 &&
                      std::fabs(value(u) * value(turn)) <= epsilon * speed &&
                      std::fabs(value(u) * derivative(turn)) <= epsilon * change;
    if (!near) {
      sigma[0] = start[0], sigma[1] = start[1];
      solve_rates();
      return false;
    }
    const T s0 = sigma[0] - turn * sigma[1], s1 = sigma[1] + turn * sigma[0], size = root(s0 * s0 + s1 * s1);
    sigma[0] = s0 / size, sigma[1] = s1 / size;
  }
  for (int a = 0; a < 2; ++a) c_[n + 1 + a] = u * sigma[a];
  solve_rates();
  return true;
}

template <class T>
void Routh<T>::load_all(const std::vector<T>& y) {
  const std::size_t k = contacts_.size();
  std::copy(y.begin(), y.begin() + rows_, lambda_.begin());
  std::copy(y.begin() + rows_, y.begin() + rows_ + k, work_.begin());
  s_ = y[rows_ + k];
  load(y.data());
}

// What errors are measured against: impulses and speeds of a contact, radians (13 digits), ln u (12 digits).
template <class T>
void Routh<T>::set_scales() {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const int n = contacts_[i].row;
    const double stiffness = value(delta(n, n));
    const double impulse = (std::fabs(value(c_minus_[n])) + u_start_[i]) / stiffness + std::fabs(value(y_[n]));
    for (int a = 0; a <= contacts_[i].tangents; ++a)
      scale_[n + a] = impulse, scale_[rows_ + n + a] = impulse * stiffness;
    if (modes_[i].turns) scale_[rows_ + n + 1] = 10, scale_[rows_ + n + 2] = 100;
  }
}

template <class T>
double Routh<T>::start_curve() {
  ++curves_;
  const int k = static_cast<int>(contacts_.size()), size = 2 * rows_ + k + 1;
  for (auto* buffer : {&y_, &y_end_, &y_part_, &dy_, &a_, &b_, &m_}) buffer->resize(size);
  table_.resize(static_cast<std::size_t>(columns) * size);
  scale_.assign(static_cast<std::size_t>(2) * rows_, 0.0);
  u_start_.assign(k, 0.0);
  event_start_.assign(k + 1, 0.0);
  std::copy(lambda_.begin(), lambda_.end(), y_.begin());
  std::copy(work_.begin(), work_.end(), y_.begin() + rows_);
  y_[rows_ + k] = s_;
  std::copy(c_.begin(), c_.end(), y_.begin() + rows_ + k + 1);
  double fastest = 0;
  for (int i = 0; i < k; ++i) {
    const int n = contacts_[i].row;
    u_start_[i] = value(slip_speed(i));
    if (!modes_[i].turns) continue;
    store(y_.data(), i);
    fastest = std::fmax(fastest, std::hypot(value(c_rate_[n + 1]), value(c_rate_[n + 2])) +
                                     std::fabs(value(rate_[n])) * value(delta(n, n)));
  }
  return 1 / fastest;
}

template <class T>
bool Routh<T>::curve(End& end) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const int k = static_cast<int>(contacts_.size());
  double length = start_curve(), rejected = infinity;
  for (int step = 0; step < (single() ? 5000 : 500); ++step) {
    load_all(y_);  // a step that was refused has left its last point
    for (int e = 0; e <= k; ++e)
      event_start_[e] = e == 0 || (modes_[e - 1].kind == Kind::slip && !modes_[e - 1].turns) ? value(event(e)) : 1.0;
    set_scales();
    double error = 0, shortest = 0;
    extrapolate(y_, T(length), y_end_, &error);
    const double factor = 0.9 * std::pow(1e-14 / (error + 1e-30), 1.0 / (2 * columns - 1));
    // A shorter step that is no better is at round-off.
    if (!(error <= 1e-14) && !(error < 1e-11 && error > 0.5 * rejected)) {
      rejected = std::isfinite(error) ? error : infinity;
      length *= std::isfinite(factor) ? std::clamp(factor, 0.1, 0.8) : 0.1;
      continue;
    }
    rejected = infinity;
    if (const int first = first_event(length, shortest); first >= 0) {
      go_to_event(first, shortest);
      end = first == 0 ? End::phase : End::mode;
      if (first > 0) modes_[first - 1].kind = Kind::stick;
      return true;
    }
    y_.swap(y_end_);
    load_all(y_);
    length *= std::clamp(factor, 0.2, 4.0);
    for (int i = 0; i < k; ++i) {
      Mode& mode = modes_[i];
      if (mode.kind != Kind::slip || contacts_[i].tangents < 2) continue;
      const double u = value(slip_speed(i));
      if (!mode.turns && u > 0) {  // released in this segment: from now on it may turn
        mode.turns = true;
        u_start_[i] = u;
        store(y_.data(), i);
      }
      if (mode.turns && u <= std::fmax(1e-14 * u_start_[i], contacts_[i].still)) {
        mode.kind = Kind::stick;
        mode.turns = false;
        end = End::mode;
        return true;
      }
    }
    solve_rates();
    if (!single() && pulls()) return false;
    bool turns = false;
    for (int i = 0; i < k; ++i) turns |= modes_[i].turns && turning(i);
    if (!turns || (single() && settles())) return linear(end);
  }
  if (!single()) return false;  // slips that would have to jump: one contact after the other
  throw SolverError("the direction of slip in an impact with friction could not be followed", 1, 5000,
                    "check friction and mass of the bodies in contact for extreme values");
}

template bool Routh<double>::curve(End&);
template bool Routh<Dual>::curve(End&);

}  // namespace ricochet
