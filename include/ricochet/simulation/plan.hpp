#pragma once
// When the steps are: t_k = start + k·step, never accumulated; a last step that would pass the duration is shortened to
// end on it. Or the grid points are given, each step with a length of its own.

#include <cstdint>
#include <limits>

#include "ricochet/simulation/run.hpp"

namespace ricochet {

class Plan {
 public:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  explicit Plan(const RunSettings& settings);  // throws InputError
  std::int64_t last() const { return last_; }  // steps in all; `never` without a duration
  double time(std::int64_t k) const {
    if (!times_.empty()) return times_[static_cast<std::size_t>(k)];
    return k == shortened_ ? end_ : start_ + static_cast<double>(k) * step_;
  }
  double length(std::int64_t k) const {  // of step k
    return k + 1 == shortened_ || !times_.empty() ? time(k + 1) - time(k) : step_;
  }

 private:
  double start_, step_, end_ = 0;
  std::int64_t last_ = never;
  std::int64_t shortened_ = -1;  // number of the last point, if its step is shortened
  std::vector<double> times_;
};

}  // namespace ricochet
