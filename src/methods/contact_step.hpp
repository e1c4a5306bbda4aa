#pragma once
// The step that the baselines share: a smooth implicit rule into which contact forces are put as if they were smooth
// [KP12 appendix B]. For L = ½vᵀMv − V(q,t) find x = q1 and λ with
//
//   M(x − x̂)/h + a h ∇V(q0 + θ(x − q0)) − b N(q_c)λ = 0,     q_c = q0 + σ(x − q0),
//   position level   0 <= λ ⊥ g(q_c)/h >= 0                                 for every contact, or
//   velocity level   0 <= λ ⊥ c·(∇g(q_c)·(x − q0)/h) + c0 >= 0              for the contacts given, σ = 0.
//
// Each condition is min(λ, ·) = 0; semismooth Newton, and where that does not converge the contacts are closed and
// opened one at a time.

#include <Eigen/Dense>
#include <memory>
#include <vector>

#include "ricochet/mechanics/gaps.hpp"
#include "ricochet/mechanics/lagrangian.hpp"
#include "ricochet/methods/method.hpp"
#include "ricochet/numerics/newton.hpp"

namespace ricochet {

struct ContactStepRule {
  double a, theta;      // weight and place of the force
  double b, sigma;      // weight and place of the reaction
  bool velocity_level;  // the condition of moreau-jean
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
  int iterations() const { return result_.iterations; }

  Eigen::VectorXd force(const Eigen::VectorXd& q, double t);  // −∇V
  Eigen::VectorXd solve_mass(const Eigen::VectorXd& p) const { return factor_.solve(p); }
  Eigen::VectorXd normal(int piece, const Eigen::VectorXd& q, double t, double& g_t);
  const Eigen::MatrixXd& mass() const { return mass_; }
  Lagrangian& lagrangian() { return lagrangian_; }
  Gaps& gaps() { return gaps_; }

 private:
  friend struct ContactStepProblem;
  void evaluate(const double* unknowns, bool with_jacobian);
  bool try_newton();
  bool open_and_close();

  int n_, m_;
  NewtonSettings newton_;
  Lagrangian lagrangian_;
  Gaps gaps_;
  Eigen::MatrixXd mass_;
  Eigen::LDLT<Eigen::MatrixXd> factor_;
  ContactStepRule rule_{};
  double t0_ = 0, h_ = 0;
  std::vector<int> pieces_;  // that may react
  double c_ = 0;
  Eigen::VectorXd c0_, q0_, x_hat_, start_, x_, lambda_, residual_, condition_, unknowns_, direction_, best_;
  Eigen::MatrixXd normals_, jacobian_;
  std::vector<char> open_;
  bool chosen_ = false;  // open_ is given, not found by the iteration
  double norm_ = 0;
  NewtonResult result_;
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
  };
  virtual Motion move(ContactStep& step, double t0, double h, const Motion& before) const = 0;
  double number(const char* name) const { return std::get<double>(options_.parameters.at(name)); }

 private:
  void number_pieces(const formula::KinkTree& tree, int gap);
  const Descriptor& about_;
  std::shared_ptr<const System> system_;
  IntegratorOptions options_;
  std::vector<int> gap_of_;
};

// tolerance, beta, gamma of the two rules of Newmark.
std::vector<ParameterDoc> newmark_parameters(double smallest_beta, const char* why);

}  // namespace ricochet
