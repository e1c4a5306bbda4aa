#pragma once
// From an optimal control problem to a sparse program. Unknowns: (q, p) at the grid points, v where something asks for
// it, the stage velocities V_j and the control u of each interval, the times T_a of impacts and end, the impulses λ.
//
// One interval, with the tableau's points (discrete/tableau.hpp) q_i = q0 + h Σ_j A_ij V_j, v_i = Σ_j B_ij V_j, and
// G_i = L_q + F, P_i = L_v there [forces enter as L_q -> L_q + F]; F(q) the gradients of holonomic f:
//
//   q1 − q0 − h Σ_j β_j V_j = 0,   π = p1 − F(q1)ξ,
//   p0 + F(q0)ν + h Σ_i b_i G_i − π = 0,
//   Σ_i b_i (h A_ij G_i + B_ij P_i) − β_j π = 0   for each j,   f(q1) = 0.
//
// A grid point where v is known: p = L_v(q, v, t), F(q)ᵀv = 0. Impact on g (the momentum rule; L quadratic in v):
//
//   g = 0,   p⁺ − p⁻ = λ∇g + Fκ,   c⁺ + e c⁻ = 0 with c = ∇g·v + g_t,   c⁻ <= 0,   λ >= 0.
//
// The costate of (q_k, p_k) is the derivative of the cost still to come by them: that of σc + λᵀr of the interval that
// begins there.

#include "ricochet/design/control_problem.hpp"
#include "ricochet/design/sparse_program.hpp"
#include "ricochet/design/trajectory.hpp"
#include "ricochet/discrete/tableau.hpp"

namespace ricochet {

// dJ/db for each limit b that holds the motion back, 0 where it does not.
struct Multipliers {
  std::vector<std::pair<std::string, std::vector<double>>> series;  // at the grid points, an impact being one of them
  std::vector<std::pair<std::string, double>> conditions;           // of φ = b instead of φ = 0
};

class Transcription {
 public:
  explicit Transcription(const ControlProblem& problem);

  SparseProgram& program() { return program_; }
  // The sizes of all unknowns from a motion: lengths Q that occur in it, the time T, and what they make with the masses
  // M and the controls' share of the force: Q/T, MQ/T, MQ/T²/|∂F/∂u| (or the bounds of u).
  void measure(const Trajectory& trajectory);
  std::vector<double> pack(const Trajectory& trajectory) const;  // values of all unknowns
  Trajectory unpack(const std::vector<double>& x) const;
  // A guess bent by 1e-3 of the sizes. One that is symmetric by accident (straight through the middle of an obstacle, a
  // pendulum hanging at rest) may be stationary without being an optimum, or where a formula has no derivative.
  void bend(std::vector<double>& x) const;

  // (q, p) costates at the grid points of each arc: 2n × (N + 1). The last column is that of the end of the arc.
  std::vector<Eigen::MatrixXd> costates(const std::vector<double>& x, const std::vector<double>& lambda);
  // Of bounds, path formulas, gaps and conditions.
  Multipliers multipliers(const std::vector<double>& lambda, const std::vector<double>& z_min,
                          const std::vector<double>& z_max) const;

 private:
  struct Node {
    std::vector<int> q, p, v;  // variables; v may be empty
  };
  struct Interval {
    std::vector<int> V, u, nu, xi;
    int place = 0;
  };
  struct Arc {
    std::vector<Node> nodes;
    std::vector<Interval> intervals;
  };
  void add_unknowns();
  void add_intervals();
  void add_velocities();
  void add_gaps();
  void add_paths();
  void add_impacts();
  void add_ends();
  std::vector<int> new_variables(int count, const std::vector<Range>& bounds = {});
  Expr symbol(const char* name, int index) const;
  std::vector<Expr> symbols(const char* name, int count) const;
  std::string where(int arc, int node) const;
  bool start_is_free() const;
  void watch(const std::string& name, int arc, int node, int place);

  ControlProblem problem_;
  Tableau tableau_;
  int n_ = 0, m_ = 0, holonomic_ = 0;
  std::vector<Expr> q_, v_;
  SparseProgram program_;
  std::vector<int> T_, lambda_;
  std::vector<Arc> arcs_;
  bool velocities_everywhere_ = false;
  struct Watched {  // rows of one inequality, with their grid points
    std::string name;
    std::vector<std::pair<int, int>> rows;
  };
  std::vector<Watched> watched_;
  std::vector<std::pair<std::string, int>> condition_rows_;
};

}  // namespace ricochet
