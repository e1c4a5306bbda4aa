#include "ricochet/discrete/variational_flow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {

VariationalFlow::VariationalFlow(SubStep& step, Gaps& gaps) : step_(step), gaps_(gaps) {
  for (auto* x : {&q0_, &p0_, &q1_, &p1_, &reach_}) x->assign(step.n(), 0.0);
}

void VariationalFlow::start(double t, const double* q, const double* p, double rest, std::vector<int>& held,
                            std::span<const int> kept) {
  t_ = t;
  rest_ = rest;
  std::copy(q, q + q0_.size(), q0_.begin());
  std::copy(p, p + p0_.size(), p0_.begin());
  step_.constrained().hold(held);
  explicit_ = step_.is_explicit() && step_.is_free();
  s_ = std::numeric_limits<double>::quiet_NaN();
  if (held.empty()) return;
  arrived_ = true;
  if (step_.constrained().solve_pressed(t_, q0_.data(), p0_.data(), rest_, q1_.data(), p1_.data())) {
    s_ = rest_;
    return;
  }
  release(held, kept);
  step_.constrained().hold(held);
  explicit_ = step_.is_explicit() && step_.is_free();
  s_ = std::numeric_limits<double>::quiet_NaN();
}

void VariationalFlow::release(std::vector<int>& held, std::span<const int> kept) {
  ConstrainedStep& rows = step_.constrained();
  rows.solve_with_contacts(t_, q0_.data(), p0_.data(), rest_, held, q1_.data(), p1_.data());
  for (std::size_t i = 0; i < reach_.size(); ++i) reach_[i] = std::abs(q0_[i]) + 2 * std::abs(q1_[i] - q0_[i]);
  staying_.clear();
  for (std::size_t k = 0; k < held.size(); ++k) {
    bool leaves = rows.is_open(static_cast<int>(k));
    if (leaves) {
      const double from = gaps_.value_of(held[k], q0_.data(), t_), to = gaps_.value_of(held[k], q1_.data(), t_ + rest_),
                   rho = gaps_.round_off(held[k], q1_.data(), t_ + rest_, reach_.data());
      leaves = to > rho && to - from > rho;
    }
    if (!leaves || std::find(kept.begin(), kept.end(), held[k]) != kept.end()) staying_.push_back(held[k]);
  }
  held.swap(staying_);
}

void VariationalFlow::restart(const double* p) {
  std::copy(p, p + p0_.size(), p0_.begin());
  s_ = std::numeric_limits<double>::quiet_NaN();
}

void VariationalFlow::solve(double s) {
  if (s == s_) return;
  s_ = std::numeric_limits<double>::quiet_NaN();  // in case it fails
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

bool VariationalFlow::derivative(SubStepDerivative& out) {
  step_.derivative(out);
  return true;
}

}  // namespace ricochet
