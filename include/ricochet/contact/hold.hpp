#pragma once
// The impulses that bring some contacts to rest: Δ_SS Λ_S = −c_S, of any sign. By Gaussian elimination with the
// diagonal as pivots; a contact whose pivot vanishes follows from the others and gets none. For T = double and dual
// numbers: the pivots are chosen by values.

#include <span>
#include <vector>

#include "ricochet/formula/dual.hpp"

namespace ricochet {

inline double plain(double x) { return x; }
inline double plain(const formula::Dual<double>& x) { return x.value; }

// delta: rows × rows; impulse: one for each row, zero outside S. work: kept by the caller.
template <class T>
void hold(const T* delta, int rows, std::span<const int> set, const T* c, T* impulse, std::vector<T>& work) {
  constexpr double redundant = 1e-12;  // of its own Δ_kk
  const int m = static_cast<int>(set.size());
  for (int k = 0; k < rows; ++k) impulse[k] = T(0.0);
  work.assign(static_cast<std::size_t>(m) * (m + 1), T(0.0));
  const auto a = [&](int i, int j) -> T& { return work[i * (m + 1) + j]; };
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) a(i, j) = delta[set[i] * rows + set[j]];
    a(i, m) = -c[set[i]];
  }
  std::vector<char> used(m, 0);
  const auto share = [&](int i) { return plain(a(i, i)) / plain(delta[set[i] * rows + set[i]]); };
  for (int pass = 0; pass < m; ++pass) {
    int pivot = -1;
    for (int i = 0; i < m; ++i)
      if (!used[i] && (pivot < 0 || share(i) > share(pivot))) pivot = i;
    if (!(share(pivot) > redundant)) break;
    used[pivot] = 1;
    for (int i = 0; i < m; ++i) {
      if (i == pivot) continue;
      const T factor = a(i, pivot) / a(pivot, pivot);
      for (int j = 0; j <= m; ++j) a(i, j) = a(i, j) - factor * a(pivot, j);
    }
  }
  for (int i = 0; i < m; ++i)
    if (used[i]) impulse[set[i]] = a(i, m) / a(i, i);
}

}  // namespace ricochet
