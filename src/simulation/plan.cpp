#include "ricochet/simulation/plan.hpp"

#include <algorithm>
#include <cmath>

#include "ricochet/error.hpp"

namespace ricochet {

Plan::Plan(const RunSettings& s) : start_(s.start), step_(s.step), times_(s.times) {
  if (!std::isfinite(s.start)) throw InputError("run: the start must be finite");
  if (!(s.step > 0) || !std::isfinite(s.step)) throw InputError("run: the step must be positive and finite");
  if (std::isnan(s.duration)) throw InputError("run: the duration must be a number");
  if (s.duration < 0 && s.impacts < 0) throw InputError("run: a duration, a number of impacts, or both are needed");
  if (!times_.empty()) {
    last_ = static_cast<std::int64_t>(times_.size()) - 1;
    return;
  }
  if (s.duration < 0) return;
  const double n = s.duration / s.step;
  if (!(n < 9e15)) throw InputError("run: the duration is more than 9e15 steps");
  const double whole = std::round(n);
  // 1e-9 covers the round-off of duration/step; a thousandth of a step is never dropped, however many there are.
  if (std::abs(n - whole) <= std::min(1e-9 * n, 1e-3)) {
    last_ = static_cast<std::int64_t>(whole);
  } else {
    last_ = shortened_ = static_cast<std::int64_t>(std::ceil(n));
    end_ = s.start + s.duration;
  }
}

}  // namespace ricochet
