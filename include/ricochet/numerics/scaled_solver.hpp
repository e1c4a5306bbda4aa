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
    n_ = n;
    a_.assign(static_cast<std::size_t>(n) * n, T(0.0));
    b_.assign(n, T(0.0));
    rows_.assign(n, 1.0);
    columns_.assign(n, 1.0);
    x_.resize(n);
    order_.resize(n);
    largest_.resize(n);
    at_.resize(n);
  }
  T& a(int i, int j) { return a_[i * n_ + j]; }
  T& b(int i) { return b_[i]; }
  double& row_scale(int i) { return rows_[i]; }
  double& column_scale(int j) { return columns_[j]; }
  const T& x(int j) const { return x_[j]; }

  void solve() {
    for (int j = 0; j < n_; ++j) order_[j] = j;
    for (auto* scales : {&rows_, &columns_})
      for (double& scale : *scales) scale = 1 / scale;
    for (int i = 0; i < n_; ++i) find_largest(i, 0);
    int rank = 0;
    for (; rank < n_; ++rank) {
      int row = -1;
      double best = 1e-26;
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
