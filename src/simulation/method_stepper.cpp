#include "ricochet/simulation/method_stepper.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "ricochet/discrete/constrained_step.hpp"
#include "ricochet/error.hpp"
#include "ricochet/mechanics/gaps.hpp"
#include "ricochet/mechanics/lagrangian.hpp"
#include "ricochet/mechanics/symmetry.hpp"
#include "ricochet/methods/method.hpp"

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
        state_(std::move(state)),
        backward_(backward) {
    const Model& model = system_->model();
    labels_.coordinates = model.coordinates;
    for (const Symmetry& s : model.symmetries) labels_.momenta.push_back(s.name);
    for (const Contact& c : model.contacts) labels_.contacts.push_back(c.name);
    work_->counters.assign(method_->counter_names().size(), 0);
    gaps_.evaluate(state_.q.data(), state_.t);
    work_->gap_min = gaps_.minimum();
  }

  const Labels& labels() const override { return labels_; }

  void advance(double t0, double h) override {
    state_.t = t0;
    work_->impacts.clear();
    method_->step(state_, h, *work_);
    state_.t = t0 + h;
  }

  std::span<const Impact> impacts() const override { return work_->impacts; }
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
  }

  std::vector<Counter> counters() const override {
    std::vector<Counter> result;
    const std::vector<std::string> names = method_->counter_names();
    for (std::size_t k = 0; k < names.size(); ++k) result.push_back({names[k], work_->counters[k]});
    return result;
  }

  // t, then sizes and contents of q, p, modes, then the counters and the extremes
  std::vector<double> save() const override {
    std::vector<double> saved{state_.t};
    for (const auto* part : {&state_.q, &state_.p, &state_.modes}) {
      saved.push_back(static_cast<double>(part->size()));
      saved.insert(saved.end(), part->begin(), part->end());
    }
    for (const std::int64_t count : work_->counters) saved.push_back(static_cast<double>(count));
    saved.insert(saved.end(), {work_->gap_min, work_->holonomic_max, work_->nonholonomic_max});
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
    for (double* extreme : {&work_->gap_min, &work_->holonomic_max, &work_->nonholonomic_max}) *extreme = next();
    work_->impacts.clear();
  }

 private:
  std::shared_ptr<const System> system_;
  std::unique_ptr<Method> method_;
  std::unique_ptr<Workspace> work_;
  Lagrangian lagrangian_;
  Gaps gaps_;
  State state_;
  bool backward_;  // the system is the reversed one: v and p have the other sign
  Labels labels_;
};

constexpr double admissible = -1e-12;  // a start with a gap above this is admissible

// The shortest shift of the position, to first order repeated, that opens a gap again; in words.
std::string mending_shift(const System& system, Gaps& gaps, int gap, std::vector<double> q, double t) {
  const int n = system.n();
  const std::vector<double> start = q;
  std::vector<double> normal(n), best;
  for (int k = 0; k < 50; ++k) {
    gaps.evaluate(q.data(), t);
    if (gaps.value(gap) >= 0) break;
    int piece = -1;  // the one that attains the value of the tree
    for (int i = 0; i < gaps.pieces(); ++i)
      if (gaps.piece(i) == gaps.value(gap)) piece = i;
    double g_t = 0, size = 0;
    const double g = piece < 0 ? 0 : gaps.gradient(piece, q.data(), t, normal.data(), g_t);
    for (const double x : normal) size += x * x;
    if (!(size > 0) || piece < 0) return "";
    for (int i = 0; i < n; ++i) q[i] -= (1 + 1e-12) * g * normal[i] / size;
  }
  std::vector<std::string> words;
  for (int i = 0; i < n; ++i)
    if (q[i] != start[i]) words.push_back(fmt::format("{} = {:.6g}", system.model().coordinates[i], q[i]));
  return fmt::format("; the smallest shift that mends it leads to {}", fmt::join(words, ", "));
}

void check_admissible(const System& system, const InitialState& initial) {
  Gaps gaps(system);
  gaps.evaluate(initial.position.data(), initial.t);
  for (int gap = 0; gap < gaps.count(); ++gap) {
    const double value = gaps.value(gap);
    if (value >= admissible) continue;
    const std::string& name = system.gaps()[gap].name;
    if (!std::isfinite(value))
      throw ModelError("system.contact." + name + ".gap", "the gap has no finite value at the start");
    throw ModelError("initial.position",
                     fmt::format("the start is inside contact '{}': gap = {:.6g}, expected >= 0{}", name, value,
                                 mending_shift(system, gaps, gap, initial.position, initial.t)));
  }
}

constexpr double on_manifold = 1e-10;  // largest violation of a constraint by the start

// Position and velocity on the constraints: brought there if asked for, refused with the residual otherwise.
void meet_constraints(const System& system, InitialState& initial) {
  if (system.constraints().empty()) return;
  if (!system.quadratic())
    throw ModelError("system.lagrangian", "constraints need a Lagrangian that is quadratic in the velocities");
  SubStep step(system, make_tableau("midpoint", {}), {});
  ConstrainedStep& constrained = step.constrained();
  Constraints& constraints = constrained.constraints();
  const int holonomic = constraints.holonomic(), count = constraints.count();
  const auto worst = [&](int first, int last, const std::vector<double>& r) {
    int k = first;
    for (int i = first; i < last; ++i)
      if (std::abs(r[i]) > std::abs(r[k])) k = i;
    return k;
  };
  std::vector<double>& q = initial.position;
  std::vector<double> r(count);
  const auto values = [&] {
    constraints.evaluate(q.data());
    for (int k = 0; k < holonomic; ++k) r[k] = constraints.value(k);
  };
  if (initial.project) constraints.move_onto(q.data());
  values();
  if (holonomic > 0) {
    const int k = worst(0, holonomic, r);
    if (!(std::abs(r[k]) <= on_manifold))
      throw ModelError(
          "initial.position",
          initial.project
              ? fmt::format("no position near the start meets the constraints: '{}' keeps the residual {:.3g}; do they "
                            "contradict each other?",
                            constraints.name(k), r[k])
              : fmt::format("the start is off the constraint '{}': residual {:.6g}, expected 0; initial.project = true "
                            "moves it there",
                            constraints.name(k), r[k]));
  }
  Lagrangian lagrangian(system);
  std::vector<double> p = initial.velocity, v = initial.velocity;
  if (!initial.momentum_given) lagrangian.momentum(q.data(), v.data(), initial.t, p.data());
  const std::vector<double> allowed = constrained.project(initial.t, q.data(), p.data());
  if (initial.momentum_given) lagrangian.velocity(q.data(), initial.velocity.data(), initial.t, v.data());
  constraints.evaluate(q.data());
  constraints.rates(v.data(), r.data());
  const int k = worst(0, count, r);
  double fastest = 1;
  for (const double x : v) fastest = std::fmax(fastest, std::abs(x));
  if (!initial.project && std::abs(r[k]) > on_manifold * fastest)
    throw ModelError(
        initial.momentum_given ? "initial.momentum" : "initial.velocity",
        fmt::format(
            "the velocity breaks the constraint '{}': rate {:.6g}, expected 0; initial.project = true takes the "
            "nearest velocity that does not",
            constraints.name(k), r[k]));
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

}  // namespace

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
  meet_constraints(*system, initial);
  check_admissible(*system, initial);  // where the constraints have brought it
  Lagrangian lagrangian(*system);
  State state{.t = initial.t, .q = initial.position, .p = initial.velocity, .modes = {}};
  std::vector<double> v = initial.velocity;
  try {
    if (initial.momentum_given)
      lagrangian.velocity(state.q.data(), state.p.data(), state.t, v.data());
    else
      lagrangian.momentum(state.q.data(), v.data(), state.t, state.p.data());
  } catch (const SolverError& error) {
    throw ModelError("initial.momentum", error.what());
  }
  check_determined(*system, method->descriptor(), options, state);
  for (std::string& sentence : broken_symmetries(*system, state.q, v, state.t)) warnings.push_back(std::move(sentence));
  return std::make_unique<MethodStepper>(std::move(system), std::move(method), std::move(state), options.backward);
}

}  // namespace ricochet
