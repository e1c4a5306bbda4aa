#pragma once
// The view shapes of a scenario ready to be drawn: every different formula that moves is one track, evaluated on a
// frame; what does not move is a number. A scenario without [view] gets a drawing of its coordinates: bars for a chain,
// a point with a trail otherwise.

#include <map>
#include <string>
#include <vector>

#include "ricochet/formula/program.hpp"
#include "ricochet/scenario/scenario.hpp"

namespace ricochet {

struct DrawnNumber {
  double constant = 0;
  int track = -1;  // >= 0: its value is that of the track
};

struct DrawnShape {
  std::string kind, color, label;
  std::map<std::string, std::vector<DrawnNumber>> values;  // at, from, to, radius, radii, angle, …
  std::vector<std::vector<double>> points;
  int coils = 0;
};

class Drawing {
 public:
  explicit Drawing(const Scenario& scenario);
  Drawing(const Drawing&) = delete;
  Drawing& operator=(const Drawing&) = delete;

  const std::vector<DrawnShape>& shapes() const { return shapes_; }
  int dimension() const { return dimension_; }   // 2 or 3
  bool standard() const { return standard_; }    // the scenario has no [view]
  bool landscape() const { return landscape_; }  // and its coordinates are no chain: they are axes (landscape.hpp)
  std::size_t tracks() const { return program_.output_count(); }
  std::size_t coordinates() const { return coordinates_; }

  // All tracks of one frame; a value may be infinite or not a number where a formula has none.
  const std::vector<double>& evaluate(double t, const double* q, const double* v);
  double value(const DrawnNumber& n) const {
    return n.track < 0 ? n.constant : values_[static_cast<std::size_t>(n.track)];
  }

 private:
  std::size_t coordinates_;
  std::vector<DrawnShape> shapes_;
  int dimension_ = 2;
  bool standard_ = false, landscape_ = false;
  formula::Program program_;
  formula::Evaluator<double> evaluator_;
  std::vector<double> values_;
};

}  // namespace ricochet
