#pragma once
// A proof that nothing is hit for a while: a box around the path to come in which every gap is positive, by interval
// arithmetic. As long as the path stays in the box a step needs no contact check. The box follows the parabola of the
// last two mean velocities; a bad guess costs time, never the proof. The proof never changes a result, it only saves
// work, so it is no part of the state.

#include <vector>

#include "ricochet/mechanics/gaps.hpp"

namespace ricochet {

class SafeHorizon {
 public:
  explicit SafeHorizon(int n);

  // Does the box contain the path of this step, from q with mean velocity w? The path may leave its chord by as much as
  // the chord is long and what the change of w since the step before shows: h (|w| + |w − w_before|).
  bool covers(double t, const double* q, const double* w, double h) const;
  // A new box, for as many steps as can be proved; false if not even this one.
  bool extend(Gaps& gaps, double t, const double* q, const double* w, double h);
  void remember(const double* w);  // as w_before
  void drop() { active_ = false; }
  bool stands() const { return active_; }
  double gap_bound() const { return bound_; }  // every gap in the box is at least this

 private:
  int n_;
  bool active_ = false;
  int steps_ = 16;  // tried first; grows and shrinks with success
  double t_begin_ = 0, t_end_ = 0, bound_ = 0;
  std::vector<double> low_, high_, w_before_;
  std::vector<formula::Interval> box_;
};

}  // namespace ricochet
