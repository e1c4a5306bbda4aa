#pragma once
// What a scalar must offer to be evaluated by a Program: construction from double, + - * /, unary minus and these
// functions. Those of double stand here; lanes.hpp, dual.hpp and interval.hpp have theirs beside their type, found by
// it.

#include <cmath>

namespace ricochet::formula::scalar {

inline double sin(double x) { return std::sin(x); }
inline double cos(double x) { return std::cos(x); }
inline double tan(double x) { return std::tan(x); }
inline double asin(double x) { return std::asin(x); }
inline double acos(double x) { return std::acos(x); }
inline double atan(double x) { return std::atan(x); }
inline double atan2(double y, double x) { return std::atan2(y, x); }
inline double sinh(double x) { return std::sinh(x); }
inline double cosh(double x) { return std::cosh(x); }
inline double tanh(double x) { return std::tanh(x); }
inline double exp(double x) { return std::exp(x); }
inline double log(double x) { return std::log(x); }
inline double sqrt(double x) { return std::sqrt(x); }
inline double abs(double x) { return std::fabs(x); }
inline double min(double a, double b) { return b < a ? b : a; }
inline double max(double a, double b) { return a < b ? b : a; }
inline double sign(double x) { return (x > 0) - (x < 0); }
inline double select(double a, double b, double c) { return a < 0 ? b : c; }
inline bool is_zero(double x) { return x == 0; }  // for scalars made of scalars
inline double pow(double a, double b) { return std::pow(a, b); }

}  // namespace ricochet::formula::scalar
