#pragma once
// The generalized reflection of Kaufman and Pai [KP12 Algorithm 2] and Moreau's [Algorithm 3], for contacts with
// normals n_k at one point.
//
// In the space of contact speeds c_k = n_k·v everything is small: an impulse Σ y_k n_k changes c by Δy, Δ = NᵀM⁻¹N.
// While some c_k < −ρ_v: V = those k, y from  min_{y≥0} ½ yᵀΔ_V y + 2 c_Vᵀ y  (A.1), c += Δy. Two balls in, two balls
// out. Moreau takes one pass over V and the touching ones. Energy is kept in each pass: ½ yᵀΔy + yᵀc = 0.
//
// With another energy that is quadratic in p, H2 = H + a h² vᵀV''v + terms of q, the pass uses Δ² = Δ + 2a h² UᵀV''U
// and c² = c + 2a h² UᵀV''v, U = M⁻¹N. The approach test stays in the metric of M. A pass that is not feasible with H2
// (slow contacts) uses H.

#include <vector>

#include "ricochet/numerics/nonnegative_least_squares.hpp"

namespace ricochet {

class GeneralizedReflection {
 public:
  int max_passes = 100000;

  // Before: the problem, for m contacts; after the first call of a size nothing is allocated.
  void resize(int m, bool with_shadow);
  double& gram(int i, int j) { return gram_[i * m_ + j]; }    // Δ
  double& c(int k) { return c_[k]; }                          // contact speeds, before and after
  double& gram2(int i, int j) { return gram2_[i * m_ + j]; }  // Δ²
  double& c2(int k) { return c2_[k]; }                        // c²
  double& still(int k) { return still_[k]; }                  // speeds up to this are none, ρ_v

  // Throws SolverError after max_passes (opposing contacts never end).
  void generalized();
  void moreau();

  const std::vector<double>& impulses() const { return impulses_; }  // Σ y_k over the passes
  int passes() const { return passes_; }
  int fallbacks() const { return fallbacks_; }  // passes that used H instead of H2

 private:
  void begin();
  void pass();
  bool solve(const std::vector<double>& metric, const std::vector<double>& speed);

  int m_ = 0, passes_ = 0, fallbacks_ = 0;
  bool shadow_ = false;
  std::vector<double> gram_, c_, gram2_, c2_, still_, impulses_;
  std::vector<int> set_;  // V
  NonnegativeLeastSquares<double> cone_;
};

}  // namespace ricochet
