// The reference solution: what the equations of motion say, to round-off as far as possible. No structure is built in;
// it is the truth that the structure-preserving methods are measured against.
//
// Between impacts methods/hamiltonian_flow.hpp. Each of its accepted steps, at most a quarter of the method's step
// long, is searched for events along its path and not at its ends alone (contact/first_event.hpp): a thin obstacle is
// not jumped. The path is the Runge–Kutta step of variable length itself, so that a root is as exact as the solution.
// At an impact the momentum changes by λd with d by the law for simultaneous contacts (contact/reflection.hpp) and
//
//   H(q̃, p̃⁻ + λd) − H(q̃, p̃⁻) = −λ d_t       (d_t ≠ 0: the gap moves and does work)
//
// as in contact/impact_energy_continuous.cpp. Elastic contacts only. With constraints d is freed of what they undo, and
// each step begins and ends with position and momentum brought back onto them: the drift is of the tolerance.

#include <fmt/format.h>

#include <cmath>

#include "collision.hpp"
#include "hamiltonian_flow.hpp"
#include "registry.hpp"
#include "ricochet/contact/first_event.hpp"
#include "ricochet/contact/impact_record.hpp"
#include "ricochet/error.hpp"

namespace ricochet {

namespace {

using Eigen::VectorXd;

enum CounterNumber { simultaneous_impacts, multi_impact_steps };
constexpr int max_impacts = 1000;

const Descriptor about{
    .name = "reference",
    .doc = "adaptive Runge–Kutta 8(7) with exact impact times: the truth that other methods are compared with",
    .order = "8, with error control",
    .preserves = "nothing exactly; everything to about its tolerance, for as long as the motion is not chaotic",
    .not_preserved = "symplectic form, momentum maps and energy over long times; it has no step derivative",
    .parameters = {{.name = "tolerance",
                    .default_value = 1e-12,
                    .doc = "relative and absolute error of one internal step",
                    .min = 1e-15,
                    .max = 1e-2},
                   {.name = "eps_g",
                    .default_value = 1e-9,
                    .doc = "gaps below this close together, as one impact",
                    .min = 0,
                    .max = 1e-3},
                   simultaneous_parameter()},
    .contacts = true,
    .holonomic = true,
    .nonholonomic = true,
    .counters = {"simultaneous_impacts", "multi_impact_steps"},
};

struct ReferenceWorkspace : Workspace {
  ReferenceWorkspace(const System& system, double tolerance, double eps_g, ReflectionLaw law)
      : impulse(system, make_tableau("midpoint", {}), {}),
        flow(impulse.lagrangian(), tolerance),
        gaps(system),
        events(gaps, system.n(), eps_g),
        reflection(gaps, eps_g, system.constraints().empty() ? nullptr : &impulse.constrained(), law) {
    const int n = system.n();
    for (VectorXd* x : {&v, &q1, &p1, &at.q, &at.p_minus, &at.d}) x->setZero(n);
    for (auto* x : {&model.q0, &model.w0, &model.a, &model.error}) x->assign(n, 0.0);
    y.setZero(2 * n);
    trial.setZero(2 * n);
  }
  SubStep impulse;  // of length 0: carries the Lagrangian for the energy rule
  HamiltonianFlow flow;
  Gaps gaps;
  FirstEvent events;
  Reflection reflection;
  PathModel model;
  ImpactPoint at;
  VectorXd y, trial, v, q1, p1;  // y = (q, p), the running point
};

class FlowPath : public Path {
 public:
  explicit FlowPath(ReferenceWorkspace& work) : w_(work) {}
  void position(double s, double* q) override {
    w_.flow.partial(s, w_.trial.data());
    std::copy(w_.trial.data(), w_.trial.data() + w_.at.q.size(), q);
  }

 private:
  ReferenceWorkspace& w_;
};

class Reference : public Method {
 public:
  Reference(std::shared_ptr<const System> system, const IntegratorOptions& options)
      : system_(std::move(system)),
        rule_(continuous_energy()),
        tolerance_(std::get<double>(options.parameters.at("tolerance"))),
        eps_g_(std::get<double>(options.parameters.at("eps_g"))),
        law_(reflection_law(std::get<std::string>(options.parameters.at("simultaneous")))) {}

  const Descriptor& descriptor() const override { return about; }
  std::unique_ptr<Workspace> workspace() const override {
    return std::make_unique<ReferenceWorkspace>(*system_, tolerance_, eps_g_, law_);
  }

  void step(State& state, double h, Workspace& workspace, StepJacobian* jacobian) const override {
    auto& w = static_cast<ReferenceWorkspace&>(workspace);
    const int n = system_->n();
    const double t0 = state.t, end = t0 + h;
    double t = t0;
    std::copy(state.q.begin(), state.q.end(), w.y.data());
    std::copy(state.p.begin(), state.p.end(), w.y.data() + n);
    const std::size_t before = w.impacts.size();
    stay_on_constraints(w, t0);
    while (advance_to_event(w, t, end, h / 4)) {
      if (!impact(w, t0, t, h)) continue;
      if (w.impacts.size() - before > max_impacts)
        throw SolverError(
            fmt::format("more than {} impacts in one step, the last on contact '{}'", max_impacts, last_contact(w)), 0,
            max_impacts, "a smaller integrator.step; if impacts accumulate (Zeno), a lossy law and another method");
    }
    stay_on_constraints(w, end);
    note_gap(w, end);
    if (w.gaps.minimum() < -2 * std::fmax(eps_g_, 1e-9))
      throw SolverError(fmt::format("the step ends inside a contact (gap {:.3g})", w.gaps.minimum()), -w.gaps.minimum(),
                        0, "a smaller integrator.step");
    if (w.impacts.size() > before + 1) ++w.counters[multi_impact_steps];
    std::copy(w.y.data(), w.y.data() + n, state.q.begin());
    std::copy(w.y.data() + n, w.y.data() + 2 * n, state.p.begin());
    state.t = end;
    if (jacobian != nullptr) jacobian->matrix.resize(0, 0);
  }

 private:
  std::string last_contact(const ReferenceWorkspace& w) const {
    return system_->gaps()[w.impacts.back().contacts.front().contact].name;
  }

  void note_gap(ReferenceWorkspace& w, double t) const {
    w.gaps.evaluate(w.y.data(), t);
    w.gap_min = std::fmin(w.gap_min, w.gaps.minimum());
  }

  void stay_on_constraints(ReferenceWorkspace& w, double t) const {
    if (system_->constraints().empty()) return;
    ConstrainedStep& constrained = w.impulse.constrained();
    Constraints& constraints = constrained.constraints();
    constraints.move_onto(w.y.data());
    const std::vector<double>& v = constrained.project(t, w.y.data(), w.y.data() + system_->n());
    constraints.evaluate(w.y.data());
    std::vector<double> rate(constraints.count());
    constraints.rates(v.data(), rate.data());
    double holonomic = 0, nonholonomic = 0;
    for (int k = 0; k < constraints.count(); ++k)
      if (k < constraints.holonomic())
        holonomic = std::fmax(holonomic, std::abs(constraints.value(k)));
      else
        nonholonomic = std::fmax(nonholonomic, std::abs(rate[k]));
    w.note_violation(holonomic, nonholonomic);
  }

  // Moves the running point to the first event and says true, or to the end.
  bool advance_to_event(ReferenceWorkspace& w, double& t, double end, double max_step) const {
    w.flow.start(t, w.y.data(), end, max_step);
    while (t < end) {
      w.flow.advance();
      if (w.gaps.count() > 0)
        if (const std::optional<Event> event = find_event(w)) {
          const double s = event->s > 0 ? event->s : touched_at_start(w, *event);
          w.flow.partial(s, w.trial.data());
          w.y = w.trial;
          t = w.flow.t_from() + s;
          return true;
        }
      w.y = Eigen::Map<const VectorXd>(w.flow.y(), w.y.size());
      t = w.flow.t();
      note_gap(w, t);
    }
    return false;
  }

  // The last accepted step as a parabola with measured error, searched by intervals, roots on the true path.
  std::optional<Event> find_event(ReferenceWorkspace& w) const {
    const int n = system_->n();
    PathModel& m = w.model;
    const double *from = w.flow.from(), *to = w.flow.y();
    m.t0 = w.flow.t_from();
    m.length = w.flow.t() - m.t0;
    w.impulse.lagrangian().velocity(from, from + n, m.t0, m.w0.data());
    for (int i = 0; i < n; ++i) {
      m.q0[i] = from[i];
      m.a[i] = ((to[i] - from[i]) / m.length - m.w0[i]) / m.length;
      m.error[i] = 0;
    }
    for (const double share : {0.25, 0.5, 0.75}) {
      const double s = share * m.length;
      w.flow.partial(s, w.trial.data());
      for (int i = 0; i < n; ++i)
        m.error[i] = std::fmax(m.error[i], 2 * std::abs(w.trial[i] - (m.q0[i] + s * (m.w0[i] + s * m.a[i]))));
    }
    FlowPath path(w);
    return w.events.find(m, path);
  }

  // A gap is closed at the very start. If it is approached this is an impact; if the motion leaves it, go on from where
  // it has left.
  double touched_at_start(ReferenceWorkspace& w, const Event& event) const {
    const double length = w.flow.t() - w.flow.t_from();
    if (approaches(w, w.flow.t_from(), w.flow.from())) return 0;
    for (int k = -40; k <= 0; ++k) {
      const double s = std::ldexp(length, k);
      w.flow.partial(s, w.trial.data());
      w.gaps.evaluate(w.trial.data(), w.flow.t_from() + s);
      if (w.gaps.value(event.gap) > 0) return s;
    }
    throw SolverError(fmt::format("contact '{}' stays closed without an impact", system_->gaps()[event.gap].name), 0, 0,
                      "a start away from the contact; this method has no lasting contact");
  }

  // Fills w.at and w.reflection for a point (q, p) at time t.
  bool approaches(ReferenceWorkspace& w, double t, const double* y) const {
    const int n = system_->n();
    w.at.t = t;
    w.at.q = Eigen::Map<const VectorXd>(y, n);
    w.at.p_minus = Eigen::Map<const VectorXd>(y + n, n);
    Lagrangian& L = w.impulse.lagrangian();
    L.velocity(y, y + n, t, w.v.data());
    return w.reflection.find(L, w.v, w.at);
  }

  // The impulse at the running point; false if none is needed.
  bool impact(ReferenceWorkspace& w, double t0, double t, double h) const {
    note_gap(w, t);
    if (!approaches(w, t, w.y.data())) return false;
    Lagrangian& L = w.impulse.lagrangian();
    Impact& impact = w.impacts.emplace_back();
    impact.time = t;
    impact.alpha = std::fmin(1, (t - t0) / h);
    impact.energy_before = impact.discrete_energy_before = L.energy(w.at.q.data(), w.v.data(), t);
    for (const ActivePiece& a : w.reflection.active())
      impact.gap = std::fmax(impact.gap, std::abs(w.gaps.piece(a.piece)));
    if (w.reflection.active().size() > 1) ++w.counters[simultaneous_impacts];
    Outgoing out;
    if (!rule_->solve(w.impulse, w.at, 0, out, w.q1.data(), w.p1.data()))
      throw SolverError("the impulse of an impact could not be found", out.residual, out.iterations,
                        "check that the Lagrangian is convex in the velocities");
    record_impulse(L, w.at, w.reflection.active(), out.lambda, w.v, impact);
    impact.discrete_energy_after = impact.energy_after;
    impact.residual = out.residual;
    impact.iterations = out.iterations;
    w.y.tail(system_->n()) += out.lambda * w.at.d;
    return true;
  }

  std::shared_ptr<const System> system_;
  std::unique_ptr<ImpactEnergy> rule_;
  double tolerance_, eps_g_;
  ReflectionLaw law_;
};

}  // namespace

MethodEntry reference() {
  return {&about,
          [](std::shared_ptr<const System> system, const Tableau&, const IntegratorOptions& options)
              -> std::unique_ptr<Method> { return std::make_unique<Reference>(std::move(system), options); }};
}

}  // namespace ricochet
