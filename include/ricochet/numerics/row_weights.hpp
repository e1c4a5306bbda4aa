#pragma once
// The size of each row and column of a matrix, so that entries of different units can be compared.
//
// In a Jacobian or KKT matrix of mechanics a_ij has the unit ρ_i κ_j (equation by unknown) with ρ_i/κ_i the same for
// all i: a momentum p_i belongs to a velocity v_i, a constraint to its multiplier. Then a_ii and a_ki a_ik / a_ii have
// the units of r_i² and r_k² with r = √(ρκ), and a_ij/(r_i r_j) has none. So
//
//   w_i = r_i² = |a_ii|,   for a zero diagonal (a constraint)   w_k = Σ_i |a_ki a_ik| / w_i   over the known ones,
//
// again and again while that makes another one known. What is left has no partner on the other side of the diagonal:
// its row has the largest a_kj²/w_j, its column the largest a_ik²/w_i. Squares alone are used, so that a change of
// units by powers of two changes no digit.

#include <cmath>

namespace ricochet {

// On entry row[i] = |a_ii|. On return row and column hold the weights; 0: the row, or the column, has no entry.
// entries(k, f) calls f(i, a_ki, a_ik) for every i ≠ k with an entry in one of the two places.
template <class Entries>
void complete_weights(int n, double* row, double* column, const Entries& entries) {
  bool known_all = true;
  for (bool progress = true; progress;) {
    progress = false;
    known_all = true;
    for (int k = 0; k < n; ++k) {
      if (row[k] > 0) continue;
      double sum = 0;
      entries(k, [&](int i, double a_ki, double a_ik) {
        if (row[i] > 0) sum += std::abs(a_ki * a_ik) / row[i];
      });
      if (sum > 0)
        row[k] = -sum, progress = true;  // negative: not known before the next pass
      else
        known_all = false;
    }
    for (int k = 0; k < n && progress; ++k) row[k] = std::abs(row[k]);
  }
  for (int k = 0; k < n; ++k) column[k] = row[k];
  if (known_all) return;
  for (int k = 0; k < n; ++k) {
    if (column[k] > 0) continue;
    double paired = 0, largest = 0;
    entries(k, [&](int i, double a_ki, double) {
      if (column[i] > 0) paired = std::fmax(paired, a_ki * a_ki / column[i]);
      largest = std::fmax(largest, a_ki * a_ki);
    });
    row[k] = paired > 0 ? paired : largest;
  }
  for (int k = 0; k < n; ++k) {
    if (column[k] > 0) continue;
    entries(k, [&](int i, double, double a_ik) {
      if (row[i] > 0) column[k] = std::fmax(column[k], a_ik * a_ik / row[i]);
    });
  }
}

}  // namespace ricochet
