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
// λ; and so on. The path counts, not its end: contact/first_event.hpp. Far from contact contact/safe_horizon.hpp proves
// that a step needs no check.
//
// Where the discrete rule has no outgoing root (deep grazing) the momentum is reflected at q̃ and the case counted. The
// path of a sub-step and its momentum differ by O(h²), so a slow touch can cross the wall while the momentum already
// leads away; then the crossing decides: the body leaves as fast as the path came in, at least so fast that it does not
// come back in this step. Counted too.
//
// Derivative of the step: each sub-step is a map of (q, p, length, t), λ and unknown lengths follow from the implicit
// function theorem.

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "collision.hpp"
#include "ricochet/contact/first_event.hpp"
#include "ricochet/contact/impact_energy.hpp"
#include "ricochet/contact/impact_record.hpp"
#include "ricochet/contact/reflection.hpp"
#include "ricochet/contact/safe_horizon.hpp"
#include "ricochet/error.hpp"

namespace ricochet {

namespace {

using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

enum CounterNumber { grazing_fallbacks, simultaneous_impacts, multi_impact_steps };

const Descriptor about{
    .name = "variational-collision",
    .doc = "variational integrator that solves for the time and place of each impact inside the step",
    .order = "that of the discretization, through impacts too",
    .preserves =
        "admissibility; symplectic form on each smooth branch (impact_energy = discrete); momentum maps of symmetries "
        "whose "
        "generator is affine in q",
    .not_preserved =
        "energy exactly: each impact changes it by O(h^2), a random walk over many impacts; the symplectic form with "
        "impact_energy = continuous, which with the rectangle rule also loses energy of O(h) at every impact; the map "
        "jumps where an impact crosses a grid time",
    .parameters = collision_parameters(),
    .contacts = true,
    .holonomic = true,
    .backward = true,
    .counters = collision_counters(),
    .discretizations = all_discretizations(),
};

// The derivative of the running point (q, p, E⁻, t) with respect to the state at the start of the step.
struct Sensitivity {
  MatrixXd q, p;
  RowVectorXd energy, t;
  void reset(int n) {
    q = MatrixXd::Zero(n, 2 * n);
    p = MatrixXd::Zero(n, 2 * n);
    q.leftCols(n).setIdentity();
    p.rightCols(n).setIdentity();
    energy = t = RowVectorXd::Zero(2 * n);
  }
};

struct CollisionWorkspace : Workspace {
  CollisionWorkspace(const System& system, const CollisionSettings& settings)
      : step(system, settings.tableau, settings.newton),
        gaps(system),
        horizon(system.n()),
        events(gaps, system.n(), settings.eps_g),
        reflection(gaps, settings.eps_g, system.constraints().empty() ? nullptr : &step.constrained(), settings.law) {
    if (settings.constrain_at_end) step.constrained().constrain_at_end(true);
    const int n = system.n();
    for (VectorXd* x : {&q, &p, &q1, &p1, &v, &at.q, &at.p_minus, &at.d}) x->setZero(n);
    for (auto* x : {&model.q0, &model.w0, &model.a, &model.error}) x->assign(n, 0.0);
  }
  SubStep step;
  Gaps gaps;
  SafeHorizon horizon;
  FirstEvent events;
  Reflection reflection;
  PathModel model;
  VectorXd q, p, q1, p1, v;  // running point, end of the sub-step
  VectorXd middle;           // of the sub-step
  ImpactPoint at;            // the impact whose impulse is still to be found
  Sensitivity sensitivity;
  SubStepDerivative derivative;
};

// A sub-step that starts at the running point, after an impact if `rule` is set; its length is free.
class Segment : public Path {
 public:
  Segment(CollisionWorkspace& work, const ImpactEnergy* rule) : w_(work), rule_(rule) {}
  // False: the rule has no outgoing root for this length. The last length is not solved again.
  bool solve(double t, double length) {
    if (length == solved_length_) return solved_;
    solved_length_ = std::numeric_limits<double>::quiet_NaN();
    solved_ = true;
    if (rule_ != nullptr)
      solved_ = rule_->solve(w_.step, w_.at, length, out, w_.q1.data(), w_.p1.data());
    else
      w_.step.solve(t, w_.q.data(), w_.p.data(), length, w_.q1.data(), w_.p1.data());
    solved_length_ = length;
    return solved_;
  }
  void position(double s, double* q) override {
    if (!solve(w_.model.t0, s)) lost = true;
    std::copy(w_.q1.data(), w_.q1.data() + w_.q1.size(), q);
  }
  Outgoing out;
  bool lost = false;  // the rule had no root somewhere along the path

 private:
  CollisionWorkspace& w_;
  const ImpactEnergy* rule_;
  double solved_length_ = std::numeric_limits<double>::quiet_NaN();
  bool solved_ = false;
};

class VariationalCollision : public Method {
 public:
  VariationalCollision(const Descriptor& about_it, std::shared_ptr<const System> system,
                       const CollisionSettings& settings)
      : about_(about_it),
        system_(std::move(system)),
        settings_(settings),
        rule_(make_impact_energy(settings.impact_energy)),
        mirror_(continuous_energy()) {}

  const Descriptor& descriptor() const override { return about_; }
  std::unique_ptr<Workspace> workspace() const override {
    return std::make_unique<CollisionWorkspace>(*system_, settings_);
  }

  void step(State& state, double h, Workspace& workspace, StepJacobian* jacobian) const override {
    auto& w = static_cast<CollisionWorkspace&>(workspace);
    const int n = system_->n();
    const double t0 = state.t;
    const bool constrained = !system_->constraints().empty();  // then the sub-step changes the p0 that it keeps
    if (constrained) w.p = Eigen::Map<const VectorXd>(state.p.data(), n);
    w.step.solve(t0, state.q.data(), state.p.data(), h, state.q.data(), state.p.data());
    if (w.horizon.covers(t0, w.step.q0(), w.step.mean_velocity(), h) ||
        w.horizon.extend(w.gaps, t0, w.step.q0(), w.step.mean_velocity(), h)) {
      w.horizon.remember(w.step.mean_velocity());
      state.t = t0 + h;
      if (w.horizon.gap_bound() < w.gap_min) note_gap(w, state.q.data(), state.t);
      note_constraints(w);
      if (jacobian != nullptr) {
        w.step.derivative(w.derivative);
        jacobian->matrix = w.derivative.matrix.topLeftCorner(2 * n, 2 * n);
      }
      return;
    }
    w.q = Eigen::Map<const VectorXd>(w.step.q0(), n);
    if (!constrained) w.p = Eigen::Map<const VectorXd>(w.step.p0(), n);
    std::copy(w.q.data(), w.q.data() + n, state.q.data());  // until the step is done
    std::copy(w.p.data(), w.p.data() + n, state.p.data());
    if (jacobian != nullptr) w.sensitivity.reset(n);
    split_step(t0, h, w, jacobian);
    w.horizon.remember(w.step.mean_velocity());
    std::copy(w.q.data(), w.q.data() + n, state.q.data());
    std::copy(w.p.data(), w.p.data() + n, state.p.data());
    state.t = t0 + h;
    note_constraints(w);
  }

 private:
  void note_gap(CollisionWorkspace& w, const double* q, double t) const {
    w.gaps.evaluate(q, t);
    w.gap_min = std::fmin(w.gap_min, w.gaps.minimum());
  }

  void note_constraints(CollisionWorkspace& w) const {
    if (!system_->constraints().empty())
      w.note_violation(w.step.constrained().holonomic_max(), w.step.constrained().nonholonomic_max());
  }

  // From impact to impact to the end of the step; the running point (w.q, w.p) ends there.
  void split_step(double t0, double h, CollisionWorkspace& w, StepJacobian* jacobian) const {
    double done = 0;
    const ImpactEnergy* rule = nullptr;  // of the impact at the running point
    int impacts = 0;
    w.events.forget();
    for (;;) {
      const double t = t0 + done, rest = h - done;
      Segment segment(w, rule);
      std::optional<Event> event;
      const bool found = find_event(segment, rule != nullptr, t, rest, w, event);
      if (!found && rule != mirror_.get()) {  // no outgoing root: reflect the momentum instead
        ++w.counters[grazing_fallbacks];
        rule = mirror_.get();
        continue;
      }
      const double length = event ? event->s : rest;
      const bool solved = segment.solve(t, length);
      if (!solved)
        throw SolverError("the impulse of an impact could not be found", segment.out.residual, segment.out.iterations,
                          "a smaller integrator.step");
      if (rule != nullptr) finish_impact(w, segment.out);
      if (jacobian != nullptr) propagate(w, rule, segment.out.lambda, t, event ? &*event : nullptr);
      w.q = w.q1;
      w.p = w.p1;
      if (!event) break;
      done += length;
      if (length > 0) w.events.forget();
      double after = 0;
      w.step.energies(w.at.energy_minus, after);
      const VectorXd& v = velocity(w, t0 + done);
      if (w.reflection.find(w.step.lagrangian(), v, w.at)) {
        begin_impact(w, t0, h, done, *event);
        rule = rule_.get();
      } else {
        rule = nullptr;
        if (!graze(w, t0, h, done, *event) && length == 0) w.events.pass(event->gap);
      }
      note_gap(w, w.q.data(), t0 + done);
      if (++impacts > settings_.max_impacts)
        throw SolverError(
            fmt::format("more than {} impacts in one step, the last on contact '{}'", settings_.max_impacts,
                        system_->gaps()[event->gap].name),
            0, impacts,
            "a smaller integrator.step; if impacts accumulate (Zeno), a lossy law or a larger integrator.max_impacts");
    }
    note_gap(w, w.q.data(), t0 + h);
    if (w.gaps.minimum() < -2 * std::fmax(settings_.eps_g, 1e-9))  // a lasting contact gives way by eps_g
      throw SolverError(fmt::format("the step ends inside a contact (gap {:.3g})", w.gaps.minimum()), -w.gaps.minimum(),
                        0, "a smaller integrator.step");
    if (w.impacts.size() > 1) ++w.counters[multi_impact_steps];
    if (jacobian != nullptr) {
      const int n = system_->n();
      jacobian->matrix.resize(2 * n, 2 * n);
      jacobian->matrix << w.sensitivity.q, w.sensitivity.p;
    }
  }

  // The first event along a segment of free length; false if its rule has no root.
  bool find_event(Segment& segment, bool after_impact, double t, double rest, CollisionWorkspace& w,
                  std::optional<Event>& event) const {
    const int n = system_->n();
    PathModel& m = w.model;
    m.t0 = t;
    m.length = rest;
    if (!segment.solve(t, 0)) return false;
    const double* q = w.q.data();
    for (int i = 0; i < n; ++i) m.q0[i] = q[i], m.w0[i] = w.step.mean_velocity()[i];
    // the parabola is a model: measure its error in the middle
    const bool inexact = !w.step.is_explicit() || after_impact || !system_->constraints().empty();
    if (inexact) {
      if (!segment.solve(t, rest / 2)) return false;
      w.middle = w.q1;
    }
    if (!segment.solve(t, rest)) return false;  // last: where no event is found this is the sub-step
    for (int i = 0; i < n; ++i) {
      m.a[i] = rest > 0 ? (w.step.mean_velocity()[i] - m.w0[i]) / rest : 0;
      m.error[i] = inexact ? 4 * std::abs(w.middle[i] - (m.q0[i] + rest / 2 * (m.w0[i] + rest / 2 * m.a[i]))) : 0;
    }
    event = w.events.find(m, segment);
    return !segment.lost;
  }

  // v(q̃, p̃⁻) at the running point, which becomes the impact point.
  const VectorXd& velocity(CollisionWorkspace& w, double t) const {
    w.at.t = t;
    w.at.q = w.q;
    w.at.p_minus = w.p;
    w.step.lagrangian().velocity(w.q.data(), w.p.data(), t, w.v.data());
    return w.v;
  }

  // A ledger line for the impact at the running point; its impulse is still unknown.
  void begin_impact(CollisionWorkspace& w, double t0, double h, double done, const Event& event) const {
    if (w.reflection.active().size() > 1) ++w.counters[simultaneous_impacts];
    Impact& impact = w.impacts.emplace_back();
    impact.time = t0 + done;
    impact.alpha = done / h;
    impact.energy_before = w.step.lagrangian().energy(w.q.data(), w.v.data(), w.at.t);
    impact.discrete_energy_before = w.at.energy_minus;
    impact.iterations = event.evaluations;
    for (const ActivePiece& a : w.reflection.active())
      impact.gap = std::fmax(impact.gap, std::abs(w.gaps.piece(a.piece)));
  }

  // The path crosses a gap while the momentum leads away from it. False if no impulse is needed.
  bool graze(CollisionWorkspace& w, double t0, double h, double done, const Event& event) const {
    const int n = system_->n();
    const PathModel& m = w.model;
    double path_rate = 0, bend = 0;  // of the gap along the path: first derivative, half the second
    VectorXd path_velocity(n);
    for (int i = 0; i < n; ++i) path_velocity[i] = m.w0[i] + 2 * event.s * m.a[i];
    if (!w.reflection.find_one(w.step.lagrangian(), event.gap, event.piece, w.v, w.at)) return false;
    const ActivePiece& a = w.reflection.active().front();
    path_rate = a.n.dot(path_velocity) + a.g_t;
    for (int i = 0; i < n; ++i) bend += a.n[i] * m.a[i];
    const double leave = std::fmax(-path_rate, -bend * (h - done));
    if (!(leave > a.rate)) return false;
    ++w.counters[grazing_fallbacks];
    begin_impact(w, t0, h, done, event);
    // find_one scales d for the mirror image of a unit approach: d·v⁺ − d·v⁻ = 2 for λ = 1
    Outgoing out{.lambda = (leave - a.rate) / 2, .energy = 0, .residual = 0, .iterations = 0};
    w.step.solve(w.at.t, w.q.data(), VectorXd(w.p + out.lambda * w.at.d).data(), 0, w.q1.data(), w.p1.data());
    finish_impact(w, out);
    w.p += out.lambda * w.at.d;
    return true;
  }

  // The impulse is known: complete the ledger line of the impact.
  void finish_impact(CollisionWorkspace& w, const Outgoing& out) const {
    Impact& impact = w.impacts.back();
    record_impulse(w.step.lagrangian(), w.at, w.reflection.active(), out.lambda, w.v, impact);
    double after = 0, before = 0;
    w.step.energies(before, after);
    impact.discrete_energy_after = after;
    impact.residual = out.residual;
    impact.iterations += out.iterations;
  }

  // The sensitivity of the running point through the impulse (if any) and the sub-step just solved, which ends at an
  // event or at the end of the step. Unknown differentials: λ after an impact, the length if it ends at an event.
  void propagate(CollisionWorkspace& w, const ImpactEnergy* rule, double lambda, double t, const Event* event) const {
    const int n = system_->n();
    Sensitivity& x = w.sensitivity;
    w.step.derivative(w.derivative);
    const MatrixXd& D = w.derivative.matrix;  // of q1, p1, E⁻, E⁺ by q, p⁺, length, t
    MatrixXd dp = x.p;                        // of p⁺ without dλ
    EnergyRow row;
    RowVectorXd energy_known = RowVectorXd::Zero(2 * n);
    if (rule != nullptr) {
      RowVectorXd d_dt = RowVectorXd::Zero(2 * n);
      MatrixXd dd = MatrixXd::Zero(n, 2 * n);  // of d = Σ y_i ∇g_i at fixed y
      VectorXd in(n + 1), out(n + 1);
      for (const ActivePiece& a : w.reflection.active())
        for (int column = 0; column < 2 * n; ++column) {
          in << x.q.col(column), x.t[column];
          w.gaps.hessian_times(a.piece, w.at.q.data(), w.at.t, in.data(), out.data());
          dd.col(column) += a.y * out.head(n);
          d_dt[column] += a.y * out[n];
        }
      dp += lambda * dd;
      row = rule->linearize(w.step, w.at, lambda, w.derivative);
      energy_known =
          row.q * x.q + row.p_plus * dp + row.p_minus * x.p + row.t * x.t + row.energy_minus * x.energy + lambda * d_dt;
    }
    // Outputs as known part + (by λ) dλ + (by length) ds.
    const auto known = [&](int first, int rows) -> MatrixXd {
      return D.block(first, 0, rows, n) * x.q + D.block(first, n, rows, n) * dp +
             D.block(first, 2 * n + 1, rows, 1) * x.t;
    };
    VectorXd by_lambda = VectorXd::Zero(2 * n + 2);
    if (rule != nullptr) by_lambda = D.middleCols(n, n) * w.at.d;
    const VectorXd by_length = D.col(2 * n);
    const double energy_by_lambda = rule != nullptr ? row.p_plus.dot(w.at.d) + w.at.d_t : 1;
    const double energy_by_length = rule != nullptr ? row.length : 0;
    RowVectorXd d_lambda = RowVectorXd::Zero(2 * n), d_length = -x.t;  // length = end of step − t
    const MatrixXd q1 = known(0, n);
    if (event != nullptr) {
      VectorXd normal(n);
      double g_t = 0;
      w.gaps.gradient(event->piece, w.q1.data(), t + event->s, normal.data(), g_t);
      const RowVectorXd gap_known = normal.transpose() * q1 + g_t * x.t;
      const double gap_by_lambda = normal.dot(by_lambda.head(n)), gap_by_length = normal.dot(by_length.head(n)) + g_t;
      const double determinant = energy_by_lambda * gap_by_length - energy_by_length * gap_by_lambda;
      d_lambda = -(gap_by_length * energy_known - energy_by_length * gap_known) / determinant;
      d_length = -(energy_by_lambda * gap_known - gap_by_lambda * energy_known) / determinant;
    } else if (rule != nullptr) {
      d_lambda = -(energy_known + energy_by_length * d_length) / energy_by_lambda;
    }
    const MatrixXd p1 = known(n, n) + by_lambda.segment(n, n) * d_lambda + by_length.segment(n, n) * d_length;
    const RowVectorXd energy = known(2 * n, 1).row(0) + by_lambda[2 * n] * d_lambda + by_length[2 * n] * d_length;
    x.q = q1 + by_lambda.head(n) * d_lambda + by_length.head(n) * d_length;
    x.p = p1;
    x.energy = energy;
    x.t += d_length;
  }

  const Descriptor& about_;
  std::shared_ptr<const System> system_;
  CollisionSettings settings_;
  std::unique_ptr<ImpactEnergy> rule_, mirror_;
};

}  // namespace

std::vector<std::string> collision_counters() {
  return {"grazing_fallbacks", "simultaneous_impacts", "multi_impact_steps"};
}

ParameterDoc simultaneous_parameter() {
  return {
      .name = "simultaneous",
      .default_value = std::string("moreau"),
      .doc =
          "law when several gaps close at once: moreau, generalized (passes over the approaching ones) or sequential",
      .choices = {"moreau", "generalized", "sequential"}};
}

std::vector<ParameterDoc> collision_parameters() {
  return {tolerance_parameter(),
          {.name = "impact_energy",
           .default_value = std::string("discrete"),
           .doc = "which energy an elastic impact keeps: discrete (symplectic) or continuous (less energy noise)",
           .choices = impact_energy_names()},
          simultaneous_parameter(),
          {.name = "eps_g",
           .default_value = 1e-9,
           .doc = "gaps below this close together, as one impact; a lasting contact may give way by this much",
           .min = 0,
           .max = 1e-3},
          {.name = "max_impacts",
           .default_value = 1000.0,
           .doc = "impacts in one step before the run stops with a failure",
           .min = 1,
           .max = 1e6,
           .integer = true}};
}

CollisionSettings collision_settings(const Tableau& tableau, const IntegratorOptions& options) {
  const auto text = [&](const char* name) { return std::get<std::string>(options.parameters.at(name)); };
  const auto number = [&](const char* name) { return std::get<double>(options.parameters.at(name)); };
  return {.tableau = tableau,
          .newton = {.tolerance = number("tolerance")},
          .impact_energy = text("impact_energy"),
          .law = reflection_law(text("simultaneous")),
          .eps_g = number("eps_g"),
          .max_impacts = static_cast<int>(number("max_impacts")),
          .constrain_at_end = options.backward};
}

std::unique_ptr<Method> make_collision(const Descriptor& about_it, std::shared_ptr<const System> system,
                                       const CollisionSettings& settings) {
  return std::make_unique<VariationalCollision>(about_it, std::move(system), settings);
}

MethodEntry variational_collision() {
  return {&about,
          [](std::shared_ptr<const System> system, const Tableau& tableau,
             const IntegratorOptions& options) -> std::unique_ptr<Method> {
            return make_collision(about, std::move(system), collision_settings(tableau, options));
          }};
}

}  // namespace ricochet
