// Routh's process: the rates dΛ/ds, dc/ds with the modes given, and modes that fit them.

#include <cmath>

#include "law_routh.hpp"
#include "ricochet/numerics/epsilon.hpp"

namespace ricochet {

template <class T>
void Routh<T>::solve_single() {
  const RouthContact<T>& contact = contacts_[0];
  const Mode& mode = modes_[0];
  const int n = contact.row;
  rate_[n] = T(1.0);
  if (mode.kind == Kind::slip)
    for (int a = 0; a < contact.tangents; ++a) rate_[n + 1 + a] = -(contact.friction * mode.sigma[a]);
  if (mode.kind != Kind::stick) return;
  solver_.resize(contact.tangents);
  for (int a = 0; a < contact.tangents; ++a) {
    for (int b = 0; b < contact.tangents; ++b) solver_.a(a, b) = delta(n + 1 + a, n + 1 + b);
    solver_.b(a) = -delta(n + 1 + a, n);
    solver_.row_scale(a) = solver_.column_scale(a) = value(delta(n, n));
  }
  solver_.solve();
  for (int a = 0; a < contact.tangents; ++a) rate_[n + 1 + a] = solver_.x(a);
}

// Unknowns: dΛ_n of all, then z of the sticking tangents with dΛ_t = D Δ_tt z, so that dΛ_t is the least in the metric
// 1/D, D ~ dΛ_n, where Δ_tt is singular.
template <class T>
void Routh<T>::solve_joint() {
  const int k = static_cast<int>(contacts_.size());
  int sticking = 0, stuck = 0;
  for (int i = 0; i < k; ++i)
    if (modes_[i].kind == Kind::stick || modes_[i].kind == Kind::stop) sticking += contacts_[i].tangents, ++stuck;
  share_.assign(k, T(1.0));
  for (int round = 0; round < (stuck > 1 ? 2 : 1); ++round) {
    solver_.resize(k + sticking);
    // for each row of the equations its coefficients
    const auto fill = [&](int equation, int row, const T& right) {
      for (int j = 0; j < k; ++j) {
        T entry = delta(row, contacts_[j].row);
        if (modes_[j].kind == Kind::slip)
          for (int a = 0; a < contacts_[j].tangents; ++a)
            entry = entry - contacts_[j].friction * modes_[j].sigma[a] * delta(row, contacts_[j].row + 1 + a);
        solver_.a(equation, j) = entry;
      }
      int column = k;
      for (int j = 0; j < k; ++j) {
        if (modes_[j].kind != Kind::stick && modes_[j].kind != Kind::stop) continue;
        for (int b = 1; b <= contacts_[j].tangents; ++b, ++column) {
          T entry(0.0);
          for (int i = 0; i < k; ++i) {
            if (modes_[i].kind != Kind::stick && modes_[i].kind != Kind::stop) continue;
            const int n = contacts_[i].row;
            for (int a = 1; a <= contacts_[i].tangents; ++a)
              entry = entry + delta(row, n + a) * share_[i] * delta(n + a, contacts_[j].row + b) / delta(n, n);
          }
          solver_.a(equation, column) = entry;
          solver_.column_scale(column) = value(delta(contacts_[j].row, contacts_[j].row));
        }
      }
      solver_.b(equation) = right;
    };
    int equation = k;
    for (int i = 0; i < k; ++i) {
      const int n = contacts_[i].row;
      const T fall = -c_minus_[n];
      fill(i, n, compressing_ ? fall : contacts_[i].e * fall);
      solver_.row_scale(i) = solver_.column_scale(i) = value(delta(n, n));
      if (modes_[i].kind != Kind::stick && modes_[i].kind != Kind::stop) continue;
      for (int a = 1; a <= contacts_[i].tangents; ++a, ++equation) {
        fill(equation, n + a, modes_[i].kind == Kind::stop && compressing_ ? -c_minus_[n + a] : T(0.0));
        solver_.row_scale(equation) = value(delta(n, n));
      }
    }
    solver_.solve();
    double largest = 0;
    for (int i = 0; i < k; ++i) {
      rate_[contacts_[i].row] = solver_.x(i);
      largest = std::fmax(largest, value(solver_.x(i)));
    }
    for (int i = 0; i < k; ++i) {
      const int n = contacts_[i].row;
      for (int a = 1; a <= contacts_[i].tangents; ++a) {
        T& rate = rate_[n + a];
        rate = T(0.0);
        if (modes_[i].kind == Kind::slip) rate = -(contacts_[i].friction * modes_[i].sigma[a - 1] * rate_[n]);
        if (modes_[i].kind != Kind::stick && modes_[i].kind != Kind::stop) continue;
        int column = k;
        for (int j = 0; j < k; ++j) {
          if (modes_[j].kind != Kind::stick && modes_[j].kind != Kind::stop) continue;
          for (int b = 1; b <= contacts_[j].tangents; ++b)
            rate = rate + share_[i] * delta(n + a, contacts_[j].row + b) / delta(n, n) * solver_.x(column++);
        }
      }
    }
    for (int i = 0; i < k && largest > 0; ++i)
      share_[i] =
          value(rate_[contacts_[i].row]) > 1e-9 * largest ? scaled(1 / largest, rate_[contacts_[i].row]) : T(1e-9);
  }
}

template <class T>
void Routh<T>::solve_rates() {
  single() ? solve_single() : solve_joint();
  for (int i = 0; i < rows_; ++i) {
    T sum(0.0);
    for (int j = 0; j < rows_; ++j) sum = sum + delta(i, j) * rate_[j];
    c_rate_[i] = sum;
  }
}

template <class T>
bool Routh<T>::pulls() const {
  double largest = 0;  // c²/Δ ~ Λ²Δ: comparable between contacts
  for (const RouthContact<T>& contact : contacts_) {
    const double rate = value(rate_[contact.row]);
    largest = std::fmax(largest, rate * rate * value(delta(contact.row, contact.row)));
  }
  for (const RouthContact<T>& contact : contacts_) {
    const double rate = value(rate_[contact.row]);
    if (rate < 0 && rate * rate * value(delta(contact.row, contact.row)) > 1e-20 * largest) return true;
  }
  return false;
}

// ---- modes
// ------------------------------------------------------------------------------------------------------------

template <class T>
bool Routh<T>::outside_cone(int i, double& excess) const {
  const RouthContact<T>& contact = contacts_[i];
  double tangential = 0;
  for (int a = 1; a <= contact.tangents; ++a)
    tangential += value(rate_[contact.row + a]) * value(rate_[contact.row + a]);
  const double normal = value(rate_[contact.row]), bound = value(contact.friction) * std::fmax(0.0, normal);
  excess = std::sqrt(tangential) - bound * (1 + 16 * epsilon);
  return excess > 0 && excess > 1e-14 * std::fabs(normal);
}

// A sticking contact that its cone does not hold begins to slip along σ with dc_t = κσ: (μλΔ_tt + κ)σ = b, |σ| = 1, b
// the acceleration without its own friction. 1/|σ(κ)| is concave, so Newton's method from κ = 0 rises to the root.
template <class T>
void Routh<T>::release(int i) {
  const RouthContact<T>& contact = contacts_[i];
  Mode& mode = modes_[i];
  mode.kind = Kind::slip;
  mode.turns = false;
  const int n = contact.row;
  if (contact.tangents == 1) {
    mode.sigma[0] = T(value(rate_[n + 1]) > 0 ? -1.0 : 1.0);
    return;
  }
  for (int a = 0; a < 2; ++a) mode.sigma[a] = -rate_[n + 1 + a];
  for (int round = 0; round < (single() ? 1 : 60); ++round) {
    if (round > 0) solve_rates();
    const T before[2] = {mode.sigma[0], mode.sigma[1]};
    T b[2], m[2][2];
    for (int a = 0; a < 2; ++a) {
      b[a] = round == 0 ? T(0.0) : c_rate_[n + 1 + a];
      for (int d = 0; d < 2; ++d) {
        m[a][d] = contact.friction * rate_[n] * delta(n + 1 + a, n + 1 + d);
        b[a] = round == 0 ? b[a] - delta(n + 1 + a, n + 1 + d) * rate_[n + 1 + d] : b[a] + m[a][d] * mode.sigma[d];
      }
    }
    T kappa(0.0), sigma[2] = {mode.sigma[0], mode.sigma[1]};
    int settled = 0;  // twice: the derivative follows one iteration behind the value
    for (int iteration = 0; iteration < 60 && settled < 2; ++iteration) {
      const T m00 = m[0][0] + kappa, m11 = m[1][1] + kappa, determinant = m00 * m11 - m[0][1] * m[1][0];
      if (!(value(determinant) > 0)) {
        kappa = scaled(1e-8, root(b[0] * b[0] + b[1] * b[1]));
        continue;
      }
      const T p0 = (m11 * b[0] - m[0][1] * b[1]) / determinant, p1 = (m00 * b[1] - m[1][0] * b[0]) / determinant;
      const T size = root(p0 * p0 + p1 * p1);
      sigma[0] = p0 / size, sigma[1] = p1 / size;
      // d(1/|p|)/dκ = pᵀ(m + κ)⁻¹p/|p|³
      const T q0 = (m11 * p0 - m[0][1] * p1) / determinant, q1 = (m00 * p1 - m[1][0] * p0) / determinant;
      const T slope = (p0 * q0 + p1 * q1) / (size * size * size);
      const double old = value(kappa);
      kappa = kappa + (T(1.0) - T(1.0) / size) / slope;
      if (value(kappa) < 0) kappa = T(0.0);
      settled += std::fabs(value(kappa) - old) <= 4 * epsilon * std::fabs(old);
    }
    mode.sigma[0] = sigma[0], mode.sigma[1] = sigma[1];
    const double change = std::fabs(value(sigma[0]) - value(before[0])) + std::fabs(value(sigma[1]) - value(before[1]));
    if (round > 0 && change <= 8 * epsilon) break;
  }
}

// Sticking contacts that their cone does not hold are released, the worst first.
template <class T>
bool Routh<T>::fit_modes() {
  solve_rates();
  for (std::size_t round = 0; round <= contacts_.size(); ++round) {
    int worst = -1;
    double largest = 0;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      double excess = 0;
      if (modes_[i].kind == Kind::stick && outside_cone(static_cast<int>(i), excess) && excess > largest)
        worst = static_cast<int>(i), largest = excess;
    }
    if (worst < 0) return single() || !pulls();
    release(worst);
    solve_rates();
  }
  return false;
}

// Does the direction of a slip in space change? Judged against the terms that it is a sum of.
template <class T>
bool Routh<T>::turning(int i) const {
  const int n = contacts_[i].row;
  const T& s0 = modes_[i].sigma[0];
  const T& s1 = modes_[i].sigma[1];
  const T turn = s0 * c_rate_[n + 2] - s1 * c_rate_[n + 1];
  double terms = 0, slopes = 0;
  for (int j = 0; j < rows_; ++j)
    for (int a = 1; a <= 2; ++a) {
      const T term = delta(n + a, j) * rate_[j];
      terms += std::fabs(value(term));
      slopes += std::fabs(derivative(term));
    }
  slopes += terms * (std::fabs(derivative(s0)) + std::fabs(derivative(s1)));
  if (std::fabs(value(turn)) <= 8 * epsilon * terms && std::fabs(derivative(turn)) <= 8 * epsilon * slopes)
    return false;
  // Straight on to c_t = 0 would leave this across:
  const T fall = s0 * c_rate_[n + 1] + s1 * c_rate_[n + 2];
  if (!(value(fall) < 0)) return true;
  const T across = turn * slip_speed(i) / fall;
  double speed = 0, change = 0;
  for (int a = 0; a <= 2; ++a) {
    speed += std::fabs(value(c_minus_[n + a]));
    change += std::fabs(derivative(c_minus_[n + a])) + std::fabs(derivative(c_[n + a]));
  }
  return std::fabs(value(across)) > epsilon * speed || std::fabs(derivative(across)) > epsilon * change;
}

template void Routh<double>::solve_rates();
template bool Routh<double>::pulls() const;
template bool Routh<double>::fit_modes();
template bool Routh<double>::turning(int) const;
template void Routh<Dual>::solve_rates();
template bool Routh<Dual>::pulls() const;
template bool Routh<Dual>::fit_modes();
template bool Routh<Dual>::turning(int) const;

}  // namespace ricochet
