#include "law_routh.hpp"

#include <cmath>
#include <type_traits>

#include "ricochet/error.hpp"

namespace ricochet {

template <class T>
T Routh<T>::slip_speed(int i) const {
  const RouthContact<T>& contact = contacts_[i];
  T sum(0.0);
  for (int a = 1; a <= contact.tangents; ++a) sum = sum + c_[contact.row + a] * c_[contact.row + a];
  return root(sum);
}

template <class T>
void Routh<T>::update_speeds() {
  for (int i = 0; i < rows_; ++i) {
    T sum = c_minus_[i];
    for (int j = 0; j < rows_; ++j) sum = sum + delta(i, j) * lambda_[j];
    c_[i] = sum;
  }
}

// Derivatives of what begins without slip: a neighbour has some, which ends at once, by an impulse dΛ_t = −Δ_tt⁻¹dc_t.
// True if there is one contact like that, which may yet slip.
template <class T>
bool Routh<T>::stop_neighbours() {
  if constexpr (std::is_same_v<T, Dual>) {
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const RouthContact<T>& contact = contacts_[i];
      if (modes_[i].kind != Kind::stick || (value(contact.friction) == 0 && derivative(contact.friction) == 0))
        continue;
      const int t1 = contact.row + 1, t2 = contact.row + contact.tangents;
      const double d1 = derivative(c_[t1]), d2 = t2 > t1 ? derivative(c_[t2]) : 0;
      if (d1 == 0 && d2 == 0) continue;
      if (!single()) return kink_ = true, false;  // which of them stops first decides
      const double a = value(delta(t1, t1)), b = value(delta(t1, t2)), c = value(delta(t2, t2));
      lambda_[t1].derivative -= t2 > t1 ? (c * d1 - b * d2) / (a * c - b * b) : d1 / a;
      if (t2 > t1) lambda_[t2].derivative -= (a * d2 - b * d1) / (a * c - b * b);
      update_speeds();
      return true;
    }
  }
  return false;
}

// σ of the turning slips from the speeds.
template <class T>
void Routh<T>::point_slips() {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (!modes_[i].turns) continue;
    const T u = slip_speed(static_cast<int>(i));
    modes_[i].turns = value(u) > 0;  // just released: it keeps the direction in which it began
    if (modes_[i].turns)
      for (int a = 0; a < 2; ++a) modes_[i].sigma[a] = c_[contacts_[i].row + 1 + a] / u;
  }
}

// ---- linear segments
// --------------------------------------------------------------------------------------------------

// The length to the end of the phase at constant rates; false if it does not end.
template <class T>
bool Routh<T>::phase_length(T& length) const {
  if (compressing_) {
    if (!single()) {
      length = T(1.0) - s_;
      return true;
    }
    const int n = contacts_[0].row;
    if (!(value(c_rate_[n]) > 1e-14 * value(delta(n, n)))) return false;
    length = -(c_[n] / c_rate_[n]);
    return true;
  }
  T speed(0.0), slope(0.0), missing = target_;  // ½ slope ℓ² + speed ℓ = missing
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const int n = contacts_[i].row;
    speed = speed + rate_[n] * c_[n];
    slope = slope + rate_[n] * c_rate_[n];
    missing = missing - work_[i];
  }
  const T root_of = speed * speed + scaled(2, slope * missing);
  if (!(value(root_of) > 0) || !(value(missing) > 0)) return false;
  const T denominator = speed + root(root_of);
  if (!(value(denominator) > 0)) return false;
  length = scaled(2, missing) / denominator;
  return true;
}

template <class T>
void Routh<T>::advance(const T& length) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const int n = contacts_[i].row;
    work_[i] = work_[i] + rate_[n] * length * (c_[n] + scaled(0.5, c_rate_[n] * length));
  }
  for (int i = 0; i < rows_; ++i) lambda_[i] = lambda_[i] + rate_[i] * length;
  s_ = s_ + length;
}

template <class T>
bool Routh<T>::linear(End& end) {
  T length(0.0);
  bool ends = phase_length(length);
  int stops = -1;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (modes_[i].kind != Kind::slip) continue;
    T u(0.0), slope(0.0);
    for (int a = 0; a < contacts_[i].tangents; ++a) {
      u = u + modes_[i].sigma[a] * c_[contacts_[i].row + 1 + a];
      slope = slope + modes_[i].sigma[a] * c_rate_[contacts_[i].row + 1 + a];
    }
    if (!(value(slope) < 0)) continue;
    const T reach = value(u) > 0 ? -(u / slope) : T(0.0);
    if (!ends || value(reach) < value(length)) ends = true, stops = static_cast<int>(i), length = reach;
  }
  end = !ends ? End::none : stops < 0 ? End::phase : End::mode;
  if (!ends) return true;
  advance(value(length) > 0 ? length : T(0.0));
  if (stops >= 0) modes_[stops].kind = Kind::stick;
  return true;
}

template <class T>
bool Routh<T>::run(std::span<const RouthContact<T>> contacts, int rows, const T* delta_matrix, const T* c) {
  contacts_ = contacts;
  rows_ = rows;
  delta_ = delta_matrix;
  c_minus_ = c;
  compressing_ = true;
  s_ = target_ = T(0.0);
  const int k = static_cast<int>(contacts.size());
  lambda_.assign(rows, T(0.0));
  rate_.assign(rows, T(0.0));
  c_rate_.assign(rows, T(0.0));
  c_.assign(c, c + rows);
  work_.assign(k, T(0.0));
  compression_.assign(k, 0.0);
  modes_.assign(k, Mode{});
  for (int i = 0; i < k; ++i) {
    Mode& mode = modes_[i];
    if (contacts[i].tangents == 0) continue;
    const T u = slip_speed(i);
    mode.kind = contacts[i].stops ? Kind::stop : value(u) > contacts[i].still ? Kind::slip : Kind::stick;
    if (mode.kind != Kind::slip) continue;
    if (contacts[i].tangents == 1)
      mode.sigma[0] = T(value(c[contacts[i].row + 1]) > 0 ? 1.0 : -1.0);
    else
      for (int a = 0; a < 2; ++a) mode.sigma[a] = c[contacts[i].row + 1 + a] / u;
  }
  const bool stopped = stop_neighbours();
  const auto finish = [&] {
    if (compressing_)
      for (int i = 0; i < k; ++i) compression_[i] = value(work_[i]), work_[i] = T(0.0);
  };
  for (int segment = 0; segment < 40 + 20 * k; ++segment) {
    for (int i = 0; i < k; ++i) modes_[i].turns = modes_[i].kind == Kind::slip && contacts[i].tangents == 2;
    point_slips();
    if (!fit_modes()) return false;
    kink_ |= stopped && segment == 0 && modes_[0].kind == Kind::slip;
    bool turns = false;
    for (int i = 0; i < k; ++i) turns |= modes_[i].turns && turning(i);
    End end = End::none;
    if (!(turns ? curve(end) : linear(end))) return false;
    update_speeds();
    if (end == End::mode) continue;
    if (end == End::none) {  // wedged: no impulse changes c_n any more
      finish();
      return single();
    }
    if (!compressing_) return true;
    T target(0.0);
    for (int i = 0; i < k; ++i) target = target - contacts[i].e * contacts[i].e * work_[i];
    finish();
    compressing_ = false;
    target_ = target;
    if (!(value(target) > 0)) return true;
  }
  if (!single()) return false;
  throw SolverError("the modes of an impact with friction did not settle", 1, 60, "check the friction of the contact");
}

template double Routh<double>::slip_speed(int) const;
template void Routh<double>::point_slips();
template void Routh<double>::update_speeds();
template bool Routh<double>::linear(End&);
template bool Routh<double>::run(std::span<const RouthContact<double>>, int, const double*, const double*);
template Dual Routh<Dual>::slip_speed(int) const;
template void Routh<Dual>::point_slips();
template void Routh<Dual>::update_speeds();
template bool Routh<Dual>::linear(End&);
template bool Routh<Dual>::run(std::span<const RouthContact<Dual>>, int, const Dual*, const Dual*);

}  // namespace ricochet
