#pragma once
// The gaps of a System evaluated: values, gradients, Hessians, and enclosures over a box. One for each thread.
// A gap is admissible where it is >= 0. Its value is that of its tree of minima and maxima over smooth pieces.

#include <cmath>
#include <span>
#include <vector>

#include "ricochet/formula/dual.hpp"
#include "ricochet/formula/interval.hpp"
#include "ricochet/mechanics/system.hpp"

namespace ricochet {

class Gaps {
 public:
  explicit Gaps(const System& system);  // the system must outlive it

  int count() const { return static_cast<int>(system_->gaps().size()); }
  int pieces() const { return static_cast<int>(system_->pieces().size()); }
  const formula::KinkTree& tree(int gap) const { return system_->gaps()[gap].tree; }
  int begin(int gap) const { return system_->gaps()[gap].first; }  // its pieces: begin, …, end − 1
  int end(int gap) const { return begin(gap) + system_->gaps()[gap].count; }

  // The value of a gap's tree, a number or an interval, where piece k has the value of_piece(k).
  template <class F>
  auto fold(int gap, const F& of_piece) const {
    return fold(tree(gap), of_piece);
  }
  template <class F>
  static auto fold(const formula::KinkTree& tree, const F& of_piece) -> decltype(of_piece(0)) {
    if (tree.kind == formula::KinkTree::Kind::piece) return of_piece(tree.piece);
    auto result = fold(tree.children.front(), of_piece);
    for (std::size_t k = 1; k < tree.children.size(); ++k) {
      const auto other = fold(tree.children[k], of_piece);
      result = tree.kind == formula::KinkTree::Kind::minimum ? least(result, other) : largest(result, other);
    }
    return result;
  }
  void add_coordinates(int piece, std::vector<int>& list) const;  // that a piece depends on, each once

  // At a point: all pieces at once.
  void evaluate(const double* q, double t);
  double piece(int k) const { return values_.output(k); }
  double value(int gap) const { return value(tree(gap)); }
  double value(const formula::KinkTree& tree) const;
  double minimum() const;  // +infinity without gaps

  // n = ∇g and g_t of a piece.
  double gradient(int piece, const double* q, double t, double* n, double& g_t);
  // y = (second derivatives with respect to q and t) x, n + 1 numbers each, at the given point.
  void hessian_times(int piece, const double* q, double t, const double* x, double* y);

  // ∂/∂θ_k of ∇g and g_t (n + 1 numbers); returns that of g.
  double parameter_derivative(int piece, int k, const double* q, double t, double* out);

  // Over a box: all pieces at once.
  void enclose(const formula::Interval* q, formula::Interval t);
  formula::Interval piece_enclosure(int k) const { return enclosures_.output(k); }
  double lower_bound(int gap) const;
  // All pieces of one gap, which share much: their values, their enclosures.
  void values_of(int gap, const double* q, double t, double* out);
  void enclosures_of(int gap, const formula::Interval* q, formula::Interval t, formula::Interval* out);
  // One piece alone; of q only the coordinates that it depends on are read.
  double value_of(int piece, const double* q, double t);
  formula::Interval enclosure_of(int piece, const formula::Interval* q, formula::Interval t);
  // ρ_g: what round-off makes of a piece at q, where the i-th coordinate is the sum of terms of size `reach[i]`
  // (|q_i| + h|v_i| + h²|a_i|): the width of its enclosure over q_i ± 2ε reach_i, t ± 2ε|t|. A gap within it is
  // closed.
  double round_off(int piece, const double* q, double t, const double* reach);
  // Of dg/ds = ∇g·q' + g_t over the box of the last enclosures of its gap, and a box of velocities.
  formula::Interval slope(int piece, const formula::Interval* dq);

 private:
  // As fmin and fmax, where NaN is no value.
  static double least(double a, double b) { return b < a || std::isnan(a) ? b : a; }
  static double largest(double a, double b) { return b > a || std::isnan(a) ? b : a; }
  static formula::Interval least(const formula::Interval& a, const formula::Interval& b) { return min(a, b); }
  static formula::Interval largest(const formula::Interval& a, const formula::Interval& b) { return max(a, b); }

  const System* system_;
  int n_;
  formula::Evaluator<double> values_;
  std::vector<formula::Evaluator<double>> single_values_, gradients_, hessians_, gap_values_;
  std::vector<formula::Evaluator<formula::Dual<double>>> duals_;  // of pieces, made when a derivative by θ is asked for
  formula::Evaluator<formula::Interval> enclosures_;
  std::vector<formula::Evaluator<formula::Interval>> singles_, gap_enclosures_;  // of a piece; a gap
  std::vector<std::vector<int>> coordinates_;  // that a gap depends on, t among them as number n
};

}  // namespace ricochet
