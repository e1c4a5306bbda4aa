#include "ricochet/report/reel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {

namespace {

std::vector<double> thinned(const std::vector<double>& values, std::int64_t count) {
  std::vector<double> kept;
  const std::int64_t total = std::ssize(values);
  for (std::int64_t k = 0; k < total; ++k)
    if (evenly_chosen(k, total, count)) kept.push_back(values[static_cast<std::size_t>(k)]);
  return kept;
}

}  // namespace

Reels::Reels(Drawing& drawing, std::int64_t records, const std::vector<double>& impact_times, std::int64_t max_frames)
    : drawing_(drawing), impact_times_(thinned(impact_times, max_frames / 4)), records_(records) {
  const auto add_reel = [&](const char* name, std::int64_t first, std::int64_t last, std::int64_t stride) {
    reels_.push_back({name, first, last, stride, {}, std::vector<std::vector<float>>(drawing_.tracks())});
  };
  if (records <= max_frames) {
    add_reel("whole run", 0, records, 1);
    return;
  }
  const std::int64_t frames = max_frames - 2 * std::ssize(impact_times_) - 1;
  add_reel("whole run", 0, records, (records + frames - 1) / frames);
  add_reel("beginning", 0, max_frames, 1);
  add_reel("end", records - max_frames, records, 1);
}

bool Reels::impact_until(double t) {
  const std::size_t before = next_impact_;
  while (next_impact_ < impact_times_.size() && impact_times_[next_impact_] <= t) ++next_impact_;
  return next_impact_ > before;
}

void Reels::add(double t, const double* q, const double* v) {
  const bool impact = impact_until(t);
  for (Reel& reel : reels_) {
    if (record_ < reel.first || record_ >= reel.last) continue;
    const bool thin = reel.stride > 1;
    if (thin && impact && record_ > 0 && reel.t.back() != previous_t_)
      take(reel, previous_t_, previous_q_.data(), previous_v_.data());
    if (!thin || impact || record_ % reel.stride == 0 || record_ + 1 == records_) take(reel, t, q, v);
  }
  previous_t_ = t;
  previous_q_.assign(q, q + drawing_.coordinates());
  previous_v_.assign(v, v + drawing_.coordinates());
  ++record_;
}

void Reels::take(Reel& reel, double t, const double* q, const double* v) {
  reel.t.push_back(t);
  const std::vector<double>& values = drawing_.evaluate(t, q, v);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto value = static_cast<float>(values[k]);
    reel.tracks[k].push_back(std::isfinite(value) ? value : std::numeric_limits<float>::quiet_NaN());
  }
}

}  // namespace ricochet
