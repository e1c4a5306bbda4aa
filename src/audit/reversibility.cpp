#include "ricochet/audit/reversibility.hpp"

#include <algorithm>
#include <cmath>

#include "ricochet/audit/reversed_model.hpp"
#include "ricochet/error.hpp"

namespace ricochet {

ReversibilityMeasurement measure_reversibility(const Subject& subject, const Horizon& horizon) {
  ReversibilityMeasurement m;
  const Model& model = subject.model;
  if (!model.forces.empty()) return m.note = "forces may be irreversible", m;
  for (const Contact& contact : model.contacts)
    if (contact.law != "elastic") return m.note = "the law of contact '" + contact.name + "' is irreversible", m;
  const double h = subject.options.step;
  m.steps = std::max<std::int64_t>(1, std::llround(horizon.time / h));
  const double T = static_cast<double>(m.steps) * h;
  const Solution forward = solve(subject, T, m.steps);
  m.impacts = static_cast<std::int64_t>(forward.impacts.size());
  Subject backward = subject;
  backward.model = reversed_model(model, 2 * subject.start.t + T);
  backward.system = std::make_shared<const System>(backward.model);
  backward.start = forward.end;
  backward.start.t = subject.start.t;
  for (double& p : backward.start.p) p = -p;
  State end = solve(backward, T, m.steps).end;
  for (double& p : end.p) p = -p;
  m.defect = distance(end, subject.start, horizon.units);
  if (!m.defect) m.note = "nothing moves, so that a distance has no unit";
  return m;
}

}  // namespace ricochet
