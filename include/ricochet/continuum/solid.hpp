#pragma once
// All bodies in the plane as arrays: triangles with one displacement gradient each,
//   H = Σ_a u_a ⊗ g_a,  g_a = ∇N_a,   f_a = −A P(H) g_a,
// two numbers for each node. Displacements u, not positions, are the unknowns: strains then have all digits.
//
// Masses are lumped by the parts of a triangle that are nearest to a corner (mixed Voronoi areas: of an obtuse triangle
// a half, a quarter and a quarter). A box of equal cells then has the masses of its rectangles, whichever way they are
// cut, and a plane wave along its sides is that of a bar.
//
// The step that every mode survives: the masses are sums over elements, so that no frequency is larger than the largest
// of a single element (Irons), h ≤ 2/ω. Springs of penalty contacts add to ω².

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ricochet/continuum/model.hpp"

namespace ricochet::continuum {

struct SolidPart {  // a body
  std::string name;
  PlaneLaw law;
  double rho = 1;
  // J > 0 in every element: where the law is not linear, and where the body is in contact, because a boundary that
  // crosses itself has no outside. A linear body alone is right at any size of its displacements.
  bool upright = true;
  std::size_t first_node = 0, last_node = 0, first_cell = 0, last_cell = 0;  // behind the last
};

struct CellShape {
  double g1x, g1y, g2x, g2y, area;  // gradients of the second and third corner; of the first minus their sum
};

struct Hold {  // a node with a prescribed displacement
  int node;
  int motion;  // of Solid::motions; −1: stays where it begins
};

struct Slide {  // a node that may move along an edge only
  int node;
  double nx, ny;
};

struct Solid {
  explicit Solid(const Model& model);  // throws ModelError

  std::vector<SolidPart> parts;
  std::vector<double> X, u, v;  // u and v at the start
  std::vector<Triangle> triangles;
  std::vector<CellShape> shapes;
  std::vector<double> corner_mass;         // three for each triangle
  std::vector<double> mass, inverse_mass;  // of a node; inverse 0: prescribed, or without mass
  std::vector<double> rest_frequency;      // ω² of each element without strain
  // Corner 3e + a of element e is that of its node a. Those of a node: corners[first_corner[i] … first_corner[i + 1]).
  std::vector<std::uint32_t> first_corner, corners;
  std::vector<Hold> holds;
  std::vector<Slide> slides;
  std::vector<int> slide_of;  // of a node, or −1
  std::vector<PlaneMotion> motions;
  std::vector<std::vector<Segment>> surfaces;  // boundary of each body
  std::array<double, 2> gravity{0, 0};
  double start = 0, courant = 0, step = 0, stable = 0;  // stable: of all elements at once

  std::size_t nodes() const { return mass.size(); }
  std::size_t cells() const { return triangles.size(); }
  Gradient gradient(std::size_t cell, const double* u) const {
    const CellShape& s = shapes[cell];
    const Triangle& t = triangles[cell];
    const double *a = u + 2 * t[0], *b = u + 2 * t[1], *c = u + 2 * t[2];
    const double bx = b[0] - a[0], by = b[1] - a[1], cx = c[0] - a[0], cy = c[1] - a[1];
    return {bx * s.g1x + cx * s.g2x, bx * s.g1y + cx * s.g2y, by * s.g1x + cy * s.g2x, by * s.g1y + cy * s.g2y};
  }
  double frequency(std::size_t cell, const Gradient& H) const;  // ω² of one element
  const SolidPart& part_of(std::size_t cell) const;
  int part_named(const std::string& name) const;
  // What an impulse changes in the velocity of a node, as far as its edge lets it.
  std::array<double, 2> mobility(int node, double x, double y) const {
    const double w = inverse_mass[node];
    if (slide_of[node] < 0) return {w * x, w * y};
    const Slide& s = slides[slide_of[node]];
    const double along = s.nx * x + s.ny * y;
    return {w * (x - along * s.nx), w * (y - along * s.ny)};
  }

 private:
  void add_body(const PlaneBody& body, bool in_contact);
  void redistribute(std::size_t body);  // redistribution.cpp
  void add_conditions(const PlaneBody& body, std::size_t first);
};

// Courant number × stable step, AVI: the longest of the elements' steps. Throws ModelError.
double choose_step(const Solid& solid, const Model& model, double stable);
double stable_step(const Solid& solid, double spring_frequency);  // of all elements at once
double element_step(const Solid& solid, std::size_t cell);        // of one alone

// "element 17 of 'disc' at (0.3, 0.2)": for messages; elements count from 1 in their body.
std::string place(const Solid& solid, std::size_t cell, const double* u);

}  // namespace ricochet::continuum
