#pragma once
// The distance from 1 to the next number: round-off in units of what is rounded.

#include <limits>

namespace ricochet {

inline constexpr double epsilon = std::numeric_limits<double>::epsilon();

}  // namespace ricochet
