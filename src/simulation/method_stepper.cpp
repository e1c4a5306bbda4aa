#include "ricochet/simulation/method_stepper.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "ricochet/error.hpp"
#include "ricochet/mechanics/gaps.hpp"
#include "ricochet/mechanics/lagrangian.hpp"
#include "ricochet/mechanics/symmetry.hpp"
#include "ricochet/methods/method.hpp"

namespace ricochet {

namespace {

class MethodStepper : public Stepper {
 public:
  MethodStepper(std::shared_ptr<const System> system, std::unique_ptr<Method> method, State state)
      : system_(std::move(system)),
        method_(std::move(method)),
        work_(method_->workspace()),
        lagrangian_(*system_),
        gaps_(*system_),
        state_(std::move(state)) {
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
  Extremes extremes() override { return {work_->gap_min, -1, -1}; }

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

  // t, then sizes and contents of q, p, modes, then the counters and the gap
  std::vector<double> save() const override {
    std::vector<double> saved{state_.t};
    for (const auto* part : {&state_.q, &state_.p, &state_.modes}) {
      saved.push_back(static_cast<double>(part->size()));
      saved.insert(saved.end(), part->begin(), part->end());
    }
    for (const std::int64_t count : work_->counters) saved.push_back(static_cast<double>(count));
    saved.push_back(work_->gap_min);
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
    work_->gap_min = next();
    work_->impacts.clear();
  }

 private:
  std::shared_ptr<const System> system_;
  std::unique_ptr<Method> method_;
  std::unique_ptr<Workspace> work_;
  Lagrangian lagrangian_;
  Gaps gaps_;
  State state_;
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
  check_admissible(system, initial);
  if (!method.degenerate)
    if (const auto direction = singular_direction(lagrangian, initial.position.data(), v.data(), initial.t))
      throw ModelError("system.lagrangian",
                       fmt::format("the mass matrix is singular at the start: no kinetic energy in the direction of {}",
                                   *direction));
}

}  // namespace

std::unique_ptr<Stepper> make_stepper(const Model& model, const IntegratorOptions& options, const InitialState& initial,
                                      std::vector<std::string>& warnings) {
  auto system = std::make_shared<const System>(model);
  const Descriptor* descriptor = nullptr;
  for (const Descriptor& d : method_descriptors())
    if (d.name == options.method) descriptor = &d;
  if (descriptor != nullptr) check_start(*system, *descriptor, initial);
  std::unique_ptr<Method> method = make_method(system, options);
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
  for (std::string& sentence : broken_symmetries(*system, state.q, v, state.t)) warnings.push_back(std::move(sentence));
  return std::make_unique<MethodStepper>(std::move(system), std::move(method), std::move(state));
}

}  // namespace ricochet
