#pragma once
// The only place that splits a step. A flow (discrete/flow.hpp) is searched for its first event
// (contact/first_event.hpp); there the momentum decides what happens, and a new flow starts from it.
//
//   c = n·v⁻ + g_t > 0    no impulse: path and momentum differ by O(h²), and the new flow leaves. Counted. If the path
//                         is back within h/K, it closes: rules of first order would part and meet without end.
//   |c| <= ρ_v            the contact closes: it becomes a row of the flow and is no longer watched.
//   c < −ρ_v              an impact of A = {it} ∪ {closed contacts} ∪ {those that close within eps_g of a step}: the
//   laws give
//                         impulses; what then has c⁺ <= ρ_v is closed, the rest open.
//
// **Closing by resolution.** A leaving contact comes back after τ = 2c⁺/g_n, g_n = −g̈ with the resting contacts held.
// With ρ = max c⁺/max|c⁻| bouncing ends within the step if τ <= (1−ρ)h; and nobody wants to see more than K bounces in
// a step, τ <= h/K. Those of A with such a g_n > 0 close, but those whose multiplier would pull with all of them held:
// the momentum is projected on c = 0 for what rests. The others leave: the floor under a pile is not thrown off because
// two bodies on it part. An elastic contact loses at most g_n²h²/(8ΔK²) by that.
//
// Contacts that nothing presses may strike each other ever faster too (inelastic collapse). What the bounces of a lossy
// contact within one step leave of a speed is the product of their restitutions; below 1/K, and after K bounces, it
// has e = 0 for the rest of the step.
//
// **Friction.** A contact that closes sticks if its slip is no more than round-off, else it slides; which of both is
// decided by the flow. A slip that comes to an end within the flow is an event: there it sticks, and the next flow
// decides again.
//
// **One flow and where it ends** is in event_loop_flow.cpp: as far as there is a flow, and contacts left too early.
//
// **The discrete energy rule** acts on the line p⁺ = P(p⁻ + λJᵀΛ), P the projection in the metric of M that holds the
// contacts which the mirror image λ = 1 leaves at rest. Where it has nothing to say (contact/impact_energy.hpp) the
// mirror image itself is taken, for the rest of the step. Counted.
//
// **Derivative.** Each flow is a map of (q, p, length, t). λ and unknown lengths follow from the implicit function
// theorem, impulses by the laws on dual numbers.

#include <Eigen/Dense>
#include <optional>
#include <span>
#include <vector>

#include "mode_ledger.hpp"
#include "ricochet/contact/active_set.hpp"
#include "ricochet/contact/first_event.hpp"
#include "ricochet/contact/impact_energy.hpp"
#include "ricochet/contact/law_resolver.hpp"
#include "ricochet/methods/contact_forces.hpp"
#include "ricochet/methods/method.hpp"
#include "ricochet/methods/running_scalars.hpp"

namespace ricochet {

// Numbers of the contacts of an impact: as many as there are, and no allocation for another number of them.
inline Eigen::Map<Eigen::VectorXd> view(std::vector<double>& x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

struct EventLoopSettings {
  bool discrete_energy = true;  // of elastic impacts
  Simultaneous simultaneous = Simultaneous::moreau;
  double eps_g = 1e-9;  // part of a step
  int max_impacts = 1000;
  bool rest = true;        // closing by resolution
  int most_bounces = 100;  // K
  int parts = 1;           // that a step of the method is made of; closing is judged by the whole step
};

enum EventCounter {
  grazing_fallbacks,
  simultaneous_impacts,
  multi_impact_steps,
  events_without_impulse,
  closings,
  episodes,
};
std::vector<std::string> event_counters();  // their names

class EventLoop : private Path {
 public:
  EventLoop(const System& system, const EventLoopSettings& settings, SubStep& step, Gaps& gaps, Flow& flow);

  // From state.t to state.t + h. Throws SolverError and then leaves the state as it was.
  void step(State& state, double h, Workspace& report, StepJacobian* jacobian);
  bool is_near() const { return !events_.near().empty() || !held_.empty(); }  // the last path, to a contact
  bool any_closed(const State& state) const {
    if (state.modes.size() != closed_.size()) return !closed_.empty();  // not known yet
    bool any = false;
    for (const double mode : state.modes) any |= mode != 0;
    return any;
  }

 private:
  struct Sensitivity {  // of the running point (q, p, E⁻, t) by the start of the step: (q0, p0, h, t0, θ)
    Eigen::MatrixXd q, p;
    Eigen::RowVectorXd energy, t;
    Eigen::RowVectorXd end;  // t0 + h
    void reset(int n, int columns);
  };

  void find_closed_at_start(double h);
  void close_at_end(double h);
  double flow_round_off(int piece, const double* q, double t);
  void drop_unsupported();
  bool look_ahead(double rest, std::optional<Event>& event, int& stops);
  bool run_flow(double rest, std::optional<Event>& event, int& stops);
  double lift(int piece, double t, const double* q, const double* p);
  void let_go();
  std::optional<double> find_lift(double length);
  bool find_event(double r, std::optional<Event>& event);  // false: the rule of the pending impulse has nothing to say
  void position(double s, double* q) override;
  bool solve(double s);
  void show_path(double length, std::vector<Workspace::PathPoint>& path);
  void meet(const Event& event, double h, Workspace& report);
  void impact(double h, Workspace& report);
  bool closes(double h);
  bool leaves_nothing() const;
  bool closes_early(int k) const;
  void press_resting(std::span<const double> c_plus, std::vector<double>& accelerations);
  void close(int piece, int met);
  void set_impulse();
  void set_line(double h);
  void take_mirror_image(Workspace& report);
  void begin_line(double h, Workspace& report);
  void finish_line(Workspace& report, double residual, int iterations);
  void note_gap(Workspace& report);
  [[noreturn]] void fail_with_many(int gap, int events) const;
  void add_impulses();
  void leave(double h, Workspace& report);
  int find_stop(double length, double& when);
  void end_slips(int stops);
  void set_rub(int k, const double* c);
  void capture();
  void check_differentiable();
  void refuse_derivative(const std::string& why, int gap = -1);
  void differentiate_impulse(int column, Eigen::VectorXd& dp, double& d_work);
  void jump();
  int theta_of(int column) const { return column - 2 * n_ - 2; }  // negative: no parameter
  int met(const Event& event, double t1);
  Eigen::RowVectorXd gap_row(int piece, double t1);
  bool only_touches(int piece, double t, double length, double rate);
  bool ends_without_rate(int stops, double length, double rate);
  void propagate(double t, double length, const Event* event, int stops);

  const System& system_;
  EventLoopSettings settings_;
  RunningScalars scalars_;
  ContactForces forces_;
  SubStep& step_;
  Gaps& gaps_;
  Flow& flow_;
  FirstEvent events_;
  ActiveSet active_;
  ModeLedger modes_;
  ImpactResolver<double> resolver_, capture_;
  ImpactResolver<formula::Dual<double>> dual_resolver_;
  std::vector<Restitution> restitutions_;  // of each contact
  std::vector<LawContact<double>> law_contacts_, capture_contacts_;
  std::vector<double> still_;

  int n_;
  double t_ = 0, length_ = 0, done_ = 0, energy_minus_ = 0;  // length: of the step
  Eigen::VectorXd q_, p_;                                    // running point
  std::vector<char> closed_, released_;
  std::vector<char> resting_, captured_;          // of active_; captured_: those that rest by resolution
  std::vector<int> held_, kept_, held_at_start_;  // kept: left too early before
  int stale_ = 0;                                 // so many of them since before an impact
  std::vector<Rub> rubs_at_start_;                // of the flow, of those held
  std::vector<double> bounced_;   // of each piece: the product of the restitutions of its impacts in this step
  double least_bounce_, bounce_;  // 1/K, and what is counted at most for one impact: K^(−1/K)
  std::vector<char> has_maximum_;
  std::vector<double> slip_floor_;  // of each piece: a slip that is none
  std::vector<double> passed_;      // of each gap: when in this step its last event without impulse was
  std::vector<Rub> rubs_;           // of each piece
  double stop_ = 0;
  PathModel model_;
  enum class Law { momentum, discrete, continuous, rest } law_ = Law::momentum;  // of the last impact
  Eigen::VectorXd middle_, later_, v_plus_;
  std::vector<double> impulse_, base_, mirror_, speeds_, rest_impulse_, held_impulse_,
      c_plus_;  // of the rows of active_
  std::vector<double> reach_, accelerations_, held_accelerations_, works_, flow_impulses_, contact_impulses_;
  bool pressed_ = false;  // contact_impulses_ are those of this step
  ScaledSolver<double> solver_;
  std::vector<int> set_, all_, normal_rows_;  // rows that rest, all normal rows, contacts
  ImpactLine line_;
  Outgoing out_;
  std::optional<Outgoing> whole_;  // of a pending impact, to the end of the flow
  bool pending_ = false;           // the impulse at the running point is on line_, its size still unknown
  bool by_law_ = false, captures_friction_ = false;  // laws, friction take part in rest_impulse_
  bool mirror_only_ = false;                         // for the rest of this step
  bool lost_ = false;
  bool noted_ = false;  // the gaps at the start of the flow are in the report
  bool clear_ = false;  // every open gap of the flow is positive, or growing
  bool moved_ = false;  // the last flow can be told from a point
  double solved_ = 0;   // length of the last solve of a pending impulse
  Sensitivity sensitivity_;
  SubStepDerivative derivative_;
  ActiveSet::Differential differential_;
  std::vector<formula::Dual<double>> dual_delta_, dual_c_;
  ScaledSolver<formula::Dual<double>> dual_solver_;
  StepJacobian* jacobian_ = nullptr;
};

}  // namespace ricochet
