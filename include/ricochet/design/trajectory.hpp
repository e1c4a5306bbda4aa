#pragma once
// A motion on arcs with its controls: guess and solution of an optimal control problem.

#include <Eigen/Dense>
#include <vector>

namespace ricochet {

struct TrajectoryArc {
  Eigen::MatrixXd q, p, v;  // one column for each of the N + 1 grid points
  Eigen::MatrixXd u;        // one column for each interval
  int intervals() const { return static_cast<int>(u.cols()); }
};

struct Trajectory {
  std::vector<TrajectoryArc> arcs;
  std::vector<double> times;     // start, impacts, end: one more than arcs
  std::vector<double> impulses;  // λ of each impact

  double time(int arc, int k) const {
    const double a = times[arc], b = times[arc + 1], n = arcs[arc].intervals();
    return k == arcs[arc].intervals() ? b : a + (b - a) * (k / n);
  }
};

// Twice as many intervals, the new grid points half way between the old ones.
Trajectory doubled(const Trajectory& trajectory);

}  // namespace ricochet
