#pragma once
// All bodies on one line as arrays. A node i has the cell i on its right and the cell i−1 on its left; after the last
// node of a chain of bonded bodies stands an empty cell, which never carries a force, so that one loop over all nodes
//   m_i a_i = N_i − N_{i−1} + m_i g,   N_i = A P((u_{i+1} − u_i)/dx_i),
// needs no case. Bonded bodies share a node. Displacements u, not positions, are the unknowns: a strain then has the
// digits of the displacements.
//
// The step that every mode survives: ω² ≤ max_i 2(k_{i−1} + k_i + s_i)/m_i (Gershgorin), h ≤ 2/ω, with the tangents k
// of the cells and the stiffness s of a contact spring. For a uniform bar that is dx/c.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "ricochet/continuum/contact.hpp"
#include "ricochet/continuum/model.hpp"

namespace ricochet::continuum {

struct Part {  // a body: nodes first … first + cells, cells first … first + cells − 1
  std::string name;
  Law law;
  double rho = 1, area = 1;
  std::size_t first = 0, cells = 0;
  int chain = 0;  // bonded bodies have the same
  std::size_t last() const { return first + cells; }
};

struct Support {  // an end with a prescribed displacement
  std::size_t node;
  Function displacement;
};

struct Bar {
  explicit Bar(const Model& model);  // throws ModelError

  std::vector<Part> parts;  // in the order of the file
  std::vector<Touch> touches;
  std::vector<Support> supports;
  std::vector<double> X, dx, inverse_dx;   // the empty cells have length 0 and inverse 0
  std::vector<double> mass, inverse_mass;  // inverse 0: prescribed or without mass
  std::vector<double> u, v;                // at the start
  double start = 0, gravity = 0;
  Viscosity viscosity;
  double step = 0;                 // Courant number × stable step; AVI: the longest of the elements' steps
  double courant = 0, stable = 0;  // the stable step of all cells at once

  std::size_t nodes() const { return X.size(); }
  const Part& part_of(std::size_t cell) const;  // of a cell that is not empty
  int part_named(const std::string& name) const;
  double element_step(const Part& part, std::size_t cell) const;  // dx/c: the stable step of one element alone

 private:
  void add_touches(const Model& model);
  void choose_step(const Model& model);
  static bool model_prescribes(const Model& model, int part, bool right_end);
};

double stable_step(const Bar& bar);  // for all elements at once

// "element 17 of 'rod', X = 0.35": for messages; elements count from 1 in their body.
std::string place(const Bar& bar, std::size_t cell);

}  // namespace ricochet::continuum
