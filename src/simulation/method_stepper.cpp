#include "ricochet/simulation/method_stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/discrete/constrained_step.hpp"
#include "ricochet/error.hpp"
#include "ricochet/mechanics/forces.hpp"
#include "ricochet/mechanics/gaps.hpp"
#include "ricochet/mechanics/lagrangian.hpp"
#include "ricochet/mechanics/symmetry.hpp"
#include "ricochet/methods/contact_forces.hpp"
#include "ricochet/methods/method.hpp"
#include "ricochet/methods/running_scalars.hpp"
#include "start_warnings.hpp"

namespace ricochet {

namespace {

class MethodStepper : public Stepper {
 public:
  MethodStepper(std::shared_ptr<const System> system, std::unique_ptr<Method> method, State state, bool backward)
      : system_(std::move(system)),
        method_(std::move(method)),
        work_(method_->workspace()),
        lagrangian_(*system_),
        gaps_(*system_),
        applied_(*system_),
        scalars_(system_->model()),
        forces_(*system_),
        state_(std::move(state)),
        backward_(backward) {
    const Model& model = system_->model();
    labels_.coordinates = model.coordinates;
    for (const Symmetry& s : model.symmetries) labels_.momenta.push_back(s.name);
    for (const Contact& c : model.contacts) labels_.contacts.push_back(c.name);
    labels_.lasting = labels_.contacts;
    labels_.contact_forces = forces_.names;
    labels_.scalars = scalars_.names;
    work_->contact_impulses.assign(forces_.names.size(), 0.0);
    work_->counters.assign(method_->counter_names().size(), 0);
    work_->scalars.assign(scalars_.names.size(), 0.0);
    gaps_.evaluate(state_.q.data(), state_.t);
    work_->gap_min = gaps_.minimum();
    deepest_ = std::fmin(0, work_->gap_min);
  }

  void warn(std::vector<std::string> of_the_start) { start_warnings_ = std::move(of_the_start); }

  const Labels& labels() const override { return labels_; }

  void advance(double t0, double h) override {
    state_.t = t0;
    work_->forget_last_step();
    method_->step(state_, h, *work_);
    state_.t = t0 + h;
    length_ = h;
    if (!work_->impacts.empty() || !work_->changes.empty()) account();
    if (work_->gap_min < deepest_) note_depth(h);
  }

  void stop_on(const std::atomic<bool>* stop) override { work_->stop = stop; }
  std::span<const Impact> impacts() const override { return work_->impacts.span(); }
  std::span<const Impact> changes() const override { return work_->changes.span(); }
  Extremes extremes() override {
    return {work_->gap_min, system_->holonomic() > 0 ? work_->holonomic_max : -1,
            system_->nonholonomic() > 0 ? work_->nonholonomic_max : -1};
  }

  void observe(Observables& out) override {
    const std::size_t n = state_.q.size();
    out.t = state_.t;
    out.q = state_.q;
    out.p = state_.p;
    out.v.resize(n);
    lagrangian_.velocity(out.q.data(), out.p.data(), out.t, out.v.data());
    out.energy = lagrangian_.energy(out.q.data(), out.v.data(), out.t);
    out.momenta.resize(labels_.momenta.size());
    lagrangian_.momentum_maps(out.q.data(), out.p.data(), out.momenta.data());
    if (backward_)
      for (auto* list : {&out.v, &out.p, &out.momenta})
        for (double& x : *list) x = -x;
    out.gaps.resize(labels_.contacts.size());
    gaps_.evaluate(out.q.data(), out.t);
    for (std::size_t c = 0; c < out.gaps.size(); ++c) out.gaps[c] = gaps_.value(static_cast<int>(c));
    out.scalars = work_->scalars;
    observe_contacts(out);
  }

  std::vector<Counter> counters() const override {
    std::vector<Counter> result;
    const std::vector<std::string> names = method_->counter_names();
    for (std::size_t k = 0; k < names.size(); ++k) result.push_back({names[k], work_->counters[k]});
    return result;
  }

  std::vector<std::string> warnings() const override {
    std::vector<std::string> all = start_warnings_;
    if (depth_ > deep * stride_)
      all.push_back(
          fmt::format("the motion goes through contact {} by {:.3g}, {:.2g} times what the gap changes in a "
                      "step: a smaller integrator.step, or a method that solves for the time of an impact",
                      depth_contact_, depth_, depth_ / stride_));
    return all;
  }

  // Along the velocity, as far as the step would have gone.
  std::string diagnosis(double t0, double h) override {
    constexpr int points = 16;
    const std::size_t n = state_.q.size();
    std::vector<double> v(n), q(n);
    try {
      lagrangian_.velocity(state_.q.data(), state_.p.data(), t0, v.data());
    } catch (const SolverError&) {
      return "";
    }
    const auto finite = [](const double* x, std::size_t count) {
      return std::all_of(x, x + count, [](double y) { return std::isfinite(y); });
    };
    for (int k = 1; k <= points; ++k) {
      const double part = h * k / points, t = t0 + part;
      for (std::size_t i = 0; i < n; ++i) q[i] = state_.q[i] + part * v[i];
      std::string what;
      lagrangian_.evaluate(1, q.data(), v.data(), t);
      if (!std::isfinite(lagrangian_.value()) || !finite(lagrangian_.gradient(), 2 * n)) what = "the Lagrangian";
      gaps_.evaluate(q.data(), t);
      for (int c = 0; c < gaps_.count() && what.empty(); ++c)
        if (!std::isfinite(gaps_.value(c))) what = fmt::format("the gap of contact '{}'", labels_.contacts[c]);
      if (system_->forced() && what.empty()) {
        applied_.evaluate(0, q.data(), v.data(), t);
        if (!finite(applied_.F(), n)) what = "a force";
      }
      if (what.empty()) continue;
      std::string place;
      for (std::size_t i = 0; i < n && i < 4; ++i)
        place += fmt::format("{}{} = {:.6g}", i == 0 ? "" : ", ", labels_.coordinates[i], q[i]);
      return fmt::format(
          "the motion leaves the domain of the formulas: {} has no finite value or derivative at {}{}, where the step "
          "leads (a root, a logarithm or a broken power of a negative number, or a division by zero)",
          what, place, n > 4 ? " …" : "");
    }
    return "";
  }

  // t, then sizes and contents of q, p, modes, then the counters, the running scalars, the extremes, the last step's
  // length and impulses of lasting contact
  std::vector<double> save() const override {
    std::vector<double> saved{state_.t};
    for (const auto* part : {&state_.q, &state_.p, &state_.modes}) {
      saved.push_back(static_cast<double>(part->size()));
      saved.insert(saved.end(), part->begin(), part->end());
    }
    for (const std::int64_t count : work_->counters) saved.push_back(static_cast<double>(count));
    saved.insert(saved.end(), work_->scalars.begin(), work_->scalars.end());
    saved.insert(saved.end(), {work_->gap_min, work_->holonomic_max, work_->nonholonomic_max, length_});
    saved.insert(saved.end(), work_->contact_impulses.begin(), work_->contact_impulses.end());
    return saved;
  }

  void load(std::span<const double> saved) override {
    std::size_t at = 0;
    const auto next = [&] {
      if (at >= saved.size()) throw InputError("a saved state does not fit this system");
      return saved[at++];
    };
    state_.t = next();
    for (auto* part : {&state_.q, &state_.p, &state_.modes}) {
      const double size = next();
      if (part != &state_.modes && size != static_cast<double>(system_->n()))
        throw InputError("a saved state does not fit this system");
      part->resize(static_cast<std::size_t>(size));
      for (double& x : *part) x = next();
    }
    for (std::int64_t& count : work_->counters) count = static_cast<std::int64_t>(next());
    for (double& scalar : work_->scalars) scalar = next();
    for (double* extreme : {&work_->gap_min, &work_->holonomic_max, &work_->nonholonomic_max, &length_})
      *extreme = next();
    work_->forget_last_step();
    for (double& impulse : work_->contact_impulses) impulse = next();
    work_->pressed = true;
  }

 private:
  // Of a contact with several pieces that with the largest mode: one that slides before one that sticks. Baselines
  // have reactions in the place of modes.
  void observe_contacts(Observables& out) const {
    const bool lasting = method_->descriptor().lasting, known = !state_.modes.empty();
    out.piece_modes = state_.modes;
    out.modes.assign(labels_.contacts.size(), known ? 0 : -1);
    out.contact_forces.assign(forces_.names.size(), 0);
    for (std::size_t piece = 0; piece < state_.modes.size(); ++piece) {
      const int contact = system_->contact_of(static_cast<int>(piece));
      const double mode = state_.modes[piece];
      out.modes[contact] = std::fmax(out.modes[contact], lasting ? mode : mode > 0);
      if (!lasting) out.contact_forces[forces_.first[contact]] += mode;
    }
    if (lasting && work_->pressed)
      for (std::size_t k = 0; k < forces_.names.size(); ++k)
        out.contact_forces[k] = work_->contact_impulses[k] / length_;
  }

  // A new smallest gap below round-off: how deep, and how much that gap changes in a step. Round-off is that of the
  // terms which the step has added up: what rests at q = 0 has none but those of its fall and of the forces on it.
  void note_depth(double h) {
    deepest_ = work_->gap_min;
    std::vector<double> v(state_.q.size()), a(v.size()), normal(v.size()), reach(v.size());
    try {
      lagrangian_.velocity(state_.q.data(), state_.p.data(), state_.t, v.data());
      lagrangian_.evaluate(1, state_.q.data(), v.data(), state_.t);
      std::copy(lagrangian_.Lq(), lagrangian_.Lq() + v.size(), normal.begin());
      if (!applied_.empty()) {
        applied_.evaluate(0, state_.q.data(), v.data(), state_.t);
        for (std::size_t i = 0; i < v.size(); ++i) normal[i] += applied_.F()[i];
      }
      lagrangian_.apply_inverse_mass(normal.data(), a.data());
    } catch (const SolverError&) {
      return;  // the next observation says so
    }
    for (std::size_t i = 0; i < v.size(); ++i)
      reach[i] = std::abs(state_.q[i]) + h * (std::abs(v[i]) + h * std::abs(a[i]));
    for (const Impact& impact : work_->impacts)
      for (std::size_t i = 0; i < impact.v_before.size(); ++i) reach[i] += h * std::abs(impact.v_before[i]);
    gaps_.evaluate(state_.q.data(), state_.t);
    for (int contact = 0; contact < gaps_.count(); ++contact) {
      const double gap = gaps_.value(contact);
      if (!(gap < 0)) continue;
      for (int piece = gaps_.begin(contact); piece < gaps_.end(contact); ++piece) {
        if (gaps_.piece(piece) != gap) continue;
        double g_t = 0;
        if (-gap <= 4096 * gaps_.round_off(piece, state_.q.data(), state_.t, reach.data())) continue;
        gaps_.gradient(piece, state_.q.data(), state_.t, normal.data(), g_t);
        for (std::size_t i = 0; i < v.size(); ++i) g_t += normal[i] * v[i];
        stride_ = std::fmax(stride_, std::abs(g_t) * h);
        if (-gap > depth_) depth_ = -gap, depth_contact_ = labels_.contacts[contact];
        gaps_.evaluate(state_.q.data(), state_.t);
      }
    }
  }

  // What the impacts of the step add to the running scalars; backwards in time their velocities are the physical ones.
  void account() {
    for (Impact& impact : work_->impacts) {
      if (scalars_.impact >= 0) work_->scalars[scalars_.impact] += impact.loss;
      if (scalars_.obstacles >= 0) work_->scalars[scalars_.obstacles] += impact.obstacle_work;
      if (backward_)
        for (auto* list : {&impact.v_before, &impact.v_after})
          for (double& x : *list) x = -x;
    }
    if (backward_)
      for (Impact& change : work_->changes)
        for (auto* list : {&change.v_before, &change.v_after})
          for (double& x : *list) x = -x;
  }

  std::shared_ptr<const System> system_;
  std::unique_ptr<Method> method_;
  std::unique_ptr<Workspace> work_;
  Lagrangian lagrangian_;
  Gaps gaps_;
  Forces applied_;
  RunningScalars scalars_;
  ContactForces forces_;
  State state_;
  double length_ = 1;                  // of the last step
  double deepest_ = 0;                 // the smallest gap that was looked at
  double depth_ = 0, stride_ = 0;      // the largest penetration, and what gaps then change in a step
  static constexpr double deep = 0.1;  // of a stride: more than the error of a method of second order
  std::string depth_contact_;
  std::vector<std::string> start_warnings_;
  bool backward_;  // the system is the reversed one: v and p have the other sign
  Labels labels_;
};

// A start is written in decimal digits: 12 of them are enough. What is missing is at most 5e-12 of each number; the
// round-off of a gap or constraint is about 8ε = 1.8e-15 of its terms.
constexpr double decimal = 4096;

// The sizes of the terms that the first step adds up: |q_i| + h|v_i| + h²|a_i| for a position, and S/√M_ii with
// S² = vᵀMv + h²aᵀMa for a velocity: a body at rest in a moving system is at rest up to the round-off of the motion.
struct Reach {
  std::vector<double> q, v;
};
Reach reach(const System& system, const InitialState& initial, double h) {
  const std::size_t n = initial.position.size();
  std::vector<double> v = initial.velocity, a(n, 0.0);
  Lagrangian lagrangian(system);
  try {
    std::vector<double> p = initial.velocity;
    if (!initial.momentum_given) lagrangian.momentum(initial.position.data(), v.data(), initial.t, p.data());
    lagrangian.velocity(initial.position.data(), p.data(), initial.t, v.data());  // factorises the mass, too
    lagrangian.evaluate(1, initial.position.data(), v.data(), initial.t);
    if (!system.degenerate()) lagrangian.apply_inverse_mass(lagrangian.Lq(), a.data());
  } catch (const SolverError&) {
    std::fill(v.begin(), v.end(), 0.0);  // a momentum without a velocity will be reported as such
  }
  Reach result{std::vector<double>(n), std::vector<double>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    result.v[i] = std::abs(v[i]) + h * std::abs(a[i]);
    result.q[i] = std::abs(initial.position[i]) + h * result.v[i];
  }
  std::vector<double> inertia(n, 0.0);
  double energy = 0;
  lagrangian.evaluate(2, initial.position.data(), v.data(), initial.t);
  for (std::size_t e = 0; e < lagrangian.pattern().size(); ++e) {
    const auto [i, j] = lagrangian.pattern()[e];
    if (i < n || i >= 2 * n || j < n) continue;
    const double m = (i == j ? 1 : 2) * lagrangian.hessian(e);
    energy += m * (v[i - n] * v[j - n] + h * h * a[i - n] * a[j - n]);
    if (i == j) inertia[i - n] = m;
  }
  for (std::size_t i = 0; i < n; ++i)
    if (inertia[i] > 0 && energy > 0) result.v[i] = std::fmax(result.v[i], std::sqrt(energy / inertia[i]));
  return result;
}

// The piece that attains the value of a gap.
int attaining(const Gaps& gaps, const formula::KinkTree& tree, double value) {
  if (tree.kind == formula::KinkTree::Kind::piece) return gaps.piece(tree.piece) == value ? tree.piece : -1;
  for (const formula::KinkTree& child : tree.children)
    if (const int piece = attaining(gaps, child, value); piece >= 0) return piece;
  return -1;
}

// The shift of the position, to first order repeated, that opens a gap again, the shortest in the metric of the masses;
// in words.
std::string mending_shift(const System& system, Gaps& gaps, int gap, std::vector<double> q, double t) {
  const int n = system.n();
  const std::vector<double> start = q;
  std::vector<double> normal(n), shift(n), p(n), v(n, 0.0);
  Lagrangian lagrangian(system);
  lagrangian.momentum(q.data(), v.data(), t, p.data());
  try {
    lagrangian.velocity(q.data(), p.data(), t, v.data());
    for (int k = 0; k < 50; ++k) {
      gaps.evaluate(q.data(), t);
      if (gaps.value(gap) >= 0) break;
      const int piece = attaining(gaps, gaps.tree(gap), gaps.value(gap));
      if (piece < 0) return "";
      double g_t = 0, size = 0;
      const double g = gaps.gradient(piece, q.data(), t, normal.data(), g_t);
      lagrangian.apply_inverse_mass(normal.data(), shift.data());
      for (int i = 0; i < n; ++i) size += normal[i] * shift[i];
      if (!(size > 0)) return "";
      for (int i = 0; i < n; ++i) q[i] -= (1 + 1e-12) * g * shift[i] / size;
    }
  } catch (const SolverError&) {
    return "";  // a contact of coordinates without inertia
  }
  std::vector<std::string> words;
  for (int i = 0; i < n; ++i)
    if (q[i] != start[i]) words.push_back(fmt::format("{} = {:.6g}", system.model().coordinates[i], q[i]));
  return fmt::format("; the smallest shift that mends it leads to {}", fmt::join(words, ", "));
}

void check_admissible(const System& system, const InitialState& initial, const Reach& reach) {
  Gaps gaps(system);
  gaps.evaluate(initial.position.data(), initial.t);
  for (int gap = 0; gap < gaps.count(); ++gap) {
    const double value = gaps.value(gap);
    if (value >= 0) continue;
    const std::string& name = system.gaps()[gap].name;
    if (!std::isfinite(value))
      throw ModelError("system.contact." + name + ".gap", "the gap has no finite value at the start");
    const int piece = attaining(gaps, gaps.tree(gap), value);
    const double round_off = gaps.round_off(piece, initial.position.data(), initial.t, reach.q.data());
    if (std::isfinite(round_off) && value >= -decimal * round_off) continue;
    throw ModelError(
        "initial.position",
        fmt::format("the start is inside contact '{}': gap = {:.6g}, expected >= 0, as where the system may be{}", name,
                    value, mending_shift(system, gaps, gap, initial.position, initial.t)));
  }
}

// Position and velocity on the constraints: brought there if asked for, refused with the residual otherwise.
void meet_constraints(const System& system, InitialState& initial, double h) {
  if (system.constraints().empty()) return;
  if (!system.quadratic())
    throw ModelError("system.lagrangian", "constraints need a Lagrangian that is quadratic in the velocities");
  SubStep step(system, make_tableau("midpoint", {}), {});
  ConstrainedStep& constrained = step.constrained();
  Constraints& constraints = constrained.constraints();
  const int holonomic = constraints.holonomic(), count = constraints.count();
  std::vector<double>& q = initial.position;
  if (initial.project) constraints.move_onto(q.data());
  const Reach sizes = reach(system, initial, h);
  constraints.evaluate(q.data());
  // the constraint that is broken most, as a part of its round-off
  int worst = -1;
  double largest = decimal;
  const auto compare = [&](int k, double residual, double round_off) {
    const double relative = residual == 0 ? 0 : std::isfinite(round_off) ? std::abs(residual) / round_off : INFINITY;
    if (relative <= largest) return;
    largest = relative;
    worst = k;
  };
  for (int k = 0; k < holonomic; ++k)
    compare(k, constraints.value(k), constraints.round_off(k, q.data(), sizes.q.data()));
  if (worst >= 0)
    throw ModelError(
        "initial.position",
        initial.project
            ? fmt::format("no position near the start meets the constraints: '{}' keeps the residual {:.3g}; do they "
                          "contradict each other?",
                          constraints.name(worst), constraints.value(worst))
            : fmt::format("the start is off the constraint '{}': residual {:.6g}, expected 0; initial.project = true "
                          "moves it there",
                          constraints.name(worst), constraints.value(worst)));
  Lagrangian lagrangian(system);
  std::vector<double> p = initial.velocity, v = initial.velocity, r(count);
  if (!initial.momentum_given) lagrangian.momentum(q.data(), v.data(), initial.t, p.data());
  const std::vector<double> allowed = constrained.project(initial.t, q.data(), p.data());
  if (initial.momentum_given) lagrangian.velocity(q.data(), initial.velocity.data(), initial.t, v.data());
  constraints.evaluate(q.data());
  constraints.rates(v.data(), r.data());
  for (int k = 0; k < count; ++k)
    compare(k, r[k], constraints.rate_round_off(k, q.data(), sizes.q.data(), v.data(), sizes.v.data()));
  if (!initial.project && worst >= 0)
    throw ModelError(
        initial.momentum_given ? "initial.momentum" : "initial.velocity",
        fmt::format(
            "the velocity breaks the constraint '{}': rate {:.6g}, expected 0; initial.project = true takes the "
            "nearest velocity that does not",
            constraints.name(worst), r[worst]));
  initial.velocity = initial.momentum_given ? p : allowed;
}

void check_start(const System& system, const Descriptor& method, const InitialState& initial) {
  const std::size_t n = static_cast<std::size_t>(system.n());
  if (initial.position.size() != n)
    throw ModelError("initial.position", fmt::format("{} numbers for {} coordinates", initial.position.size(), n));
  if (initial.velocity.size() != n)
    throw ModelError("initial.velocity", fmt::format("{} numbers for {} coordinates", initial.velocity.size(), n));
  Lagrangian lagrangian(system);
  const std::vector<double> at_rest(n, 0.0);
  const std::vector<double>& v = initial.momentum_given ? at_rest : initial.velocity;
  lagrangian.evaluate(2, initial.position.data(), v.data(), initial.t);
  bool finite = std::isfinite(lagrangian.value());
  for (std::size_t i = 0; i < 2 * n; ++i) finite = finite && std::isfinite(lagrangian.gradient()[i]);
  if (!finite) throw ModelError("initial.position", "the Lagrangian has no finite value or derivative at the start");
  if (system.forced()) {
    Forces forces(system);
    forces.evaluate(0, initial.position.data(), v.data(), initial.t);
    for (std::size_t i = 0; i < n; ++i)
      if (!std::isfinite(forces.F()[i]))
        throw ModelError("system.force",
                         fmt::format("the force on {} has no finite value at the start{}",
                                     system.model().coordinates[i], initial.momentum_given ? " at rest" : ""));
  }
  if (!(method.degenerate && system.degenerate()))
    if (const auto direction = singular_direction(lagrangian, initial.position.data(), v.data(), initial.t))
      throw ModelError("system.lagrangian",
                       fmt::format("the mass matrix is singular at the start: no kinetic energy in the direction of {}",
                                   *direction));
}

// A degenerate Lagrangian: the discrete equations must still determine the step. Try one.
void check_determined(const System& system, const Descriptor& method, const IntegratorOptions& options,
                      const State& state) {
  if (!system.degenerate()) return;
  const std::string rule = options.discretization.empty() ? method.discretizations.front() : options.discretization;
  const Tableau tableau = make_tableau(rule, options.parameters);
  SubStep step(system, options.backward ? tableau.adjoint() : tableau, {});
  step.constrained().constrain_at_end(options.backward);
  std::vector<double> q1 = state.q, p1 = state.p;
  std::string failure;
  try {
    step.solve(state.t, state.q.data(), state.p.data(), options.step, q1.data(), p1.data());
  } catch (const SolverError& error) {
    failure = error.what();
  }
  const std::vector<double> free = step.constrained().undetermined();
  if (!free.empty())
    throw ModelError(
        "system.lagrangian",
        fmt::format("there is no kinetic energy in the direction of {0}, and the discrete equations of {1} do not "
                    "determine the step along it; midpoint determines a "
                    "coordinate that the potential depends on",
                    direction_in_words(system, free.data()), rule));
  if (!failure.empty())
    throw ModelError("system.lagrangian", "the mass matrix is singular, and the first step fails: " + failure);
}

struct Start {
  State state;
  std::vector<double> v;
};

// On the constraints, admissible, with momentum and velocity.
Start start_of(const System& system, InitialState initial, double step) {
  meet_constraints(system, initial, step);
  if (!system.gaps().empty())  // where the constraints have brought it
    check_admissible(system, initial, reach(system, initial, step));
  Lagrangian lagrangian(system);
  Start start{{.t = initial.t, .q = initial.position, .p = initial.velocity, .modes = {}}, initial.velocity};
  State& state = start.state;
  try {
    if (initial.momentum_given)
      lagrangian.velocity(state.q.data(), state.p.data(), state.t, start.v.data());
    else
      lagrangian.momentum(state.q.data(), start.v.data(), state.t, state.p.data());
  } catch (const SolverError& error) {
    throw ModelError("initial.momentum", error.what());
  }
  return start;
}

// Where the numbers of the start are too large. A velocity that cannot be found is the solver's failure, told by the
// run.
void check_finite_start(Stepper& stepper, const InitialState& initial) {
  Observables start;
  try {
    stepper.observe(start);
  } catch (const SolverError&) {
    return;
  }
  const auto refuse = [](const std::vector<double>& values, const std::string& key, const char* what) {
    if (!std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); }))
      throw ModelError(key, fmt::format("the {} of the start is infinite or not a number", what));
  };
  const std::string key = initial.momentum_given ? "initial.momentum" : "initial.velocity";
  refuse(start.q, "initial.position", "position");
  refuse(start.v, key, "velocity");
  refuse(start.p, key, "momentum");
  refuse({start.energy}, "initial", "energy");
  refuse(start.momenta, "initial", "momentum of a symmetry");
  refuse(start.gaps, "initial.position", "gap");
}

}  // namespace

State start_state(const System& system, const Descriptor& method, const InitialState& initial, double step) {
  check_start(system, method, initial);
  return start_of(system, initial, step).state;
}

std::unique_ptr<Stepper> make_stepper(std::shared_ptr<const System> system, std::unique_ptr<Method> method,
                                      const InitialState& initial, double step) {
  check_start(*system, method->descriptor(), initial);
  Start start = start_of(*system, initial, step);
  auto stepper = std::make_unique<MethodStepper>(std::move(system), std::move(method), std::move(start.state), false);
  check_finite_start(*stepper, initial);
  return stepper;
}

std::unique_ptr<Stepper> make_stepper(const Model& model, const IntegratorOptions& options, const InitialState& given,
                                      std::vector<std::string>& warnings) {
  std::shared_ptr<const System> system;
  try {
    system = std::make_shared<const System>(options.backward ? reversed(model, given.t) : model);
  } catch (const formula::TooLarge& error) {
    throw ModelError("system.lagrangian", error.what());
  }
  InitialState initial = given;
  if (options.backward)
    for (double& x : initial.velocity) x = -x;
  const Descriptor* descriptor = nullptr;
  for (const Descriptor& d : method_descriptors())
    if (d.name == options.method) descriptor = &d;
  if (descriptor != nullptr) check_start(*system, *descriptor, initial);
  std::unique_ptr<Method> method = make_method(system, options);
  auto [state, v] = start_of(*system, initial, options.step);
  check_determined(*system, method->descriptor(), options, state);
  std::vector<std::string> found = broken_symmetries(*system, state.q, v, state.t);
  for (std::string& sentence : start_warnings(*system, method->descriptor(), options, state.q, v, state.t))
    found.push_back(std::move(sentence));
  warnings.insert(warnings.end(), found.begin(), found.end());
  auto stepper =
      std::make_unique<MethodStepper>(std::move(system), std::move(method), std::move(state), options.backward);
  stepper->warn(std::move(found));
  check_finite_start(*stepper, initial);
  return stepper;
}

}  // namespace ricochet
