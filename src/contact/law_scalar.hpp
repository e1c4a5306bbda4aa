#pragma once
// What the laws need of double and Dual<double> alike.

#include <cmath>

#include "ricochet/formula/dual.hpp"
#include "ricochet/numerics/scaled_solver.hpp"

namespace ricochet {

using Dual = formula::Dual<double>;

using formula::value;
inline double derivative(double) { return 0; }
inline double derivative(const Dual& x) { return x.derivative; }

inline double root(double x) { return std::sqrt(x); }
inline Dual root(const Dual& x) {
  return x.value > 0 ? formula::sqrt(x) : Dual(0.0);  // at 0 a length has no derivative
}

template <class T>
T scaled(double factor, const T& x) {
  return T(factor) * x;
}

}  // namespace ricochet
