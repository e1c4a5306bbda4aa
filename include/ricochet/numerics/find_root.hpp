#pragma once
// A root of a continuous function in a bracket, to the last digits of the argument: Chandrupatla's method, which uses
// inverse quadratic interpolation where that is safe and bisects where it is not; here with a secant first.

#include <cmath>
#include <limits>

namespace ricochet {

struct Root {
  double x = 0, value = 0;
  int evaluations = 0;
};

// f(a) = fa and f(b) = fb must not have the same sign.
template <class F>
Root find_root(F&& f, double a, double b, double fa, double fb) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  Root best = std::abs(fa) < std::abs(fb) ? Root{a, fa} : Root{b, fb};
  double c = a, fc = fa, t = fa / (fa - fb);
  if (!(t > 0 && t < 1)) t = 0.5;
  for (int k = 0; k < 200 && best.value != 0; ++k) {
    const double x = a + t * (b - a), fx = f(x);
    ++best.evaluations;
    if (std::abs(fx) < std::abs(best.value)) best.x = x, best.value = fx;
    if ((fx > 0) == (fa > 0)) {
      c = a, fc = fa;
    } else {
      c = b, fc = fb, b = a, fb = fa;
    }
    a = x, fa = fx;
    const double smallest = 2 * epsilon * std::abs(best.x) + 1e-300, share = smallest / std::abs(b - c);
    if (share > 0.5 || fa == 0) break;
    const double xi = (a - b) / (c - b), phi = (fa - fb) / (fc - fb);
    if (phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi)
      t = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb);
    else
      t = 0.5;
    t = std::fmin(1 - share, std::fmax(share, t));
  }
  return best;
}

}  // namespace ricochet
