#pragma once
// Newton's method with a halving line search, iterated to stagnation.
//
// Accuracy is part of structure: a residual left at 1e-8 shows as momentum drift. So the iteration goes on until the
// residual is round-off (a few ε times the size of the terms it is the difference of), or stops falling.
// Stopping rule, with r the largest residual and S the scale of its terms:
//   done  if r <= 8 ε S;
//   done  if r <= tolerance · S and the last step did not reduce r by a factor of 4 (stagnation; the better point is
//   kept, also where 40 halvings find no other); failed after max_iterations, a singular Jacobian, or 40 halvings
//   without progress.
// Trial points with r not finite count as infinitely bad, so the line search backs off from a domain error.
//
// Problem: void residual(x): evaluates; void residual_and_jacobian(x); double norm(), scale() of the last evaluation;
//          bool direction(dx): dx = −J⁻¹ r of the last evaluation with Jacobian;
//          bool again(dx), if there is one: the same with the Jacobian of the last direction; false: it is not known.
// Nothing here has a unit: norm and scale come from the problem, in one measure for all equations and the same one
// during an iteration (equations of different units: divided by LinearSolver::row_sizes of the first Jacobian).

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace ricochet {

constexpr double newton_round_off = 8 * std::numeric_limits<double>::epsilon();

struct NewtonSettings {
  double tolerance = 1e-10;
  int max_iterations = 50;
};

struct NewtonResult {
  bool converged = false;
  double residual = 0;  // relative to the scale
  int iterations = 0;
  const char* reason = "";
};

template <class Problem>
bool direction_again(Problem& problem, double* dx) {
  if constexpr (requires { problem.again(dx); }) return problem.again(dx);
  return false;
}

// x: start and solution; dx, best: work of the same size. The problem was last evaluated at the solution.
template <class Problem>
NewtonResult newton(Problem& problem, double* x, double* dx, double* best, int size, const NewtonSettings& settings) {
  constexpr double round_off = newton_round_off;
  constexpr double nearly = 1e-6;  // below this the next step should be the last: evaluate it without its Jacobian
  problem.residual_and_jacobian(x);
  double scale = problem.scale(), r = problem.norm();
  NewtonResult result{.residual = r > 0 ? r / scale : 0};
  if (!std::isfinite(r)) return result.reason = "the equations have no finite value at the start", result;
  bool has_jacobian = true;
  double before = 0;  // r of the point before
  while (r > round_off * scale) {
    if (result.iterations == settings.max_iterations) return result.reason = "no convergence", result;
    // Where the Jacobian of the point before is known, and that point was near, it is as good as a new one. Newton's
    // step has left r/before, which is half of what that Jacobian is off by: enough if twice this leaves round-off.
    const bool enough = !has_jacobian || 2 * r * (r / before) <= round_off * scale;
    if (!enough || !direction_again(problem, dx)) {
      if (!has_jacobian) problem.residual_and_jacobian(x);
      if (!problem.direction(dx)) return result.reason = "singular Jacobian", result;
    }
    ++result.iterations;
    for (int i = 0; i < size; ++i) best[i] = x[i];
    has_jacobian = !(r <= nearly * scale);
    double trial = 0;
    bool descends = true;
    for (double length = 1; descends; length /= 2) {
      for (int i = 0; i < size; ++i) x[i] = best[i] + length * dx[i];
      has_jacobian ? problem.residual_and_jacobian(x) : problem.residual(x);
      trial = problem.norm();
      scale = problem.scale();
      if (trial < r || (length == 1 && trial <= settings.tolerance * scale)) break;
      descends = length >= 1e-12;
    }
    if (!descends && !(r <= settings.tolerance * scale)) return result.reason = "no descent", result;
    const bool stagnates = !descends || (trial > r / 4 && trial <= settings.tolerance * scale);
    if (stagnates && !(trial <= r)) {  // the point before was better
      for (int i = 0; i < size; ++i) x[i] = best[i];
      problem.residual(x);
    }
    before = r;
    r = std::fmin(r, trial);
    result.residual = r > 0 ? r / scale : 0;
    if (stagnates) break;
  }
  result.converged = true;
  return result;
}

}  // namespace ricochet
