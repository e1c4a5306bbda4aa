#include "ricochet/report/orbit.hpp"

#include <algorithm>

namespace ricochet {

Orbit::Orbit(std::int64_t records, std::int64_t max_points)
    : records_(std::max<std::int64_t>(records, 1)),
      buckets_(records <= max_points ? records_ : std::max<std::int64_t>(max_points / 4, 1)) {}

void Orbit::add(double t, double x, double y) {
  const std::int64_t bucket = record_ * buckets_ / records_;
  if (bucket != bucket_) flush();
  bucket_ = bucket;
  const Point point{record_++, t, x, y};
  if (empty_) extremes_.fill(point);
  empty_ = false;
  if (x < extremes_[0].x) extremes_[0] = point;
  if (x > extremes_[1].x) extremes_[1] = point;
  if (y < extremes_[2].y) extremes_[2] = point;
  if (y > extremes_[3].y) extremes_[3] = point;
}

void Orbit::finish() { flush(); }

void Orbit::flush() {
  if (empty_) return;
  std::sort(extremes_.begin(), extremes_.end(), [](const Point& a, const Point& b) { return a.record < b.record; });
  for (const Point& point : extremes_)
    if (points_.empty() || points_.back().record != point.record) points_.push_back(point);
  empty_ = true;
}

}  // namespace ricochet
