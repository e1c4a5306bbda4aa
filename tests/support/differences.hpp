#pragma once
// Central differences, for tests of derivatives: error about step² of the third derivative and ε/step of the value.

#include <functional>
#include <vector>

namespace ricochet::differences {

inline constexpr double step = 6e-6;  // ε^⅓
inline constexpr double relative =
    1e-8;  // for functions whose third derivatives are at most about 100 times their size

// df/dx_i
inline double partial(const std::function<double(const std::vector<double>&)>& f, std::vector<double> x,
                      std::size_t i) {
  const double at = x[i];
  x[i] = at + step;
  const double above = f(x);
  x[i] = at - step;
  return (above - f(x)) / (2 * step);
}

}  // namespace ricochet::differences
