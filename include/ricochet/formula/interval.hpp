#pragma once
// Intervals that surely contain: if every input lies in its interval, every output does, whatever the rounding.
// Bounds are rounded outwards: to a neighbouring number after the exactly rounded operations + - * / sqrt, by four
// units in the last place after the functions of the mathematical library, whose error is below that.
//
// Where a function has no value in a part of the argument (sqrt, log, asin, acos, a broken power), that part is left
// out; where it has none at all, and for division by an interval that contains 0, the result is the whole line. No
// bound is ever NaN and no interval empty.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numbers>

#include "ricochet/formula/scalar.hpp"

namespace ricochet::formula {

struct Interval {
  double lo = 0, hi = 0;

  Interval() = default;
  Interval(double x) : lo(x), hi(x) { repair(); }  // NOLINT: a number
  Interval(double lower, double upper) : lo(lower), hi(upper) { repair(); }
  static Interval whole() {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
  bool contains(double x) const { return lo <= x && x <= hi; }
  bool is_point() const { return lo == hi; }

 private:
  void repair() {
    if (lo <= hi) return;
    if (std::isnan(lo)) lo = -std::numeric_limits<double>::infinity();
    if (std::isnan(hi)) hi = std::numeric_limits<double>::infinity();
  }
};

namespace interval_detail {

// The neighbours of x, or the next but one near the smallest numbers: x -+ (u(1 + 2u)|x| + smallest), u = 2^-53 [Rump,
// Zimmermann, Boldo, Melquiond 2009], much faster than nextafter. An infinite bound on the wrong side becomes NaN,
// which is repaired to the whole line.
inline double beside(double x) {
  return 0x1p-53 * (1 + 0x1p-52) * std::fabs(x) + std::numeric_limits<double>::denorm_min();
}
inline Interval outward(double lo, double hi, int ulps) {
  for (int k = 0; k < ulps; ++k) lo -= beside(lo), hi += beside(hi);
  return {lo, hi};
}
inline Interval exact(double lo, double hi) { return outward(lo, hi, 1); }
inline Interval library(double lo, double hi) { return outward(lo, hi, 4); }
inline Interval clip(Interval a, double lo, double hi) { return {std::clamp(a.lo, lo, hi), std::clamp(a.hi, lo, hi)}; }
inline Interval hull(Interval a, Interval b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }
inline double magnitude(Interval a) { return std::max(std::fabs(a.lo), std::fabs(a.hi)); }
inline double mignitude(Interval a) { return a.contains(0) ? 0 : std::min(std::fabs(a.lo), std::fabs(a.hi)); }

// Smallest and largest f over the four corners; a corner without a value (inf/inf) is a limit of the others.
template <class F>
inline void corners(Interval a, Interval b, F f, double& lo, double& hi) {
  lo = std::numeric_limits<double>::infinity(), hi = -lo;
  for (const double x : {a.lo, a.hi})
    for (const double y : {b.lo, b.hi}) {
      const double z = f(x, y);
      if (!std::isnan(z)) lo = std::min(lo, z), hi = std::max(hi, z);
    }
}

// Does a contain offset + k*period for an integer k? In doubt (at the last digits, or far out), yes.
inline bool contains_multiple(Interval a, double offset, double period) {
  const double m = magnitude(a);
  if (!(m < 1e15) || a.hi - a.lo >= period) return true;
  const double doubt = 4e-16 * (1 + 4 * m);
  return std::floor((a.hi + doubt - offset) / period) >= std::ceil((a.lo - doubt - offset) / period);
}

inline Interval nonnegative_power(Interval a, Interval b) {  // a >= 0: monotone in a and in b
  double lo, hi;
  corners(
      a, b, [](double x, double y) { return scalar::pow(x, y); }, lo, hi);
  const Interval r = library(lo, hi);
  return {std::max(r.lo, 0.0), r.hi};
}

// sin and cos, with values u and v at the ends of a: 1 at top, -1 half a turn later.
inline Interval wave(Interval a, double u, double v, double top) {
  const double m = magnitude(a);
  if (!(m < 1e15)) return {-1, 1};
  // the turns a contains, counted in half turns from top; in doubt (at the last digits) one more
  const double doubt = 4e-16 * (1 + 4 * m), per_half_turn = 1 / std::numbers::pi;
  const double from = (a.lo - doubt - top) * per_half_turn, to = (a.hi + doubt - top) * per_half_turn;
  auto first = static_cast<std::int64_t>(from), last = static_cast<std::int64_t>(to);
  if (static_cast<double>(first) < from) ++first;
  if (static_cast<double>(last) > to) --last;
  if (last > first) return {-1, 1};
  Interval r = clip(library(std::min(u, v), std::max(u, v)), -1, 1);
  if (last == first) (first % 2 == 0 ? r.hi : r.lo) = first % 2 == 0 ? 1 : -1;
  return r;
}

}  // namespace interval_detail

inline Interval operator+(const Interval& a, const Interval& b) {
  return interval_detail::exact(a.lo + b.lo, a.hi + b.hi);
}
inline Interval operator-(const Interval& a, const Interval& b) {
  return interval_detail::exact(a.lo - b.hi, a.hi - b.lo);
}
inline Interval operator-(const Interval& a) { return {-a.hi, -a.lo}; }
inline Interval operator*(const Interval& a, const Interval& b) {
  const double ll = a.lo * b.lo, lh = a.lo * b.hi, hl = a.hi * b.lo, hh = a.hi * b.hi, sum = ll + lh + hl + hh;
  if (sum - sum == 0)  // all finite
    return interval_detail::exact(std::min(std::min(ll, lh), std::min(hl, hh)),
                                  std::max(std::max(ll, lh), std::max(hl, hh)));
  double lo, hi;
  interval_detail::corners(
      a, b, [](double x, double y) { return x == 0 || y == 0 ? 0 : x * y; }, lo, hi);
  return interval_detail::exact(lo, hi);
}
inline Interval operator/(const Interval& a, const Interval& b) {
  if (b.contains(0)) return Interval::whole();
  double lo, hi;
  interval_detail::corners(
      a, b, [](double x, double y) { return x / y; }, lo, hi);
  return interval_detail::exact(lo, hi);
}
inline Interval square(const Interval& a) {  // tighter than a*a, which does not know that both are the same
  const double lo = interval_detail::mignitude(a), hi = interval_detail::magnitude(a);
  const Interval r = interval_detail::exact(lo * lo, hi * hi);
  return {std::max(r.lo, 0.0), r.hi};
}

inline Interval sin(const Interval& a) {
  return interval_detail::wave(a, scalar::sin(a.lo), scalar::sin(a.hi), std::numbers::pi / 2);
}
inline Interval cos(const Interval& a) { return interval_detail::wave(a, scalar::cos(a.lo), scalar::cos(a.hi), 0); }
inline Interval tan(const Interval& a) {
  if (interval_detail::contains_multiple(a, std::numbers::pi / 2, std::numbers::pi)) return Interval::whole();
  return interval_detail::library(scalar::tan(a.lo), scalar::tan(a.hi));
}
inline Interval asin(const Interval& a) {
  if (a.lo > 1 || a.hi < -1) return Interval::whole();
  const Interval x = interval_detail::clip(a, -1, 1);
  return interval_detail::library(scalar::asin(x.lo), scalar::asin(x.hi));
}
inline Interval acos(const Interval& a) {
  if (a.lo > 1 || a.hi < -1) return Interval::whole();
  const Interval x = interval_detail::clip(a, -1, 1);
  return interval_detail::library(scalar::acos(x.hi), scalar::acos(x.lo));
}
inline Interval atan(const Interval& a) { return interval_detail::library(scalar::atan(a.lo), scalar::atan(a.hi)); }
inline Interval atan2(const Interval& y, const Interval& x) {
  if (x.lo <= 0 && y.contains(0)) return interval_detail::library(-std::numbers::pi, std::numbers::pi);  // the cut
  double lo, hi;
  interval_detail::corners(
      y, x, [](double s, double c) { return scalar::atan2(s, c); }, lo, hi);
  return interval_detail::library(lo, hi);
}
inline Interval sinh(const Interval& a) { return interval_detail::library(scalar::sinh(a.lo), scalar::sinh(a.hi)); }
inline Interval cosh(const Interval& a) {
  const Interval r = interval_detail::library(scalar::cosh(interval_detail::mignitude(a)),
                                              scalar::cosh(interval_detail::magnitude(a)));
  return {std::max(r.lo, 1.0), r.hi};
}
inline Interval tanh(const Interval& a) {
  return interval_detail::clip(interval_detail::library(scalar::tanh(a.lo), scalar::tanh(a.hi)), -1, 1);
}
inline Interval exp(const Interval& a) {
  const Interval r = interval_detail::library(scalar::exp(a.lo), scalar::exp(a.hi));
  return {std::max(r.lo, 0.0), r.hi};
}
inline Interval log(const Interval& a) {
  if (a.hi <= 0) return Interval::whole();
  return interval_detail::library(scalar::log(std::max(a.lo, 0.0)), scalar::log(a.hi));
}
inline Interval sqrt(const Interval& a) {
  if (a.hi < 0) return Interval::whole();
  const Interval r = interval_detail::exact(scalar::sqrt(std::max(a.lo, 0.0)), scalar::sqrt(a.hi));
  return {std::max(r.lo, 0.0), r.hi};
}
inline Interval abs(const Interval& a) { return {interval_detail::mignitude(a), interval_detail::magnitude(a)}; }
inline Interval min(const Interval& a, const Interval& b) { return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)}; }
inline Interval max(const Interval& a, const Interval& b) { return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)}; }
inline Interval sign(const Interval& a) { return {scalar::sign(a.lo), scalar::sign(a.hi)}; }
inline Interval select(const Interval& a, const Interval& b, const Interval& c) {
  return a.hi < 0 ? b : a.lo >= 0 ? c : interval_detail::hull(b, c);
}
inline bool is_zero(const Interval& a) { return a.lo == 0 && a.hi == 0; }
inline Interval pow(const Interval& a, const Interval& b) {
  if (a.lo >= 0) return interval_detail::nonnegative_power(a, b);
  if (!b.is_point()) return Interval::whole();  // a negative base has a power at the integers only
  if (b.lo != std::floor(b.lo)) {
    if (a.hi < 0 || std::isinf(a.lo)) return Interval::whole();  // the library gives (-inf)^b a value
    return interval_detail::nonnegative_power({0, a.hi}, b);
  }
  if (b.lo < 0) return Interval(1) / pow(a, -b);
  if (std::fmod(b.lo, 2) == 0) return interval_detail::nonnegative_power(abs(a), b);
  return interval_detail::library(scalar::pow(a.lo, b.lo), scalar::pow(a.hi, b.lo));
}

}  // namespace ricochet::formula
