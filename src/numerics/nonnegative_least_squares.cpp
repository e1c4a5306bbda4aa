#include "ricochet/numerics/nonnegative_least_squares.hpp"

#include <cmath>
#include <vector>

namespace ricochet {

namespace {

// With Δ scaled to equal diagonals; indices with Δ_ii = 0 are left out.
Eigen::VectorXd solve_scaled(const Eigen::MatrixXd& gram, const Eigen::VectorXd& c) {
  const int n = static_cast<int>(c.size());
  Eigen::VectorXd y = Eigen::VectorXd::Zero(n);
  std::vector<int> passive;  // indices free to be positive
  std::vector<char> is_passive(n, 0);
  const double tolerance = 1e-14 * c.cwiseAbs().maxCoeff();  // round-off of the sums in w
  for (int pass = 0; pass < 10 * n + 10; ++pass) {
    const Eigen::VectorXd w = -(gram * y + c);  // descent: raise a y_i with w_i > 0
    int enter = -1;
    for (int i = 0; i < n; ++i)
      if (!is_passive[i] && gram(i, i) > 0 && w[i] > tolerance && (enter < 0 || w[i] > w[enter])) enter = i;
    if (enter < 0) break;
    passive.push_back(enter);
    is_passive[enter] = 1;
    for (;;) {
      const int m = static_cast<int>(passive.size());
      Eigen::MatrixXd a(m, m);
      Eigen::VectorXd b(m);
      for (int i = 0; i < m; ++i) {
        b[i] = -c[passive[i]];
        for (int j = 0; j < m; ++j) a(i, j) = gram(passive[i], passive[j]);
      }
      const Eigen::VectorXd z = a.completeOrthogonalDecomposition().solve(b);  // minimum norm if directions repeat
      double length = 1;
      for (int i = 0; i < m; ++i)
        if (z[i] <= 0) length = y[passive[i]] > 0 ? std::fmin(length, y[passive[i]] / (y[passive[i]] - z[i])) : 0;
      for (int i = 0; i < m; ++i) y[passive[i]] += length * (z[i] - y[passive[i]]);
      if (length >= 1) break;
      std::vector<int> kept;
      for (int i = 0; i < m; ++i) {
        const int k = passive[i];
        if (z[i] <= 0 && y[k] <= 1e-15 * y.cwiseAbs().maxCoeff())
          y[k] = 0, is_passive[k] = 0;
        else
          kept.push_back(k);
      }
      if (kept.size() == passive.size()) break;  // round-off: nothing left to remove
      passive = kept;
    }
  }
  return y.cwiseMax(0.0);
}

}  // namespace

Eigen::VectorXd nonnegative_least_squares(const Eigen::MatrixXd& gram, const Eigen::VectorXd& c) {
  const int n = static_cast<int>(c.size());
  double first = 0;
  for (int i = 0; i < n && !(first > 0); ++i) first = gram(i, i);
  if (!(first > 0)) return Eigen::VectorXd::Zero(n);
  Eigen::VectorXd r(n);  // the quotient is a square in any units: powers of two change no digit
  for (int i = 0; i < n; ++i) r[i] = gram(i, i) > 0 ? std::sqrt(gram(i, i) / first) : 1;
  Eigen::MatrixXd scaled(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) scaled(i, j) = gram(i, j) / (r[i] * r[j]);
  Eigen::VectorXd speed = c.cwiseQuotient(r);
  for (int i = 0; i < n; ++i)
    if (!(gram(i, i) > 0)) speed[i] = 0;
  return solve_scaled(scaled, speed).cwiseQuotient(r);
}

}  // namespace ricochet
