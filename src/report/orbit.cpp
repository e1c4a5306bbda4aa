#include "ricochet/report/orbit.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {

Orbit::Orbit(std::int64_t records, std::int64_t max_points)
    : records_(std::max<std::int64_t>(records, 1)),
      buckets_(records <= max_points ? records_ : std::max<std::int64_t>(max_points / 5, 1)) {}

void Orbit::add(double t, double x, double y) {
  const std::int64_t bucket = record_ * buckets_ / records_;
  if (bucket != bucket_) flush();
  bucket_ = bucket;
  const Point point{record_, t, x, y};
  if (empty_) {
    kept_.fill(point);
    const double place = static_cast<double>(bucket) * 0.6180339887498949;  // golden: never periodic
    chosen_ = record_ + static_cast<std::int64_t>((place - std::floor(place)) * static_cast<double>(records_) /
                                                  static_cast<double>(buckets_));
  }
  empty_ = false;
  if (x < kept_[0].x) kept_[0] = point;
  if (x > kept_[1].x) kept_[1] = point;
  if (y < kept_[2].y) kept_[2] = point;
  if (y > kept_[3].y) kept_[3] = point;
  if (record_ == chosen_) kept_[4] = point;
  ++record_;
}

void Orbit::finish() { flush(); }

void Orbit::flush() {
  if (empty_) return;
  std::sort(kept_.begin(), kept_.end(), [](const Point& a, const Point& b) { return a.record < b.record; });
  for (const Point& point : kept_)
    if (points_.empty() || points_.back().record != point.record) points_.push_back(point);
  empty_ = true;
}

}  // namespace ricochet
