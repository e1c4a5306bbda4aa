#pragma once
// Surfaces without mass, of bodies whose contacts are `redistributed`. What has no mass is in equilibrium at every
// instant: with u_I of the other nodes given, the surface u_s is where the elastic energy is least outside of the
// others,
//   f_s(u_I, u_s) + N(u_s)ᵀλ = 0,   0 ≤ λ ⊥ gap(u_s) ≥ 0.
// Newton's method: K δ = f_s + Nᵀλ with K = −∂f_s/∂u_s of the elements at the surface, factorized sparsely, and
// 0 ≤ λ ⊥ (gap + N K⁻¹f_s) + (N K⁻¹Nᵀ) λ ≥ 0 by the active set of Lawson and Hanson. To stagnation: the sum of the
// forces on all other nodes is then that of the contacts, whose rows are blind to rigid motions.
//
// The least energy as a function of u_I is a potential with a continuous gradient: contact opens and closes without an
// impact, no energy is lost to nodes that meet, and the step needs no gap corrected afterwards.
//
// The mass of a surface goes to the inner nodes of its elements, and these get factors 1 + a + b·x + d|x|² that give
// the body its mass, its centre and its moment of inertia back. Irons' bound of the frequencies holds with the surface
// held still: the least energy is no larger.

#include <Eigen/SparseCholesky>
#include <array>
#include <vector>

#include "ricochet/continuum/plane_contact.hpp"
#include "ricochet/numerics/nonnegative_least_squares.hpp"

namespace ricochet::continuum {

class MasslessSurface {
 public:
  explicit MasslessSurface(const Solid& solid);  // keeps a reference
  bool empty() const { return nodes_.empty(); }
  const std::vector<int>& nodes() const { return nodes_; }
  // Moves the massless nodes of u to where they are in equilibrium, and leaves the contacts found with push[0] the
  // force of each; throws SolverError. After two searches the segments stay, so that the problem is smooth; where a
  // node that went past the end of its segment is deep in the next one, again with that segment too, so that it does
  // not jump to and fro between both.
  // Where there is a place `from` which they came in the step h their velocities follow, and so what searches cover.
  void settle(double* u, double* v, const double* from, double h, PlaneContacts& contacts, Team& team);

 private:
  struct Direction {  // that a node may take
    int node;
    std::array<double, 2> d;
  };
  struct Entry {
    int corner, unknown;  // of one cell
  };
  void descend(double* u, const double* v, double h, int searches, PlaneContacts& contacts, Team& team);
  double newton(double* u, PlaneContacts& contacts);  // the longest δ
  void assemble(const double* u);

  const Solid& solid_;
  std::vector<int> nodes_;
  std::vector<Direction> unknowns_;
  std::vector<std::array<int, 2>> unknowns_of_;  // of a node; −1: none
  std::vector<std::size_t> cells_;               // with a massless node
  Eigen::SparseMatrix<double> K_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor_;
  Eigen::VectorXd force_, step_, step_before_;
  Eigen::MatrixXd rows_, moved_;  // Nᵀ, K⁻¹Nᵀ
  std::vector<NodeContact*> list_;
  std::vector<NodeContact> settled_;
  NonnegativeLeastSquares<double> problem_;
};

}  // namespace ricochet::continuum
