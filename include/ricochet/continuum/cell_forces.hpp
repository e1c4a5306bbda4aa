#pragma once
// The forces of all triangles on their corners, f_a = −A P(H) g_a, on all cores: each element writes its own corners
// and each node then adds up its own, in the order of the elements, so that the bits do not depend on the threads.

#include <cstddef>
#include <span>

#include "ricochet/continuum/solid.hpp"
#include "ricochet/numerics/team.hpp"

namespace ricochet::continuum {

inline constexpr std::size_t cell_grain = 2048;  // elements that are worth a thread

// Two numbers for each corner. False if an element of a body that is not linear has J ≤ 0, or a strain is no number.
bool corner_forces(const Solid& solid, Team& team, const double* u, double* f);
bool corner_forces(const Solid& solid, Team& team, std::span<const std::size_t> cells, const double* u, double* f);
[[noreturn]] void refuse_tangled(const Solid& solid, const double* u);  // which one it was: throws SolverError

// The force on one node.
inline std::array<double, 2> node_force(const Solid& solid, std::size_t node, const double* f) {
  double x = 0, y = 0;
  for (std::size_t k = solid.first_corner[node]; k < solid.first_corner[node + 1]; ++k) {
    x += f[2 * solid.corners[k]];
    y += f[2 * solid.corners[k] + 1];
  }
  return {x, y};
}

// Throws SolverError where an element has become so stiff that h is no longer stable.
void refuse_unstable(const Solid& solid, Team& team, const double* u, double h);

// Of linear bodies that between two states (equal ones: the energy), of others the mean of both.
double elastic_energy(const Solid& solid, const double* u, const double* before);
double elastic_energy(const Solid& solid, std::size_t cell, const double* u, const double* before);  // of one element

}  // namespace ricochet::continuum
