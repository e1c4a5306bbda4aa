#pragma once
// Routh's process with Stronge's energetic restitution: an impact with friction as a path Λ(s), c = c⁻ + ΔΛ.
//
// Each contact with friction slips, dΛ_t = −μσ dΛ_n with σ = c_t/|c_t|, until c_t = 0. Then it sticks, dc_t = 0, if
// that takes |dΛ_t| ≤ μ dΛ_n; otherwise it slips on, in the direction in which it begins to: dc_t = κσ, κ > 0. For one
// contact
//
//   (μΔ_tt + κ)σ = Δ_tn,   |σ| = 1,    in the plane σ = sign Δ_tn.
//
// One contact: s = Λ_n. Compression ends where c_n = 0, restitution where its work ∫c_n dΛ_n is −e² of compression's.
// Several: compression lowers all c_n in proportion to |c_i⁻|, dc_i/ds = |c_i⁻|, so all end at s = 1; restitution
// raises them in proportion to e_i|c_i⁻| until its work is −Σ e_i² W_i. A plastic one (`stops`) has its c_t lowered
// likewise, whatever the friction. Sticking contacts that are over-determined take the least Σ|dΛ_t|²/dΛ_n.
//
// Between changes of a mode everything is linear in s, except the slip in space, whose direction turns. With
// ds = ω dτ, 1/ω = Σ 1/|c_t| over the turning ones, |c_t| falls as an exponential and the equations stay smooth down to
// c_t = 0; they are integrated by extrapolation of the midpoint rule to 1e-14, with steps chosen by values, until the
// direction no longer turns (then the rest is linear), or |c_t| is at round-off. The dual parts go through the same
// steps; the end of a phase is a root of the last step, whose derivative is that of the implicit function.

#include <span>
#include <vector>

#include "law_scalar.hpp"

namespace ricochet {

template <class T>
struct RouthContact {
  int row = 0, tangents = 0;  // tangents: rows that carry an impulse
  T friction{0.0}, e{0.0};
  bool stops = false;
  double still = 0;  // speeds up to this are zero
};

template <class T>
class Routh {
 public:
  // False if an impulse would pull or no modes fit (several contacts only). Throws SolverError.
  bool run(std::span<const RouthContact<T>> contacts, int rows, const T* delta, const T* c);
  std::span<const T> impulse() const { return lambda_; }
  double compression(int i) const { return compression_[i]; }  // normal work of contact i, ≤ 0
  double restitution(int i) const { return value(work_[i]); }
  int curves() const { return curves_; }  // spatial slips followed, since the beginning
  // Did a contact begin to slip where it had no slip? There c⁺ has a kink: a neighbour that slips the other way stops
  // first. Since forget_kinks().
  bool has_kink() const { return kink_; }
  void forget_kinks() { kink_ = false; }
  ScaledSolver<T>& solver() { return solver_; }  // for a law that needs one

 private:
  enum class Kind { free, slip, stick, stop };
  struct Mode {
    Kind kind = Kind::free;
    bool turns = false;  // slip in space whose direction may change
    T sigma[2];
  };
  enum class End { phase, mode, none };

  const T& delta(int i, int j) const { return delta_[i * rows_ + j]; }
  bool single() const { return contacts_.size() == 1; }
  T slip_speed(int i) const;
  void update_speeds();
  bool stop_neighbours();
  void point_slips();
  void solve_rates();
  void solve_single();
  void solve_joint();
  bool pulls() const;
  bool fit_modes();
  bool outside_cone(int i, double& excess) const;
  void release(int i);
  bool turning(int i) const;
  bool linear(End& end);
  bool phase_length(T& length) const;
  void advance(const T& length);
  bool curve(End& end);
  double start_curve();
  void load(const T* y);
  void load_all(const std::vector<T>& y);
  void store(T* y, int i) const;
  void set_scales();
  int first_event(double length, double& shortest);
  void go_to_event(int e, double length);
  bool settles();
  void derivative_at(const T* y, T* dy);
  void extrapolate(const std::vector<T>& from, const T& length, std::vector<T>& to, double* error);
  T event(int k) const;

  std::span<const RouthContact<T>> contacts_;
  int rows_ = 0;
  const T* delta_ = nullptr;
  const T* c_minus_ = nullptr;
  bool compressing_ = true;
  T s_{0.0}, target_{0.0};
  std::vector<T> lambda_, c_, rate_, c_rate_, work_;
  std::vector<double> compression_;
  std::vector<Mode> modes_;
  ScaledSolver<T> solver_;
  std::vector<T> share_;
  std::vector<T> y_, y_end_, y_part_, dy_, a_, b_, m_, table_;
  std::vector<double> scale_, u_start_, event_start_;
  int curves_ = 0;
  bool kink_ = false;
};

}  // namespace ricochet
