#pragma once
// The rows of a contact piece (contact_frame.hpp), |ν|, τ and P with their derivatives by (q, t, θ), by dual numbers.

#include <Eigen/Dense>
#include <array>
#include <vector>

#include "ricochet/mechanics/contact_frame.hpp"

namespace ricochet {

struct ContactFrameDerivative {         // column j < n: by q_j, column n: by t, then by θ
  std::array<Eigen::MatrixXd, 3> rows;  // of n and each tangent: n rows
  Eigen::MatrixXd rates;                // a row for each of them
  Eigen::RowVectorXd scale;             // of |ν|
  std::array<Eigen::MatrixXd, 2> tau;   // of each tangent: a row for each component of P; only with `point`
  Eigen::MatrixXd place;                // of P
};

class ContactFrameDerivatives {
 public:
  explicit ContactFrameDerivatives(const System& system);  // the system must outlive it
  void evaluate(int piece, const double* q, double t, ContactFrameDerivative& out);

 private:
  using Dual = formula::Dual<double>;
  ContactFrames<Dual> frames_;
  int n_, parameters_;
  std::vector<Dual> q_, rows_;
};

}  // namespace ricochet
