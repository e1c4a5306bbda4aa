// The variational collision integrator [FMOW03 section 4.1], in momentum form.
//
// A step of length h that meets a gap is split at the unknown time t0 + αh. With sub-steps (discrete/sub_step.hpp) and
// the rule for the impulse (contact/impact_energy.hpp):
//
//   1.  p0 + D1L_d(q0,q̃,αh) = 0,  g(q̃) = 0                                   -> α, q̃
//   2.  p̃⁻ = D2L_d(q0,q̃,αh)
//   3.  p̃⁻ + λd + D1L_d(q̃,q1,(1−α)h) = 0,  energy kept by the rule            -> q1, λ
//   4.  p1 = D2L_d(q̃,q1,(1−α)h)
//
// If the path q̃ -> q1 meets a gap again, q1 and its λ are discarded and the sub-step ends there instead, with its own
// λ; and so on. The loop is event_loop.hpp, here with the flow of a discrete Lagrangian. Far from contact
// contact/safe_horizon.hpp proves that a step needs no check.

#include <cmath>

#include "collision.hpp"
#include "ricochet/contact/safe_horizon.hpp"
#include "ricochet/discrete/variational_flow.hpp"
#include "ricochet/error.hpp"

namespace ricochet {

namespace {

using Eigen::Map;
using Eigen::VectorXd;

const Descriptor about_variational_collision{
    .name = "variational-collision",
    .doc = "variational integrator that solves for the time and place of each impact inside the step",
    .order = "that of the discretization, through impacts too",
    .preserves =
        "admissibility; symplectic form on each smooth branch (impact_energy = discrete, elastic contacts); momentum "
        "maps of symmetries whose generator is affine in q; the requested restitution of lossy laws",
    .not_preserved =
        "energy exactly: each impact changes it by O(h^2), a random walk over many impacts; the symplectic form with "
        "impact_energy = continuous, which with the rectangle rule also loses energy of O(h) at every impact; the map "
        "jumps where an impact crosses a grid time",
    .parameters = collision_parameters(),
    .contacts = true,
    .holonomic = true,
    .forces = true,
    .derivative = true,
    .backward = true,
    .lasting = true,
    .counters = event_counters(),
    .discretizations = all_discretizations(),
    .laws = {},
};

struct CollisionWorkspace : Workspace {
  CollisionWorkspace(const System& system, const CollisionSettings& settings)
      : step(system, settings.tableau, settings.newton),
        gaps(system),
        flow(step, gaps, settings.events.parts > 1),
        horizon(system.n()),
        events(system, settings.events, step, gaps, flow),
        p(system.n()) {
    if (settings.constrain_at_end) step.constrained().constrain_at_end(true);
  }
  SubStep step;
  Gaps gaps;
  VariationalFlow flow;
  SafeHorizon horizon;
  EventLoop events;
  bool near = false;      // the last step of the loop, to a contact
  std::vector<double> p;  // at the start of a step
};

class VariationalCollision : public Method {
 public:
  VariationalCollision(const Descriptor& about_it, std::shared_ptr<const System> system,
                       const CollisionSettings& settings)
      : about_(about_it), system_(std::move(system)), settings_(settings) {}

  const Descriptor& descriptor() const override { return about_; }
  std::unique_ptr<Workspace> workspace() const override {
    return std::make_unique<CollisionWorkspace>(*system_, settings_);
  }

  void step(State& state, double h, Workspace& workspace, StepJacobian* jacobian) const override {
    auto& w = static_cast<CollisionWorkspace&>(workspace);
    // Where a horizon stands no contact is closed: it is dropped with every step of the loop. Nor is it tried where the
    // last step was near a contact.
    if (w.path != nullptr || (!w.horizon.stands() && (w.near || w.events.any_closed(state))) ||
        !fly(state, h, w, jacobian)) {
      w.events.step(state, h, w, jacobian);
      w.near = w.events.is_near();
      w.horizon.drop();
    }
    w.horizon.remember(w.step.mean_velocity());
    if (!system_->constraints().empty())
      w.note_violation(w.step.constrained().holonomic_max(), w.step.constrained().nonholonomic_max());
  }

 private:
  // A step far from contact; false: it may meet something, or has no solution, and the state is as before.
  bool fly(State& state, double h, CollisionWorkspace& w, StepJacobian* jacobian) const {
    const int n = system_->n();
    const bool constrained = !system_->constraints().empty();  // then the step projects the p0 that it keeps
    if (!w.step.constrained().held().empty()) w.step.constrained().hold({});
    if (constrained) std::copy(state.p.begin(), state.p.end(), w.p.begin());
    try {
      w.step.solve(state.t, state.q.data(), state.p.data(), h, state.q.data(), state.p.data());
    } catch (const SolverError&) {
      return false;  // what has no solution may have one as far as to a contact
    }
    const double *q0 = w.step.q0(), *p0 = constrained ? w.p.data() : w.step.p0(), *velocity = w.step.mean_velocity();
    if (!w.horizon.covers(state.t, q0, velocity, h) &&
        (w.events.any_closed(state) || !w.horizon.extend(w.gaps, state.t, q0, velocity, h))) {
      std::copy(q0, q0 + n, state.q.begin());
      std::copy(p0, p0 + n, state.p.begin());
      return false;
    }
    state.t += h;
    if (!w.scalars.empty()) w.step.add_work(w.scalars.data());
    if (w.horizon.gap_bound() < w.gap_min) {
      w.gaps.evaluate(state.q.data(), state.t);
      w.gap_min = std::fmin(w.gap_min, w.gaps.minimum());
    }
    if (jacobian != nullptr) {
      w.step.step_derivative(jacobian->matrix, jacobian->inputs);
      jacobian->reason.clear();
      jacobian->impacts.clear();
    }
    return true;
  }

  const Descriptor& about_;
  std::shared_ptr<const System> system_;
  CollisionSettings settings_;
};

}  // namespace

std::vector<ParameterDoc> event_parameters() {
  return {{.name = "simultaneous",
           .default_value = std::string("moreau"),
           .doc = "law when several elastic contacts close at once: moreau, generalized (passes over the approaching "
                  "ones) or sequential",
           .choices = {"moreau", "generalized", "sequential"}},
          {.name = "eps_g",
           .default_value = 1e-9,
           .doc = "contacts that close within this part of a step close together, as one impact",
           .min = 0,
           .max = 1e-3},
          {.name = "max_impacts",
           .default_value = 1000.0,
           .doc = "impacts in one step before the run stops with a failure",
           .min = 1,
           .max = 1e6,
           .integer = true}};
}

std::vector<ParameterDoc> collision_parameters() {
  std::vector<ParameterDoc> list{
      tolerance_parameter(),
      {.name = "impact_energy",
       .default_value = std::string("discrete"),
       .doc = "which energy an elastic impact keeps: discrete (symplectic) or continuous (less energy noise)",
       .choices = impact_energy_names()}};
  for (ParameterDoc& parameter : event_parameters()) list.push_back(std::move(parameter));
  return list;
}

EventLoopSettings event_settings(const IntegratorOptions& options) {
  const auto number = [&](const char* name) { return std::get<double>(options.parameters.at(name)); };
  const auto energy = options.parameters.find("impact_energy");
  return {.discrete_energy = energy != options.parameters.end() && std::get<std::string>(energy->second) == "discrete",
          .simultaneous = simultaneous_named(std::get<std::string>(options.parameters.at("simultaneous"))),
          .eps_g = number("eps_g"),
          .max_impacts = static_cast<int>(number("max_impacts")),
          .rest = options.rest,
          .most_bounces = options.most_bounces};
}

CollisionSettings collision_settings(const Tableau& tableau, const IntegratorOptions& options) {
  return {.tableau = tableau,
          .newton = {.tolerance = std::get<double>(options.parameters.at("tolerance"))},
          .events = event_settings(options),
          .constrain_at_end = options.backward};
}

std::unique_ptr<Method> make_collision(const Descriptor& about_it, std::shared_ptr<const System> system,
                                       const CollisionSettings& settings) {
  return std::make_unique<VariationalCollision>(about_it, std::move(system), settings);
}

MethodEntry variational_collision() {
  return {&about_variational_collision,
          [](std::shared_ptr<const System> system, const Tableau& tableau,
             const IntegratorOptions& options) -> std::unique_ptr<Method> {
            return make_collision(about_variational_collision, std::move(system), collision_settings(tableau, options));
          }};
}

}  // namespace ricochet
