// One flow of the event loop and where it ends (event_loop.hpp).
//
// **As far as there is a flow.** The flow to the end of the step may have no solution although its first event comes
// before it has none: a singularity behind a wall, contacts that cannot be held once another has closed. Then the
// longest flow that can be solved is looked for by bisection until an event is found on it; two events closer than
// eps_g of a step count as one, so that much is how far it goes.
//
// **What was left too early.** Whether a contact is left is asked of the flow as a whole; where its path comes back, it
// was left too early: it is held until nothing presses it, which is where its g̈ with the other contacts pressed and
// itself free passes zero. There the flow ends, and the next one leaves it at once.

#include <algorithm>
#include <cmath>

#include "event_loop.hpp"
#include "ricochet/error.hpp"
#include "ricochet/numerics/find_root.hpp"

namespace ricochet {

// The flow over this length, its first event and which slip it ends. False: the rule of the pending impulse has nothing
// to say.
bool EventLoop::run_flow(double rest, std::optional<Event>& event, int& stops) {
  flow_.start(t_, q_.data(), pending_ ? line_.p_plus.data() : p_.data(), rest, held_, kept_, rubs_);
  released_ = closed_;
  std::fill(closed_.begin(), closed_.end(), 0);
  for (const int piece : held_) closed_[piece] = 1, released_[piece] = 0;
  event.reset();
  stops = -1;
  if (!find_event(flow_.reach(), event)) return false;
  stops = find_stop(event ? event->s : flow_.reach(), stop_);
  if (stops >= 0) event = Event{stop_, -1, 0};
  if (kept_.empty() || pending_) return true;
  if (const std::optional<double> s = find_lift(event ? event->s : flow_.reach())) {
    stops = -1;
    event = Event{*s, -1, 0};
  }
  return true;
}

bool EventLoop::look_ahead(double rest, std::optional<Event>& event, int& stops) {
  const std::vector<int>& held = held_;
  rubs_at_start_.clear();
  for (const int piece : held) rubs_at_start_.push_back(rubs_[piece]);
  held_at_start_ = held;
  const auto begin_again = [&] {
    held_ = held_at_start_;
    std::fill(closed_.begin(), closed_.end(), 0);
    for (std::size_t k = 0; k < held_.size(); ++k) closed_[held_[k]] = 1, rubs_[held_[k]] = rubs_at_start_[k];
  };
  try {
    return run_flow(rest, event, stops);
  } catch (const SolverError&) {
    if (gaps_.count() == 0) throw;
    for (double solved = 0, failed = rest; failed - solved > settings_.eps_g * rest;) {
      const double length = solved + (failed - solved) / 2;
      begin_again();
      try {
        const bool decided = run_flow(length, event, stops);
        if (event || !decided) return decided;
        solved = length;
      } catch (const SolverError&) {
        failed = length;
      }
    }
    throw;
  }
}

// g̈ of a contact at a point, in the sense of the others that are closed pressing, less round-off; of those of active_.
double EventLoop::lift(int piece, double t, const double* q, const double* p) {
  active_.place(t, q, p, length_);
  for (int gap = 0; gap < gaps_.count(); ++gap)
    if (std::any_of(closed_.begin() + gaps_.begin(gap), closed_.begin() + gaps_.end(gap),
                    [](char c) { return c != 0; }))
      active_.add(gap, closed_, 0);
  active_.complete();
  impulse_.assign(active_.rows_count(), 0.0);
  active_.accelerations(impulse_.data(), accelerations_);
  const auto unit = [&](int k) { return std::sqrt(active_.delta()(active_[k].row, active_[k].row)); };
  double largest = 0;
  int which = -1;
  normal_rows_.clear();
  for (int k = 0; k < active_.size(); ++k) {
    largest = std::fmax(largest, std::abs(accelerations_[k]) / unit(k));
    if (active_[k].piece == piece)
      which = k;
    else if (active_[k].closed)
      normal_rows_.push_back(k);
  }
  if (which < 0) return 0;
  active_.press(normal_rows_, {active_.c().data(), static_cast<std::size_t>(active_.rows_count())}, accelerations_);
  return accelerations_[which] - 1e-9 * largest * unit(which);
}

// After an impact: of those kept before, what nothing presses any more may be left.
void EventLoop::let_go() {
  if (pending_) return;
  const auto stale = kept_.begin() + stale_;
  kept_.erase(
      std::remove_if(kept_.begin(), stale,
                     [&](int piece) { return closed_[piece] == 0 || lift(piece, t_, q_.data(), p_.data()) >= 0; }),
      stale);
  stale_ = 0;
}

// The first place on the flow, up to this length, where one of those kept is not pressed any more.
std::optional<double> EventLoop::find_lift(double length) {
  double first = length;
  int lifted = -1;
  const auto at = [&](int piece, double s) {
    flow_.solve(s);
    return lift(piece, t_ + s, flow_.q(), flow_.p());
  };
  for (const int piece : kept_) {
    const double at_start = lift(piece, t_, q_.data(), p_.data()), at_end = at(piece, first);
    if (at_start >= 0 || !(at_end > 0)) continue;  // the path came back from where it is not pressed: to the end
    find_root(
        [&, end = first](double s) {
          const double a = at(piece, s);
          if (a >= 0 && s <= end) first = std::fmin(first, s);
          return a;
        },
        0.0, first, at_start, at_end);
    lifted = piece;
  }
  flow_.restart(p_.data());  // the rows of its step were used for another point
  if (lifted < 0) return {};
  kept_.erase(std::find(kept_.begin(), kept_.end(), lifted));
  refuse_derivative("a contact is left within the step");
  return first;
}

}  // namespace ricochet
