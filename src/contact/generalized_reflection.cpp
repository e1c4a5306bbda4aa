#include "ricochet/contact/generalized_reflection.hpp"

#include <fmt/format.h>

#include <cmath>

#include "ricochet/error.hpp"

namespace ricochet {

void GeneralizedReflection::resize(int m, bool with_shadow) {
  m_ = m;
  shadow_ = with_shadow;
  for (auto* x : {&c_, &c2_, &still_, &impulses_}) x->assign(m, 0.0);
  for (auto* x : {&gram_, &gram2_}) x->assign(static_cast<std::size_t>(m) * m, 0.0);
}

void GeneralizedReflection::begin() {
  passes_ = fallbacks_ = 0;
  std::fill(impulses_.begin(), impulses_.end(), 0.0);
}

// y over the set; false if its impulse is zero or leaves one of the set approaching.
bool GeneralizedReflection::solve(const std::vector<double>& metric, const std::vector<double>& speed) {
  const int size = static_cast<int>(set_.size());
  cone_.resize(size);
  for (int i = 0; i < size; ++i) {
    cone_.b(i) = 2 * speed[set_[i]];
    for (int j = 0; j < size; ++j) cone_.gram(i, j) = metric[set_[i] * m_ + set_[j]];
  }
  cone_.solve();
  bool any = false, leaves = true;
  for (int i = 0; i < size; ++i) {
    any |= cone_.y(i) > 0;
    double after = c_[set_[i]];
    for (int j = 0; j < size; ++j) after += gram(set_[i], set_[j]) * cone_.y(j);
    leaves &= after >= -still_[set_[i]];
  }
  return any && leaves;
}

void GeneralizedReflection::pass() {
  if (++passes_ > max_passes) {
    double fastest = 0;
    for (const double c : c_) fastest = std::fmax(fastest, -c);
    throw SolverError(
        fmt::format("the reflection of {} contacts did not end after {} passes", m_, max_passes), fastest, max_passes,
        "contacts that oppose each other (a slot thinner than the way of one step) need a smaller integrator.step");
  }
  if (!shadow_ || !solve(gram2_, c2_)) {
    fallbacks_ += shadow_;
    solve(gram_, c_);
  }
  for (std::size_t i = 0; i < set_.size(); ++i) {
    const double impulse = cone_.y(static_cast<int>(i));
    impulses_[set_[i]] += impulse;
    for (int k = 0; k < m_; ++k) {
      c_[k] += impulse * gram(k, set_[i]);
      if (shadow_) c2_[k] += impulse * gram2(k, set_[i]);
    }
  }
}

void GeneralizedReflection::generalized() {
  begin();
  for (;;) {
    set_.clear();
    for (int k = 0; k < m_; ++k)
      if (c_[k] < -still_[k]) set_.push_back(k);
    if (set_.empty()) return;
    pass();
  }
}

// One pass over all contacts that do not separate: the touching ones carry the impulse on.
void GeneralizedReflection::moreau() {
  begin();
  set_.clear();
  bool approaches = false;
  for (int k = 0; k < m_; ++k) {
    approaches |= c_[k] < -still_[k];
    if (c_[k] <= still_[k]) set_.push_back(k);
  }
  if (approaches) pass();
}

}  // namespace ricochet
