#pragma once
// The first time at which a path leaves the admissible set, inside a step and not at its end alone.
//
// The path of a sub-step of growing length s is modelled as q(s) ≈ q0 + s w0 + s² a (exact for Störmer–Verlet),
// inflated by the measured error of the model. On a piece of [0,r] the gaps are enclosed by interval arithmetic: a gap
// that is positive is out of question; where every piece that may vanish is monotone, a decreasing one has at most one
// root; otherwise the interval is halved. So a thin obstacle cannot slip between samples. Roots are then found on the
// true path.
//
// A lasting contact, as of neighbours in a cradle, has a gap that stays at zero up to round-off: no enclosure can tell
// its sign, and its round-off is no impact. A gap within 1000 `touch` of zero at the start, middle and end of the path
// is therefore sampled, and is an event only where it falls below −touch.

#include <optional>
#include <vector>

#include "ricochet/mechanics/gaps.hpp"

namespace ricochet {

struct PathModel {
  double t0 = 0, length = 0;
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
  int gap, piece;
  int evaluations;  // of the true path
};

class FirstEvent {
 public:
  FirstEvent(Gaps& gaps, int n, double touch = 1e-9);
  std::optional<Event> find(const PathModel& model, Path& path);
  // A contact at the start of the path that needs no impulse: it is no event until `forget` is called.
  void pass(int gap) { passed_[gap] = true; }
  void forget() { passed_.assign(passed_.size(), false); }

 private:
  void evaluate_model(double s);                                            // the gaps on the model of the path
  bool unseen(int gap) const { return lasting_[gap] > 0 || passed_[gap]; }  // by the interval search
  double lasting_limit(int gap);
  void find_lasting();
  std::optional<Event> search_lasting();
  std::optional<Event> at_start(const PathModel& model);
  std::optional<Event> search(double from, double to, int depth);
  std::optional<Event> root(int gap, int piece, double from, double to);
  enum class Closer { open, halve, undecidable };
  Closer look_closer(int piece, formula::Interval slope, double from, double to);
  double true_gap(int piece, double s);
  bool place_boxes(double from, double to);  // false: too short to be told apart from the model's error

  Gaps* gaps_;
  int n_;
  double touch_;
  bool any_lasting_ = false;
  const PathModel* model_ = nullptr;
  Path* path_ = nullptr;
  int evaluations_ = 0, visits_ = 0;
  std::vector<double> q_;
  std::vector<double> lasting_;  // of each gap: its limit if it is a lasting contact, else 0
  std::vector<bool> passed_;
  std::vector<std::vector<int>> leaves_;         // pieces of each gap
  std::vector<int> blocking_;                    // work
  std::vector<std::pair<int, int>> candidates_;  // (gap, piece) that may vanish, a stack
  std::vector<formula::Interval> box_, speed_;
  formula::Interval time_;
};

// The pieces of a gap that stop a motion: at a minimum those that vanish and approach, at a maximum (re-entrant corner)
// only if every child that attains the maximum approaches. rate(piece) is dg/dt along the motion.
template <class Rate>
bool blocking_pieces(const formula::KinkTree& tree, const Gaps& gaps, double closed, const Rate& rate,
                     std::vector<int>& out) {
  if (tree.kind == formula::KinkTree::Kind::piece) {
    if (gaps.piece(tree.piece) > closed || !(rate(tree.piece) < 0)) return false;
    out.push_back(tree.piece);
    return true;
  }
  const std::size_t before = out.size();
  bool any = false;
  const double attained = gaps.value(tree) - closed;
  for (const formula::KinkTree& child : tree.children) {
    if (tree.kind == formula::KinkTree::Kind::maximum && gaps.value(child) < attained) continue;
    const bool blocks = blocking_pieces(child, gaps, closed, rate, out);
    if (tree.kind == formula::KinkTree::Kind::maximum && !blocks) {
      out.resize(before);
      return false;
    }
    any |= blocks;
  }
  return any;
}

}  // namespace ricochet
