#pragma once
// The frames of an animation: which records of a run are drawn. A short run has one reel of every record. A long one
// has three: the whole run with every k-th record and the two records around its impacts, and every record of its
// beginning and of its end. One pass over the records fills them all.

#include <cstdint>
#include <string>
#include <vector>

#include "ricochet/report/drawing.hpp"

namespace ricochet {

struct Reel {
  std::string name;
  std::int64_t first = 0, last = 0;  // records first … last − 1
  std::int64_t stride = 1;
  std::vector<double> t;
  std::vector<std::vector<float>> tracks;  // not a number where a formula has no finite value
};

class Reels {
 public:
  // impact_times: in order. Of more than a quarter of max_frames, evenly chosen ones are kept.
  Reels(Drawing& drawing, std::int64_t records, const std::vector<double>& impact_times, std::int64_t max_frames);

  void add(double t, const double* q, const double* v);  // called once for each record
  const std::vector<Reel>& reels() const { return reels_; }

 private:
  void take(Reel& reel, double t, const double* q, const double* v);
  bool impact_until(double t);  // since the previous record
  Drawing& drawing_;
  std::vector<double> impact_times_;
  std::size_t next_impact_ = 0;
  std::int64_t records_, record_ = 0;
  double previous_t_ = 0;
  std::vector<double> previous_q_, previous_v_;
  std::vector<Reel> reels_;
};

// At most `count` of `total`, evenly chosen: is number k one of them?
inline bool evenly_chosen(std::int64_t k, std::int64_t total, std::int64_t count) {
  return total <= count || (k * count) / total != ((k - 1) * count) / total || k == 0;
}

}  // namespace ricochet
