#pragma once
// Curves over time in at most a given number of points, such that peaks survive: the records are gathered into buckets
// of equal size, and of each bucket every curve keeps its smallest and its largest value, in the order in which they
// came. All curves share the times (first and last record of the bucket), so a point may be early or late by less than
// a bucket. How many records will come need not be known: when there are too many buckets, neighbours are merged. One
// pass, memory bounded by the number of points.

#include <cstdint>
#include <vector>

namespace ricochet {

class Envelope {
 public:
  Envelope(std::size_t curves, std::size_t max_points);

  void add(double t, const double* values);  // one record: a value for each curve

  std::vector<double> t() const;
  std::vector<double> curve(std::size_t k) const;
  bool thinned() const { return size_ > 1; }

 private:
  struct Extreme {
    double min, max;
    bool rising;  // the smallest came first
  };
  struct Bucket {
    std::int64_t records = 0;
    double first_t = 0, last_t = 0;
    std::vector<Extreme> extremes;  // one for each curve
  };
  void merge();
  std::size_t curves_, max_points_;
  std::int64_t size_ = 1;  // records in a full bucket
  std::vector<Bucket> buckets_;
};

}  // namespace ricochet
