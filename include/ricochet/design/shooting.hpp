#pragma once
// Shooting: find the unknowns u (some of θ) for which the conditions r(u) = 0 of a course hold.
//
// Newton's method on the discrete map, with the exact derivative J of it: J du = −r. As many conditions as unknowns:
// damped Newton; fewer: the shortest du; more: Gauss–Newton, r as written. du is measured in sizes s_j of the unknowns,
// r_i in what these make of it, Σ_j |J_ij| s_j, so that no unit counts;
// the residual is the largest |r_i|/ρ_i with ρ_i = Σ_j |J_ij| s_j + Σ|∂r_i/∂x||x| over the state there: where no
// unknown changes r_i to first order (a shot as far as can be) its round-off still counts for nothing. A step λ du is
// taken if the correction that the old derivative sees after it, −J⁺r(u + λdu), is shorter than du [Deuflhard, natural
// monotonicity]; with more conditions than unknowns if |r| falls.
//
// The conditions are smooth only while the motion meets the same contacts in the same order: a sequence, if required,
// is part of the problem, and a trial step that changes it is halved like one that is too long.
//
// Continuation: some parameters start at the values of an easier problem and are led to their own, each solution the
// guess of the next.

#include <complex>
#include <functional>
#include <limits>
#include <optional>

#include "ricochet/design/sensitivity.hpp"

namespace ricochet {

struct Unknown {
  std::string name;
  int parameter = 0;  // its number in θ
  double min = -std::numeric_limits<double>::infinity(), max = std::numeric_limits<double>::infinity();
};

struct Easier {  // a parameter at the value of the easier problem
  std::string name;
  int parameter = 0;
  double value = 0;
};

struct ShootingProblem {
  Shot shot;  // the present θ holds the guess of the unknowns
  std::vector<Unknown> unknowns;
  std::vector<Quantity> conditions;                 // = 0
  std::optional<std::vector<std::string>> impacts;  // the required sequence
  std::vector<Easier> from;
  bool periodic = false;     // then the solution has multipliers
  double tolerance = 1e-12;  // of |r_i|/ρ_i
  int max_iterations = 50;
};

// The conditions that these coordinates return to where they started, with the same velocities.
std::vector<Quantity> periodic_conditions(const Shot& shot, const std::vector<int>& coordinates);

struct Iterate {
  int number = 0;
  double residual = 0;  // the largest |r_i|/ρ_i
  double damping = 1;   // λ of the step that led here
  double share = 1;     // of the way from the easier problem
  std::vector<double> unknowns;
};

struct ShootingSolution {
  enum class Status { solved, failed, interrupted } status = Status::failed;
  std::string message;            // if not solved: why
  std::vector<double> unknowns;   // of the solution, or of the best iterate
  std::vector<double> residuals;  // of each condition there, as written
  double residual = 0;            // the largest |r_i|/ρ_i
  int iterations = 0;
  int rank = 0;  // of J
  std::vector<Iterate> history;
  std::vector<std::complex<double>> floquet;  // of a periodic motion: eigenvalues of dx_N/dx_0, the largest first
};

struct SolveControl {
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const Iterate&)> progress;
};

// Throws ModelError where the problem cannot be posed (check_differentiable) and where the guess is no admissible
// start. Leaves the shot's θ at the unknowns returned.
ShootingSolution solve(ShootingProblem& problem, const SolveControl& control = {});

// The first difference of a sequence of contacts from the one required, in words; empty: none.
std::string sequence_difference(const std::vector<std::string>& required, const Course& course);

}  // namespace ricochet
