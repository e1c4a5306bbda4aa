#pragma once
// The flow of a discrete Lagrangian: sub-steps of growing length (discrete/sub_step.hpp).
//
// A contact that is held is a row g(q1) = 0. Whether the motion leaves it is asked once, of the sub-step to the end of
// the step, as complementarity 0 <= λ ⊥ g(q1) >= 0: it leaves if λ would pull and g(q1), and what it grows by,
// is more than round-off. Where with all of them held none pulls, that is the answer.
// (Without the second condition neighbours of a cradle, where both are zero, would part and meet thousands of times.)
//
// **Rules with unequal parts** (rectangle) judge by the impulse λ + ξ of the whole step. With γ < ½ most of a force
// acts at the start, so that the free path falls further than a body does, and into an obstacle that falls away: λ > 0
// > ξ where λ + ξ < 0. The momentum at a node of a closed contact is known but for its normal, since the next λ takes
// that up; what the projection would pull is left away then, ξ = 0, and the contact opens at the end of the step, with
// the speed by which the rule is behind. (With ξ of any sign a ball leaves a dome at cos θ = ½ instead of ⅔, at any
// step.) Rules that are composed with their adjoint are equal as a whole: there the second part leaves.

#include "ricochet/discrete/constrained_step.hpp"
#include "ricochet/discrete/flow.hpp"
#include "ricochet/discrete/share_friction.hpp"

namespace ricochet {

class VariationalFlow final : public Flow {
 public:
  VariationalFlow(SubStep& step, Gaps& gaps, bool composed = false);  // composed: one of two parts
  void start(double t, const double* q, const double* p, double rest, std::vector<int>& held, std::span<const int> kept,
             std::span<Rub> rubs) override;
  void restart(const double* p) override;
  double reach() const override { return rest_; }
  void solve(double s) override;
  const double* q() const override { return q1_.data(); }
  const double* p() override;
  const double* mean_velocity() const override { return step_.mean_velocity(); }
  void energies(double& before, double& after) override { step_.energies(before, after); }
  void add_work(double* work) override { step_.add_work(work); }
  double obstacle_work() override {
    return step_.constrained().held().empty() ? 0 : step_.constrained().obstacle_work();
  }
  double friction_loss() override {  // the rows of the last solve with contacts are no longer those of a free one
    const ConstrainedStep& rows = step_.constrained();
    return rows.held().empty() || !rows.rubs() ? 0 : rows.friction_loss();
  }
  void add_impulses(double* impulses) override;
  double slip_at_start(int k) override;
  double slip_at_end(int k) override;
  double slip_round_off(int k) override { return step_.constrained().slip_round_off(k, 0); }
  bool stands_still(int k, Rub& rub) override;
  void turn(int k, Rub& rub) override;
  bool leaves(int k) override;
  const char* derivative(SubStepDerivative& out) override;
  Eigen::RowVectorXd slip_derivative(int k) override { return step_.constrained().slip_derivative(k); }
  bool is_parabola() const override { return explicit_; }

 private:
  void release(std::vector<int>& held, std::span<const int> kept);
  void choose(std::vector<int>& held, std::span<const int> kept, std::span<Rub> rubs);
  void hold(const std::vector<int>& held, std::span<const Rub> rubs);
  bool grows(int piece);  // its gap, in the last solve, which did without it
  void mark_leaving(bool at_the_end);
  bool solve_to_the_end();
  int worst_of(const std::vector<int>& pieces) const;
  bool return_at_end(const std::vector<int>& held);
  void share_friction(double* tau, const double* pressure);
  SubStep& step_;
  Gaps& gaps_;
  bool leaves_at_end_;     // what pulls there alone
  bool explicit_ = false;  // and free: the momentum at the end is found when it is asked for
  bool arrived_ = false;
  double t_ = 0, rest_ = 0, s_ = 0;
  std::vector<double> q0_, p0_, q1_, p1_, reach_;
  std::vector<int> staying_, left_, tolerated_, others_, left_out_, flips_, leaving_;
  std::vector<Rub> held_rubs_;
  std::vector<int> stuck_;
  ShareFriction share_;
  std::vector<double> gram_, stuck_tau_, stuck_pressure_;
  std::vector<double> shared_, pressures_;  // friction of each tangent, as the cones judge it; of each contact held
};

}  // namespace ricochet
