#pragma once
// The forces of triangles on their nodes, f_a = −A P(H) g_a, in one pass through memory, on all cores. Elements are
// taken in blocks whose size does not depend on the threads. The first block that touches a node adds up its part of
// the force in place, a later one in a slot beside; slots are added in the order of the blocks. So the bits do not
// depend on the threads.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ricochet/continuum/solid.hpp"
#include "ricochet/numerics/team.hpp"

namespace ricochet::continuum {

class NodeForces {
 public:
  NodeForces() = default;
  NodeForces(const Solid& solid, const std::vector<std::uint32_t>& cells);  // ascending
  explicit NodeForces(const Solid& solid);                  // of all elements: then node k is node k of the solid
  const std::vector<int>& nodes() const { return nodes_; }  // of the elements, ascending
  std::size_t cells() const { return cells_; }
  // False if an element of a body that must be upright has J ≤ 0.
  bool find(const Solid& solid, Team& team, const double* u);
  const double* of(std::size_t k) const { return &sum_[2 * place_[k]]; }  // on the k-th node

 private:
  struct Shared {
    std::uint32_t slot, place;
  };
  struct Run {  // of consecutive elements of one body in one block
    const SolidPart* part;
    std::size_t first, last, corner;
  };
  struct Block {
    std::size_t run, place;  // its first run, its first place in sum_
  };
  std::size_t cells_ = 0;
  std::vector<Run> runs_;
  std::vector<Block> blocks_;           // and one behind the last
  std::vector<std::uint16_t> corners_;  // where in the sums of a block the corners of an element go
  std::vector<int> nodes_;
  std::vector<std::uint32_t> place_;  // of each node in sum_
  std::vector<Shared> shared_;
  std::vector<double> sum_;
};

bool tangled(const Solid& solid, Team& team, const double* u);  // an element of a body that must be upright has J ≤ 0
[[noreturn]] void refuse_tangled(const Solid& solid, const double* u);  // which one it was: throws SolverError

// Throws SolverError where an element has become so stiff that h is no longer stable.
void refuse_unstable(const Solid& solid, Team& team, const double* u, double h);

// Of linear bodies that between two states (equal ones: the energy), of others the mean of both.
double elastic_energy(const Solid& solid, const double* u, const double* before);
double elastic_energy(const Solid& solid, std::size_t cell, const double* u, const double* before);  // of one element

}  // namespace ricochet::continuum
