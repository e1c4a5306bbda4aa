#pragma once
// The contacts that take part in an impact, and the impact in their own small space.
//
// With the rows J of the contacts of A at (t, q̃), normals and tangents (mechanics/contact_frame.hpp), freed of what the
// constraints of the system undo [KP12 (7.7), corrected], an impulse Λ changes the momentum by JᵀΛ and the contact
// velocities c = Jv + J_t by ΔΛ, Δ = JM⁻¹Jᵀ. What can be told from round-off scales with the motion, in any units:
//
//   ρ_g: a gap is closed within the enclosure of its round-off (mechanics/gaps.hpp), with |q_i| + h|v_i| + h²|a_i|;
//   ρ_v = 16ε (√(Δ_nn (vᵀMv + h² rᵀM⁻¹r)) + |g_t|), r the force: a contact speed below this is none.
//
// v is that of the whole system: hanging balls carry the round-off of old impacts.

#include <Eigen/Dense>
#include <span>
#include <vector>

#include "ricochet/contact/law.hpp"
#include "ricochet/discrete/constrained_step.hpp"
#include "ricochet/formula/dual.hpp"
#include "ricochet/mechanics/contact_frame.hpp"
#include "ricochet/mechanics/forces.hpp"
#include "ricochet/mechanics/gaps.hpp"
#include "ricochet/numerics/nonnegative_least_squares.hpp"

namespace ricochet {

struct ActiveContact {
  int gap, piece;
  int row, tangents;  // of its normal; those of its tangents follow
  double value;       // of the gap
  double scale;       // |ν|: the row is ∇g divided by it
  double still;       // ρ_v
  bool closed;        // before the impact
};

class ActiveSet {
 public:
  using Rows = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
  using Vector = Eigen::Map<const Eigen::VectorXd>;

  ActiveSet(SubStep& step, Gaps& gaps);

  // The point, with the length h of a step, and no contact yet. Throws SolverError.
  void place(double t, const double* q, const double* p, double h);
  const std::vector<double>& v() const { return v_; }
  double energy() const { return energy_; }         // H(q, p)
  double energy(const double* p, const double* v);  // with another momentum, and its velocity
  double round_off(int piece, const double* q, double t) { return gaps_.round_off(piece, q, t, reach_.data()); }  // ρ_g
  double speed_round_off(double G, double g_t) const;  // ρ_v of a contact with Δ_nn = G
  // The pieces of a gap that take part: those that are closed, that touch and do not leave, and that approach and will
  // close within the part eps_g of a step. At a maximum (re-entrant corner) only if every child that attains it does.
  // False: none of them. Pieces that are not `reachable` (all, if nothing is said) are open and positive.
  bool add(int gap, std::span<const char> closed, double eps_g, std::span<const char> reachable = {});
  double lowest() const { return lowest_; }  // value of the gaps added
  void complete();                           // Δ, after the last add; throws SolverError for a gap without slope

  int size() const { return static_cast<int>(contacts_.size()); }
  const ActiveContact& operator[](int k) const { return contacts_[k]; }
  LawContact<double> law(int k, Restitution& restitution) const;
  double speed(int k) const { return c_[contacts_[k].row]; }  // c_n
  int rows_count() const { return static_cast<int>(c_.size()); }
  Vector c() const { return {c_.data(), rows_count()}; }
  Vector rates() const { return {rates_.data(), rows_count()}; }  // J_t
  Rows delta() const { return {delta_.data(), rows_count(), rows_count()}; }
  Rows rows() const { return {rows_.data(), rows_count(), n_}; }  // J, freed
  // What an impulse Λ adds: JᵀΛ to momenta, M⁻¹JᵀΛ to velocities, ΔΛ to the contact velocities.
  void add_to_momentum(const double* impulse, double* p) const { add_rows(rows_, n_, impulse, p); }
  void add_to_velocity(const double* impulse, double* v) const { add_rows(w_, n_, impulse, v); }
  void add_to_speeds(const double* impulse, double* c) const { add_rows(delta_, rows_count(), impulse, c); }
  Rub rub(int piece) const;                      // its friction while it lasts
  double reaction(const double* impulse) const;  // |Σ Λ (J − J before it was freed)|: the constraints'
  // g̈/|ν| of the contacts at (q, v + M⁻¹JᵀΛ) with the constraints, but no contact, held.
  void accelerations(const double* impulse, std::vector<double>& out);
  // These with some contacts pressed together, whose speeds after the impulse are c_plus: 0 <= λ ⊥ g̈ >= 0 over them,
  // with their friction. What slips pulls with μλ, what does not is held within that cone.
  void press(std::span<const int> contacts, std::span<const double> c_plus, std::vector<double>& accelerations);

  // Along (dq, dt, dp), and by the parameter theta (−1: none): dJ (freed; a row each), dJ_t, dc, dΔ. L must be
  // quadratic in the velocities.
  struct Differential {
    Eigen::MatrixXd rows, delta;
    Eigen::VectorXd c, rates;
  };
  void differentiate(const double* dq, double dt, const double* dp, int theta, Differential& out);

 private:
  void add_rows(const std::vector<double>& rows, int length, const double* share, double* sum) const;
  bool collect(const formula::KinkTree& tree, int gap, std::span<const char> closed, double eps_g);
  bool take(int gap, int piece, bool closed, double eps_g);
  double soon(int piece, double eps_g) const { return eps_g * h_ * std::fmax(0, -approach_[piece]); }
  double rho(int piece);
  bool is_carried(double G, const double* gradient, double c, int gap);
  void inverse_mass(double* covector, double* w);  // frees the covector too
  void acceleration(const double* v, double* a);
  double twice_kinetic(const std::vector<double>& x);
  double tangential_acceleration(int contact, int r);
  void press_rough(std::span<const int> contacts, std::span<const double> c_plus, std::vector<double>& accelerations);
  void mass_derivative(const double* dq, double dt, int theta, const double* w, double* out);

  SubStep& step_;
  Gaps& gaps_;
  Lagrangian& L_;
  Forces forces_;
  const System& system_;
  ContactFrames<double>& frames_;  // of the step: a flow that starts at the impact has them at once
  std::vector<ContactFrames<formula::Dual<double>>> dual_frames_;  // one, made when it is asked for
  std::vector<ImpactLaw> laws_;                                    // of each contact
  std::vector<double> frictions_;
  int n_;
  bool constrained_, steady_;         // steady: L = ½ vᵀMv − V, and accelerations do not depend on velocities
  formula::Evaluator<double> force_;  // where steady: F − ∇V
  double t_ = 0, h_ = 0, energy_ = 0, potential_ = 0, speed_ = 0;  // speed: √(vᵀMv + h² rᵀM⁻¹r)
  std::vector<double> q_, p_, v_, a_, reach_, in_, out_, kkt_, after_;
  // Of the pieces of the gaps added: g, ġ, ρ_g (−1: not asked for yet)
  std::vector<double> values_, approach_, rho_;
  double lowest_ = 0;
  std::vector<ActiveContact> contacts_;
  // Of each row: J freed, J, M⁻¹J, c, J_t. As many as c_ has; the others keep their room.
  std::vector<double> rows_, gradients_, w_, c_, rates_, delta_;
  NonnegativeLeastSquares<double> cone_;
  std::vector<double> pressed_, rough_;  // of rows: accelerations, forces
  std::vector<formula::Dual<double>> dual_q_, dual_rows_;
  std::vector<formula::Evaluator<formula::Dual<double>>> hessian_along_;  // one, likewise
};

}  // namespace ricochet
