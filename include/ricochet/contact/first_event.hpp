#pragma once
// The first time at which a path leaves the admissible set, inside a step and not at its end alone.
//
// A gap is watched as a whole: G is the value of its tree of minima and maxima, where a closed piece, which is a row of
// the flow, counts as +∞. An event is the first s at which G falls through 0: G(s) >= 0, and G < 0 right behind. So a
// face of an obstacle is no event where another face still keeps the way open, and where the path leaves there is none.
//
// The path of a flow of growing length s is modelled as q(s) ≈ q0 + s w0 + s² a (exact for Störmer–Verlet), inflated by
// the measured error of the model. On a part of [0,r] the pieces are enclosed by interval arithmetic: G positive is out
// of question, and so is G rising; where G falls it has at most one root; otherwise the part is halved. Where the error
// of the model is wider than what the motion adds, the part gets a model of its own; where that is no better, the ends
// decide. So a thin obstacle cannot slip between samples. Roots are found on the true path, and the last point with
// G >= 0 is taken. Each near gap is searched alone.

#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "ricochet/mechanics/gaps.hpp"

namespace ricochet {

struct PathModel {
  double t0 = 0, start = 0, length = 0;  // t0: the time of s = 0; the model is of [start, start + length]
  std::vector<double> q0, w0, a;
  std::vector<double> error;  // of the position; that of the velocity is taken as 2 error / length
};

// The true path, as exact as the integrator is.
class Path {
 public:
  virtual ~Path() = default;
  virtual void position(double s, double* q) = 0;
};

struct Event {
  double s;
  int gap;
  int evaluations;  // of the true path
};

class FirstEvent {
 public:
  FirstEvent(Gaps& gaps, int n);
  // closed: a flag for each piece
  std::optional<Event> find(const PathModel& model, Path& path, std::span<const char> closed);
  // Is every open gap positive, or growing, along a path of this length, from q with mean velocity w? Like
  // safe_horizon.hpp: the path may leave its chord by as much as the chord is long and what its velocity is known to
  // change, length (|w| + bend); its velocity is within w ± 2 bend. False: it takes a search to know.
  bool is_clear(double t, double length, const double* q, const double* w, const double* bend,
                std::span<const char> closed);
  double lowest() const { return lowest_; }  // of a clear path: a bound of those that do not only grow
  // The gaps that the last path may have met.
  const std::vector<int>& near() const { return near_; }
  // Of these those of which it is not proved that they are open at its end, or on the way to be.
  const std::vector<int>& touching() const { return touching_; }
  // Of the pieces of these: may it have met this one?
  std::span<const char> reachable() const { return reachable_; }

 private:
  void place_boxes(int gap, double from, double to);
  bool is_rising(int gap, const formula::Interval& G);
  std::optional<double> search(int gap, double from, double to, int depth);
  std::optional<double> decide(int gap, double from, double to, int depth, const formula::Interval& G);
  // enclosed: enclosures_ are of this part
  std::optional<double> root(int gap, double from, double to, bool falling, bool enclosed = true);
  bool is_inexact(int gap) const;
  bool refine(int gap, double from, double to);  // the next of refined_ is a model of this part; false: no better one
  double round_off_of(int gap, int piece);
  template <class F>
  bool is_above_round_off(int gap, double level, const F& value);
  double gap_at(int gap, const double* q, double s);
  double gap_in_part(int gap, const double* q, double s);
  formula::Interval fold(int gap) const;  // of enclosures_

  Gaps* gaps_;
  int n_;
  const PathModel* path_model_ = nullptr;  // of the whole
  const PathModel* model_ = nullptr;       // in use: the same, or one of refined_
  std::deque<PathModel> refined_;  // models of parts, each of a part of the one before; they stay where they are
  int refinements_ = 0;
  // Of the last boxes: the error of the model is more than round-off and than the motion; the motion is more than that.
  bool coarse_ = false, resolved_ = false;
  Path* path_ = nullptr;
  std::span<const char> closed_;
  int evaluations_ = 0, visits_ = 0;
  std::vector<double> q_, reach_, values_, at_end_;
  std::vector<char> attains_;    // pieces that may be the value of their gap in the last part
  int only_ = -1;                // of them, if there is one alone
  std::vector<char> reachable_;  // pieces that the path may meet
  std::vector<double> rho_;      // ρ_g of pieces; −1: not known yet
  std::vector<int> near_, touching_;
  bool proved_ = false;  // of the last part: open, or growing
  double lowest_ = 0;
  std::vector<std::vector<int>> coordinates_;  // that each gap depends on
  std::vector<formula::Interval> enclosures_;  // of each piece
  std::vector<formula::Interval> box_, speed_;
  std::vector<double> normal_;
  formula::Interval time_;
};

}  // namespace ricochet
