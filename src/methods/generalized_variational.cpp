// The generalized variational integrator [KP12 Algorithm 1, with equality constraints (7.7)–(7.9)], fixed steps, never
// split.
//
//   1. predictor q^p;  A = {g_i(q^p) < −ρ_g} ∪ {g_i(q) <= ρ_g} ∪ {closed}
//   2. p <- R(q, p, A, E), the reflection in the contacts of A (contact/generalized_reflection.hpp)
//   3. S = those of A that are closed or touch, g_i(q) <= ρ_g, and have |∇g_i·v + g_t| <= ρ_v now
//   4. D1L_d(q,x) + p + N_S λ + F ν = 0,  0 <= λ ⊥ g_S(x) >= 0,  f(x) = 0         (discrete/variational_flow.hpp)
//   5. I = those of S that are not left: λ > 0 or g_i(q⁺) <= ρ_g;  p⁺ = D2L_d + N_I μ + F ξ tangent to both. They are
//      closed from now on, which is part of the state.
//
// ρ_g and ρ_v are round-off (contact/active_set.hpp). A predicted touch, |g_i(q^p)| <= ρ_g, is left to the next step:
// reflected now, a tangential approach would bounce. Only contacts that are still closed are projected in step 5,
// otherwise nothing would ever be released. With `reflections = false` this is the Discrete-Smooth Integrator, steps 3
// to 5.
//
// Not admissible: a step that would cross a wall is reflected at its start, before it touches. Steps with reflections
// are of first order.

#include <algorithm>
#include <cmath>

#include "mode_ledger.hpp"
#include "registry.hpp"
#include "ricochet/contact/active_set.hpp"
#include "ricochet/contact/generalized_reflection.hpp"
#include "ricochet/discrete/variational_flow.hpp"
#include "ricochet/error.hpp"
#include "ricochet/methods/contact_forces.hpp"

namespace ricochet {

namespace {

using Eigen::VectorXd;

const Descriptor about_generalized_variational{
    .name = "generalized-variational",
    .doc = "fixed steps with generalized reflections, lasting contact and constraints (Kaufman and Pai)",
    .order = "2 on smooth intervals (1 for rectangle), 1 for steps with reflections",
    .preserves =
        "momentum maps of symmetries whose generator is affine in q; constraints; the symplectic form on intervals "
        "without reflections",
    .not_preserved =
        "admissibility (a wall is reflected from before it is touched, or crossed by at most the way of a step); "
        "energy, "
        "which stays bounded for quadratic potentials and diffuses otherwise (spring-and-sphere-bouncing to t = 10000, "
        "starts moved by up to 1e-3: range 2.9 to 8.6 % of 10 at h = 0.1, with reflection_energy = shadow 0.05 to "
        "0.09 %; at h = 0.5 more than 100 % in 12 of 20, with shadow 15 to 61 %); reversibility",
    .parameters =
        {tolerance_parameter(),
         {.name = "reflection",
          .default_value = std::string("generalized"),
          .doc = "what happens when several contacts are hit: generalized (Algorithm 2) or moreau (Algorithm 3)",
          .choices = {"generalized", "moreau"}},
         {.name = "reflection_energy",
          .default_value = std::string("continuous"),
          .doc = "energy kept by a reflection: continuous (H) or shadow (H2 of the discretization; constant mass only)",
          .choices = {"continuous", "shadow"}},
         {.name = "predictor",
          .default_value = std::string("free"),
          .doc = "step that predicts contacts: free, or constrained by the equalities",
          .choices = {"free", "constrained"}},
         {.name = "linearized",
          .default_value = false,
          .doc = "take contact normals at the predicted position (a baseline: breaks momentum)"},
         {.name = "reflections", .default_value = true, .doc = "false: the Discrete-Smooth Integrator"}},
    .contacts = true,
    .holonomic = true,
    .forces = true,
    .derivative = true,
    .lasting = true,
    .counters = {"reflection_passes", "shadow_fallbacks", "simultaneous_impacts", "episodes"},
    .discretizations = {"midpoint", "trapezoidal", "rectangle"},
};

struct GeneralizedWorkspace : Workspace {
  GeneralizedWorkspace(const System& system, const Tableau& tableau, const NewtonSettings& newton)
      : step(system, tableau, newton),
        gaps(system),
        lagrangian(system),
        active_set(step, gaps),
        flow(step, gaps),
        rubs(gaps.pieces()),
        modes(system, gaps),
        forces(system) {
    const int n = system.n();
    for (VectorXd* x : {&q, &p, &v, &predicted, &p_predicted, &reach, &impulse}) x->setZero(n);
    in.setZero(2 * n + 1);
    out.setZero(2 * n + 1);
    gap_now.assign(gaps.pieces(), 0.0);
    touches.assign(gaps.pieces(), 0);
  }
  SubStep step;
  Gaps gaps;
  Lagrangian lagrangian;
  ActiveSet active_set;  // for what round-off is
  VariationalFlow flow;
  std::vector<Rub> rubs;  // none
  ModeLedger modes;
  ContactForces forces;
  VectorXd q, p, v, predicted, p_predicted, reach, impulse, in, out;
  std::vector<double> pressures, gap_now, speeds, wall_speeds, stills;  // of active: c before, g_t, ρ_v
  std::vector<double> normals, freed, shifts;  // of active: ∇g, without what the constraints undo, M⁻¹ of it
  GeneralizedReflection reflection;
  std::vector<char> touches;                // of each piece: closed, or g(q) <= ρ_g
  std::vector<int> active, smooth, closed;  // pieces
  SubStepDerivative derivative;
};

class GeneralizedVariational : public Method {
 public:
  GeneralizedVariational(std::shared_ptr<const System> system, Tableau tableau, const IntegratorOptions& options)
      : system_(std::move(system)), tableau_(std::move(tableau)) {
    const auto text = [&](const char* name) { return std::get<std::string>(options.parameters.at(name)); };
    const auto number = [&](const char* name) { return std::get<double>(options.parameters.at(name)); };
    newton_.tolerance = number("tolerance");
    moreau_ = text("reflection") == "moreau";
    free_predictor_ = text("predictor") == "free";
    linearized_ = std::get<bool>(options.parameters.at("linearized"));
    reflections_ = std::get<bool>(options.parameters.at("reflections"));
    if (!system_->quadratic())
      throw ModelError("system.lagrangian", "reflections need a Lagrangian that is quadratic in the velocities");
    if (text("reflection_energy") == "shadow") {
      if (!system_->separable())
        throw ModelError("integrator.reflection_energy", "the shadow energy needs L = v'Mv/2 - V(q) with constant M");
      if (system_->forced())
        throw ModelError(
            "integrator.reflection_energy",
            "the shadow energy is that of the Lagrangian alone and not kept under forces; write continuous");
      if (tableau_.name == "rectangle")
        throw ModelError("integrator.reflection_energy", "the rectangle rule has no second-order shadow energy");
      shadow_ = tableau_.name == "trapezoidal" ? 1.0 / 12 : -1.0 / 24;
    }
    refuse_unions(*system_);
  }

  const Descriptor& descriptor() const override { return about_generalized_variational; }
  std::unique_ptr<Workspace> workspace() const override {
    return std::make_unique<GeneralizedWorkspace>(*system_, tableau_, newton_);
  }

  void step(State& state, double h, Workspace& workspace, StepJacobian* jacobian) const override {
    auto& w = static_cast<GeneralizedWorkspace&>(workspace);
    const int n = system_->n();
    const double t0 = state.t;
    w.q = Eigen::Map<const VectorXd>(state.q.data(), n);
    w.p = Eigen::Map<const VectorXd>(state.p.data(), n);
    const bool constrained = !system_->constraints().empty();
    w.step.constrained().hold({});
    if (constrained && free_predictor_)
      w.step.solve_free(t0, w.q.data(), w.p.data(), h, w.predicted.data(), w.p_predicted.data());
    else
      w.step.solve(t0, w.q.data(), w.p.data(), h, w.predicted.data(), w.p_predicted.data());
    find_active(w, state, h);
    bool reflected = false;
    w.smooth.clear();
    if (!w.active.empty()) {
      w.lagrangian.velocity(w.q.data(), w.p.data(), t0, w.v.data());
      measure_contacts(w, t0);
      if (reflections_) reflected = reflect(w, t0, h);
      const Eigen::Map<const Eigen::MatrixXd> normals(w.normals.data(), n, static_cast<int>(w.active.size()));
      for (std::size_t k = 0; k < w.active.size(); ++k)
        if (w.touches[w.active[k]] != 0 &&
            std::abs(normals.col(static_cast<int>(k)).dot(w.v) + w.wall_speeds[k]) <= w.stills[k])
          w.smooth.push_back(w.active[k]);
    }
    if (!constrained && w.smooth.empty()) {
      if (reflected) w.step.solve(t0, w.q.data(), w.p.data(), h, w.predicted.data(), w.p_predicted.data());
      std::copy(w.predicted.data(), w.predicted.data() + n, state.q.data());
      std::copy(w.p_predicted.data(), w.p_predicted.data() + n, state.p.data());
      if (jacobian != nullptr) w.step.derivative(w.derivative);
    } else {
      w.closed = w.smooth;
      w.flow.start(t0, w.q.data(), w.p.data(), h, w.closed, {}, w.rubs);
      w.flow.solve(h);
      std::copy(w.flow.q(), w.flow.q() + n, state.q.data());
      std::copy(w.flow.p(), w.flow.p() + n, state.p.data());
      if (!w.contact_impulses.empty() && !w.closed.empty()) add_impulses(w);
      const ConstrainedStep& c = w.step.constrained();
      if (constrained) w.note_violation(c.holonomic_max(), c.nonholonomic_max());
      if (jacobian != nullptr && w.closed == w.smooth) w.flow.derivative(w.derivative);
      for (int k = static_cast<int>(w.closed.size()); k-- > 0;)
        if (w.flow.leaves(k)) w.closed.erase(w.closed.begin() + k);
    }
    if (jacobian != nullptr) jacobian->impacts.clear();
    if (jacobian != nullptr) {  // none through reflections or where a contact opens
      jacobian->reason = reflected              ? "the method generalized-variational has no derivative of reflections"
                         : w.closed != w.smooth ? "a contact opens"
                                                : "";
      if (jacobian->reason.empty())
        jacobian->set(w.derivative.matrix, n);
      else
        jacobian->clear();
    }
    w.modes.start(state);
    w.modes.note(w.closed, {}, {t0, 0, w.q.data(), w.p.data()}, w);
    w.counters[3] += w.modes.begun();
    state.modes.assign(w.gaps.pieces(), 0.0);
    for (const int piece : w.closed) state.modes[piece] = 1;
    state.t = t0 + h;
    if (!w.scalars.empty()) w.step.add_work(w.scalars.data());
    w.gaps.evaluate(state.q.data(), state.t);
    w.gap_min = std::fmin(w.gap_min, w.gaps.minimum());
  }

 private:
  void find_active(GeneralizedWorkspace& w, const State& state, double h) const {
    w.active.clear();
    w.closed.clear();
    if (w.gaps.pieces() == 0) return;
    const double t0 = state.t;
    const bool known = static_cast<int>(state.modes.size()) == w.gaps.pieces();
    w.reach = w.q.cwiseAbs() + 2 * (w.predicted - w.q).cwiseAbs();
    const auto rho = [&](int k, const VectorXd& q, double t) {
      return w.gaps.round_off(k, q.data(), t, w.reach.data());
    };
    w.gaps.evaluate(w.q.data(), t0);
    for (int k = 0; k < w.gaps.pieces(); ++k) {
      w.gap_now[k] = w.gaps.piece(k);
      w.touches[k] = (known && state.modes[k] != 0) || w.gap_now[k] <= 0 || w.gap_now[k] <= rho(k, w.q, t0);
    }
    w.gaps.evaluate(w.predicted.data(), t0 + h);
    for (int k = 0; k < w.gaps.pieces(); ++k)
      if (w.touches[k] != 0 || (w.gaps.piece(k) < 0 && w.gaps.piece(k) < -rho(k, w.predicted, t0 + h)))
        w.active.push_back(k);
    if (!w.active.empty()) w.active_set.place(t0, w.q.data(), w.p.data(), h);
  }

  // A normal without what the constraints undo, and M⁻¹ of it.
  void free(GeneralizedWorkspace& w, double* normal, double* inverse) const {
    if (system_->constraints().empty())
      w.lagrangian.apply_inverse_mass(normal, inverse);
    else
      w.step.constrained().free_covector(normal, inverse);
  }

  // Normals and speeds of the active contacts, at the point of the active set.
  void measure_contacts(GeneralizedWorkspace& w, double t0) const {
    const int n = system_->n(), m = static_cast<int>(w.active.size());
    for (auto* x : {&w.normals, &w.freed, &w.shifts}) x->resize(static_cast<std::size_t>(n) * m);
    for (auto* x : {&w.speeds, &w.wall_speeds, &w.stills}) x->resize(m);
    const Eigen::Map<Eigen::MatrixXd> normals(w.normals.data(), n, m), N(w.freed.data(), n, m),
        U(w.shifts.data(), n, m);
    for (int k = 0; k < m; ++k) {
      double* normal = w.normals.data() + k * n;
      const bool ahead = linearized_ && w.touches[w.active[k]] == 0;
      w.gaps.gradient(w.active[k], ahead ? w.predicted.data() : w.q.data(), t0, normal, w.wall_speeds[k]);
      w.speeds[k] = normals.col(k).dot(w.v) + w.wall_speeds[k];
      std::copy(normal, normal + n, w.freed.data() + k * n);
      free(w, w.freed.data() + k * n, w.shifts.data() + k * n);
      w.stills[k] = w.active_set.speed_round_off(N.col(k).dot(U.col(k)), w.wall_speeds[k]);
    }
  }

  void add_impulses(GeneralizedWorkspace& w) const {
    w.pressures.assign(3 * w.closed.size(), 0.0);
    w.flow.add_impulses(w.pressures.data());
    for (std::size_t k = 0; k < w.closed.size(); ++k)
      w.contact_impulses[w.forces.first[system_->contact_of(w.closed[k])]] += w.pressures[3 * k];
    w.pressed = true;
  }

  // p and v after the reflection in the active contacts; true if there was an impulse.
  bool reflect(GeneralizedWorkspace& w, double t0, double h) const {
    const int n = system_->n(), m = static_cast<int>(w.active.size());
    GeneralizedReflection& r = w.reflection;
    const Eigen::Map<Eigen::MatrixXd> normals(w.normals.data(), n, m), N(w.freed.data(), n, m),
        U(w.shifts.data(), n, m);
    bool approached = false;
    for (int k = 0; k < m; ++k) approached |= w.speeds[k] < -w.stills[k];
    if (!approached) return false;
    r.resize(m, shadow_ != 0);
    for (int k = 0; k < m; ++k) {
      for (int j = 0; j < m; ++j) r.gram(j, k) = N.col(j).dot(U.col(k));
      r.c(k) = w.speeds[k];
      r.still(k) = w.stills[k];
    }
    if (shadow_ != 0) add_shadow(w, t0, h);
    moreau_ ? r.moreau() : r.generalized();
    const Eigen::Map<const VectorXd> impulses(r.impulses().data(), m);
    Impact& impact = w.impacts.add();
    impact.time = t0;
    impact.q.assign(w.q.data(), w.q.data() + n);
    impact.v_before.assign(w.v.data(), w.v.data() + n);
    impact.energy_before = impact.discrete_energy_before = w.lagrangian.energy(w.q.data(), w.v.data(), t0);
    w.impulse.noalias() = N * impulses;
    w.p += w.impulse;
    w.v.noalias() += U * impulses;
    impact.momentum_change = w.impulse.norm();
    w.impulse.noalias() -= normals * impulses;
    impact.constraint_impulse = w.impulse.norm();
    impact.v_after.assign(w.v.data(), w.v.data() + n);
    impact.energy_after = impact.discrete_energy_after = w.lagrangian.energy(w.q.data(), w.v.data(), t0);
    write_contacts(w, impact);
    w.counters[0] += r.passes();
    w.counters[1] += r.fallbacks();
    return true;
  }

  void add_shadow(GeneralizedWorkspace& w, double t0, double h) const {
    const int n = system_->n(), m = static_cast<int>(w.active.size());
    const Eigen::Map<const Eigen::MatrixXd> U(w.shifts.data(), n, m);
    w.lagrangian.evaluate(2, w.q.data(), w.v.data(), t0);
    const double factor = 2 * shadow_ * h * h;
    for (int k = 0; k < m; ++k) {
      w.in.head(n) = U.col(k);
      w.lagrangian.apply_hessian(w.in.data(), w.out.data());  // −V'' u
      for (int j = 0; j < m; ++j)
        w.reflection.gram2(j, k) = w.reflection.gram(j, k) - factor * U.col(j).dot(w.out.head(n));
      w.reflection.c2(k) = w.speeds[k] - factor * w.v.dot(w.out.head(n));
    }
  }

  void write_contacts(GeneralizedWorkspace& w, Impact& impact) const {
    GeneralizedReflection& r = w.reflection;
    const int hardest = static_cast<int>(std::min_element(w.speeds.begin(), w.speeds.end()) - w.speeds.begin());
    impact.iterations = r.passes();
    impact.obtained_restitution = -r.c(hardest) / w.speeds[hardest];
    int hit = 0;
    for (std::size_t k = 0; k < w.active.size(); ++k) {
      const double lambda = r.impulses()[k];
      if (lambda == 0) continue;
      ++hit;
      const int gap = system_->contact_of(w.active[k]);
      impact.gap = std::fmax(impact.gap, std::abs(w.gap_now[w.active[k]]));
      impact.loss += lambda * (r.c(static_cast<int>(k)) + w.speeds[k]) / 2;
      impact.obstacle_work -= lambda * w.wall_speeds[k];
      if (!impact.contacts.empty() && impact.contacts.back().contact == gap)
        impact.contacts.back().lambda += lambda;
      else
        impact.contacts.push_back({gap, lambda});
    }
    w.counters[2] += hit > 1;
  }

  std::shared_ptr<const System> system_;
  Tableau tableau_;
  NewtonSettings newton_;
  bool moreau_ = false, free_predictor_ = true, linearized_ = false, reflections_ = true;
  double shadow_ = 0;  // coefficient of h² vᵀV''v in H2; 0: reflections keep H
};

}  // namespace

MethodEntry generalized_variational() {
  return {&about_generalized_variational,
          [](std::shared_ptr<const System> system, const Tableau& tableau,
             const IntegratorOptions& options) -> std::unique_ptr<Method> {
            return std::make_unique<GeneralizedVariational>(std::move(system), tableau, options);
          }};
}

}  // namespace ricochet
