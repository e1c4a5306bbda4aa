#pragma once
// The derivative of a step against differences of the step itself.

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

// The direction of a slip in space is that of the velocity: a neighbour has its own.
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
    rub.slide(slip[1], slip[2]);
    state.modes[piece] = mode_of(rub);
  }
}

// Differences of fourth order with δ and δ/2: where they disagree the map has a kink between the neighbours. δ = 1e-4
// of a state of size 1: δ⁴ of fifth derivatives and ε/δ, about 1e-11 of them.
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
  MatrixXd D[2];
  for (int half = 0; half < 2; ++half) {
    D[half] = MatrixXd::Zero(2 * n, 2 * n);
    const double delta = half == 0 ? 1e-4 : 5e-5;
    for (int c = 0; c < 2 * n; ++c)
      for (const auto& [shift, weight] : {std::pair{1, 8.0}, {-1, -8.0}, {2, -1.0}, {-2, 1.0}}) {
        State s = start;
        (c < n ? s.q[c] : s.p[c - n]) += shift * delta;
        follow_slip(flight, s);
        bool same = false;
        try {
          same = branch_of(flight, s) == check.branch;
        } catch (const SolverError&) {
        }
        if (!same) {
          check.verdict = DerivativeCheck::Verdict::kink;
          return check;
        }
        for (int r = 0; r < 2 * n; ++r) D[half](r, c) += weight * (r < n ? s.q[r] : s.p[r - n]) / (12 * delta);
      }
  }
  const double size = 1 + J.matrix.cwiseAbs().maxCoeff();
  check.error = (D[1] - J.matrix).cwiseAbs().maxCoeff() / size;
  const bool smooth = (D[1] - D[0]).cwiseAbs().maxCoeff() <= tolerance / 2 * size;
  check.verdict = check.error <= tolerance ? DerivativeCheck::Verdict::right
                  : smooth                 ? DerivativeCheck::Verdict::wrong
                                           : DerivativeCheck::Verdict::kink;
  return check;
}

}  // namespace ricochet
