#include "ricochet/audit/penetration.hpp"

#include <cmath>

#include "ricochet/mechanics/gaps.hpp"

namespace ricochet {

PenetrationMeasurement measure_penetration(const Subject& subject, std::int64_t steps) {
  PenetrationMeasurement m;
  Gaps gaps(*subject.system);
  if (gaps.count() == 0) return m;
  const double h = subject.options.step;
  double grid = 0, between = 0;
  Walk walk(subject, h);
  const auto depth = [&](const State& s) {
    gaps.evaluate(s.q.data(), s.t);
    return -gaps.minimum();
  };
  const std::unique_ptr<Workspace> work = walk.method().workspace();
  work->counters.assign(walk.method().counter_names().size(), 0);
  while (walk.steps() < steps) {
    for (int part = 1; part < 8; ++part) {
      State s = walk.state();
      work->impacts.clear();
      walk.method().step(s, h * part / 8, *work);
      between = std::fmax(between, depth(s));
    }
    walk.step();
    grid = std::fmax(grid, depth(walk.state()));
  }
  grid = std::fmax(grid, -walk.gap_min());
  m.grid = grid;
  m.between = std::fmax(grid, between);
  m.steps = walk.steps();
  return m;
}

}  // namespace ricochet
