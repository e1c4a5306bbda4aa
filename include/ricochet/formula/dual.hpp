#pragma once
// Dual numbers: a value and its derivative along one direction, (f, f'). Seed an input with derivative 1 and the
// outputs carry the partial derivatives. The inner type may be any scalar: Dual<Lanes<4>> is four directions or points
// at once, Dual<Dual<double>> second derivatives.

#include "ricochet/formula/scalar.hpp"

namespace ricochet::formula {

template <class T = double>
struct Dual {
  T value{0.0}, derivative{0.0};

  Dual() = default;
  Dual(double x) : value(x) {}  // NOLINT: a constant
  Dual(const T& f, const T& df) : value(f), derivative(df) {}
};

template <class T>
inline const T& value(const Dual<T>& x) {
  return x.value;
}

#define RICOCHET_DUAL_USING                                                                                           \
  using scalar::acos, scalar::abs, scalar::asin, scalar::atan, scalar::atan2, scalar::cos, scalar::cosh, scalar::exp, \
      scalar::is_zero, scalar::log, scalar::max, scalar::min, scalar::pow, scalar::select, scalar::sign, scalar::sin, \
      scalar::sinh, scalar::sqrt, scalar::tan, scalar::tanh
// f(a): its value, then its slope; both may use x = a.value, the slope also f.
#define RICOCHET_DUAL_1(function, value_, slope) \
  template <class T>                             \
  inline Dual<T> function(const Dual<T>& a) {    \
    RICOCHET_DUAL_USING;                         \
    const T& x = a.value;                        \
    const T f = value_;                          \
    return {f, T(a.derivative * (slope))};       \
  }

template <class T>
inline Dual<T> operator+(const Dual<T>& a, const Dual<T>& b) {
  return {a.value + b.value, a.derivative + b.derivative};
}
template <class T>
inline Dual<T> operator-(const Dual<T>& a, const Dual<T>& b) {
  return {a.value - b.value, a.derivative - b.derivative};
}
template <class T>
inline Dual<T> operator-(const Dual<T>& a) {
  return {-a.value, -a.derivative};
}
template <class T>
inline Dual<T> operator*(const Dual<T>& a, const Dual<T>& b) {
  return {a.value * b.value, a.derivative * b.value + a.value * b.derivative};
}
template <class T>
inline Dual<T> operator/(const Dual<T>& a, const Dual<T>& b) {
  const T f = a.value / b.value;
  return {f, (a.derivative - f * b.derivative) / b.value};
}

RICOCHET_DUAL_1(sin, sin(x), cos(x))
RICOCHET_DUAL_1(cos, cos(x), -sin(x))
RICOCHET_DUAL_1(tan, tan(x), T(1.0) + f * f)
RICOCHET_DUAL_1(asin, asin(x), T(1.0) / sqrt(T(1.0) - x * x))
RICOCHET_DUAL_1(acos, acos(x), -(T(1.0) / sqrt(T(1.0) - x * x)))
RICOCHET_DUAL_1(atan, atan(x), T(1.0) / (T(1.0) + x * x))
RICOCHET_DUAL_1(sinh, sinh(x), cosh(x))
RICOCHET_DUAL_1(cosh, cosh(x), sinh(x))
RICOCHET_DUAL_1(tanh, tanh(x), T(1.0) - f * f)
RICOCHET_DUAL_1(exp, exp(x), f)
RICOCHET_DUAL_1(log, log(x), T(1.0) / x)
RICOCHET_DUAL_1(sqrt, sqrt(x), T(1.0) / (T(2.0) * f))
RICOCHET_DUAL_1(abs, abs(x), sign(x))

template <class T>
inline Dual<T> sign(const Dual<T>& a) {
  using scalar::sign;
  return {sign(a.value), T(0.0)};
}
template <class T>
inline Dual<T> select(const Dual<T>& a, const Dual<T>& b, const Dual<T>& c) {
  using scalar::select;
  return {select(a.value, b.value, c.value), select(a.value, b.derivative, c.derivative)};
}
template <class T>
inline Dual<T> min(const Dual<T>& a, const Dual<T>& b) {
  using scalar::min, scalar::select;
  return {min(a.value, b.value), select(b.value - a.value, b.derivative, a.derivative)};
}
template <class T>
inline Dual<T> max(const Dual<T>& a, const Dual<T>& b) {
  using scalar::max, scalar::select;
  return {max(a.value, b.value), select(a.value - b.value, b.derivative, a.derivative)};
}
template <class T>
inline Dual<T> atan2(const Dual<T>& y, const Dual<T>& x) {
  using scalar::atan2;
  const T r2 = y.value * y.value + x.value * x.value;
  return {atan2(y.value, x.value), (y.derivative * x.value - y.value * x.derivative) / r2};
}
template <class T>
inline bool is_zero(const Dual<T>& a) {
  using scalar::is_zero;
  return is_zero(a.value) && is_zero(a.derivative);
}
template <class T>
inline Dual<T> pow(const Dual<T>& a, const Dual<T>& b) {
  using scalar::is_zero, scalar::log, scalar::pow;
  Dual<T> f(pow(a.value, b.value), T(0.0));
  // A term with derivative 0 is left out: log(a) has no value for a < 0, where a^2 has.
  if (!is_zero(a.derivative)) f.derivative = a.derivative * (b.value * pow(a.value, b.value - T(1.0)));
  if (!is_zero(b.derivative)) f.derivative = f.derivative + b.derivative * (f.value * log(a.value));
  return f;
}

#undef RICOCHET_DUAL_1
#undef RICOCHET_DUAL_USING

}  // namespace ricochet::formula
