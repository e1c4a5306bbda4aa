#pragma once
// N doubles in step: one pass over a program evaluates N points. Plain loops of fixed length, which the compiler turns
// into vector instructions; each lane has the very bits that double has.

#include "ricochet/formula/scalar.hpp"

namespace ricochet::formula {

template <int N>
struct alignas(N % 8 == 0   ? 64
               : N % 4 == 0 ? 32
               : N % 2 == 0 ? 16
                            : 8) Lanes {
  static_assert(N > 0);
  double v[N];

  Lanes() = default;
  Lanes(double x) {  // NOLINT: a number is the same in every lane
    for (double& e : v) e = x;
  }
  double& operator[](int k) { return v[k]; }
  double operator[](int k) const { return v[k]; }
};

namespace lanes_detail {
template <int N, class F>
inline Lanes<N> map(F f) {
  Lanes<N> r;
  for (int k = 0; k < N; ++k) r.v[k] = f(k);
  return r;
}
}  // namespace lanes_detail

#define RICOCHET_LANES_1(function, expression)                      \
  template <int N>                                                  \
  inline Lanes<N> function(const Lanes<N>& a) {                     \
    return lanes_detail::map<N>([&](int k) { return expression; }); \
  }
#define RICOCHET_LANES_2(function, expression)                      \
  template <int N>                                                  \
  inline Lanes<N> function(const Lanes<N>& a, const Lanes<N>& b) {  \
    return lanes_detail::map<N>([&](int k) { return expression; }); \
  }

RICOCHET_LANES_2(operator+, a.v[k] + b.v[k])
RICOCHET_LANES_2(operator-, a.v[k] - b.v[k])
RICOCHET_LANES_2(operator*, a.v[k] * b.v[k])
RICOCHET_LANES_2(operator/, a.v[k] / b.v[k])
RICOCHET_LANES_1(operator-, -a.v[k])
RICOCHET_LANES_1(sin, scalar::sin(a.v[k]))
RICOCHET_LANES_1(cos, scalar::cos(a.v[k]))
RICOCHET_LANES_1(tan, scalar::tan(a.v[k]))
RICOCHET_LANES_1(asin, scalar::asin(a.v[k]))
RICOCHET_LANES_1(acos, scalar::acos(a.v[k]))
RICOCHET_LANES_1(atan, scalar::atan(a.v[k]))
RICOCHET_LANES_2(atan2, scalar::atan2(a.v[k], b.v[k]))
RICOCHET_LANES_1(sinh, scalar::sinh(a.v[k]))
RICOCHET_LANES_1(cosh, scalar::cosh(a.v[k]))
RICOCHET_LANES_1(tanh, scalar::tanh(a.v[k]))
RICOCHET_LANES_1(exp, scalar::exp(a.v[k]))
RICOCHET_LANES_1(log, scalar::log(a.v[k]))
RICOCHET_LANES_1(sqrt, scalar::sqrt(a.v[k]))
RICOCHET_LANES_1(abs, scalar::abs(a.v[k]))
RICOCHET_LANES_1(sign, scalar::sign(a.v[k]))
RICOCHET_LANES_2(min, scalar::min(a.v[k], b.v[k]))
RICOCHET_LANES_2(max, scalar::max(a.v[k], b.v[k]))
RICOCHET_LANES_2(pow, scalar::pow(a.v[k], b.v[k]))

#undef RICOCHET_LANES_1
#undef RICOCHET_LANES_2

template <int N>
inline Lanes<N> select(const Lanes<N>& a, const Lanes<N>& b, const Lanes<N>& c) {
  return lanes_detail::map<N>([&](int k) { return scalar::select(a.v[k], b.v[k], c.v[k]); });
}
template <int N>
inline bool is_zero(const Lanes<N>& a) {
  for (int k = 0; k < N; ++k)
    if (a.v[k] != 0) return false;
  return true;
}

}  // namespace ricochet::formula
