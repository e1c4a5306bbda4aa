#include "ricochet/mechanics/small_oscillations.hpp"

#include <Eigen/Dense>
#include <cmath>

#include "ricochet/mechanics/constraints.hpp"
#include "ricochet/mechanics/lagrangian.hpp"

namespace ricochet {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int most = 200;         // coordinates: the work grows as their cube
constexpr double zero = 1e-13;    // of the largest eigenvalue: round-off
constexpr int most_coupled = 40;  // with G: eigenvalues of twice as many, without symmetry

// Of the constraints at q, in the coordinates x of q = scale x: orthonormal columns.
MatrixXd tangent_space(const System& system, const std::vector<double>& q, const VectorXd& scale) {
  const int n = system.n();
  if (system.constraints().empty()) return MatrixXd::Identity(n, n);
  Constraints constraints(system);
  constraints.evaluate(q.data());
  MatrixXd rows = MatrixXd::Zero(constraints.count(), n);
  for (const Constraints::Entry& e : constraints.entries())
    rows(e.constraint, e.coordinate) = e.value * scale[e.coordinate];
  rows.rowwise().normalize();
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(rows.transpose());
  const MatrixXd Q = qr.householderQ();
  return Q.rightCols(n - qr.rank());
}

}  // namespace

SmallOscillations small_oscillations(const System& system, const std::vector<double>& q, const std::vector<double>& v,
                                     double t) {
  SmallOscillations result;
  const int n = system.n();
  if (n > most) return result;
  Lagrangian L(system);
  L.evaluate(2, q.data(), v.data(), t);
  MatrixXd H = MatrixXd::Zero(2 * n + 1, 2 * n + 1);
  for (std::size_t k = 0; k < L.pattern().size(); ++k) {
    const auto [i, j] = L.pattern()[k];
    H(i, j) = H(j, i) = L.hessian(k);
  }
  MatrixXd M = H.block(n, n, n, n), C = H.block(n, 0, n, n), K = -H.topLeftCorner(n, n);
  if (!M.allFinite() || !C.allFinite() || !K.allFinite()) return result;
  // Scaled to a diagonal of ones, so that units do not count.
  VectorXd scale = M.diagonal().cwiseAbs();
  for (int i = 0; i < n; ++i) {
    const double size = scale[i] > 0 ? scale[i] : M.row(i).cwiseAbs().maxCoeff();
    scale[i] = size > 0 ? 1 / std::sqrt(size) : 1;
  }
  const auto scaled = [&](const MatrixXd& X) -> MatrixXd { return scale.asDiagonal() * X * scale.asDiagonal(); };
  M = scaled(M), C = scaled(C), K = scaled(K);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> masses(M);
  const double largest = masses.eigenvalues().cwiseAbs().maxCoeff();
  if (masses.eigenvalues()[0] < -zero * largest) {
    const VectorXd direction = scale.asDiagonal() * masses.eigenvectors().col(0);
    result.negative = direction_in_words(system, direction.data());
    return result;
  }
  // On the constraints, in coordinates with kinetic energy x'²/2; directions without inertia are left out.
  const MatrixXd Z = tangent_space(system, q, scale);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> inertia(Z.transpose() * M * Z);
  std::vector<VectorXd> columns;
  for (int k = 0; k < inertia.eigenvalues().size(); ++k)
    if (const double m = inertia.eigenvalues()[k]; m > zero * inertia.eigenvalues().cwiseAbs().maxCoeff())
      columns.emplace_back(Z * inertia.eigenvectors().col(k) / std::sqrt(m));
  const int free = static_cast<int>(columns.size());
  if (free == 0) return result;
  MatrixXd X(n, free);
  for (int k = 0; k < free; ++k) X.col(k) = columns[k];
  K = (X.transpose() * K * X).eval();
  const MatrixXd G = X.transpose() * (C - C.transpose()) * X;
  if (free > most_coupled || G.cwiseAbs().maxCoeff() == 0) {
    const double square = Eigen::SelfAdjointEigenSolver<MatrixXd>(K, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
    result.fastest = std::sqrt(std::fmax(square, 0));
    return result;
  }
  MatrixXd A = MatrixXd::Zero(2 * free, 2 * free);
  A.topRightCorner(free, free).setIdentity();
  A.bottomLeftCorner(free, free) = -K;
  A.bottomRightCorner(free, free) = -G;
  result.fastest = Eigen::EigenSolver<MatrixXd>(A, false).eigenvalues().imag().cwiseAbs().maxCoeff();
  return result;
}

}  // namespace ricochet
