#pragma once
// A x = b by elimination with complete pivoting, for small dense systems whose rows and columns have units of their
// own: entries are compared as a_ij²/(r_i s_j) with r_i ~ (unit of row i)², s_j likewise. What is singular within 1e-13
// of that gets x_j = 0, so that repeated directions share one unknown. T is double, or a number with value(T), which
// decides (dual numbers: the derivative of the branch taken). After the first call of a size nothing is allocated.

#include <cstddef>
#include <utility>
#include <vector>

namespace ricochet {

inline double value(double x) { return x; }

template <class T>
class ScaledSolver {
 public:
  void resize(int n) {
    if (n != n_) {
      n_ = n;
      a_.resize(static_cast<std::size_t>(n) * n);
      for (auto* list : {&b_, &x_}) list->resize(n);
      for (auto* list : {&rows_, &columns_, &largest_}) list->resize(n);
      for (auto* list : {&order_, &at_}) list->resize(n);
    }
    for (T& entry : a_) entry = T(0.0);
    for (int i = 0; i < n; ++i) b_[i] = T(0.0), rows_[i] = columns_[i] = 1;
  }
  T& a(int i, int j) { return a_[i * n_ + j]; }
  T& b(int i) { return b_[i]; }
  double& row_scale(int i) { return rows_[i]; }
  double& column_scale(int j) { return columns_[j]; }
  const T& x(int j) const { return x_[j]; }

  void solve() {
    if (n_ == 2) return solve_two();
    for (int j = 0; j < n_; ++j) order_[j] = j;
    for (auto* scales : {&rows_, &columns_})
      for (double& scale : *scales) scale = 1 / scale;
    for (int i = 0; i < n_; ++i) find_largest(i, 0);
    int rank = 0;
    for (; rank < n_; ++rank) {
      int row = -1;
      double best = singular;
      for (int i = rank; i < n_; ++i)
        if (largest_[i] > best) best = largest_[i], row = i;
      if (row < 0) break;
      swap(rank, row, at_[row]);
      for (int i = rank + 1; i < n_; ++i) {
        if (is_zero(a(i, rank))) continue;  // contacts of a pile touch few others
        const T factor = a(i, rank) / a(rank, rank);
        for (int j = rank; j < n_; ++j) a(i, j) = a(i, j) - factor * a(rank, j);
        b_[i] = b_[i] - factor * b_[rank];
        find_largest(i, rank + 1);
      }
    }
    for (int j = 0; j < n_; ++j) x_[j] = T(0.0);
    for (int i = rank - 1; i >= 0; --i) {
      T sum = b_[i];
      for (int j = i + 1; j < rank; ++j) sum = sum - a(i, j) * x_[order_[j]];
      x_[order_[i]] = sum / a(i, i);
    }
  }

 private:
  static constexpr double singular = 1e-26;  // of the squares

  // The same pivots and arithmetic as above: a contact in the plane.
  void solve_two() {
    const double row[] = {1 / rows_[0], 1 / rows_[1]}, column[] = {1 / columns_[0], 1 / columns_[1]};
    const auto size_of = [&](const T& entry, int i, int j) {
      return (value(entry) * row[i]) * (value(entry) * column[j]);
    };
    double best = singular;
    int i = -1, j = 0;
    for (int place = 0; place < 4; ++place)
      if (const double size = size_of(a_[place], place / 2, place % 2); size > best)
        best = size, i = place / 2, j = place % 2;
    x_[0] = x_[1] = T(0.0);
    if (i < 0) return;
    const int k = 1 - i, l = 1 - j;  // what is left
    const T factor = a(k, j) / a(i, j), rest = a(k, l) - factor * a(i, l);
    if (size_of(rest, k, l) > singular) x_[l] = (b_[k] - factor * b_[i]) / rest;
    x_[j] = (b_[i] - a(i, l) * x_[l]) / a(i, j);
  }

  static bool is_zero(const T& x) {
    if constexpr (requires { x.derivative; }) return x.value == 0 && x.derivative == 0;
    return value(x) == 0;
  }
  // The largest entry of a row from a column on: only rows that elimination changes need it anew.
  void find_largest(int i, int from) {
    largest_[i] = 0;
    at_[i] = from;
    for (int j = from; j < n_; ++j) {
      const double entry = value(a(i, j)), size = (entry * rows_[i]) * (entry * columns_[j]);
      if (size > largest_[i]) largest_[i] = size, at_[i] = j;
    }
  }
  void swap(int to, int row, int column) {
    if (row != to) {
      for (int j = 0; j < n_; ++j) std::swap(a(to, j), a(row, j));
      std::swap(b_[to], b_[row]);
      std::swap(rows_[to], rows_[row]);
      std::swap(largest_[to], largest_[row]);
      std::swap(at_[to], at_[row]);
    }
    if (column != to) {
      for (int i = 0; i < n_; ++i) std::swap(a(i, to), a(i, column));
      std::swap(order_[to], order_[column]);
      std::swap(columns_[to], columns_[column]);
      for (int i = to + 1; i < n_; ++i)
        if (at_[i] == to) at_[i] = column;
    }
  }

  int n_ = 0;
  std::vector<T> a_, b_, x_;
  std::vector<double> rows_, columns_, largest_;  // largest: of each row, as a pivot
  std::vector<int> order_, at_;                   // at: its column
};

}  // namespace ricochet
