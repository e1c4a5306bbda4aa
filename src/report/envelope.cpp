#include "ricochet/report/envelope.hpp"

#include <algorithm>

namespace ricochet {

Envelope::Envelope(std::size_t curves, std::size_t max_points)
    : curves_(curves), max_points_(std::max<std::size_t>(max_points, 4)) {}

void Envelope::add(double t, const double* values) {
  if (buckets_.empty() || buckets_.back().records == size_) {
    const std::size_t points = size_ == 1 ? 1 : 2;  // of a bucket
    if ((buckets_.size() + 1) * points > max_points_) merge();
  }
  if (buckets_.empty() || buckets_.back().records == size_) {
    Bucket bucket{1, t, t, {}};
    for (std::size_t k = 0; k < curves_; ++k) bucket.extremes.push_back({values[k], values[k], true});
    buckets_.push_back(std::move(bucket));
    return;
  }
  Bucket& bucket = buckets_.back();
  ++bucket.records;
  bucket.last_t = t;
  for (std::size_t k = 0; k < curves_; ++k) {
    Extreme& e = bucket.extremes[k];
    if (values[k] > e.max) e.max = values[k], e.rising = true;
    if (values[k] < e.min) e.min = values[k], e.rising = false;
  }
}

void Envelope::merge() {
  for (std::size_t i = 0; 2 * i < buckets_.size(); ++i) {
    Bucket merged = std::move(buckets_[2 * i]);
    if (2 * i + 1 < buckets_.size()) {
      const Bucket& next = buckets_[2 * i + 1];
      merged.records += next.records;
      merged.last_t = next.last_t;
      for (std::size_t k = 0; k < curves_; ++k) {
        Extreme& a = merged.extremes[k];
        const Extreme& b = next.extremes[k];
        const bool new_min = b.min<a.min, new_max = b.max> a.max;
        a.rising = new_min && new_max ? b.rising : new_max ? true : new_min ? false : a.rising;
        a.min = std::min(a.min, b.min), a.max = std::max(a.max, b.max);
      }
    }
    buckets_[i] = std::move(merged);
  }
  buckets_.resize((buckets_.size() + 1) / 2);
  size_ *= 2;
}

std::vector<double> Envelope::t() const {
  std::vector<double> out;
  for (const Bucket& bucket : buckets_) {
    out.push_back(bucket.first_t);
    if (bucket.records > 1) out.push_back(bucket.last_t);
  }
  return out;
}

std::vector<double> Envelope::curve(std::size_t k) const {
  std::vector<double> out;
  for (const Bucket& bucket : buckets_) {
    const Extreme& e = bucket.extremes[k];
    if (bucket.records == 1) {
      out.push_back(e.min);
    } else {
      out.push_back(e.rising ? e.min : e.max);
      out.push_back(e.rising ? e.max : e.min);
    }
  }
  return out;
}

}  // namespace ricochet
