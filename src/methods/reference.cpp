// The reference solution: what the equations of motion say, to round-off as far as possible. No structure is built in;
// it is the truth that the structure-preserving methods are measured against.
//
// Between impacts methods/hamiltonian_flow.hpp. Each of its accepted steps, at most a quarter of the method's step
// long, is a flow of the event loop (event_loop.hpp): a thin obstacle is not jumped, and the path is the Runge–Kutta
// step of variable length itself, so that a root is as exact as the solution. Impulses act on the momentum. Contacts
// that are closed are constraints of the equations of motion; one that would pull is left where its reaction vanishes.
// Each flow begins and ends with position and momentum brought back onto constraints and closed contacts: the drift is
// of the tolerance.

#include <cmath>

#include "collision.hpp"
#include "hamiltonian_flow.hpp"
#include "ricochet/contact/hold.hpp"
#include "ricochet/error.hpp"
#include "ricochet/numerics/find_root.hpp"

namespace ricochet {

namespace {

using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<ParameterDoc> reference_parameters() {
  std::vector<ParameterDoc> list{{.name = "tolerance",
                                  .default_value = 1e-12,
                                  .doc = "relative error of one internal step",
                                  .min = 1e-15,
                                  .max = 1e-2}};
  for (ParameterDoc& parameter : event_parameters()) list.push_back(std::move(parameter));
  return list;
}

const Descriptor about_reference{
    .name = "reference",
    .doc = "adaptive Runge–Kutta 8(7) with exact impact times: the truth that other methods are compared with",
    .order = "8, with error control",
    .preserves = "nothing exactly; everything to about its tolerance, for as long as the motion is not chaotic",
    .not_preserved = "symplectic form, momentum maps and energy over long times; it has no step derivative",
    .parameters = reference_parameters(),
    .contacts = true,
    .holonomic = true,
    .nonholonomic = true,
    .forces = true,
    .lasting = true,
    .counters = event_counters(),
    .laws = {},
};

class ReferenceFlow final : public Flow {
 public:
  ReferenceFlow(SubStep& point, Gaps& gaps, double tolerance)
      : point_(point),
        gaps_(gaps),
        flow_(point.lagrangian(), tolerance),
        n_(point.n()),
        error_(std::fmax(tolerance, 4e-15)) {
    for (auto* x : {&start_, &y_, &end_}) x->assign(2 * n_, 0.0);
    mean_.assign(n_, 0.0);
  }
  void set_largest_part(double length) { largest_part_ = length; }
  double holonomic_max = 0, nonholonomic_max = 0;
  const std::atomic<bool>* stop = nullptr;

  void start(double t, const double* q, const double* p, double rest, std::vector<int>& held, std::span<const int> kept,
             std::span<Rub> rubs) override {
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) throw Interrupted();
    // the next part of the same step: ARKODE keeps the length of its steps
    const bool goes_on = ended_ && t == t_end_ && flow_.t() < end_time_ && std::equal(q, q + n_, end_.begin()) &&
                         std::equal(p, p + n_, end_.begin() + n_) && held == held_ && held.empty() &&
                         point_.lagrangian().system().constraints().empty();
    t_ = t;
    rest_ = rest;
    if (!goes_on) {
      std::copy(q, q + n_, start_.begin());
      std::copy(p, p + n_, start_.begin() + n_);
      held_ = held;
      release(kept, rubs);
      held = held_;
      stay_on(t, start_.data());
      end_time_ = t + rest;
      flow_.start(t, start_.data(), end_time_, largest_part_);
    } else {
      start_ = end_;
    }
    flow_.advance();
    reach_ = flow_.t() < end_time_ ? std::fmin(rest, flow_.t() - t) : rest;
    std::copy(flow_.y(), flow_.y() + 2 * n_, end_.begin());
    ended_ = false;
    if (!held_.empty()) stop_at_release();
    stay_on(t + reach_, end_.data());
  }
  void restart(const double*) override {}  // only the discrete energy rule asks for it
  double reach() const override { return reach_; }

  void solve(double s) override {
    s_ = s;
    if (s == reach_) {
      y_ = end_;
      ended_ = true;
      t_end_ = t_ + s;
    } else if (s == 0) {
      y_ = start_;
    } else {
      flow_.partial(s, y_.data());
    }
    if (s == 0)
      point_.lagrangian().velocity(start_.data(), start_.data() + n_, t_, mean_.data());
    else
      for (int i = 0; i < n_; ++i) mean_[i] = (y_[i] - start_[i]) / s;
  }
  const double* q() const override { return y_.data(); }
  const double* p() override { return y_.data() + n_; }
  const double* mean_velocity() const override { return mean_.data(); }
  void energies(double& before, double& after) override {
    std::vector<double> v(n_);
    point_.lagrangian().velocity(q(), p(), t_, v.data());
    before = after = point_.lagrangian().energy(q(), v.data(), t_);
  }
  // ∫ F_k·v dt by Gauss's rule of order 8, as the flow's.
  void add_work(double* work) override {
    if (flow_.forces().empty() || s_ == 0) return;
    constexpr double inner = 0.33998104358485626, outer = 0.86113631159405258;  // ± on [−1, 1]
    constexpr double heavy = 0.65214515486254614, light = 0.34785484513745386;
    constexpr double places[] = {-outer, -inner, inner, outer}, weights[] = {light, heavy, heavy, light};
    std::vector<double> y(2 * n_), v(n_);
    for (int k = 0; k < 4; ++k) {
      const double part = s_ * (1 + places[k]) / 2;
      flow_.partial(part, y.data());
      point_.lagrangian().velocity(y.data(), y.data() + n_, t_ + part, v.data());
      flow_.forces().add_powers(s_ * weights[k] / 2, y.data(), v.data(), t_ + part, work);
    }
  }
  // −∫ Σ μ g_t + τ·P_t dt, by the same rule
  double obstacle_work() override {
    double work = 0;
    std::vector<double> normal(n_);
    integrate([&](double weight) {
      for (std::size_t k = 0; k < held_.size(); ++k) {
        const Rub& rub = held_rubs_[k];
        const int c = static_cast<int>(k);
        double g_t = 0;
        gaps_.gradient(held_[k], at_.data(), t_ + part_, normal.data(), g_t);
        work -= weight * reactions_[k] * g_t;
        for (int a = 0; a < rub.tangents; ++a) work -= weight * flow_.friction(c, a) * flow_.slip_rate(c, a);
      }
    });
    return work;
  }
  double friction_loss() override {
    double loss = 0;
    integrate([&](double weight) {
      for (std::size_t k = 0; k < held_.size(); ++k) {
        const Rub& rub = held_rubs_[k];
        if (rub.tangents == 0 || rub.sticks) continue;
        const int c = static_cast<int>(k);
        loss -= weight * flow_.cone(c) * std::hypot(flow_.slip(c, 0), rub.tangents == 2 ? flow_.slip(c, 1) : 0);
      }
    });
    return loss;
  }
  void add_impulses(double* impulses) override {
    integrate([&](double weight) {
      for (std::size_t k = 0; k < held_.size(); ++k) {
        const Rub& rub = held_rubs_[k];
        const int c = static_cast<int>(k);
        impulses[3 * k] += weight * flow_.normal_force(c);
        for (int a = 0; a < rub.tangents; ++a) impulses[3 * k + 1 + a] += weight * flow_.friction(c, a);
      }
    });
  }
  double slip_at_start(int k) override {
    look(t_, start_.data());
    return along(k);
  }
  double slip_at_end(int k) override {
    look(t_ + s_, y_.data());
    return along(k);
  }
  double slip_round_off(int k) override {
    look(t_ + s_, y_.data());
    return slip_error(k, t_ + s_, y_.data());
  }
  bool stands_still(int k, Rub& rub) override {
    if (rub.tangents < 2) return true;
    look(t_ + s_, y_.data());
    const double size = std::hypot(flow_.slip(k, 0), flow_.slip(k, 1));
    if (size <= 1e3 * slip_error(k, t_ + s_, y_.data())) return true;  // a root of a sum is exact to its terms
    rub.slide(flow_.slip(k, 0), flow_.slip(k, 1));
    return false;
  }
  void turn(int k, Rub& rub) override {
    if (rub.tangents == 2 && slip_at_end(k) > 0) rub.slide(flow_.slip(k, 0), flow_.slip(k, 1));
  }
  const char* derivative(SubStepDerivative&) override { return "the method has no step derivative"; }
  bool is_parabola() const override { return false; }

 private:
  void look(double t, const double* y) {
    reactions_.resize(held_.size());
    flow_.reactions(t, y, reactions_.data());
  }
  // At the place of the last look. The slips of a body that stops end together, up to the error of the flow.
  double slip_error(int k, double t, const double* y) {
    return error_ * (flow_.slip_size(k) + largest_part_ * flow_.slip_reach(k, t, y));
  }
  double along(int k) const {
    const Rub& rub = held_rubs_[k];
    return rub.slip[0] * flow_.slip(k, 0) + (rub.tangents == 2 ? rub.slip[1] * flow_.slip(k, 1) : 0);
  }
  // f(weight) at the places of Gauss's rule of order 8, with the reactions there.
  template <class F>
  void integrate(const F& f) {
    if (held_.empty() || s_ == 0) return;
    constexpr double inner = 0.33998104358485626, outer = 0.86113631159405258;
    constexpr double heavy = 0.65214515486254614, light = 0.34785484513745386;
    constexpr double places[] = {-outer, -inner, inner, outer}, weights[] = {light, heavy, heavy, light};
    std::vector<double> y(2 * n_);
    for (int k = 0; k < 4; ++k) {
      const double part = s_ * (1 + places[k]) / 2;
      flow_.partial(part, y.data());
      look(t_ + part, y.data());
      at_ = y;
      part_ = part;
      f(s_ * weights[k] / 2);
    }
  }
  // How far the worst stick is outside its cone, as part of the forces; which: its number.
  double overload(std::size_t& which) {
    double worst = 0;
    const double size = std::fmax(flow_.force_size(), least_force_size_);
    for (std::size_t k = 0; k < held_.size() && size > 0; ++k) {
      const Rub& rub = held_rubs_[k];
      const int c = static_cast<int>(k);
      if (rub.tangents == 0 || !rub.sticks) continue;
      const double tau = std::hypot(flow_.friction(c, 0), rub.tangents == 2 ? flow_.friction(c, 1) : 0);
      const double part = (std::fmax(0, flow_.cone(c)) - tau) * flow_.tangent_size(c) / size;
      if (part < worst) worst = part, which = k;
    }
    return worst;
  }
  // What sticks in several points cannot where their obstacles move different ways. How much the worst of them slips
  // all the same, as part of the forces (negative); which: its number. Of the last look.
  double stray(std::size_t& which) {
    double worst = 0;
    const double size = std::fmax(flow_.force_size(), least_force_size_);
    for (std::size_t k = 0; k < held_.size() && size > 0; ++k) {
      const Rub& rub = held_rubs_[k];
      const int c = static_cast<int>(k);
      if (rub.tangents == 0 || !rub.sticks || strayed_[held_[k]] > 1) continue;
      const double slips =
          std::hypot(flow_.slip_acceleration(c, 0), rub.tangents == 2 ? flow_.slip_acceleration(c, 1) : 0);
      const double part = -slips / (flow_.tangent_size(c) * size);
      if (part < worst) worst = part, which = k;
    }
    return worst;
  }
  // One that has strayed and would come back at once: others gave way after it.
  bool returns(int k) {
    const Rub& rub = held_rubs_[k];
    if (rub.sticks || strayed_[held_[k]] != 1 || along(k) > slip_error(k, t_, start_.data())) return false;
    return rub.slip[0] * flow_.slip_acceleration(k, 0) + rub.slip[1] * flow_.slip_acceleration(k, rub.tangents - 1) < 0;
  }
  // What the momentum is projected on: a slip is left as it is.
  std::span<const Rub> stuck() {
    stuck_ = held_rubs_;
    for (Rub& rub : stuck_)
      if (!rub.sticks) rub.tangents = 0;
    return stuck_;
  }

  // The largest pull of a held contact at (t, y), as part of the forces: μ√Δ/√(rᵀM⁻¹r) < 0; which: its number.
  double pull(double t, const double* y, std::size_t& which) {
    VectorXd mu(static_cast<int>(held_.size())), normal(n_), w(n_), v(n_);
    flow_.reactions(t, y, mu.data());
    double worst = 0, size = std::fmax(flow_.force_size(), least_force_size_);
    which = 0;
    for (std::size_t k = 0; k < held_.size(); ++k) {
      double g_t = 0;
      gaps_.gradient(held_[k], y, t, normal.data(), g_t);
      point_.lagrangian().velocity(y, y + n_, t, v.data());
      point_.lagrangian().apply_inverse_mass(normal.data(), w.data());
      const double part = size > 0 ? mu[static_cast<int>(k)] * std::sqrt(normal.dot(w)) / size : 0;
      if (part < worst) worst = part, which = k;
    }
    return worst;
  }

  void use(std::span<const Rub> rubs) {
    held_rubs_.clear();
    for (const int piece : held_) held_rubs_.push_back(rubs[piece]);
    flow_.hold(gaps_, held_, held_rubs_);
  }

  static constexpr double slight = 1e-10;  // part of the forces: round-off of reactions is no pull

  void release(std::span<const int> kept, std::span<Rub> rubs) {
    strayed_.assign(rubs.size(), 0);
    use(rubs);
    if (!held_.empty()) look(t_, start_.data());
    for (int k = 0; k < static_cast<int>(held_.size());
         ++k) {  // without slip it sticks, unless that is too much for it
      const Rub& rub = held_rubs_[k];
      const double slip = rub.tangents == 2 ? std::hypot(flow_.slip(k, 0), flow_.slip(k, 1)) : along(k);
      if (rub.tangents > 0 && !rub.sticks && slip <= slip_error(k, t_, start_.data())) rubs[held_[k]].stick();
    }
    for (;;) {
      use(rubs);
      if (held_.empty()) return;
      std::size_t which = 0;
      const double pulls = pull(t_, start_.data(), which);
      for (int k = 0; k < static_cast<int>(held_.size()); ++k)
        if (flow_.jams(k))
          throw SolverError("a contact slides so rough that its force would press it on itself (Painleve)", 0, 0,
                            "less friction, or a duration that ends before");
      if (pulls < -slight && std::find(kept.begin(), kept.end(), held_[which]) == kept.end()) {
        held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(which));
        continue;
      }
      if (stray(which) < -slight) {
        const int c = static_cast<int>(which);
        const double second = held_rubs_[which].tangents == 2 ? flow_.slip_acceleration(c, 1) : 0;
        rubs[held_[which]].slide(flow_.slip_acceleration(c, 0), second);
        ++strayed_[held_[which]];
        continue;
      }
      if (overload(which) >= -slight) {
        bool fits = true;
        for (int k = 0; k < static_cast<int>(held_.size()) && fits; ++k) {
          if (!returns(k)) continue;
          rubs[held_[k]].stick();
          ++strayed_[held_[k]];
          fits = false;
        }
        if (fits) return;
        continue;
      }
      const int c = static_cast<int>(which);
      rubs[held_[which]].slide(-flow_.friction(c, 0), held_rubs_[which].tangents == 2 ? -flow_.friction(c, 1) : 0);
    }
  }

  void stop_at_release() {
    std::size_t which = 0;
    const auto excess = [&](double s) {
      if (s != reach_) flow_.partial(s, y_.data());
      const double pulls = pull(t_ + s, s == reach_ ? end_.data() : y_.data(), which);
      return std::fmin(pulls, std::fmin(overload(which), stray(which))) + 2 * slight;
    };
    double at_end = excess(reach_);
    const double size_at_end = flow_.force_size();
    double at_start = excess(0);
    if (at_end >= 0 || at_start <= 0) return;
    // Where all forces vanish on the way, a pull as part of them jumps there: as part of the larger it does not.
    least_force_size_ = std::fmax(size_at_end, flow_.force_size());
    at_end = excess(reach_), at_start = excess(0);
    if (at_end < 0 && at_start > 0) {
      reach_ = find_root(excess, 0, reach_, at_start, at_end).x;
      flow_.partial(reach_, end_.data());
    }
    least_force_size_ = 0;
  }

  // Position and momentum onto the constraints and the closed contacts.
  void stay_on(double t, double* y) {
    const System& system = point_.lagrangian().system();
    if (system.constraints().empty() && held_.empty()) return;
    ConstrainedStep& rows = point_.constrained();
    const int m = static_cast<int>(held_.size());
    if (m > 0) {  // the shortest shift in the metric of mass that closes them
      MatrixXd N(n_, m), W(n_, m);
      VectorXd g(m), v(n_), shift(m);
      point_.lagrangian().velocity(y, y + n_, t, v.data());
      for (int k = 0; k < m; ++k) {
        double g_t = 0;
        g[k] = gaps_.gradient(held_[k], y, t, N.col(k).data(), g_t);
        point_.lagrangian().apply_inverse_mass(N.col(k).data(), W.col(k).data());
      }
      const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> gram = N.transpose() * W;
      std::vector<int> all(m);
      for (int k = 0; k < m; ++k) all[k] = k;
      hold(gram.data(), m, all, g.data(), shift.data(), solver_);
      Map<VectorXd>(y, n_) += W * shift;
    }
    Constraints& constraints = rows.constraints();
    constraints.move_onto(y);
    const std::vector<double>& v = rows.project(t, y, y + n_, held_, stuck());
    if (contradict(t, y, v))
      throw SolverError("closed contacts move against each other and leave no room", -1, -1,
                        "a duration that ends before, or obstacles that do not meet");
    constraints.evaluate(y);
    std::vector<double> rate(constraints.count());
    constraints.rates(v.data(), rate.data());
    for (int k = 0; k < constraints.count(); ++k)
      if (k < constraints.holonomic())
        holonomic_max = std::fmax(holonomic_max, std::abs(constraints.value(k)));
      else
        nonholonomic_max = std::fmax(nonholonomic_max, std::abs(rate[k]));
  }

  // Obstacles that move may leave no speed v which keeps all contacts: what is missing then is of the size of theirs.
  bool contradict(double t, const double* y, const std::vector<double>& v) {
    VectorXd normal(n_), w(n_);
    double missing = 0, size = 0, floor = 0;
    for (const int piece : held_) {
      double rate = 0;
      gaps_.gradient(piece, y, t, normal.data(), rate);
      if (rate == 0) continue;
      double terms = std::abs(rate);
      for (int i = 0; i < n_; ++i) rate += normal[i] * v[i], terms += std::abs(normal[i] * v[i]);
      point_.lagrangian().apply_inverse_mass(normal.data(), w.data());
      missing = std::fmax(missing, std::abs(rate));
      size = std::fmax(size, terms);
      floor = std::fmax(floor, error_ * std::sqrt(normal.dot(w)) * largest_part_ * flow_.force_size());
    }
    return missing > std::sqrt(error_) * size && missing > floor;
  }

  SubStep& point_;
  Gaps& gaps_;
  HamiltonianFlow flow_;
  int n_;
  double error_;  // of a flow, relative
  double least_force_size_ = 0;
  double t_ = 0, s_ = 0, rest_ = 0, reach_ = 0, largest_part_ = 0, t_end_ = 0, end_time_ = 0;
  bool ended_ = false;  // the last solve went to the end of the flow
  std::vector<int> held_;
  std::vector<Rub> held_rubs_, stuck_;
  std::vector<char> strayed_;  // of each piece: slides for that at this start (1), and sticks again for good (2)
  std::vector<double> start_, y_, end_, mean_, reactions_, at_;
  double part_ = 0;
  ScaledSolver<double> solver_;
};

struct ReferenceWorkspace : Workspace {
  ReferenceWorkspace(const System& system, double tolerance, const EventLoopSettings& settings)
      : point(system, make_tableau("midpoint", {}), {}),
        gaps(system),
        flow(point, gaps, tolerance),
        events(system, settings, point, gaps, flow) {}
  SubStep point;  // carries the Lagrangian and the constraints
  Gaps gaps;
  ReferenceFlow flow;
  EventLoop events;
};

class Reference : public Method {
 public:
  Reference(std::shared_ptr<const System> system, const IntegratorOptions& options)
      : system_(std::move(system)),
        tolerance_(std::get<double>(options.parameters.at("tolerance"))),
        settings_(event_settings(options)) {}

  const Descriptor& descriptor() const override { return about_reference; }
  std::unique_ptr<Workspace> workspace() const override {
    return std::make_unique<ReferenceWorkspace>(*system_, tolerance_, settings_);
  }

  void step(State& state, double h, Workspace& workspace, StepJacobian* jacobian) const override {
    auto& w = static_cast<ReferenceWorkspace&>(workspace);
    w.flow.set_largest_part(h / 4);
    w.flow.stop = w.stop;
    w.flow.holonomic_max = w.flow.nonholonomic_max = 0;
    w.events.step(state, h, w, nullptr);
    w.note_violation(w.flow.holonomic_max, w.flow.nonholonomic_max);
    if (jacobian == nullptr) return;
    jacobian->clear();
    jacobian->reason = "the method reference has no step derivative";
  }

 private:
  std::shared_ptr<const System> system_;
  double tolerance_;
  EventLoopSettings settings_;
};

}  // namespace

MethodEntry reference() {
  return {&about_reference,
          [](std::shared_ptr<const System> system, const Tableau&, const IntegratorOptions& options)
              -> std::unique_ptr<Method> { return std::make_unique<Reference>(std::move(system), options); }};
}

}  // namespace ricochet
