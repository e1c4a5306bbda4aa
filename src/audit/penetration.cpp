#include "ricochet/audit/penetration.hpp"

#include <cmath>
#include <limits>

namespace ricochet {

namespace {

double depth(Gaps& gaps, const std::vector<double>& q, double t) {
  gaps.evaluate(q.data(), t);
  return -gaps.minimum();
}

}  // namespace

double depth_within_step(const Method& method, Workspace& workspace, const State& start, double h, Gaps& gaps) {
  std::vector<Workspace::PathPoint> path;
  State end = start;
  workspace.forget_last_step();
  workspace.path = &path;
  method.step(end, h, workspace);
  workspace.path = nullptr;
  if (path.empty()) {  // a method without a path: the chord
    constexpr int points = 16;
    for (int k = 1; k < points; ++k) {
      const double part = static_cast<double>(k) / points;
      path.push_back({start.t + part * h, start.q});
      for (std::size_t i = 0; i < start.q.size(); ++i) path.back().q[i] += part * (end.q[i] - start.q[i]);
    }
  }
  double deepest = -std::numeric_limits<double>::infinity();
  for (const Workspace::PathPoint& point : path) deepest = std::fmax(deepest, depth(gaps, point.q, point.t));
  return deepest;
}

PenetrationMeasurement measure_penetration(const Subject& subject, std::int64_t steps) {
  PenetrationMeasurement m;
  Gaps gaps(*subject.system);
  if (gaps.count() == 0) return m;
  double grid = 0, between = 0;
  Walk walk(subject, subject.options.step);
  const std::unique_ptr<Workspace> work = walk.method().workspace();
  work->counters.assign(walk.method().counter_names().size(), 0);
  while (walk.steps() < steps) {
    between = std::fmax(between, depth_within_step(walk.method(), *work, walk.state(), walk.h(), gaps));
    walk.step();
    grid = std::fmax(grid, depth(gaps, walk.state().q, walk.state().t));
  }
  grid = std::fmax(grid, -walk.gap_min());
  m.grid = grid;
  m.between = std::fmax(grid, between);
  m.steps = walk.steps();
  return m;
}

}  // namespace ricochet
