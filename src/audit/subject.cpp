#include "ricochet/audit/subject.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/error.hpp"
#include "ricochet/simulation/plan.hpp"

namespace ricochet {

Subject make_subject(const Model& model, const IntegratorOptions& options, const InitialState& initial,
                     const RunSettings& run) {
  if (options.backward) throw ModelError("run.direction", "audits and comparisons follow forward runs only");
  Subject s{.model = model,
            .initial = initial,
            .options = options,
            .run = run,
            .system = std::make_shared<const System>(model),
            .start = {},
            .warnings = {}};
  s.run.step = options.step;
  Observables start;
  make_stepper(model, options, initial, s.warnings)->observe(start);
  s.start = {.t = start.t, .q = start.q, .p = start.p, .modes = {}};
  return s;
}

Subject with_options(const Subject& subject, const IntegratorOptions& options) {
  Subject other = subject;
  other.options = options;
  make_method(other.system, options);  // refuses what it cannot do
  return other;
}

Walk::Walk(const Subject& subject, double h)
    : system_(subject.system),
      method_(make_method(system_, subject.options)),
      work_(method_->workspace()),
      counter_names_(method_->counter_names()),
      lagrangian_(*system_),
      state_(subject.start),
      v_(subject.start.q.size()),
      h_(h),
      t0_(subject.start.t) {
  work_->counters.assign(counter_names_.size(), 0);
  work_->gap_min = std::numeric_limits<double>::infinity();
}

void Walk::step(StepJacobian* jacobian) {
  state_.t = t0_ + static_cast<double>(k_) * h_;
  work_->forget_last_step();
  method_->step(state_, h_, *work_, jacobian);
  ++k_;
  state_.t = t0_ + static_cast<double>(k_) * h_;
}

std::int64_t Walk::counter(const std::string& name) const {
  const auto found = std::find(counter_names_.begin(), counter_names_.end(), name);
  return found == counter_names_.end() ? 0 : work_->counters[static_cast<std::size_t>(found - counter_names_.begin())];
}

double Walk::energy() {
  lagrangian_.velocity(state_.q.data(), state_.p.data(), state_.t, v_.data());
  return lagrangian_.energy(state_.q.data(), v_.data(), state_.t);
}

Solution solve(const Subject& subject, double duration, std::int64_t steps) {
  Walk walk(subject, duration / static_cast<double>(steps));
  Solution solution;
  while (walk.steps() < steps) {
    walk.step();
    solution.impacts.insert(solution.impacts.end(), walk.impacts().begin(), walk.impacts().end());
  }
  solution.end = walk.state();
  return solution;
}

std::int64_t steps_of_run(const Subject& subject, std::int64_t limit) {
  return std::min(Plan(subject.run).last(), limit);
}

}  // namespace ricochet
