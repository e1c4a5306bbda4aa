#pragma once
// A SubStep with constraints and with contacts that are closed. With the columns C0 = [∇f_k, W_kᵀ, ∇g_i] at q0 and
// multipliers ν:
//
//   R(V; q0, p0 + C0ν, h) = 0,     w = Σ_j β_j V_j,   q1 = q0 + h w,
//   holonomic      f(q1)/h = 0,
//   nonholonomic   W(q0)w + b(q0) = 0  [RAC (+)],  or W(q1)w + b(q1) = 0 for its adjoint,
//   contact        g(q1,t1)/h = 0 if it is held, or  0 <= λ ⊥ g(q1,t1)/h >= 0   [KP12, step 4],
//
// one solve for all (numerics/complementarity.hpp), with the compliance Δ = ∇gᵀM⁻¹∇g of each contact. Where hw is so
// short that f(q1)/h would be round-off the row is that of the velocity, ∇f(q_½)·w = 0. Then the momentum is brought to
// the constraints,
//
//   p1 = D2L_d + C1ξ  with  C1ᵀv(q1,p1) + b = 0:   [ M  −C1; C1ᵀ 0 ] [v; ξ] = [p − A; −b],    b = g_t for a contact.
//
// A contact with friction (rub.hpp) has its tangents T as columns too, with multipliers τ at the start and ζ in the
// projection, and for each a row:
//
//   sticks    (P(q1) − P(q0))·τ̂/h = 0  (given rows, and short ways: T(q_½)w + P_t = 0),     Tᵀv + P_t = 0 in the
//   projection, τ̂ at q0 or, where an obstacle moves and is not flat along an axis, at q_½,
//   slides    τ + μσλ = 0,  ζ + μσξ = 0,   σ the direction of its slip.
//
// In space the σ of the projection is that of the slip s = Tᵀv + P_t at the end, s = rσ with r < 0 too, so that the end
// of a slip is a simple root of r: ζ and s both have no part along σ⊥. Newton's method in (ζ, s, σ) without dσ:
//
//   σ·ζ + μξ = 0,   α σ⊥·s + β σ⊥·ζ = 0  with α : β = μξ : r.
//
// What sticks but follows from other rows gets τ = 0.
//
// A contact that is left at the end has no part in the projection, ξ = 0 and ζ = 0: it opens with the speed of D2L_d.
//
// Redundant constraints make the matrix singular; then the solution of least norm is taken.

#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "ricochet/discrete/rub.hpp"
#include "ricochet/discrete/sub_step.hpp"
#include "ricochet/mechanics/constraints.hpp"
#include "ricochet/mechanics/contact_frame_derivative.hpp"
#include "ricochet/mechanics/gaps.hpp"
#include "ricochet/numerics/complementarity.hpp"
#include "ricochet/numerics/epsilon.hpp"

namespace ricochet {

class ConstrainedStep {
 public:
  ConstrainedStep(SubStep& step, const System& system);
  ~ConstrainedStep();

  // Nonholonomic constraints at the end of the step: the adjoint of the (+) scheme. Set once, before the first step.
  void constrain_at_end(bool yes) { at_end_ = yes; }
  // From now on these pieces of gaps are kept at zero by every SubStep::solve.
  void hold(std::span<const int> pieces, std::span<const Rub> rubs = {}) {
    held_.assign(pieces.begin(), pieces.end());
    held_rubs_.assign(rubs.begin(), rubs.end());
    held_leaving_.clear();
  }
  // Whether the k-th of them is left at the end of every solve, until others are held.
  void leave_at_end(int k, bool yes) {
    held_leaving_.resize(held_.size(), 0);
    held_leaving_[k] = yes ? 1 : 0;
  }
  const std::vector<int>& held() const { return held_; }
  // The step that was started by SubStep, with the constraints of the system and the contacts held; the momentum is
  // projected.
  void solve(double* q1, double* p1);
  // The same from its start; false: there is no such step, or a contact pulls by more than round-off where all have to
  // be `pressed`.
  bool solve_held(double t0, const double* q0, const double* p0, double h, bool pressed, double* q1, double* p1);
  // With contacts (numbers of gap pieces) that may not be penetrated; the momentum is D2L_d, not projected.
  void solve_with_contacts(double t0, const double* q0, const double* p0, double h, std::span<const int> pieces,
                           double* q1, double* p1);
  const std::vector<double>& multipliers() const { return nu_; }  // constraints, then contacts
  // Of the last solve, contact k of those held. By λ and τ, which are half of the step's; by λ + ξ and τ + ζ of rules
  // that give forces unequal parts at the two ends (rectangle): there λ has another part of the normal force than τ of
  // what the friction holds.
  double pressure(int k) const { return impulse(base_ + k, 1, 1); }                        // of the row ∇g
  double pressure_round_off(int k) const;                                                  // what pulls less does not
  double normal_force(int k) const { return impulse(base_ + k, scale0_[k], scale1_[k]); }  // |ν|λ
  double cone(int k) const { return rubs_[k].friction * normal_force(k); }                 // the largest friction
  bool has_equal_parts() const { return halves_; }                                         // at the two ends
  bool pulls_at_end(int k) const { return !is_left_at_end(k) && solution_[n_ + base_ + k] < 0; }  // ξ
  bool is_left_at_end(int k) const { return !leaving_.empty() && leaving_[k] != 0; }
  double end_speed(int k) const;  // of the gap
  double end_speed_round_off(int k) const { return 16 * epsilon * row_floor_[base_ + k]; }
  double friction(int k, int a) const { return impulse(first_tangent_[k] + a, 1, 1); }  // τ
  double start_slip(int k, int a) const { return start_slip_[first_tangent_[k] + a]; }
  double path_slip(int k, int a) const {  // of the mean velocity; of unequal rules the mean of both ends
    const int row = first_tangent_[k] + a;
    return halves_ ? path_slip_[row] : (start_slip_[row] + end_slip_[row]) / 2;
  }
  double end_slip(int k) const {  // along its direction at the end, which is that of rub(k)
    return rubs_[k].slip[0] * end_slip_[first_tangent_[k]] +
           rubs_[k].slip[1] * end_slip_[first_tangent_[k] + tangents_[k] - 1];
  }
  const Rub& rub(int k) const { return rubs_[k]; }
  bool directions_found() const { return directions_found_; }  // of what slides in space, at the end
  double slip_round_off(int k, int a) const;
  // What sticks but follows from other rows slips all the same where its obstacle moves another way than theirs. That
  // slip at the end of the last solve; false: none, to the ten digits to which its row follows.
  bool strays(int k, double* slip) const;
  // Painlevé: the force of a contact that slides would press it on itself, n·M⁻¹(n − μσt) <= 0 at (t, q).
  bool jams(int piece, const Rub& rub, double t, const double* q, const double* p);
  // TᵀT of tangents (2 contact + tangent) at q0, by the inertias; where several contacts stick.
  void tangent_gram(std::span<const int> tangents, double* gram);
  double friction_loss() const;  // Σ τ·slip(q0) + ζ·slip(q1) of what slides
  // Of each contact k of the last solve impulses[3k …] += |ν|λ of both ends (without friction λ), then τ + ζ.
  void add_impulses(double* impulses) const;
  bool rubs() const { return base_ > constraints_.count(); }
  bool is_open(int k) const { return open_[k] != 0; }  // contact k of the last solve_with_contacts

  // Of the last solve with contacts held, which may move: −Σ (λ g_t(q0) + ξ g_t(q1)).
  double obstacle_work() const;

  // p += Cξ so that the velocity obeys the constraints and keeps the given contacts closed; returns that velocity.
  const std::vector<double>& project(double t, const double* q, double* p, std::span<const int> pieces = {},
                                     std::span<const Rub> rubs = {});
  // Covectors (contact normals) freed of what the constraints at (t, q) would undo, and M⁻¹ of them.
  void at_point(double t, const double* q);
  void free_covector(double* n, double* inverse_mass_n);
  // x = (x, ξ) solves [M −C; Cᵀ 0] x = x, of the constraints alone, at that point: n + count() numbers.
  void solve_at_point(double* x);
  // Of the last solve, projection included; and of the slip velocities at its end (a row for each multiplier).
  void derivative(SubStepDerivative& out);
  const char* why_no_derivative() const;             // nullptr: there is one
  Eigen::RowVectorXd slip_derivative(int k) const {  // of end_slip(k)
    return rubs_[k].slip[0] * slip_derivative_.row(first_tangent_[k]) +
           rubs_[k].slip[1] * slip_derivative_.row(first_tangent_[k] + tangents_[k] - 1);
  }

  // A direction of q1 that the equations of the last solve, with or without constraints, leave free; empty if there is
  // none. (Redundant constraints leave multipliers free, not the motion.)
  std::vector<double> undetermined();

  Constraints& constraints() { return constraints_; }
  ContactFrames<double>& frames() { return frames_; }
  // The largest violations of the last step: |f(q1)|, |ω_d| and |W(q1)v1|.
  double holonomic_max() const { return holonomic_max_; }
  double nonholonomic_max() const { return nonholonomic_max_; }

 private:
  friend struct ConstrainedProblem;
  friend struct MultiplierProblem;
  struct Column {
    int coordinate, multiplier;
    double value;
  };
  struct Rows;  // the matrices for a set of contacts
  void use(std::span<const int> pieces, std::span<const Rub> rubs = {}, std::span<const char> leaving = {});
  void take_columns();
  bool is_tangent(int k) const { return k >= constraints_.count() && k < base_; }
  int other_tangent(int k) const { return 2 * first_tangent_[contact_of_[k]] + 1 - k; }
  bool slides_in_space(int contact) const { return tangents_[contact] == 2 && !rubs_[contact].sticks; }
  bool turns_in_space(int contact) const { return slides_in_space(contact) && !is_left_at_end(contact); }  // at the end
  // Multipliers that the projection has no speed for: of what slides, and of what is left.
  bool is_left(int k) const {
    return !leaving_.empty() && k >= constraints_.count() && leaving_[k < base_ ? contact_of_[k] : k - base_] != 0;
  }
  bool has_no_speed(int k) const { return slides(k) || is_left(k); }
  double across(int contact, const std::vector<double>& x) const {  // σ⊥·x of its tangents
    return rubs_[contact].slip[0] * x[first_tangent_[contact] + 1] -
           rubs_[contact].slip[1] * x[first_tangent_[contact]];
  }
  int cone_row(int contact) const {  // of the projection, of what slides in space
    const std::array<double, 2>& sigma = rubs_[contact].slip;
    return first_tangent_[contact] + (std::abs(sigma[1]) > std::abs(sigma[0]) ? 1 : 0);
  }
  int turn_row(int contact) const { return 2 * first_tangent_[contact] + 1 - cone_row(contact); }
  void fill_spatial_slide(int contact);
  double turn_slip(int contact);
  bool is_driven(int contact) const;
  void aim_slip(int contact);
  // Rows of tangents that read τ = −(slope of the cone) λ; of those that stick but follow from others, τ = 0.
  bool slides(int k) const { return slides_[k] != 0; }
  void find_redundant();
  bool has_no_place(int k) const;  // a tangent that is a given row
  bool find_constants();
  bool turns(int k) const { return is_tangent(k) && turns_frame_[contact_of_[k]] != 0; }
  double slope_of_cone(int k, const std::vector<double>& scale) const;
  double slope_at_end(int k) const { return is_left(k) ? 0 : slope_of_cone(k, scale1_); }
  const std::vector<double>& project_on_rows(double t, const double* q, double* p);
  void project_held(double t, const double* q, double* p);
  // Of constraints and normals, with the gaps; of tangents, with |ν|.
  void normals_at(const double* q, double t, std::vector<Column>& columns, std::vector<double>& values,
                  std::vector<double>& rates);
  void tangents_at(const double* q, double t, std::vector<Column>& columns, std::vector<double>& rates,
                   std::vector<double>& scales);
  void normals_at_end(const double* q, double t);  // c1_, value1_, rate1_
  void columns_at_end(const double* q, double t);
  void prepare(bool alone);  // alone: for the multipliers without the velocities
  void add_columns(const double* nu);
  void evaluate(const double* x, int order);
  void evaluate_rows(const double* V, const double* nu, bool still);
  void prepare_gram(Rows& rows) const;
  const double* inverse_mass() const;  // its diagonal
  enum class GramOf { start, path, projection };
  void fill_gram(GramOf what);
  bool solve_multipliers();
  bool project_by_multipliers(const double* q, const double* p);
  void move_places(bool still);
  void find_ways();
  bool direction(const char* open, const double* contact_rows, double* dx);
  bool direction_again(const double* contact_rows, double* dx);  // false: the last matrix was singular
  void fill_kkt(const char* open);
  void solve_rows(bool closed);  // throws SolverError
  bool iterate(bool closed);
  void fill_mass(const double* q, double t);
  void factorize_mass(const double* q, double t);
  void solve_mass(double* x);
  bool by_position(int k) const { return (k < constraints_.holonomic() || k >= constraints_.count()) && !instant_[k]; }
  bool by_velocity(int k) const { return k >= constraints_.holonomic() && k < constraints_.count(); }
  struct Place {  // where columns are taken, and how the frames that rub turn there
    const double* q;
    double t;
    std::vector<ContactFrameDerivative> frames;  // of each contact
  };
  Place place_at(const double* q, double t);
  Eigen::MatrixXd bend(const Place& place, const double* nu);
  Eigen::MatrixXd rate_derivatives(const Place& place, const double* v);
  Eigen::MatrixXd values_by_parameters(const Place& place);
  Eigen::MatrixXd start_velocity_derivative(Eigen::VectorXd& v);
  void differentiate_tangents(const Place& start, const Place& end, const Eigen::MatrixXd& by_half,
                              Eigen::MatrixXd& low);
  void complete_kkt(const Eigen::MatrixXd& by_half);
  Eigen::RowVectorXd way_of(int k);

  SubStep& step_;
  const System& system_;
  Constraints constraints_;
  Gaps gaps_;
  int n_, ns_, m_ = 0;                        // coordinates, velocity unknowns, multipliers
  std::vector<int> held_;                     // contacts of every solve
  std::vector<int> pieces_;                   // contacts of this solve
  std::vector<Rub> held_rubs_, rubs_;         // of them; empty: none has friction
  std::vector<char> held_leaving_, leaving_;  // of them; empty: none is left at the end
  // Multipliers: those of the constraints, of the tangents of all contacts, from base_ on of their normals.
  int base_ = 0;
  std::vector<int> first_tangent_, tangents_;  // of each contact
  std::vector<int> contact_of_;                // of each multiplier of a tangent, and which of its tangents it is
  std::vector<int> tangent_of_;
  ContactFrames<double> frames_;
  std::vector<double> frame_, scales_, scale0_, scale1_;  // |ν| of contacts: at q0 and q1
  std::vector<std::array<double, 3>> place0_, tau0_;      // P(q0) of each contact, τ of each tangent there
  std::vector<std::array<double, 3>> way_tau_;            // τ̂ along which P may not move
  std::vector<char> turns_frame_;                         // of each contact: it moves, not flat along an axis
  std::vector<double> p_end_, basis_, sizes_, scaled_;    // scaled: rows by √inertia, where several stick
  std::vector<char> redundant_, slides_;                  // of each multiplier
  struct SlipTurn {
    double alpha = 0, beta = 0;
  };
  std::vector<SlipTurn> turns_;   // of each contact, if it slides in space
  bool directions_found_ = true;  // of them, at the end; not where legs of a body come to rest together
  std::vector<double> start_slip_, path_slip_, end_slip_, place_size_;
  double impulse(int multiplier, double at_start, double at_end) const {
    return at_start * nu_[multiplier] + (halves_ ? 0 : at_end * solution_[n_ + multiplier]);
  }
  bool at_end_ = false;
  bool halves_;                 // forces act with equal parts at both ends: Σ b c = ½
  std::vector<char> open_;      // contact rows that read λ = 0, in the last solve
  std::vector<char> instant_;   // rows of velocity, because the way is too short for f(q1)/h
  bool in_the_middle_ = false;  // rows of this solve need q_½
  // What a row of this solve is: f(q1)/h; of the velocity in the middle, with the columns of the start or of the end;
  // τ + μσλ.
  enum class RowKind { position, instant, start, end, cone };
  std::vector<RowKind> kinds_;
  Complementarity complementarity_;
  bool at_start_ = false;  // the step is evaluated at zero velocities and multipliers
  std::vector<std::unique_ptr<Rows>> prepared_;
  Rows* rows_of_ = nullptr;
  std::vector<Column> c0_, c1_, half_;
  bool timeless_ = true;      // no contact of this solve depends on t
  bool c1_known_ = false;     // constraints and normals of c1_, value1_, rate1_ are those of c1_q_, c1_t_
  bool c1_tangents_ = false;  // and its tangents; else these are J_Pᵀτ of the τ at the start,
  bool ways_known_ = true;    // if they are known
  std::vector<double> c1_q_;
  double c1_t_ = 0;
  std::vector<double> value0_, value1_, value_half_, rate0_, rate1_, rate_half_;  // f, b or g; g_t
  std::vector<double> nu_, p_start_, x_, rows_, gram_, row_scale_, row_floor_, q1_, q_half_, normal_;
  std::vector<double> inertias_, speeds_;                        // M_ii and the speed of each coordinate, about
  std::vector<double> free_, dnu_, best_nu_, held_sizes_, low_;  // of solve_multipliers; free: V without multipliers
  double norm_ = 0, holonomic_max_ = 0, nonholonomic_max_ = 0;
  std::vector<double> solution_, velocity_;  // of the projection: v and ξ
  double t1_ = 0;
  bool mass_regular_ = true, kkt_regular_ = false;
  std::unique_ptr<ContactFrameDerivatives> frame_derivatives_;  // made when the first is asked for
  Eigen::MatrixXd slip_derivative_;
};

}  // namespace ricochet
