#include "ricochet/design/trajectory.hpp"

namespace ricochet {

namespace {

Eigen::MatrixXd between(const Eigen::MatrixXd& x) {
  const Eigen::Index n = x.cols() - 1;
  Eigen::MatrixXd result(x.rows(), 2 * n + 1);
  for (Eigen::Index k = 0; k <= n; ++k) result.col(2 * k) = x.col(k);
  for (Eigen::Index k = 0; k < n; ++k) result.col(2 * k + 1) = (x.col(k) + x.col(k + 1)) / 2;
  return result;
}

}  // namespace

Trajectory doubled(const Trajectory& trajectory) {
  Trajectory result = trajectory;
  for (TrajectoryArc& arc : result.arcs) {
    const Eigen::MatrixXd u = arc.u;
    arc.u.resize(u.rows(), 2 * u.cols());
    for (Eigen::Index k = 0; k < arc.u.cols(); ++k) arc.u.col(k) = u.col(k / 2);
    arc.q = between(arc.q);
    arc.p = between(arc.p);
    arc.v = between(arc.v);
  }
  return result;
}

}  // namespace ricochet
