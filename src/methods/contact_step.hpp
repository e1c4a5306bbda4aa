#pragma once
// The step that the baselines share: a smooth implicit rule into which contact forces are put as if they were smooth
// [KP12 appendix B]. For L = ½vᵀMv − V(q,t) find x = q1 and λ with
//
//   M(x − x̂)/h − a h f(q0 + θ(x − q0), v_f) − b N(q_c)λ = 0,     q_c = q0 + σ(x − q0),
//   f = −∇V + F,     v_f = u + κ(x − q0)/h  the velocity that the rule has at the place of the force,
//   position level   0 <= λ ⊥ g(q_c)/h >= 0                                 for every contact, or
//   velocity level   0 <= λ ⊥ c·(∇g(q_c)·(x − q0)/h) + c0 >= 0              for the contacts given, σ = 0.
//
// solved by numerics/complementarity.hpp with d = b σ ∇g·M⁻¹∇g, or b c ∇g·M⁻¹∇g, at q0. A contact is penetrated if its
// condition is below −(ρ_g/h + ρ_v) with ρ_g the round-off of the gap (mechanics/gaps.hpp) and
// ρ_v = 16ε √(∇g·M⁻¹∇g (wᵀMw + h²∇VᵀM⁻¹∇V)) that of its speed. Momenta of different units are compared as p_i/√M_ii.

#include <Eigen/Dense>
#include <memory>
#include <optional>
#include <vector>

#include "ricochet/contact/law.hpp"
#include "ricochet/discrete/inverse_mass.hpp"
#include "ricochet/mechanics/forces.hpp"
#include "ricochet/mechanics/gaps.hpp"
#include "ricochet/mechanics/lagrangian.hpp"
#include "ricochet/methods/method.hpp"
#include "ricochet/methods/running_scalars.hpp"
#include "ricochet/numerics/complementarity.hpp"
#include "ricochet/numerics/linear_solver.hpp"

namespace ricochet {

struct ContactStepRule {
  double a, theta;      // weight and place of the force
  double b, sigma;      // weight and place of the reaction
  bool velocity_level;  // the condition of moreau-jean
  double kappa = 1;     // v_f = u + κ(x − q0)/h
  Eigen::VectorXd u{};  // empty: 0
};

class ContactStep {
 public:
  ContactStep(const System& system, const NewtonSettings& newton);

  // x_hat: the position without the implicit force and reaction. λ has one entry for each contact piece.
  void solve(double t0, const Eigen::VectorXd& q0, double h, const Eigen::VectorXd& x_hat, const ContactStepRule& rule);
  // For velocity level rules, before solve: pieces that may react, and the condition's c and c0.
  void set_speeds(std::vector<int> pieces, double c, const Eigen::VectorXd& c0);

  const Eigen::VectorXd& position() const { return x_; }
  const Eigen::VectorXd& lambda() const { return lambda_; }
  const Eigen::MatrixXd& normals() const { return normals_; }  // N(q_c), a column for each piece
  int iterations() const { return complementarity_.iterations(); }

  Eigen::VectorXd force(const Eigen::VectorXd& q, const Eigen::VectorXd& v, double t);  // f
  Eigen::VectorXd force_velocity() const { return velocity_at((x_ - q0_) / h_); }       // v_f of the last solve
  Eigen::VectorXd solve_mass(const Eigen::VectorXd& p) const;                           // M⁻¹p
  Eigen::VectorXd normal(int piece, const Eigen::VectorXd& q, double t, double& g_t);
  double restitution(int piece, double speed) { return restitutions_[contact_of_[piece]].at(speed); }
  const Eigen::MatrixXd& mass() const { return mass_; }
  Lagrangian& lagrangian() { return lagrangian_; }
  Gaps& gaps() { return gaps_; }
  Forces& forces() { return forces_; }

 private:
  friend struct ContactStepProblem;
  Eigen::VectorXd velocity_at(const Eigen::VectorXd& w) const;
  void weigh();  // compliances and scales at the start of a solve
  void evaluate(const double* unknowns, bool with_jacobian);
  bool direction(const char* open, const double* rows, double* dz);

  int n_, m_;
  NewtonSettings newton_;
  Lagrangian lagrangian_;
  Forces forces_;
  Gaps gaps_;
  std::vector<Restitution> restitutions_;  // of contacts
  std::vector<int> contact_of_;            // of pieces
  Eigen::MatrixXd mass_;
  InverseMass inverse_mass_;
  ContactStepRule rule_{};
  double t0_ = 0, h_ = 0;
  std::vector<int> pieces_;  // that may react
  double c_ = 0;
  Eigen::VectorXd c0_, q0_, start_, x_, lambda_, residual_, condition_;
  Eigen::VectorXd unit_;                    // of the momenta: √(M_ii/M_00)
  Eigen::VectorXd compliance_, round_off_;  // of each of pieces_: d, ρ_g/h + ρ_v
  Eigen::MatrixXd normals_, jacobian_;      // the latter with all contacts closed
  double norm_ = 0, scale_ = 0;
  Complementarity complementarity_;
  std::optional<LinearSolver> kkt_;
  std::vector<int> slots_;
};

// A baseline as a Method: what they have in common. modes: the contact forces of the step before, one for each piece,
// so that the ledger gets a line when a contact begins to push, and Newmark's rule finds its old reaction.
struct ContactStepWorkspace : Workspace {
  ContactStepWorkspace(const System& system, const NewtonSettings& newton) : step(system, newton) {}
  ContactStep step;
};

class ContactStepMethod : public Method {
 public:
  ContactStepMethod(const Descriptor& about, std::shared_ptr<const System> system, const IntegratorOptions& options);
  const Descriptor& descriptor() const override { return about_; }
  std::unique_ptr<Workspace> workspace() const override;
  void step(State& state, double h, Workspace& workspace, StepJacobian* jacobian) const override;

 protected:
  // q and v after the step; reaction[k] >= 0: that of contact piece k, as a force. `before` is that of the last step.
  struct Motion {
    Eigen::VectorXd q, v, reaction;
    Eigen::VectorXd requested{};  // e of each piece, of a method that takes it from the contact
  };
  virtual Motion move(ContactStep& step, double t0, double h, const Motion& before) const = 0;
  const System& system() const { return *system_; }
  double number(const char* name) const { return std::get<double>(options_.parameters.at(name)); }

 private:
  const Descriptor& about_;
  std::shared_ptr<const System> system_;
  IntegratorOptions options_;
  RunningScalars scalars_;
};

// tolerance, beta, gamma of the two rules of Newmark.
std::vector<ParameterDoc> newmark_parameters(double smallest_beta, const char* why);

}  // namespace ricochet
