#pragma once
// A plane curve (x, y)(t) in at most a given number of points, such that its outline survives: the records are cut into
// equal buckets, and of each bucket those with the smallest and largest x and y are kept, and one more, at a place that
// differs from bucket to bucket, so that a periodic curve is met everywhere. Unlike an Envelope every point is a
// record. One pass, memory bounded by the number of points.

#include <array>
#include <cstdint>
#include <vector>

namespace ricochet {

class Orbit {
 public:
  struct Point {
    std::int64_t record;
    double t, x, y;
  };
  Orbit(std::int64_t records, std::int64_t max_points);

  void add(double t, double x, double y);  // called once for each record
  void finish();                           // after the last record
  const std::vector<Point>& points() const { return points_; }

 private:
  void flush();
  std::int64_t records_, buckets_, record_ = 0, bucket_ = 0, chosen_ = 0;
  bool empty_ = true;
  std::array<Point, 5> kept_{};  // smallest x, largest x, smallest y, largest y, one more
  std::vector<Point> points_;
};

}  // namespace ricochet
