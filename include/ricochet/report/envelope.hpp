#pragma once
// Curves over time in at most a given number of points, such that peaks survive: the records are cut into equal
// buckets, and of each bucket every curve keeps its smallest and its largest value, in the order in which they came.
// All curves share the times (first and last record of the bucket), so a point may be early or late by less than a
// bucket. One pass, memory bounded by the number of points.

#include <cstdint>
#include <vector>

namespace ricochet {

class Envelope {
 public:
  Envelope(std::int64_t records, std::size_t curves, std::int64_t max_points);

  void add(double t, const double* values);  // one for each curve; called once for each record
  void finish();                             // after the last record

  const std::vector<double>& t() const { return t_; }
  const std::vector<double>& curve(std::size_t k) const { return curves_[k]; }

 private:
  struct Extreme {
    double min, max;
    std::int64_t min_at, max_at;
  };
  void flush();
  std::int64_t records_, buckets_, record_ = 0, bucket_ = 0, in_bucket_ = 0;
  double first_t_ = 0, last_t_ = 0;
  std::vector<Extreme> extremes_;
  std::vector<double> t_;
  std::vector<std::vector<double>> curves_;
};

}  // namespace ricochet
