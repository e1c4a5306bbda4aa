#include "ricochet/audit/momentum.hpp"

#include <cmath>

namespace ricochet {

std::vector<MomentumMeasurement> measure_momenta(const Subject& subject, std::int64_t steps) {
  std::vector<MomentumMeasurement> result;
  for (const Symmetry& symmetry : subject.model.symmetries) result.push_back({symmetry.name, 0, 0});
  if (result.empty()) return result;
  Lagrangian lagrangian(*subject.system);
  std::vector<double> now(result.size());
  const auto evaluate = [&](const State& s) { lagrangian.momentum_maps(s.q.data(), s.p.data(), now.data()); };
  evaluate(subject.start);
  for (std::size_t i = 0; i < now.size(); ++i) result[i].initial = now[i];
  std::int64_t impacts = 0;
  Walk walk(subject, subject.options.step);
  while (walk.steps() < steps) {
    walk.step();
    evaluate(walk.state());
    for (std::size_t i = 0; i < now.size(); ++i)
      result[i].max_deviation = std::fmax(result[i].max_deviation, std::abs(now[i] - result[i].initial));
    impacts += static_cast<std::int64_t>(walk.impacts().size());
    if (subject.run.impacts >= 0 && impacts >= subject.run.impacts) break;
  }
  return result;
}

}  // namespace ricochet
