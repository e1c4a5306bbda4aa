#include "ricochet/audit/penetration.hpp"

#include <cmath>
#include <limits>

namespace ricochet {

namespace {

double depth(Gaps& gaps, const State& s) {
  gaps.evaluate(s.q.data(), s.t);
  return -gaps.minimum();
}

}  // namespace

double depth_within_step(const Method& method, Workspace& workspace, const State& start, double h, Gaps& gaps) {
  double deepest = -std::numeric_limits<double>::infinity();
  for (int part = 1; part < 8; ++part) {
    State s = start;
    workspace.impacts.clear();
    method.step(s, h * part / 8, workspace);
    deepest = std::fmax(deepest, depth(gaps, s));
  }
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
    grid = std::fmax(grid, depth(gaps, walk.state()));
  }
  grid = std::fmax(grid, -walk.gap_min());
  m.grid = grid;
  m.between = std::fmax(grid, between);
  m.steps = walk.steps();
  return m;
}

}  // namespace ricochet
