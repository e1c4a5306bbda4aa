#include "ricochet/design/shot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ricochet/error.hpp"
#include "ricochet/formula/program.hpp"
#include "ricochet/mechanics/lagrangian.hpp"
#include "ricochet/simulation/method_stepper.hpp"
#include "ricochet/simulation/plan.hpp"

namespace ricochet {

std::vector<double> Shot::theta() const {
  std::vector<double> values;
  for (const formula::Parameter& p : model.graph->parameters()) values.push_back(p.value);
  return values;
}

void Shot::set_theta(const Eigen::VectorXd& theta) {
  for (Eigen::Index k = 0; k < theta.size(); ++k) model.graph->set_parameter(static_cast<std::size_t>(k), theta[k]);
}

void check_differentiable(const Shot& shot) {
  for (const Descriptor& method : method_descriptors()) {
    if (method.name != shot.integrator.method) continue;
    if (!method.derivative)
      throw ModelError("integrator.method",
                       fmt::format("the method {} has no step derivative; take variational-collision", method.name));
    const auto energy = std::find_if(method.parameters.begin(), method.parameters.end(),
                                     [](const ParameterDoc& p) { return p.name == "impact_energy"; });
    const auto given = shot.integrator.parameters.find("impact_energy");
    const bool discrete =
        energy != method.parameters.end() &&
        std::get<std::string>(given != shot.integrator.parameters.end() ? given->second : energy->default_value) ==
            "discrete";
    for (const Contact& contact : shot.model.contacts)
      if (discrete && contact.law == "elastic")
        throw ModelError("integrator.impact_energy",
                         fmt::format("the contact {} is elastic, and under the discrete rule the motion jumps where an "
                                     "impact crosses a grid time: no derivative tells of that; write impact_energy = "
                                     "\"continuous\"",
                                     contact.name));
  }
  if (shot.integrator.backward) throw ModelError("run.direction", "derivatives are of motions forward in time");
  if (shot.project && (!shot.model.holonomic.empty() || !shot.model.nonholonomic.empty()))
    throw ModelError("initial.project",
                     "a start that is moved onto the constraints has no derivative; write initial values that meet "
                     "them, as formulas of parameters");
}

namespace {

std::vector<double> values(const std::vector<Expr>& formulas) {
  std::vector<double> result;
  result.reserve(formulas.size());
  for (const Expr& f : formulas) result.push_back(formula::fixed_value(f));
  return result;
}

std::string contact_names(const System& system, const Impact& impact) {
  std::string names;
  for (const ContactImpulse& c : impact.contacts) names += (names.empty() ? "" : "+") + system.gaps()[c.contact].name;
  return names;
}

Course fly(const Shot& shot, bool derivatives, const StepSeen& see, const std::atomic<bool>* stop) {
  Course course;
  StepJacobian step;
  course.system = std::make_shared<const System>(shot.model);
  const std::unique_ptr<Method> method = make_method(course.system, shot.integrator);
  const InitialState initial{shot.run.start, values(shot.position), values(shot.velocity), shot.momentum_given};
  State state = start_state(*course.system, method->descriptor(), initial, shot.integrator.step);
  course.start = state;
  const std::unique_ptr<Workspace> work = method->workspace();
  work->counters.assign(method->counter_names().size(), 0);
  work->stop = stop;
  const Plan plan(shot.run);
  // of a duration that is a parameter the plan is that of run.duration, stretched
  const double stretch =
      shot.duration < 0 ? 1 : shot.model.graph->parameters()[shot.duration].value / shot.run.duration;
  if (!(stretch > 0)) throw ModelError("run.duration", fmt::format("a duration of {}", stretch * shot.run.duration));
  const auto time = [&](std::int64_t k) { return shot.run.start + stretch * (plan.time(k) - shot.run.start); };
  course.duration = stretch * shot.run.duration;
  course.times.push_back(shot.run.start);
  std::int64_t impacts = 0;
  for (std::int64_t k = 0; k < plan.last() && (shot.run.impacts < 0 || impacts < shot.run.impacts); ++k) {
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) throw Interrupted();
    state.t = time(k);
    work->impacts.clear();
    StepJacobian* jacobian = nullptr;
    if (derivatives && course.reason.empty()) jacobian = see ? &step : &course.steps.emplace_back();
    try {
      method->step(state, stretch * plan.length(k), *work, jacobian);
    } catch (SolverError& error) {
      error.time = time(k);
      error.step = k;
      throw;
    }
    for (const Impact& impact : work->impacts) {
      if (impact.impulse() == 0) continue;  // a line of lasting contact
      course.impacts.push_back({impact.time, impact.q, impact.v_before, impact.v_after,
                                contact_names(*course.system, impact), impact.law == ImpactLaw::rest, k});
      ++impacts;
    }
    course.times.push_back(time(k + 1));
    if (jacobian == nullptr) continue;
    if (!jacobian->reason.empty()) {
      course.reason = jacobian->reason;
      if (!course.reason.starts_with("at t ="))
        course.reason = fmt::format("at t = {:.9g}: {}", time(k), course.reason);
      course.steps.clear();
    } else if (see) {
      see(course, *jacobian);
    }
  }
  state.t = course.times.back();
  course.end = state;
  course.v.resize(state.q.size());
  Lagrangian(*course.system).velocity(state.q.data(), state.p.data(), state.t, course.v.data());
  return course;
}

}  // namespace

Course fly(const Shot& shot, Derivatives derivatives, const std::atomic<bool>* stop) {
  return fly(shot, derivatives == Derivatives::steps, {}, stop);
}

Course fly(const Shot& shot, const StepSeen& see, const std::atomic<bool>* stop) { return fly(shot, true, see, stop); }

}  // namespace ricochet
