#pragma once
// The derivative of a step against differences of the step itself.

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "ricochet/discrete/rub.hpp"
#include "ricochet/error.hpp"
#include "ricochet/mechanics/contact_frame.hpp"
#include "support/flight.hpp"

namespace ricochet {

struct DerivativeCheck {
  enum class Verdict { right, wrong, absent, kink } verdict;
  std::string branch;  // what the step did, in words
  std::string reason;  // if absent
  double error = 0;    // relative to the largest entry
};

inline const char* mode_word(double mode) {
  return mode == 0 ? "open" : mode == 1 ? "closed" : mode == 2 ? "stick" : "slide";
}

// What a step did: how often which contacts were hit by which law, what is closed, what was counted. Neighbours that do
// something else are on another branch.
inline std::string branch_of(const Flight& flight, State& state, StepJacobian* jacobian = nullptr) {
  const auto work = flight.method->workspace();
  work->counters.assign(flight.method->counter_names().size(), 0);
  const std::vector<double> before = state.modes;
  flight.method->step(state, flight.h, *work, jacobian);
  std::string words;
  for (const Impact& impact : work->impacts) {
    words += law_names(impact) + "(";
    for (const ContactImpulse& c : impact.contacts) words += std::to_string(c.contact);
    words += ") ";
  }
  for (std::size_t k = 0; k < work->counters.size(); ++k)
    if (work->counters[k] != 0)
      words += flight.method->counter_names()[k] + "=" + std::to_string(work->counters[k]) + " ";
  for (std::size_t k = 0; k < state.modes.size(); ++k) {
    const double was = k < before.size() ? before[k] : 0, is = state.modes[k];
    if (was != 0 || is != 0) words += was != 0 && is != 0 ? "stays" : was != 0 ? "opens" : "closes";
    if (was >= 2 || is >= 2) words += std::string("-") + mode_word(was) + "-" + mode_word(is);
    words += " ";
  }
  return words;
}

// The direction of a slip in space is that of the velocity: a neighbour has its own. (Or against it, where slips that
// ended together have driven one back.)
inline void follow_slip(const Flight& flight, State& state) {
  const int n = static_cast<int>(state.q.size());
  ContactFrames<double> frames(*flight.system);
  Lagrangian L(*flight.system);
  std::vector<double> v(n), rows(static_cast<std::size_t>(3) * n);
  L.velocity(state.q.data(), state.p.data(), state.t, v.data());
  for (std::size_t piece = 0; piece < state.modes.size(); ++piece) {
    if (state.modes[piece] < 3 || frames.tangents(static_cast<int>(piece)) < 2) continue;
    double slip[3];
    frames.evaluate(static_cast<int>(piece), state.q.data(), state.t, rows.data(), slip);
    for (int r = 1; r < 3; ++r)
      for (int i = 0; i < n; ++i) slip[r] += rows[r * n + i] * v[i];
    Rub rub{.tangents = 2};
    set_mode(rub, state.modes[piece]);
    const double side = rub.slip[0] * slip[1] + rub.slip[1] * slip[2] < 0 ? -1 : 1;
    rub.slide(side * slip[1], side * slip[2]);
    state.modes[piece] = mode_of(rub);
  }
}

// At a kink, and where neighbours soon do something else, the derivative is still that of one side. It is wrong where
// differences of ever closer neighbours, on the same branch, agree on something else. (At a start contacts close that
// touch without speed: neighbours do not.)
inline bool agrees_with_a_side(const Flight& flight, const State& start, const State& end, const StepJacobian& J,
                               const std::string& branch, double tolerance) {
  using Eigen::VectorXd;
  const int n = static_cast<int>(start.q.size());
  const double size = 1 + J.matrix.cwiseAbs().maxCoeff();
  for (int c = 0; c < 2 * n; ++c) {
    bool agrees = false, something_else = false;
    for (const double side : {1.0, -1.0}) {
      VectorXd last;
      for (const double delta : {1e-6 * side, 1e-8 * side, 1e-10 * side}) {
        State s = start;
        (c < n ? s.q[c] : s.p[c - n]) += delta;
        follow_slip(flight, s);
        try {
          if (branch_of(flight, s) != branch) continue;
        } catch (const SolverError&) {
          continue;
        }
        VectorXd difference(2 * n);
        for (int r = 0; r < n; ++r)
          difference[r] = (s.q[r] - end.q[r]) / delta, difference[n + r] = (s.p[r] - end.p[r]) / delta;
        agrees |= (difference - J.matrix.col(c)).cwiseAbs().maxCoeff() < tolerance * size;
        something_else |= last.size() > 0 && (difference - last).cwiseAbs().maxCoeff() < 0.001 * size;
        last = difference;
      }
    }
    if (something_else && !agrees) return false;
  }
  return true;
}

// Differences of fourth order, and with half of δ: where they disagree the map has a kink between the neighbours, or
// bends on a shorter scale. Then nearer ones are asked, and at last those of one side: at a kink right here both
// differences are the mean of its sides. A state has size 1: an error of δ⁴ of fifth derivatives and ε/δ, 1e-9 at most.
inline DerivativeCheck check_derivative(const Flight& flight, const State& start, double tolerance = 1e-7) {
  using Eigen::MatrixXd;
  const int n = static_cast<int>(start.q.size());
  DerivativeCheck check{};
  State state = start;
  StepJacobian J;
  check.branch = branch_of(flight, state, &J);
  if (!J.reason.empty()) {
    check.verdict = DerivativeCheck::Verdict::absent;
    check.reason = J.reason;
    return check;
  }
  const double size = 1 + J.matrix.cwiseAbs().maxCoeff();
  const auto difference = [&](double delta, MatrixXd& D) {  // false: a neighbour is on another branch
    D = MatrixXd::Zero(2 * n, 2 * n);
    for (int c = 0; c < 2 * n; ++c)
      for (const auto& [shift, weight] : {std::pair{1, 8.0}, {-1, -8.0}, {2, -1.0}, {-2, 1.0}}) {
        State s = start;
        (c < n ? s.q[c] : s.p[c - n]) += shift * delta;
        follow_slip(flight, s);
        try {
          if (branch_of(flight, s) != check.branch) return false;
        } catch (const SolverError&) {
          return false;
        }
        for (int r = 0; r < 2 * n; ++r) D(r, c) += weight * (r < n ? s.q[r] : s.p[r - n]) / (12 * delta);
      }
    return true;
  };
  bool smooth = false;
  for (const double delta : {1e-4, 1e-5, 1e-6}) {
    MatrixXd whole, half;
    smooth = difference(delta, whole) && difference(delta / 2, half);
    if (!smooth) continue;
    check.error = (half - J.matrix).cwiseAbs().maxCoeff() / size;
    check.verdict = DerivativeCheck::Verdict::right;
    if (check.error <= tolerance) return check;
    smooth = (half - whole).cwiseAbs().maxCoeff() <= tolerance / 2 * size;
  }
  const bool touches = !smooth && start.modes.empty();
  check.verdict = touches || agrees_with_a_side(flight, start, state, J, check.branch, smooth ? 10 * tolerance : 0.01)
                      ? DerivativeCheck::Verdict::kink
                      : DerivativeCheck::Verdict::wrong;
  return check;
}

}  // namespace ricochet
