#pragma once
// Matrices as mechanics makes them, at random, and changes of their units by powers of two.

#include <Eigen/Dense>
#include <cmath>
#include <random>

namespace ricochet::random_matrices {

using Eigen::MatrixXd;
using Eigen::VectorXd;

inline VectorXd vector(std::mt19937& random, int n) {
  std::normal_distribution<double> normal;
  VectorXd x(n);
  for (double& y : x) y = normal(random);
  return x;
}

inline MatrixXd full(std::mt19937& random, int n) { return vector(random, n * n).reshaped(n, n); }

// [ M + skew G  C; Cᵀ + skew D  0 ] with M positive definite, n coordinates and m < n constraints.
inline MatrixXd kkt(std::mt19937& random, int n, int m, double skew) {
  const MatrixXd root = full(random, n), C = full(random, n)(Eigen::all, Eigen::seqN(0, m)).eval();
  MatrixXd a = MatrixXd::Zero(n + m, n + m);
  a.topLeftCorner(n, n) = root * root.transpose() / n + 0.1 * MatrixXd::Identity(n, n) + skew / n * full(random, n);
  a.topRightCorner(n, m) = -C;
  a.bottomLeftCorner(m, n) = C.transpose();
  if (m > 0) a.bottomLeftCorner(m, n) += skew / 3 * full(random, n).topRows(m);
  return a;
}

// Units of unknown i: 2^u_i; the equation i belongs to it: its unit is 2^(e − u_i).
class Units {
 public:
  Units(std::mt19937& random, int n, int largest) : unit_(n) {
    std::uniform_int_distribution<int> exponent(-largest, largest);
    for (double& u : unit_) u = std::ldexp(1.0, exponent(random));
    energy_ = std::ldexp(1.0, exponent(random));
  }
  MatrixXd matrix(const MatrixXd& a) const {
    return energy_ * (unit_.cwiseInverse().asDiagonal() * a * unit_.cwiseInverse().asDiagonal());
  }
  VectorXd right(const VectorXd& b) const { return energy_ * b.cwiseQuotient(unit_); }
  VectorXd unknowns(const VectorXd& x) const { return x.cwiseProduct(unit_); }
  VectorXd unknowns_back(const VectorXd& x) const { return x.cwiseQuotient(unit_); }

 private:
  VectorXd unit_;
  double energy_ = 1;
};

}  // namespace ricochet::random_matrices
