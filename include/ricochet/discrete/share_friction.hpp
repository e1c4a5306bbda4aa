#pragma once
// Where several contacts stick, how they share their friction need not be determined: the same motion has many τ. The
// least Στ²/λ is taken, which loads each as much as it is pressed, so that no cone is left before all are. With G the
// Gram matrix of the tangents and D = diag(λ):
//
//   τ = D G y,   G D G y = G τ   (a τ that is determined stays as it is)

#include <algorithm>
#include <span>
#include <vector>

#include "ricochet/numerics/scaled_solver.hpp"

namespace ricochet {

class ShareFriction {
 public:
  // tau[i] of tangents whose contacts are pressed by pressure[i]; gram is m × m.
  void operator()(std::span<const double> gram, std::span<const double> pressure, std::span<double> tau) {
    const int m = static_cast<int>(tau.size());
    const auto weight = [&](int i) { return std::max(pressure[i], 1e-300); };
    solver_.resize(m);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j) {
        solver_.b(i) += gram[i * m + j] * tau[j];
        for (int l = 0; l < m; ++l) solver_.a(i, j) += gram[i * m + l] * weight(l) * gram[l * m + j];
      }
    for (int i = 0; i < m; ++i) solver_.row_scale(i) = solver_.column_scale(i) = solver_.a(i, i);
    solver_.solve();
    for (int i = 0; i < m; ++i) {
      double sum = 0;
      for (int j = 0; j < m; ++j) sum += gram[i * m + j] * solver_.x(j);
      tau[i] = weight(i) * sum;
    }
  }

 private:
  ScaledSolver<double> solver_;
};

}  // namespace ricochet
