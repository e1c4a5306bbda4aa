#include "ricochet/discrete/variational_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/error.hpp"

namespace ricochet {

VariationalFlow::VariationalFlow(SubStep& step, Gaps& gaps, bool composed)
    : step_(step), gaps_(gaps), leaves_at_end_(!composed && !step.constrained().has_equal_parts()) {
  for (auto* x : {&q0_, &p0_, &q1_, &p1_, &reach_}) x->assign(step.n(), 0.0);
}

void VariationalFlow::start(double t, const double* q, const double* p, double rest, std::vector<int>& held,
                            std::span<const int> kept, std::span<Rub> rubs) {
  t_ = t;
  rest_ = rest;
  std::copy(q, q + q0_.size(), q0_.begin());
  std::copy(p, p + p0_.size(), p0_.begin());
  s_ = std::numeric_limits<double>::quiet_NaN();
  held_rubs_.clear();
  leaving_.clear();
  if (!held.empty()) arrived_ = true;
  for (const int piece : held)
    if (!rubs.empty() && rubs[piece].tangents > 0) return choose(held, kept, rubs);
  step_.constrained().hold(held);
  explicit_ = step_.is_explicit() && step_.is_free();
  if (held.empty()) return;
  if (step_.constrained().solve_held(t_, q0_.data(), p0_.data(), rest_, true, q1_.data(), p1_.data())) {
    s_ = rest_;
    return;
  }
  left_ = held;
  release(held, kept);
  const auto free = [&] {
    step_.constrained().hold(held);
    explicit_ = step_.is_explicit() && step_.is_free();
    s_ = std::numeric_limits<double>::quiet_NaN();
  };
  free();
  // Among contacts that repeat each other a gap may have grown by what the solution of all of them leaves undetermined.
  if (held.size() != left_.size()) {
    solve(rest_);
    staying_.clear();
    for (const int piece : left_)
      if (std::binary_search(held.begin(), held.end(), piece) || !grows(piece)) staying_.push_back(piece);
    if (staying_.size() != held.size()) {
      held.swap(staying_);
      free();
    }
  }
  if (!leaves_at_end_ || held.empty()) return;
  tolerated_.assign(kept.begin(), kept.end());
  for (;;) {
    hold(held, rubs);
    if (!solve_to_the_end()) {
      leaving_.clear();
      return free();
    }
    if (const int worst = worst_of(held); worst >= 0)
      (step_.constrained().pulls_at_end(worst) ? leaving_ : tolerated_).push_back(held[worst]);
    else if (!return_at_end(held))
      break;
  }
  s_ = rest_;
}

bool VariationalFlow::solve_to_the_end() {
  return step_.constrained().solve_held(t_, q0_.data(), p0_.data(), rest_, false, q1_.data(), p1_.data());
}

// As these are solved: which of them pulls most, or -1.
int VariationalFlow::worst_of(const std::vector<int>& pieces) const {
  const ConstrainedStep& rows = step_.constrained();
  int worst = -1;
  for (int k = 0; k < static_cast<int>(pieces.size()); ++k) {
    const bool pulls = rows.pressure(k) < -rows.pressure_round_off(k) &&
                       std::find(tolerated_.begin(), tolerated_.end(), pieces[k]) == tolerated_.end();
    if (pulls && (worst < 0 || rows.pressure(k) < rows.pressure(worst))) worst = k;
  }
  return worst;
}

// Of those left at the end the first that does not open, or that the others, which hold on, press in, is held too.
bool VariationalFlow::return_at_end(const std::vector<int>& held) {
  const ConstrainedStep& rows = step_.constrained();
  for (int k = 0; k < static_cast<int>(held.size()); ++k) {
    if (!rows.is_left_at_end(k) || rows.end_speed(k) > rows.end_speed_round_off(k)) continue;
    leaving_.erase(std::find(leaving_.begin(), leaving_.end(), held[k]));
    tolerated_.push_back(held[k]);
    return true;
  }
  return false;
}

bool VariationalFlow::leaves(int k) {
  const ConstrainedStep& rows = step_.constrained();
  return rows.is_left_at_end(k) && rows.end_speed(k) > rows.end_speed_round_off(k);
}

void VariationalFlow::release(std::vector<int>& held, std::span<const int> kept) {
  ConstrainedStep& rows = step_.constrained();
  rows.solve_with_contacts(t_, q0_.data(), p0_.data(), rest_, held, q1_.data(), p1_.data());
  staying_.clear();
  for (std::size_t k = 0; k < held.size(); ++k) {
    const bool opens = rows.is_open(static_cast<int>(k)) && grows(held[k]);
    if (!opens || std::find(kept.begin(), kept.end(), held[k]) != kept.end()) staying_.push_back(held[k]);
  }
  held.swap(staying_);
}

bool VariationalFlow::grows(int piece) {
  for (std::size_t i = 0; i < reach_.size(); ++i) reach_[i] = std::abs(q0_[i]) + 2 * std::abs(q1_[i] - q0_[i]);
  const double from = gaps_.value_of(piece, q0_.data(), t_), to = gaps_.value_of(piece, q1_.data(), t_ + rest_),
               rho = gaps_.round_off(piece, q1_.data(), t_ + rest_, reach_.data());
  return to > rho && to - from > rho;
}

void VariationalFlow::hold(const std::vector<int>& held, std::span<const Rub> rubs) {
  held_rubs_.clear();
  for (const int piece : held) held_rubs_.push_back(rubs[piece]);
  step_.constrained().hold(held, held_rubs_);
  if (!leaving_.empty()) mark_leaving(true);
}

// Only where the flow is not ended by an event before: what has not gone its way would be back at once.
void VariationalFlow::mark_leaving(bool at_the_end) {
  ConstrainedStep& rows = step_.constrained();
  for (std::size_t k = 0; k < rows.held().size(); ++k) {
    const bool leaves = std::find(leaving_.begin(), leaving_.end(), rows.held()[k]) != leaving_.end();
    rows.leave_at_end(static_cast<int>(k), at_the_end && leaves);
  }
}

// With friction: one thing is changed after the other, what pulls most first, until all fits. What pulls and is left
// out does not leave where others hold it still: where these pull too (a contact written twice, the fourth leg of a
// table) it stays out until they are decided.
void VariationalFlow::choose(std::vector<int>& held, std::span<const int> kept, std::span<Rub> rubs) {
  ConstrainedStep& rows = step_.constrained();
  tolerated_.assign(kept.begin(), kept.end());
  left_out_.clear();
  flips_.assign(rubs.size(), 0);
  const auto fail = [&](const char* why) {
    throw SolverError(
        fmt::format("the step with friction was not solved: {}", why), step_.newton_result().residual,
        step_.newton_result().iterations,
        "a smaller integrator.step; a rod that slides with friction above 4/3 has no solution (Painleve)");
  };
  const auto leaves_without = [&](int k) {  // solved without the k-th of those held, with others_
    const int piece = held[k];
    others_ = held;
    others_.erase(others_.begin() + k);
    hold(others_, rubs);
    if (others_.empty() && step_.is_free())
      step_.solve(t_, q0_.data(), p0_.data(), rest_, q1_.data(), p1_.data());
    else if (!solve_to_the_end())
      fail("the equations were not solved");
    return grows(piece);
  };
  // A point that cannot be held (the tip of an arm that is stretched, where its way along the wall turns) slides where
  // it would without friction.
  const auto slides_instead = [&] {
    for (const int piece : held) {
      if (rubs[piece].tangents == 0 || !rubs[piece].sticks) continue;
      const Rub stuck = rubs[piece];
      rubs[piece].slide(1, 0);
      rubs[piece].friction = 0;
      hold(held, rubs);
      const bool solved = solve_to_the_end();
      const int k = static_cast<int>(std::find(held.begin(), held.end(), piece) - held.begin());
      const double s0 = solved ? rows.path_slip(k, 0) : 0,
                   s1 = solved && stuck.tangents == 2 ? rows.path_slip(k, 1) : 0;
      rubs[piece] = stuck;
      if (s0 == 0 && s1 == 0) continue;
      rubs[piece].slide(s0, s1);
      ++flips_[piece];
      return true;
    }
    return false;
  };
  const auto all_left = [&] {  // else what stays is held again, whatever it does
    const std::size_t before = held.size();
    for (const int piece : left_out_)
      if (!grows(piece)) {
        held.insert(std::upper_bound(held.begin(), held.end(), piece), piece);
        (leaves_at_end_ ? leaving_ : tolerated_).push_back(piece);
      }
    left_out_.clear();
    return held.size() == before;
  };
  const std::size_t most_changes = 20 + 10 * held.size();
  for (std::size_t change = 0; change < most_changes; ++change) {
    hold(held, rubs);
    explicit_ = step_.is_explicit() && step_.is_free();
    if (held.empty()) {
      s_ = std::numeric_limits<double>::quiet_NaN();
      if (all_left()) return;
      continue;
    }
    int jammed = -1;
    for (int k = 0; k < static_cast<int>(held.size()) && jammed < 0; ++k)
      if (rows.jams(held[k], rubs[held[k]], t_, q0_.data(), p0_.data())) jammed = k;
    if (jammed >= 0) {
      if (!leaves_without(jammed)) fail("a contact slides so rough that its force would press it on itself (Painleve)");
      held = others_;
      continue;
    }
    if (!solve_to_the_end()) {  // perhaps there is no such step because the motion leaves
      const std::size_t before = held.size();
      release(held, tolerated_);
      if (held.size() == before && !slides_instead()) fail("the equations were not solved");
      continue;
    }
    if (const int worst = worst_of(held); worst >= 0) {
      const int piece = held[worst];
      const bool at_end = leaves_at_end_ && rows.pulls_at_end(worst);
      const bool left = leaves_without(worst);
      if (!left && (others_.empty() || worst_of(others_) < 0)) {
        (at_end ? leaving_ : tolerated_).push_back(piece);
        continue;
      }
      if (!left) left_out_.push_back(piece);
      held = others_;
      continue;
    }
    bool strays = false;  // held by others, whose obstacles move another way: it slides there
    for (int k = 0; k < static_cast<int>(held.size()); ++k) {
      double slip[2];
      if (flips_[held[k]] > 1 || !rows.strays(k, slip)) continue;
      rubs[held[k]].slide(slip[0], slip[1]);
      ++flips_[held[k]];
      strays = true;
    }
    if (strays) {
      leaving_.clear();
      continue;
    }
    shared_.resize(2 * held.size());
    pressures_.resize(held.size());
    for (int k = 0; k < static_cast<int>(held.size()); ++k) {
      shared_[2 * k] = shared_[2 * k + 1] = 0;
      pressures_[k] = rows.normal_force(k);
      for (int a = 0; a < held_rubs_[k].tangents; ++a) shared_[2 * k + a] = rows.friction(k, a);
    }
    share_friction(shared_.data(), pressures_.data());
    bool fits = true;
    for (int k = 0; k < static_cast<int>(held.size()); ++k) {
      Rub& rub = rubs[held[k]];
      if (rub.tangents == 0) continue;
      const int second = rub.tangents - 1;
      if (rub.sticks) {
        const double* tau = shared_.data() + static_cast<std::ptrdiff_t>(2) * k;
        const double size = second == 1 ? std::hypot(tau[0], tau[1]) : std::abs(tau[0]);
        if (size <= std::max(0.0, rows.cone(k)) * (1 + 1e-12) + rub.friction * rows.pressure_round_off(k)) continue;
        if (flips_[held[k]] > 1) continue;  // at its cone without slip
        rub.slide(-tau[0], -tau[1]);
      } else {
        const double along = rub.slip[0] * rows.path_slip(k, 0) + rub.slip[1] * rows.path_slip(k, second),
                     before = rub.slip[0] * rows.start_slip(k, 0) + rub.slip[1] * rows.start_slip(k, second);
        if (along >= 0 || before > rows.slip_round_off(k, 0)) continue;  // a slip that ends is an event
        rub.stick();
      }
      ++flips_[held[k]];
      fits = false;
    }
    if (!fits) leaving_.clear();  // that was with other forces
    if (!fits || !all_left() || return_at_end(held)) continue;
    s_ = rest_;
    return;
  }
  fail("no choice of stick and slide fits");
}

// Of each contact k of those held tau[2k …], as the rule of share_friction.hpp wants it.
void VariationalFlow::share_friction(double* tau, const double* pressure) {
  if (held_rubs_.size() < 2) return;
  stuck_.clear();
  for (std::size_t k = 0; k < held_rubs_.size(); ++k)
    for (int a = 0; a < held_rubs_[k].tangents; ++a)
      if (held_rubs_[k].sticks) stuck_.push_back(static_cast<int>(2 * k) + a);
  if (stuck_.empty() || stuck_.front() / 2 == stuck_.back() / 2) return;  // one contact alone
  gram_.resize(stuck_.size() * stuck_.size());
  step_.constrained().tangent_gram(stuck_, gram_.data());
  stuck_tau_.clear();
  stuck_pressure_.clear();
  for (const int i : stuck_) stuck_tau_.push_back(tau[i]), stuck_pressure_.push_back(pressure[i / 2]);
  share_(gram_, stuck_pressure_, stuck_tau_);
  for (std::size_t i = 0; i < stuck_.size(); ++i) tau[stuck_[i]] = stuck_tau_[i];
}

void VariationalFlow::add_impulses(double* impulses) {
  const std::size_t m = held_rubs_.size();  // none without friction
  step_.constrained().add_impulses(impulses);
  shared_.assign(2 * m, 0.0);
  pressures_.assign(m, 0.0);
  for (std::size_t k = 0; k < m; ++k) {
    pressures_[k] = impulses[3 * k];
    for (int a = 0; a < held_rubs_[k].tangents; ++a) shared_[2 * k + a] = impulses[3 * k + 1 + a];
  }
  share_friction(shared_.data(), pressures_.data());
  for (std::size_t k = 0; k < m; ++k)
    for (int a = 0; a < held_rubs_[k].tangents; ++a) impulses[3 * k + 1 + a] = shared_[2 * k + a];
}

double VariationalFlow::slip_at_start(int k) {
  const Rub& rub = held_rubs_[k];
  ConstrainedStep& rows = step_.constrained();
  return rub.slip[0] * rows.start_slip(k, 0) + rub.slip[1] * rows.start_slip(k, rub.tangents - 1);
}

// In space it is at an end, r = 0 of s = rσ, or has turned by a right angle, so that the friction of the start drives
// it.
double VariationalFlow::slip_at_end(int k) {
  const ConstrainedStep& rows = step_.constrained();
  const Rub &from = held_rubs_[k], &to = rows.rub(k);
  const double r = rows.end_slip(k);
  return from.tangents == 2 && r > 0 ? r * (from.slip[0] * to.slip[0] + from.slip[1] * to.slip[1]) : r;
}

bool VariationalFlow::stands_still(int k, Rub& rub) {
  const ConstrainedStep& rows = step_.constrained();
  const double exact = 1e3 * rows.slip_round_off(k, 0);  // a root of a sum is so to its terms
  if (rub.tangents < 2 || rows.end_slip(k) <= exact || !rows.directions_found()) return true;
  turn(k, rub);
  return false;
}

void VariationalFlow::turn(int k, Rub& rub) { rub.slip = step_.constrained().rub(k).slip; }

void VariationalFlow::restart(const double* p) {
  std::copy(p, p + p0_.size(), p0_.begin());
  s_ = std::numeric_limits<double>::quiet_NaN();
}

void VariationalFlow::solve(double s) {
  if (s == s_) return;
  s_ = std::numeric_limits<double>::quiet_NaN();  // in case it fails
  if (!leaving_.empty()) mark_leaving(s == rest_);
  if (explicit_)
    step_.place(t_, q0_.data(), p0_.data(), s, q1_.data());
  else
    step_.solve(t_, q0_.data(), p0_.data(), s, q1_.data(), p1_.data());
  arrived_ = !explicit_;
  s_ = s;
}

const double* VariationalFlow::p() {
  if (!arrived_) step_.arrive(q1_.data(), p1_.data());
  arrived_ = true;
  return p1_.data();
}

const char* VariationalFlow::derivative(SubStepDerivative& out) {
  if (!step_.is_free())
    if (const char* why = step_.constrained().why_no_derivative()) return why;
  step_.derivative(out);
  return nullptr;
}

}  // namespace ricochet
