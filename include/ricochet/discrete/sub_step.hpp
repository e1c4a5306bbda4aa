#pragma once
// One step, or part of a step, of any discrete Lagrangian in momentum form: (t0, q0, p0, h) -> (q1, p1), and its
// derivative.
//
// With the tableau's V as unknown and all L's at (q_i, v_i, t_i), p0 + D1L_d = 0 and the stationarity in V read
//
//   R_j(V) = Σ_i b_i [ B_ij L_v,i + h (A_ij − β_j) L_q,i ] − β_j p0 = 0,
//   q1 = q0 + h Σ_j β_j V_j,        p1 = D2L_d = p0 + h Σ_i b_i L_q,i,
//   E⁻ = −∂_h L_d            = Σ_i b_i (E_i − h c_i L_t,i),        E_i = v_i·L_v,i − L_i   (as the step before an
//   impact), E⁺ = −∂_h L_d + ∂_t0 L_d = Σ_i b_i (E_i + h (1−c_i) L_t,i)                              (as the step after
//   one).
//
// Forces F(q,v,t) act as the discrete forces F⁻, F⁺ of the same quadrature (and on inner nodes), and as F_t = −F·v in
// the energies: everywhere above L_q,i becomes Q_i = L_q,i + F_i and L_t,i becomes L_t,i − F_i·v_i. Then the Jacobian
// is no longer symmetric. Force k works Σ_i h b_i F_k,i·v_i in the step.
//
// Constraints add multipliers to p0 and conditions on q1: constrained_step.hpp. A SubStep of a constrained system
// solves with them.
//
// For L = ½vᵀMv − V(q,t), forces F(q,t) and points at the ends of the step only, R is explicit:
// w = M⁻¹(p0 + h Σ_i b_i (1−c_i) (F − ∇V)_i); wherever its points are if F − ∇V is the same everywhere.
//
// Coordinates may have different units, so the residual is measured by ‖R‖² = max_k R_k²/J_kk with the diagonal of the
// Jacobian at the first evaluation, and its terms likewise: scaling lengths, times or masses by a power of two scales
// both by the same power, and every bit of the step with them.

#include <Eigen/Dense>
#include <memory>
#include <vector>

#include "ricochet/discrete/inverse_mass.hpp"
#include "ricochet/discrete/tableau.hpp"
#include "ricochet/mechanics/forces.hpp"
#include "ricochet/mechanics/lagrangian.hpp"
#include "ricochet/numerics/newton.hpp"

namespace ricochet {

// ∂(q1, p1, E⁻, E⁺)/∂(q0, p0, h, t0, θ): 2n + 2 rows, 2n + 2 columns and one for each parameter.
struct SubStepDerivative {
  Eigen::MatrixXd matrix;
};

class ConstrainedStep;

class SubStep {
 public:
  SubStep(const System& system, const Tableau& tableau, const NewtonSettings& newton);
  ~SubStep();

  int n() const { return n_; }
  int columns() const { return 2 * n_ + 2 + parameters_; }  // of its derivative
  bool is_explicit() const { return explicit_; }
  bool is_free() const;  // no constraints, no contact held
  Lagrangian& lagrangian() { return lagrangian_; }
  const Tableau& tableau() const { return tableau_; }
  const LinearSolver::Pattern& pattern() const { return pattern_; }  // of ∂R/∂V

  // The step. Throws SolverError. q1, p1 may be q0, p0. No allocation.
  void solve(double t0, const double* q0, const double* p0, double h, double* q1, double* p1);
  // Without the constraints of the system.
  void solve_free(double t0, const double* q0, const double* p0, double h, double* q1, double* p1);
  // Where the step is explicit and free, its two halves: the position at the end, then the momentum there.
  void place(double t0, const double* q0, const double* p0, double h, double* q1);
  void arrive(const double* q1, double* p1);
  const NewtonResult& newton_result() const { return result_; }  // of the last solve

  // Of the last solve:
  const double* q0() const { return q0_.data(); }
  const double* p0() const { return p0_.data(); }
  const double* V() const { return V_.data(); }
  const double* mean_velocity() const { return s_ == 1 ? V_.data() : mean_.data(); }  // (q1 − q0)/h
  void energies(double& before, double& after);                                       // E⁻, E⁺
  void add_work(double* work);  // work[k] += the work of force k; nothing without forces
  void derivative(SubStepDerivative& out);
  // Its rows q1, p1 alone, by (q0, p0) and by (h, t0, θ): what a step without events needs, and quick where it is
  // explicit.
  void step_derivative(Eigen::MatrixXd& by_state, Eigen::MatrixXd& by_inputs);

  ConstrainedStep& constrained() { return *constrained_; }  // constraints, and contacts kept closed

 private:
  friend struct StepProblem;
  friend class ConstrainedStep;
  friend struct ConstrainedProblem;
  void start(double t0, const double* q0, const double* p0, double h);
  void finish(double* q1, double* p1);  // from V and the impulse
  // Columns x = (q0, p0, h, t0, θ). known: dR at fixed V and without −β dp0. outputs: from dV and the derivative dP of
  // the momentum that the step starts with.
  void known_derivative(Eigen::MatrixXd& dR);
  void output_derivative(const Eigen::MatrixXd& dP, const Eigen::MatrixXd& dV, SubStepDerivative& out);
  void differentiate_point(int i, const Eigen::MatrixXd& dV, Eigen::MatrixXd& dz, Eigen::MatrixXd& dg);
  // The explicit step; N coordinates known to the compiler, or 0. Everything in two loops and no call: this is the cost
  // of a smooth step.
  template <int N>
  [[gnu::always_inline]] inline void explicit_position(double t0, const double* q0, const double* p0, double h,
                                                       double* q1);
  template <int N>
  [[gnu::always_inline]] inline void explicit_momentum(double t1, double h, const double* q1, double* p1);
  template <int N>
  void explicit_step(double t0, const double* q0, const double* p0, double h, double* q1, double* p1);
  template <int N>
  double explicit_energy();
  struct ForcePoint;  // of explicit_derivative
  void differentiate_force(const double* q, double t, ForcePoint& at);
  template <int N>
  void explicit_derivative(Eigen::MatrixXd& by_state, Eigen::MatrixXd& by_inputs);
  template <int N>
  void evaluate_force(const double* q, double t);
  void evaluate(const double* V, int order);  // residual, Jacobian
  void evaluate_explicit(const double* V, int order);
  bool find_impulse(const double* V);  // of the explicit step; false: not finite
  template <int N, int S>              // S unknown velocities, or 0: any number
  void evaluate_points(const double* V, int order);
  template <int N, int S>
  [[gnu::always_inline]] inline void place_point(const double* V, int i);
  void place_point(const double* V, int i);  // q_i, v_i, t_i
  void evaluate_point(int order);            // L there, Q = L_q + F and the power F·v
  void set_weights();
  void measure();  // norm_, scale_ and relative_ of the residual

  int n_, s_, m_;  // coordinates, unknown velocities, points
  int parameters_;
  Tableau tableau_;
  NewtonSettings settings_;
  Lagrangian lagrangian_;
  Forces forces_;
  bool explicit_, autonomous_, has_constraints_;
  double b_start_ = 0, b_end_ = 0;  // weights of the force at the start and at the end of the explicit step
  formula::Evaluator<double> force_;
  std::vector<double> force_value_, potential_q_, half_;  // half: Mw of the explicit step
  double potential_ = 0;                                  // V at the last start that was asked for
  bool force_known_ = false, start_force_known_ = false;
  std::vector<double> start_force_;  // at the start of this step
  InverseMass inverse_mass_;

  double t0_ = 0, h_ = 0;
  std::vector<double> q0_, p0_, V_, dV_, best_, R_, impulse_, q_, v_, mean_;  // impulse = Σ_i b_i L_q,i
  const double* Q_ = nullptr;                                                 // L_q + F at the point
  double power_ = 0;                                                          // F·v
  std::vector<double> sum_;
  double t_ = 0;
  double norm_ = 0, scale_ = 1;     // of the residual and of its largest term, as momenta
  double relative_ = 0;             // ‖R‖/‖terms‖ in the scaled norm: free of units
  std::vector<double> terms_size_;  // largest term of each coordinate
  std::vector<double> p0_terms_;    // of the sum p0 + C0ν
  std::vector<double> rest_terms_;  // of L_v = A + Mv, which may vanish where v does not: those at V = 0, A among them
  std::vector<double> weights_;     // 1/|J_kk| at the first evaluation after start()
  std::vector<int> diagonal_;       // places of J_kk
  bool weighted_ = false;
  LinearSolver::Pattern pattern_;
  LinearSolver jacobian_;
  struct Term {  // entry of L'' or F' -> place in the Jacobian, and its coefficient
    std::uint32_t entry;
    int slot, coefficient;
  };
  std::vector<Term> terms_, force_terms_;
  std::vector<double> coefficients_;  // of one point: for unknowns (j,k), of L_qq, L_qv, L_vq, L_vv
  NewtonResult result_;
  std::unique_ptr<ConstrainedStep> constrained_;
  // Of explicit_derivative. The end of a step is the start of the next, where the same point gives the same bits.
  struct ForcePoint {
    Eigen::VectorXd q, Q;
    double t = 0;
    Eigen::MatrixXd by;  // ∂Q/∂(q, t, θ)
    bool known = false;
  };
  ForcePoint points_[2];
  int end_point_ = 0;  // which of them is the end of the last step
  struct ForceEntry {
    std::uint32_t entry;  // of L''
    int place, mirror;    // in `by`; −1: none
  };
  std::vector<ForceEntry> force_entries_;
  Eigen::MatrixXd mass_by_theta_;  // M_θ w
  Eigen::VectorXd by_theta_, rate_, kick_;
  // Of derivative().
  SubStepDerivative general_;
  Eigen::MatrixXd dR_, dV_all_, dP_, dz_, dg_, no_dV_;
  Eigen::VectorXd of_point_, dF_;
  bool point_kept_ = false;  // L'' at the only point is what was evaluated last
};

}  // namespace ricochet
