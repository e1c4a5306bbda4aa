#pragma once
// min_{y≥0} ½ yᵀGy + bᵀy for the Gram matrix G = NᵀM⁻¹N of some directions, by the active set of Lawson and Hanson: the
// least-squares problem (A.1) of Kaufman and Pai is this one with b twice the approach speeds. At the solution
// y >= 0, Gy + b >= 0, yᵀ(Gy + b) = 0. The set is found on values, y solved once for T. Comparisons have no unit:
// w_i²/G_ii, and round-off of the terms of w_i. Where directions repeat, one of them carries all: Gy is unique, y is
// not. A direction with G_ii = 0 gets nothing. After the first call of a size nothing is allocated.

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "ricochet/numerics/scaled_solver.hpp"

namespace ricochet {

template <class T>
class NonnegativeLeastSquares {
 public:
  void resize(int n) {
    n_ = n;
    gram_.assign(static_cast<std::size_t>(n) * n, T(0.0));
    b_.assign(n, T(0.0));
    y_.assign(n, T(0.0));
  }
  T& gram(int i, int j) { return gram_[i * n_ + j]; }
  T& b(int i) { return b_[i]; }
  const T& y(int i) const { return y_[i]; }

  void solve() {
    double* const y = start();
    for (int change = 0; change < 10 * n_ + 10; ++change) {
      const int enter = steepest(y);
      if (enter < 0) break;
      passive_[enter] = 1;
      solve_passive(numbers_);
      if (!(z_[enter] > 0)) {  // it repeats a direction: nothing to gain
        passive_[enter] = 0;
        banned_[enter] = 1;
        continue;
      }
      std::fill(banned_.begin(), banned_.end(), 0);
      while (!step(y)) solve_passive(numbers_);
    }
    for (int i = 0; i < n_; ++i) passive_[i] = passive_[i] != 0 && y[i] > 0;
    solve_passive(scalars_);
    for (int i = 0, k = 0; i < n_; ++i) y_[i] = passive_[i] != 0 ? scalars_.x(k++) : T(0.0);
  }

 private:
  double* start() {
    now_.assign(n_, 0.0);
    z_.assign(n_, 0.0);
    passive_.assign(n_, 0);
    banned_.assign(n_, 0);
    return now_.data();
  }

  int steepest(const double* y) {
    int enter = -1;
    double best = 0;
    for (int i = 0; i < n_; ++i) {
      if (passive_[i] != 0 || banned_[i] != 0) continue;
      double w = -value(b_[i]), terms = std::fabs(w);
      for (int j = 0; j < n_; ++j) {
        const double term = value(gram(i, j)) * y[j];
        w -= term;
        terms += std::fabs(term);
      }
      const double gain = w * w / value(gram(i, i));
      if (w > 1e-14 * terms && gain > best) best = gain, enter = i;
    }
    return enter;
  }

  template <class S>
  void solve_passive(ScaledSolver<S>& solver) {
    int m = 0;
    for (int i = 0; i < n_; ++i) m += passive_[i] != 0;
    solver.resize(m);
    for (int i = 0, r = 0; i < n_; ++i) {
      if (passive_[i] == 0) continue;
      for (int j = 0, s = 0; j < n_; ++j)
        if (passive_[j] != 0) solver.a(r, s++) = convert<S>(gram(i, j));
      solver.b(r) = convert<S>(-b_[i]);
      solver.row_scale(r) = solver.column_scale(r) = value(gram(i, i));
      ++r;
    }
    solver.solve();
    for (int i = 0, k = 0; i < n_; ++i) z_[i] = passive_[i] != 0 ? value(solver.x(k++)) : 0.0;
  }

  // Towards z as far as nothing becomes negative; true when z is reached.
  bool step(double* y) {
    double length = 1;
    int first = -1;
    for (int i = 0; i < n_; ++i)
      if (passive_[i] != 0 && z_[i] <= 0) {
        const double reach = y[i] > 0 ? y[i] / (y[i] - z_[i]) : 0;
        if (first < 0 || reach < length) length = reach, first = i;
      }
    for (int i = 0; i < n_; ++i)
      if (passive_[i] != 0) y[i] = first < 0 ? z_[i] : y[i] + length * (z_[i] - y[i]);
    if (first < 0) return true;
    y[first] = 0;
    passive_[first] = 0;
    return false;
  }

  template <class S>
  static S convert(const T& x) {
    if constexpr (std::is_same_v<S, double>)
      return value(x);
    else
      return x;
  }

  int n_ = 0;
  std::vector<T> gram_, b_, y_;
  std::vector<double> now_, z_;
  std::vector<char> passive_, banned_;
  ScaledSolver<double> numbers_;
  ScaledSolver<T> scalars_;
};

}  // namespace ricochet
