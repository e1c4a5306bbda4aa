// Friction of contacts that last: ends of slip, capture (event_loop.hpp).

#include <cmath>

#include "event_loop.hpp"
#include "ricochet/contact/hold.hpp"
#include "ricochet/numerics/find_root.hpp"

namespace ricochet {

// Of those held the one whose slip is the first to come to an end within this length, −1: none; and when.
int EventLoop::find_stop(double length, double& when) {
  int first = -1;
  when = length;
  const auto slides = [&](int k) { return rubs_[held_[k]].tangents > 0 && !rubs_[held_[k]].sticks; };
  for (int k = 0; k < static_cast<int>(held_.size()); ++k) {  // of the longest flow of this step
    if (!slides(k)) continue;
    flow_.solve(length);
    slip_floor_[held_[k]] = std::fmax(slip_floor_[held_[k]], flow_.slip_round_off(k));
  }
  for (int k = 0; k < static_cast<int>(held_.size()); ++k) {
    if (!slides(k)) continue;
    flow_.solve(when);
    const double none = slip_floor_[held_[k]] / 2;  // not 0: several slips that end together stay above it
    const double at_start = flow_.slip_at_start(k) - none, at_end = flow_.slip_at_end(k) - none;
    if (!(at_start > none) || at_end >= 0) continue;
    double ended = when;  // not before: what is left of it would be an event again
    find_root(
        [&](double s) {
          flow_.solve(s);
          const double slip = flow_.slip_at_end(k) - none;
          if (slip <= 0) ended = std::fmin(ended, s);
          return slip;
        },
        0.0, when, at_start, at_end);
    when = ended;
    first = k;
  }
  return first;
}

// It sticks, and those that stop with it.
void EventLoop::end_slips(int stops) {
  int in_space = 0;
  for (int k = 0; k < static_cast<int>(held_.size()); ++k) {
    Rub& rub = rubs_[held_[k]];
    if (rub.tangents == 0 || rub.sticks) continue;
    if (k != stops && flow_.slip_at_end(k) > slip_floor_[held_[k]]) continue;
    if (!flow_.stands_still(k, rub)) {
      refuse_derivative("its slip in space turns by a right angle, and neighbours elsewhere",
                        system_.contact_of(held_[k]));
      continue;
    }
    rub.stick();
    in_space += rub.tangents == 2;
  }
  if (in_space > 1)
    refuse_derivative("its slip in space comes to an end together with others", system_.contact_of(held_[stops]));
}

// Sticks or slides, by the speeds c of the rows of active_.
void EventLoop::set_rub(int k, const double* c) {
  const ActiveContact& a = active_[k];
  Rub& rub = rubs_[a.piece];
  if (rub.tangents == 0) return;
  const double s0 = c[a.row + 1], s1 = rub.tangents == 2 ? c[a.row + 2] : 0;
  if (std::hypot(s0, s1) <= a.still)
    rub.stick();
  else
    rub.slide(s0, s1);
}

// The impulse after which what rests does so: with friction each of these contacts gets its own law with e = 0, the
// others theirs, then what is left of the normal speeds that rest, and of the slips that the law has stopped, is taken
// away. Without friction the projection alone does it, of p⁻ if nothing leaves.
void EventLoop::capture() {
  const int m = active_.size(), rows = active_.rows_count();
  const auto delta = active_.delta();
  capture_contacts_ = law_contacts_;
  captures_friction_ = false;
  for (int k = 0; k < m; ++k) {
    capture_contacts_[k].captured |= resting_[k] != 0;
    captures_friction_ |= resting_[k] != 0 && capture_contacts_[k].tangents > 0;
  }
  all_.clear();
  for (int k = 0; k < m; ++k)
    if (resting_[k] != 0) all_.push_back(active_[k].row);
  rest_impulse_.assign(rows, 0.0);
  speeds_.assign(active_.c().data(), active_.c().data() + rows);
  by_law_ = captures_friction_ || !leaves_nothing();
  if (captures_friction_) {
    capture_.resolve(capture_contacts_, rows, delta.data(), active_.c().data(), still_, settings_.simultaneous);
    std::copy(capture_.impulse().begin(), capture_.impulse().end(), rest_impulse_.begin());
    std::copy(capture_.c_plus().begin(), capture_.c_plus().end(), speeds_.begin());
    for (int k = 0; k < m; ++k) {
      const ActiveContact& a = active_[k];
      if (resting_[k] == 0) continue;
      double slip = 0;
      for (int r = 0; r < a.tangents; ++r) slip = std::hypot(slip, speeds_[a.row + 1 + r]);
      for (int r = 0; r < a.tangents && slip <= still_[k]; ++r) all_.push_back(a.row + 1 + r);
    }
  } else if (by_law_) {
    capture_contacts_ = law_contacts_;
    std::copy(resolver_.impulse().begin(), resolver_.impulse().end(), rest_impulse_.begin());
    std::copy(resolver_.c_plus().begin(), resolver_.c_plus().end(), speeds_.begin());
  }
  held_impulse_.resize(rows);
  hold(delta.data(), rows, all_, speeds_.data(), held_impulse_.data(), solver_);
  for (int k = 0; k < rows; ++k) rest_impulse_[k] += held_impulse_[k];
}

}  // namespace ricochet
