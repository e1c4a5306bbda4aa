// What closes without being brought to rest by its law: by resolution, and at the end of a step (event_loop.hpp).

#include <algorithm>
#include <cmath>
#include <limits>

#include "event_loop.hpp"

namespace ricochet {

// Closing by resolution: resting_, set_ and rest_impulse_ are then those with what closes at rest.
bool EventLoop::closes(double h) {
  const int m = active_.size(), rows = active_.rows_count();
  const auto delta = active_.delta();
  if (leaves_nothing()) return false;
  const std::span<const double> c_plus = resolver_.c_plus();
  const auto unit = [&](int k) { return std::sqrt(delta(active_[k].row, active_[k].row)); };
  double fastest_after = 0, fastest_before = 0, largest = 0;
  for (int k = 0; k < m; ++k) {
    fastest_before = std::fmax(fastest_before, -active_.speed(k) / unit(k));
    fastest_after = std::fmax(fastest_after, c_plus[active_[k].row] / unit(k));
    largest = std::fmax(largest, std::abs(accelerations_[k]) / unit(k));
  }
  const double rho = fastest_after / fastest_before;
  const auto round_off = [&](int k) { return 1e-9 * largest * unit(k); };
  // g̈ with the resting contacts and their friction held, then with those that return held too: as a block that hops on
  // a block that hops
  press_resting(c_plus, accelerations_);
  bool any = false;
  for (const std::vector<double>* held = &accelerations_;; held = &held_accelerations_) {
    bool more = false;
    for (int k = 0; k < m; ++k) {
      if (resting_[k] != 0 || !((*held)[k] < -round_off(k))) continue;
      const double tau = -2 * c_plus[active_[k].row] / (*held)[k];
      if (tau <= (1 - rho) * h || tau * settings_.most_bounces <= h) captured_[k] = more = any = true;
    }
    if (!more) break;
    for (int k = 0; k < m; ++k) resting_[k] |= captured_[k];
    active_.accelerations(impulse_.data(), held_accelerations_);
    press_resting(c_plus, held_accelerations_);
  }
  // with all of them held no multiplier may pull: what is pressed and lifts leaves after all
  for (bool lifts = true; any && lifts;) {
    capture();
    speeds_.assign(active_.c().data(), active_.c().data() + rows);
    active_.add_to_speeds(rest_impulse_.data(), speeds_.data());
    for (int k = 0; k < m; ++k)
      any &= resting_[k] != 0 || speeds_[active_[k].row] >= -still_[k];  // nor is it pressed in
    if (!any) break;
    active_.accelerations(rest_impulse_.data(), held_accelerations_);
    largest = 0;
    for (int k = 0; k < m; ++k) largest = std::fmax(largest, std::abs(held_accelerations_[k]) / unit(k));
    press_resting(speeds_, held_accelerations_);
    lifts = any = false;
    for (int k = 0; k < m; ++k) {
      if (captured_[k] == 0) continue;
      if (held_accelerations_[k] > round_off(k)) captured_[k] = resting_[k] = 0, lifts = true;
      any |= captured_[k] != 0;
    }
  }
  for (int k = 0; k < m && !any; ++k)
    if (captured_[k] != 0) captured_[k] = resting_[k] = 0;
  if (any) set_ = all_;
  return any;
}

// By resolution, not by its law.
bool EventLoop::closes_early(int k) const {
  return captured_[k] != 0 || (law_contacts_[k].captured && law_contacts_[k].law != ImpactLaw::plastic);
}

bool EventLoop::leaves_nothing() const { return std::find(resting_.begin(), resting_.end(), 0) == resting_.end(); }

void EventLoop::press_resting(std::span<const double> c_plus, std::vector<double>& accelerations) {
  normal_rows_.clear();
  for (int k = 0; k < active_.size(); ++k)
    if (resting_[k] != 0) normal_rows_.push_back(k);
  active_.press(normal_rows_, c_plus, accelerations);
}

// What touches without speed at the end of a step is closed, as at a start: bodies that lie side by side would be
// searched for events in every step.
void EventLoop::close_at_end(double h) {
  bool placed = false;
  for (const int gap : events_.touching()) {
    const auto open = [&](int k) {  // as note_gap() has left them
      return closed_[k] == 0 ? gaps_.piece(k) : std::numeric_limits<double>::infinity();
    };
    const double value = gaps_.fold(gap, open);
    bool touches = false;
    for (int piece = gaps_.begin(gap); piece < gaps_.end(gap) && !touches; ++piece)
      touches = open(piece) == value && value <= flow_round_off(piece, q_.data(), t_);
    if (!touches) continue;
    if (!placed) active_.place(t_, q_.data(), p_.data(), h);
    placed = true;
    active_.add(gap, closed_, 0);
  }
  if (!placed) return;
  active_.complete();
  for (int k = 0; k < active_.size(); ++k) {
    const ActiveContact& a = active_[k];
    if (a.closed || active_.speed(k) < -a.still) continue;
    closed_[a.piece] = 1;
    set_rub(k, active_.c().data());
    refuse_derivative("it touches without speed: neighbouring motions bounce or pass by", a.gap);
  }
}

// ρ_g at a point of the last flow, after the way to it.
double EventLoop::flow_round_off(int piece, const double* q, double t) {
  for (int i = 0; i < n_; ++i) reach_[i] = std::abs(q[i]) + std::abs(q[i] - model_.q0[i]);
  return gaps_.round_off(piece, q, t, reach_.data());
}

}  // namespace ricochet
