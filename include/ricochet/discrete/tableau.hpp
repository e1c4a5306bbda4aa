#pragma once
// Every discrete Lagrangian of this house is one formula with other numbers.
//
// The path over a step is q(τ) = q0 + h Σ_j a_j(τ) V_j, with `unknowns` velocity vectors V_j, and
//
//   L_d(t0,q0,q1,h) = extremum over V of  h Σ_i b_i L(q_i, v_i, t0 + c_i h),
//   q_i = q0 + h Σ_j A_ij V_j,   v_i = Σ_j B_ij V_j,   subject to  q1 = q0 + h Σ_j β_j V_j.
//
// Rectangle, midpoint and trapezoidal: one unknown, the mean velocity w = (q1 − q0)/h; A = c, B = 1, β = 1.
// Galerkin of degree s: V_j are the velocities at the s Gauss points; A is the collocation matrix, B = 1, β = b.
// With V as unknown nothing is ever divided by h: sub-steps of length 0 are harmless.

#include <map>
#include <string>
#include <vector>

#include "ricochet/descriptor.hpp"

namespace ricochet {

struct Tableau {
  std::string name;
  int points = 1;            // quadrature points i
  int unknowns = 1;          // velocity vectors j
  std::vector<double> b, c;  // points
  std::vector<double> A, B;  // points × unknowns, row by row
  std::vector<double> beta;  // unknowns
  double a(int i, int j) const { return A[i * unknowns + j]; }
  double d(int i, int j) const { return B[i * unknowns + j]; }
  // Where L = ½vᵀMv − V the step is explicit if every point is an end of the step.
  bool ends_only() const;
  // L_d*(q0,q1,h) = −L_d(q1,q0,−h): a step of it in reversed time undoes a step of this one.
  Tableau adjoint() const;
};

// A discretization by name with its parameters (gamma, degree); names and parameters are in
// discretization_descriptors().
const std::vector<Descriptor>& discretization_descriptors();
std::vector<std::string> all_discretizations();  // their names
Tableau make_tableau(const std::string& name, const std::map<std::string, OptionValue>& parameters);

}  // namespace ricochet
