#include "event_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "registry.hpp"
#include "ricochet/contact/hold.hpp"
#include "ricochet/error.hpp"

namespace ricochet {

using Eigen::Map;
using Eigen::VectorXd;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

std::vector<std::string> event_counters() {
  return {"grazing_fallbacks", "simultaneous_impacts", "multi_impact_steps", "events_without_impulse", "closings",
          "episodes"};
}

EventLoop::EventLoop(const System& system, const EventLoopSettings& settings, SubStep& step, Gaps& gaps, Flow& flow)
    : system_(system),
      settings_(settings),
      scalars_(system.model()),
      forces_(system),
      step_(step),
      gaps_(gaps),
      flow_(flow),
      events_(gaps, system.n()),
      active_(step, gaps),
      modes_(system, gaps),
      n_(system.n()),
      closed_(gaps.pieces(), 0),
      bounced_(gaps.pieces(), 1.0),
      least_bounce_(1.0 / settings.most_bounces * (1 + 1e-9)),
      bounce_(std::pow(settings.most_bounces, -1.0 / settings.most_bounces)),
      slip_floor_(gaps.pieces(), 0.0),
      passed_(gaps.count(), 0.0) {
  for (int gap = 0; gap < gaps.count(); ++gap) {
    has_maximum_.push_back(has_union(system, gap));
    restitutions_.emplace_back(system, gap);
  }
  for (VectorXd* x : {&q_, &p_, &middle_, &later_, &v_plus_, &line_.q, &line_.p_minus, &line_.p, &line_.d, &line_.v,
                      &line_.w_d, &line_.p_plus})
    x->setZero(n_);
  for (auto* x : {&model_.q0, &model_.w0, &model_.a, &model_.error, &reach_}) x->assign(n_, 0.0);
  works_.assign(scalars_.names.size(), 0.0);
  rubs_.resize(gaps.pieces());
  for (int piece = 0; piece < gaps.pieces(); ++piece) rubs_[piece] = active_.rub(piece);
}

void EventLoop::step(State& state, double h, Workspace& report, StepJacobian* jacobian) {
  const double t0 = state.t;
  t_ = t0;
  length_ = h;
  done_ = 0;
  std::copy(state.q.begin(), state.q.end(), q_.data());
  std::copy(state.p.begin(), state.p.end(), p_.data());
  pending_ = mirror_only_ = noted_ = false;
  std::fill(bounced_.begin(), bounced_.end(), 1.0);
  std::fill(slip_floor_.begin(), slip_floor_.end(), 0.0);
  std::fill(passed_.begin(), passed_.end(), -infinity);
  std::fill(works_.begin(), works_.end(), 0.0);
  modes_.start(state);
  pressed_ = false;
  kept_.clear();
  stale_ = 0;
  jacobian_ = jacobian;
  if (jacobian_ != nullptr) {
    sensitivity_.reset(n_, step_.columns());
    jacobian_->reason.clear();
    jacobian_->impacts.clear();
  }
  const bool begins = state.modes.size() != closed_.size();  // nothing is known of contacts yet
  if (!begins) {
    for (std::size_t k = 0; k < closed_.size(); ++k) {
      closed_[k] = state.modes[k] != 0;
      if (closed_[k] != 0) set_mode(rubs_[k], state.modes[k]);
    }
  } else {
    find_closed_at_start(h);
  }
  const std::size_t impacts_before = report.impacts.size();
  for (int events = 0;;) {
    drop_unsupported();
    if (stale_ > 0) let_go();
    held_.clear();
    for (std::size_t k = 0; k < closed_.size(); ++k)
      if (closed_[k] != 0) held_.push_back(static_cast<int>(k));
    if (pending_) place_on_line(line_, 1);
    const double rest = h - done_, t = t_;
    std::optional<Event> event;
    int stops = -1;                         // of those held
    if (!look_ahead(rest, event, stops)) {  // the discrete rule has nothing to say: the mirror image, from now on
      ++report.counters[grazing_fallbacks];
      mirror_only_ = true;
      take_mirror_image(report);
      continue;
    }
    const double reach = flow_.reach();
    const double length = event ? event->s : reach;
    if (report.path != nullptr) show_path(length, *report.path);
    if (!solve(length))
      throw SolverError("the impulse of an impact could not be found", out_.residual, out_.iterations,
                        "a smaller integrator.step");
    if (pending_) finish_line(report, out_.residual, out_.iterations);
    modes_.note(held_, rubs_, {t_, std::fmin(1, done_ / h), q_.data(), pending_ ? line_.p_plus.data() : p_.data()},
                report);
    for (int k = 0; k < static_cast<int>(held_.size()) && begins && done_ == 0; ++k)
      if (rubs_[held_[k]].tangents > 0 && !rubs_[held_[k]].sticks && flow_.slip_at_start(k) <= slip_floor_[held_[k]])
        refuse_derivative("it slides from a start without slip: neighbours slip at once, or back first",
                          system_.contact_of(held_[k]));
    if (stops >= 0) end_slips(stops);
    if (jacobian_ != nullptr) propagate(t, length, event ? &*event : nullptr, stops);
    pending_ = false;
    if (!report.scalars.empty()) {
      flow_.add_work(works_.data());
      if (scalars_.obstacles >= 0) works_[scalars_.obstacles] += flow_.obstacle_work();
      if (scalars_.friction >= 0) works_[scalars_.friction] += flow_.friction_loss();
    }
    if (!held_.empty() && !report.contact_impulses.empty()) add_impulses();
    for (std::size_t k = 0; k < held_.size(); ++k) {
      Rub& rub = rubs_[held_[k]];
      if (rub.tangents > 0 && !rub.sticks) flow_.turn(static_cast<int>(k), rub);
    }
    const double *const q1 = flow_.q(), *const p1 = flow_.p();
    moved_ = t_ + length != t_ || !std::equal(q1, q1 + n_, q_.data());
    std::copy(q1, q1 + n_, q_.data());
    std::copy(p1, p1 + n_, p_.data());
    t_ += length;
    done_ += length;
    leave(h, report);
    if (!event && reach == rest) break;
    noted_ = false;
    if (!event) {  // a part of the flow; parts without length would go on for ever
      if (!moved_ && ++events > settings_.max_impacts) fail_with_many(-1, events);
      continue;
    }
    if (event->gap < 0) {
      if (++events > settings_.max_impacts) fail_with_many(-1, events);
      continue;
    }
    double after = 0;
    flow_.energies(energy_minus_, after);
    if (++events > settings_.max_impacts) fail_with_many(event->gap, events);
    meet(*event, h, report);
  }
  t_ = t0 + h;
  note_gap(report);
  close_at_end(h);
  for (std::size_t k = 0; k < works_.size() && !report.scalars.empty(); ++k) report.scalars[k] += works_[k];
  report.counters[episodes] += modes_.begun();
  if (pressed_) {
    report.contact_impulses = contact_impulses_;
    report.pressed = true;
  }
  if (report.impacts.size() > impacts_before + 1) ++report.counters[multi_impact_steps];
  std::copy(q_.data(), q_.data() + n_, state.q.data());
  std::copy(p_.data(), p_.data() + n_, state.p.data());
  state.modes.resize(closed_.size());
  for (std::size_t k = 0; k < closed_.size(); ++k) state.modes[k] = closed_[k] != 0 ? mode_of(rubs_[k]) : 0;
  state.t = t0 + h;
  if (jacobian_ == nullptr) return;
  if (jacobian_->reason.empty()) {
    Eigen::MatrixXd all(2 * n_, step_.columns());
    all << sensitivity_.q, sensitivity_.p;
    jacobian_->set(all, n_);
  } else {
    jacobian_->clear();
  }
}

// What the flow has left at its end.
void EventLoop::leave(double h, Workspace& report) {
  bool any = false;
  for (std::size_t k = 0; k < held_.size(); ++k) {
    if (!flow_.leaves(static_cast<int>(k))) continue;
    closed_[held_[k]] = 0;
    any = true;
  }
  if (!any) return;
  std::erase_if(held_, [&](int piece) { return closed_[piece] == 0; });
  modes_.note(held_, rubs_, {t_, std::fmin(1, done_ / h), q_.data(), p_.data()}, report);
}

// What the flow's contacts have given, to that of the step.
void EventLoop::add_impulses() {
  if (!pressed_) contact_impulses_.assign(forces_.names.size(), 0.0);
  pressed_ = true;
  flow_impulses_.assign(3 * held_.size(), 0.0);
  flow_.add_impulses(flow_impulses_.data());
  for (std::size_t k = 0; k < held_.size(); ++k) {
    double* of_contact = contact_impulses_.data() + forces_.first[system_.contact_of(held_[k])];
    for (int a = 0; a <= rubs_[held_[k]].tangents; ++a) of_contact[a] += flow_impulses_[3 * k + a];
  }
}

void EventLoop::fail_with_many(int gap, int events) const {
  throw SolverError(gap >= 0 ? fmt::format("more than {} impacts in one step, the last on contact '{}'",
                                           settings_.max_impacts, system_.gaps()[gap].name)
                             : fmt::format("more than {} impacts and ends of slip in one step", settings_.max_impacts),
                    0, events,
                    gap >= 0 && system_.model().contacts[gap].law == "elastic"
                        ? "a smaller integrator.step; if impacts accumulate (Zeno), a lossy law or a larger "
                          "integrator.max_impacts"
                        : "a smaller integrator.step or a larger integrator.max_impacts");
}

void EventLoop::note_gap(Workspace& report) {
  if (noted_ && clear_ && events_.lowest() >= report.gap_min) {  // what is open is far, or above where it was
    const auto value = [&](int piece) {
      const double* const known = step_.constrained().frames().known_gap(piece, q_.data(), t_);
      return known != nullptr ? *known : gaps_.value_of(piece, q_.data(), t_);
    };
    for (const int piece : held_)
      report.gap_min = std::fmin(report.gap_min, gaps_.fold(system_.contact_of(piece), value));
    return;
  }
  gaps_.evaluate(q_.data(), t_);
  report.gap_min = std::fmin(report.gap_min, gaps_.minimum());
}

// A start that touches without speed is closed.
void EventLoop::find_closed_at_start(double h) {
  std::fill(closed_.begin(), closed_.end(), 0);
  if (gaps_.count() == 0) return;
  active_.place(t_, q_.data(), p_.data(), h);
  for (int gap = 0; gap < gaps_.count(); ++gap) active_.add(gap, closed_, 0);
  for (int k = 0; k < active_.size(); ++k)
    if (active_.speed(k) >= -active_[k].still) {
      closed_[active_[k].piece] = 1;
      set_rub(k, active_.c().data());
    }
}

// In a union a closed piece supports nothing where another piece keeps the way open.
void EventLoop::drop_unsupported() {
  for (std::size_t piece = 0; piece < closed_.size(); ++piece) {
    if (closed_[piece] == 0 || has_maximum_[system_.contact_of(static_cast<int>(piece))] == 0) continue;
    const double without = gaps_.fold(system_.contact_of(static_cast<int>(piece)), [&](int k) {
      return k == static_cast<int>(piece) ? -infinity : gaps_.value_of(k, q_.data(), t_);
    });
    if (without > 0) closed_[piece] = 0;
  }
}

// The flow, or after an impact under the discrete rule the flow whose λ belongs to its length.
bool EventLoop::solve(double s) {
  if (!pending_) {
    flow_.solve(s);
    return true;
  }
  if (s == solved_) return !lost_;
  solved_ = std::numeric_limits<double>::quiet_NaN();
  if (s == model_.length && whole_) {
    out_ = *whole_;
    place_on_line(line_, out_.lambda);
    flow_.restart(line_.p_plus.data());
    flow_.solve(s);
  } else {
    lost_ = !solve_discrete(flow_, line_, s, out_);
  }
  solved_ = s;
  return !lost_;
}

void EventLoop::position(double s, double* q) {
  if (!lost_) solve(s);
  const double* const at = flow_.q();
  std::copy(at, at + n_, q);
}

void EventLoop::show_path(double length, std::vector<Workspace::PathPoint>& path) {
  constexpr int points = 16;
  for (int k = 1; k <= points; ++k) {
    solve(length * k / points);
    path.push_back({t_ + length * k / points, std::vector<double>(flow_.q(), flow_.q() + n_)});
  }
}

// The path as a parabola with the error measured in the middle, searched by intervals.
bool EventLoop::find_event(double r, std::optional<Event>& event) {
  PathModel& m = model_;
  m.t0 = t_;
  m.length = r;
  lost_ = clear_ = false;
  solved_ = std::numeric_limits<double>::quiet_NaN();
  if (gaps_.count() == 0) return solve(r);
  whole_.reset();
  const bool inexact = pending_ || !flow_.is_parabola();
  double first_lambda = 1;
  bool known = false;  // first_lambda is
  if (inexact) {       // most paths leave, and nothing else is near: that needs no model of them
    if (!solve(r)) return false;
    if (pending_) {
      whole_ = out_;
      known = initial_lambda(line_, first_lambda);
      for (int i = 0; i < n_; ++i) m.w0[i] = line_.v[i] + first_lambda * line_.w_d[i];
    } else {
      step_.lagrangian().velocity(q_.data(), p_.data(), t_, m.w0.data());
    }
    const double* const w = flow_.mean_velocity();
    for (int i = 0; i < n_; ++i) {
      reach_[i] = std::abs(w[i] - m.w0[i]);
      if (pending_) reach_[i] += std::abs((whole_->lambda - first_lambda) * line_.w_d[i]);
    }
    clear_ = (known || !pending_) && events_.is_clear(t_, r, q_.data(), w, reach_.data(), closed_);
    if (clear_) return true;
  }
  if (!known) {
    solved_ = std::numeric_limits<double>::quiet_NaN();
    if (!solve(0)) return false;
    first_lambda = out_.lambda;
    std::copy(flow_.mean_velocity(), flow_.mean_velocity() + n_, m.w0.data());
  }
  std::copy(q_.data(), q_.data() + n_, m.q0.data());
  double doubt = 0;  // about λ at these places, where it is interpolated: q is off by s M⁻¹d of it
  const auto look = [&](double share, VectorXd& q) {
    const double s = share * r;
    if (pending_) {
      solved_ = std::numeric_limits<double>::quiet_NaN();
      const double lambda = first_lambda + share * share * (whole_->lambda - first_lambda);  // dλ/ds = 0 at s = 0
      doubt = std::fmax(doubt, s * try_discrete(flow_, line_, s, lambda));
    } else {
      flow_.solve(s);
    }
    q = Map<const VectorXd>(flow_.q(), n_);
  };
  if (inexact) {  // at two places: at one of them the error of a part of fourth degree may vanish
    look(0.5, middle_);
    look(0.75, later_);
    if (!std::isfinite(doubt)) return false;
  }
  if (!solve(r)) return false;  // last: where no event is found this is the flow
  for (int i = 0; i < n_; ++i) {
    m.a[i] = r > 0 ? (flow_.mean_velocity()[i] - m.w0[i]) / r : 0;
    const auto off = [&](double s, double q) { return std::abs(q - (m.q0[i] + s * (m.w0[i] + s * m.a[i]))); };
    m.error[i] = inexact ? 4 * (std::fmax(off(r / 2, middle_[i]), off(3 * r / 4, later_[i])) +
                                (pending_ ? doubt * std::abs(line_.w_d[i]) : 0))
                         : 0;
  }
  event = events_.find(m, *this, closed_);
  return !lost_;
}

// At an event the momentum decides.
void EventLoop::meet(const Event& event, double h, Workspace& report) {
  active_.place(t_, q_.data(), p_.data(), h);
  for (const int gap : events_.near()) active_.add(gap, closed_, settings_.eps_g, events_.reachable());
  report.gap_min = std::fmin(report.gap_min, active_.lowest());
  noted_ = true;
  bool touched = false, approached = false;
  for (int k = 0; k < active_.size(); ++k) {
    touched |= active_[k].gap == event.gap && !active_[k].closed;
    approached |= active_.speed(k) < -active_[k].still;
  }
  const bool returns = settings_.rest && (done_ - passed_[event.gap]) * settings_.most_bounces <= settings_.parts * h;
  if (!touched && moved_ && !returns) {
    ++report.counters[events_without_impulse];
    passed_[event.gap] = done_;
    return;
  }
  if (!touched) {  // it leaves, but so slowly that the path is back at once, or no position shows it: that is rest
    const double value =
        gaps_.fold(event.gap, [&](int k) { return closed_[k] != 0 ? infinity : gaps_.value_of(k, q_.data(), t_); });
    for (std::size_t piece = 0; piece < closed_.size(); ++piece) {
      if (system_.contact_of(static_cast<int>(piece)) != event.gap || closed_[piece] != 0) continue;
      if (std::abs(gaps_.value_of(static_cast<int>(piece), q_.data(), t_) - value) >  // of a union others are far off
          active_.round_off(static_cast<int>(piece), q_.data(), t_))
        continue;
      if (released_[piece] != 0) modes_.take_back_release(static_cast<int>(piece), report);
      if (!moved_) released_[piece] = 1;
      close(static_cast<int>(piece), event.gap);
    }
    active_.place(t_, q_.data(), p_.data(), h);  // now that it is closed: whether it slides
    active_.add(event.gap, closed_, settings_.eps_g);
    active_.complete();
    for (int k = 0; k < active_.size(); ++k) set_rub(k, active_.c().data());
    ++report.counters[closings];
    refuse_derivative("it closes without speed: neighbouring motions bounce or pass by", event.gap);
    return;
  }
  active_.complete();
  if (!approached) {
    for (int k = 0; k < active_.size(); ++k) {
      if (!active_[k].closed) set_rub(k, active_.c().data());
      if (released_[active_[k].piece] != 0) modes_.take_back_release(active_[k].piece, report);
      close(active_[k].piece, event.gap);
    }
    ++report.counters[closings];
    refuse_derivative("it closes without speed: neighbouring motions bounce or pass by", event.gap);
    return;
  }
  check_differentiable();
  impact(h, report);
}

void EventLoop::close(int piece, int met) {
  closed_[piece] = 1;
  if (released_[piece] != 0 && system_.contact_of(piece) == met) kept_.push_back(piece);
}

void EventLoop::impact(double h, Workspace& report) {
  stale_ = static_cast<int>(kept_.size());
  const int m = active_.size(), rows = active_.rows_count();
  law_contacts_.clear();
  still_.clear();
  bool elastic = true;
  for (int k = 0; k < m; ++k) {
    const ActiveContact& a = active_[k];
    LawContact<double> contact = active_.law(k, restitutions_[a.gap]);
    contact.captured = settings_.rest && bounced_[a.piece] < 1 && bounced_[a.piece] <= least_bounce_;
    elastic &= contact.law == ImpactLaw::elastic;
    law_contacts_.push_back(contact);
    still_.push_back(a.still);
  }
  resolver_.resolve(law_contacts_, rows, active_.delta().data(), active_.c().data(), still_, settings_.simultaneous);
  impulse_.assign(resolver_.impulse().begin(), resolver_.impulse().end());
  resting_.assign(m, 0);
  captured_.assign(m, 0);
  set_.clear();
  for (int k = 0; k < m; ++k)
    if (resolver_.c_plus()[active_[k].row] <= still_[k]) resting_[k] = 1, set_.push_back(active_[k].row);
  if (m > 1) ++report.counters[simultaneous_impacts];
  begin_line(h, report);
  for (int k = 0; k < m; ++k)
    if (impulse_[active_[k].row] != 0 && resolver_.requested(k) < 1)
      bounced_[active_[k].piece] *= std::fmin(resolver_.requested(k), bounce_);
  line_.t = t_;
  std::copy(q_.data(), q_.data() + n_, line_.q.data());
  std::copy(p_.data(), p_.data() + n_, line_.p_minus.data());
  const bool by_energy = elastic && ((settings_.discrete_energy && !mirror_only_) || !system_.quadratic());
  law_ = !by_energy ? Law::momentum : settings_.discrete_energy && !mirror_only_ ? Law::discrete : Law::continuous;
  if (by_energy || !leaves_nothing()) active_.accelerations(impulse_.data(), accelerations_);  // else nobody asks
  if (settings_.rest && closes(settings_.parts * h)) {
    ++report.counters[closings];
    if (!by_energy || leaves_nothing()) {  // else what leaves keeps its energy rule, on a line that holds the rest
      law_ = Law::rest;
      impulse_ = rest_impulse_;
    }
  }
  speeds_.assign(active_.c().data(), active_.c().data() + rows);
  active_.add_to_speeds(impulse_.data(), speeds_.data());
  for (int k = 0; k < m; ++k) {
    closed_[active_[k].piece] = 0;
    if (resting_[k] == 0) continue;
    set_rub(k, speeds_.data());
    close(active_[k].piece, active_.speed(k) < -still_[k] ? active_[k].gap : -1);
  }
  if (law_ == Law::discrete || law_ == Law::continuous) set_line(h);
  if (law_ == Law::discrete) {
    pending_ = true;  // its size belongs to the flow to come
    return;
  }
  if (law_ == Law::continuous) {
    if (!solve_continuous(step_.lagrangian(), line_, out_))
      throw SolverError("the impulse of an impact could not be found", out_.residual, out_.iterations,
                        "check that the Lagrangian is convex in the velocities");
    set_impulse();
  } else {
    out_ = {};
  }
  active_.add_to_momentum(impulse_.data(), p_.data());
  finish_line(report, out_.residual, out_.iterations);
  if (jacobian_ != nullptr) jump();
}

void EventLoop::set_impulse() {
  for (std::size_t k = 0; k < impulse_.size(); ++k) impulse_[k] = base_[k] + out_.lambda * mirror_[k];
}

// Λ(λ) = base + λ mirror: the law's impulses, and what holds the resting contacts.
void EventLoop::set_line(double h) {
  const int rows = active_.rows_count();
  const auto c = active_.c();
  const auto delta = active_.delta();
  base_.assign(rows, 0.0);
  mirror_ = impulse_;
  std::copy(p_.data(), p_.data() + n_, line_.p.data());
  std::copy(active_.v().begin(), active_.v().end(), line_.v.data());
  for (int i = 0; i < n_; ++i) line_.d[i] = line_.w_d[i] = 0;
  if (!set_.empty()) {
    hold(delta.data(), rows, set_, c.data(), base_.data(), solver_);
    active_.add_to_momentum(base_.data(), line_.p.data());
    active_.add_to_velocity(base_.data(), line_.v.data());
    speeds_.assign(rows, 0.0);
    active_.add_to_speeds(impulse_.data(), speeds_.data());
    rest_impulse_.resize(rows);
    hold(delta.data(), rows, set_, speeds_.data(), rest_impulse_.data(), solver_);
    for (int k = 0; k < rows; ++k) mirror_[k] += rest_impulse_[k];
  }
  active_.add_to_momentum(mirror_.data(), line_.d.data());
  active_.add_to_velocity(mirror_.data(), line_.w_d.data());
  line_.w = line_.d_t = line_.G = 0;
  for (int i = 0; i < n_; ++i) line_.G += line_.d[i] * line_.w_d[i];
  line_.speed = line_.G;
  for (int i = 0; i < n_; ++i) line_.speed += line_.d[i] * line_.v[i];
  for (int k = 0; k < rows; ++k) {
    line_.w += base_[k] * active_.rates()[k];
    line_.d_t += mirror_[k] * active_.rates()[k];
  }
  line_.speed = system_.quadratic() ? line_.speed + line_.d_t : 0;
  line_.energy = active_.energy();
  line_.energy_minus = energy_minus_;
  line_.largest = 0;
  for (int k = 0; k < active_.size(); ++k) {
    const int row = active_[k].row;
    if (c[row] < -still_[k])
      line_.largest +=
          std::abs(impulse_[row] * c[row]) / 4 + std::pow(accelerations_[k] * h, 2) / (8 * delta(row, row));
  }
}

void EventLoop::take_mirror_image(Workspace& report) {
  pending_ = false;
  law_ = Law::momentum;
  active_.add_to_momentum(impulse_.data(), p_.data());
  finish_line(report, 0, out_.iterations);
  if (jacobian_ != nullptr) jump();
}

// A ledger line for the impact at the running point; its impulse may still be unknown.
void EventLoop::begin_line(double h, Workspace& report) {
  Impact& impact = report.impacts.add();
  impact.time = t_;
  impact.alpha = std::fmin(1, done_ / h);
  impact.energy_before = active_.energy();
  impact.discrete_energy_before = energy_minus_;
  impact.q.assign(q_.data(), q_.data() + n_);
  impact.v_before.assign(active_.v().begin(), active_.v().end());
}

void EventLoop::finish_line(Workspace& report, double residual, int iterations) {
  Impact& impact = report.impacts.back();
  if (law_ == Law::discrete) set_impulse();
  std::copy(line_.p_minus.data(), line_.p_minus.data() + n_, line_.p_plus.data());
  active_.add_to_momentum(impulse_.data(), line_.p_plus.data());
  step_.lagrangian().velocity(line_.q.data(), line_.p_plus.data(), line_.t, v_plus_.data());
  impact.v_after.assign(v_plus_.data(), v_plus_.data() + n_);
  impact.energy_after = active_.energy(line_.p_plus.data(), v_plus_.data());
  double squares = 0;
  for (int i = 0; i < n_; ++i) squares += (line_.p_plus[i] - line_.p_minus[i]) * (line_.p_plus[i] - line_.p_minus[i]);
  impact.momentum_change = std::sqrt(squares);
  impact.constraint_impulse = active_.reaction(impulse_.data());
  impact.residual = residual;
  impact.iterations = iterations;
  const auto c = active_.c();
  c_plus_.assign(c.begin(), c.end());
  active_.add_to_speeds(impulse_.data(), c_plus_.data());
  double loss = 0;
  for (int k = 0; k < active_.rows_count(); ++k) {
    loss += impulse_[k] * (c_plus_[k] + c[k]) / 2;
    impact.obstacle_work -= impulse_[k] * active_.rates()[k];
  }
  impact.loss = system_.quadratic() ? loss : impact.energy_after - impact.energy_before - impact.obstacle_work;
  for (int k = 0; k < active_.size(); ++k) {
    const ActiveContact& a = active_[k];
    if (impulse_[a.row] == 0) continue;
    impact.gap = std::fmax(impact.gap, std::abs(a.value));
    if (impact.contacts.empty() || impact.contacts.back().contact != a.gap)
      impact.contacts.push_back(
          {.contact = a.gap, .lambda = 0, .law = closes_early(k) ? ImpactLaw::rest : law_contacts_[k].law});
    ContactImpulse& entry = impact.contacts.back();
    entry.lambda += impulse_[a.row] / a.scale;
    for (int r = 0; r < a.tangents; ++r) entry.tangential[r] += impulse_[a.row + 1 + r];
  }
  const int hardest = resolver_.hardest();
  if (hardest >= 0 && ((law_ == Law::rest && resting_[hardest] != 0) || closes_early(hardest))) {
    impact.law = ImpactLaw::rest;
    for (int k = 0; k < active_.size(); ++k)
      if (resting_[k] != 0 && impulse_[active_[k].row] != 0) modes_.captured(active_[k].gap);
    impact.requested_restitution = impact.obtained_restitution = 0;
  } else if (hardest >= 0) {
    const int row = active_[hardest].row;
    const bool by_speed = law_ != Law::momentum && law_contacts_[hardest].law != ImpactLaw::coulomb;
    const ImpactResolver<double>& acted = law_ == Law::rest && captures_friction_ ? capture_ : resolver_;
    impact.requested_restitution = acted.requested(hardest);
    impact.obtained_restitution = by_speed ? -c_plus_[row] / c[row] : acted.obtained(hardest);
  }
  if (law_ == Law::discrete) {
    impact.discrete_energy_after = out_.energy;
  } else {
    impact.discrete_energy_after = impact.energy_after;
  }
}

}  // namespace ricochet
