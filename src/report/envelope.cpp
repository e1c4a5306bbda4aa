#include "ricochet/report/envelope.hpp"

#include <algorithm>

namespace ricochet {

Envelope::Envelope(std::int64_t records, std::size_t curves, std::int64_t max_points)
    : records_(std::max<std::int64_t>(records, 1)),
      buckets_(records <= max_points ? records_ : std::max<std::int64_t>(max_points / 2, 1)),
      extremes_(curves),
      curves_(curves) {}

void Envelope::add(double t, const double* values) {
  const std::int64_t bucket = record_ * buckets_ / records_;  // records < 2^40 and buckets < 2^20: no overflow
  if (bucket != bucket_) flush();
  bucket_ = bucket;
  if (in_bucket_ == 0) first_t_ = t;
  last_t_ = t;
  for (std::size_t k = 0; k < extremes_.size(); ++k) {
    Extreme& e = extremes_[k];
    if (in_bucket_ == 0 || values[k] < e.min) e.min = values[k], e.min_at = record_;
    if (in_bucket_ == 0 || values[k] > e.max) e.max = values[k], e.max_at = record_;
  }
  ++in_bucket_;
  ++record_;
}

void Envelope::finish() { flush(); }

void Envelope::flush() {
  if (in_bucket_ == 0) return;
  t_.push_back(first_t_);
  if (in_bucket_ > 1) t_.push_back(last_t_);
  for (std::size_t k = 0; k < extremes_.size(); ++k) {
    const Extreme& e = extremes_[k];
    curves_[k].push_back(e.min_at <= e.max_at ? e.min : e.max);
    if (in_bucket_ > 1) curves_[k].push_back(e.min_at <= e.max_at ? e.max : e.min);
  }
  in_bucket_ = 0;
}

}  // namespace ricochet
