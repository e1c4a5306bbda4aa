#pragma once
// The impulses that bring some contacts to rest: Δ_SS Λ_S = −c_S, of any sign. A contact that follows from the others
// gets none (numerics/scaled_solver.hpp). For T = double and dual numbers.

#include <span>

#include "ricochet/formula/dual.hpp"
#include "ricochet/numerics/scaled_solver.hpp"

namespace ricochet {

// delta: rows × rows; impulse: one for each row, zero outside S. The solver is kept by the caller.
template <class T>
void hold(const T* delta, int rows, std::span<const int> set, const T* c, T* impulse, ScaledSolver<T>& solver) {
  const int m = static_cast<int>(set.size());
  solver.resize(m);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) solver.a(i, j) = delta[set[i] * rows + set[j]];
    solver.b(i) = T(0.0) - c[set[i]];
    solver.row_scale(i) = solver.column_scale(i) = value(solver.a(i, i));
  }
  solver.solve();
  for (int k = 0; k < rows; ++k) impulse[k] = T(0.0);
  for (int i = 0; i < m; ++i) impulse[set[i]] = solver.x(i);
}

}  // namespace ricochet
