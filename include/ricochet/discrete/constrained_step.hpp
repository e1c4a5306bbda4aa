#pragma once
// A SubStep with constraints and with contacts that may stay closed. With the columns C0 = [∇f_k, W_kᵀ, ∇g_i] at q0 and
// multipliers ν:
//
//   R(V; q0, p0 + C0ν, h) = 0,     w = Σ_j β_j V_j,   q1 = q0 + h w,
//   holonomic      f(q1)/h = 0          (∇f·w = 0 where hw is so short that f/h would be round-off),
//   nonholonomic   W(q0)w + b(q0) = 0  [RAC (+)],  or W(q1)w + b(q1) = 0 for its adjoint,
//   contact        0 <= λ ⊥ g(q1)/h >= 0   as min(λ, g/h) = 0   [KP12, step 4],
//
// one Newton iteration for all: each contact contributes the row that attains its minimum (semismooth Newton; if that
// cycles, the contacts are opened and closed one at a time, and if that cycles too, every set of them is tried). Then
// the momentum is brought to the constraints,
//
//   p1 = D2L_d + C1ξ  with  C1ᵀv(q1,p1) + b = 0:   [ M  −C1; C1ᵀ 0 ] [v; ξ] = [p − A; −b].
//
// Redundant constraints make the matrix singular; then the solution of least norm is taken.

#include <optional>
#include <span>
#include <vector>

#include "ricochet/discrete/sub_step.hpp"
#include "ricochet/mechanics/constraints.hpp"
#include "ricochet/mechanics/gaps.hpp"

namespace ricochet {

class ConstrainedStep {
 public:
  ConstrainedStep(SubStep& step, const System& system);

  // Nonholonomic constraints at the end of the step: the adjoint of the (+) scheme. Set once, before the first step.
  void constrain_at_end(bool yes) { at_end_ = yes, kkt_.reset(); }
  // The step that was started by SubStep, with the constraints of the system alone; the momentum is projected.
  void solve(double* q1, double* p1);
  // With contacts (numbers of gap pieces) that may not be penetrated; the momentum is D2L_d, not projected.
  void solve_with_contacts(double t0, const double* q0, const double* p0, double h, std::span<const int> pieces,
                           double* q1, double* p1);
  const std::vector<double>& multipliers() const { return nu_; }  // constraints, then contacts

  // p += Cξ so that the velocity obeys the constraints and keeps the given contacts closed; returns that velocity.
  const std::vector<double>& project(double t, const double* q, double* p, std::span<const int> pieces = {});
  // A covector (a contact normal) freed of what the constraints at (t, q) would undo, and M⁻¹ of it.
  void project_covector(double t, const double* q, double* n, double* inverse_mass_n);
  // Of the last solve, projection included.
  void derivative(SubStepDerivative& out);

  // A direction of q1 that the equations of the last solve, with or without constraints, leave free; empty if there is
  // none. (Redundant constraints leave multipliers free, not the motion.)
  std::vector<double> undetermined();

  Constraints& constraints() { return constraints_; }
  // The largest violations of the last step: |f(q1)|, |ω_d| and |W(q1)v1|.
  double holonomic_max() const { return holonomic_max_; }
  double nonholonomic_max() const { return nonholonomic_max_; }

 private:
  friend struct ConstrainedProblem;
  struct Column {
    int coordinate, multiplier;
    double value;
  };
  void set_contacts(std::span<const int> pieces);
  LinearSolver::Pattern pattern(const LinearSolver::Pattern& block, int size) const;  // of [block, C; Cᵀ, 1]
  void columns_at(const double* q, double t, std::vector<Column>& columns, std::vector<double>& values);
  void evaluate(const double* x, int order);
  bool direction(double* dx);
  void fill_kkt();
  void solve_newton();
  bool open_and_close();
  int worst_contact() const;
  bool try_newton();
  void factorize_mass(const double* q, double t);
  void solve_mass();
  Eigen::MatrixXd curvature(const double* q, double t, const double* nu);

  SubStep& step_;
  const System& system_;
  Constraints constraints_;
  Gaps gaps_;
  int n_, ns_, m_ = 0;       // coordinates, velocity unknowns, multipliers
  std::vector<int> pieces_;  // contacts of this solve
  bool at_end_ = false;
  bool instant_ = false;    // the step is too short for f(q1)/h
  bool chosen_ = false;     // open_ is given, not found by the iteration
  std::vector<char> open_;  // contact rows that read λ = 0

  std::optional<LinearSolver> kkt_, mass_;               // of the step, of the projection
  std::vector<std::pair<int, int>> core_slots_;          // place in the step's Jacobian -> place in kkt_
  std::vector<std::pair<std::size_t, int>> mass_slots_;  // entry of L'' -> place in mass_
  std::vector<int> bend_;                                // places of ∂ω/∂q, for constraints at the end
  std::vector<int> up_, low_, diagonal_, mass_up_,
      mass_low_;  // places of the columns, of their transposes, of the multipliers
  std::vector<Column> c0_, c1_;
  std::vector<double> value0_, value1_, nu_, p_start_, x_, dx_, best_, rows_, q1_;
  double norm_ = 0, holonomic_max_ = 0, nonholonomic_max_ = 0;
  double inverse_mass_scale_ = 0;            // of the largest entry of a constant mass
  std::vector<double> solution_, velocity_;  // of the projection: v and ξ
  double t1_ = 0;
  bool mass_regular_ = true;
};

}  // namespace ricochet
