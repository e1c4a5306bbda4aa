#pragma once
// The forces of the cells of one body, N = A (P(ε) + q), in one loop without branches, for each material.
//
// Bulk viscosity: q = ρ dx (b₁ c + b₂ dx |ε̇|) ε̇, c = √(P'/ρ): of order dx in smooth motion, and enough to make a shock
// a few cells wide. It slows the stable step: with ξ = b₁ + b₂ dx|ε̇|/c, h ω ≤ 2(√(1 + ξ²) − ξ).

#include <cstddef>
#include <vector>

#include "ricochet/continuum/bar.hpp"

namespace ricochet::continuum {

// Throws SolverError where the tangent has grown so much that h is no longer stable.
void cell_forces(const Bar& bar, const double* u, double h, double* N);

// Throws SolverError where J ≤ 0 in a body that is not linear.
void refuse_inverted(const Bar& bar, const double* u);

// Adds the viscous part for nodal velocities v to N and leaves it in q too; `h` as above.
void viscous_forces(const Bar& bar, const double* u, const double* v, double h, double* N, double* q);

// One cell: its elastic and viscous force.
double cell_force(const Part& part, double strain);
double viscous_force(const Part& part, const Viscosity& viscosity, double dx, double strain, double rate);

}  // namespace ricochet::continuum
