#pragma once
// Contact of two facing ends, or of an end and a wall: gap g = x_b − x_a ≥ 0, force F ≥ 0 on each, complementary. Every
// end is in one contact at most, so that each contact is a problem of one unknown with a closed form. With
// 1/m = 1/m_a + 1/m_b and the relative velocity w* = v_b − v_a that a step without contact would reach:
//
//   multiplier      0 ≤ λ ⊥ gⁿ/h + w* + λ/m ≥ 0: one impulse λ a step. Momentum is kept; the end masses merge as in a
//                   plastic impact, so that half a cell's kinetic energy is lost when the ends meet. No noise.
//   interval        the force acts on the interval between the steps, 0 ≤ λ_{n+½} ⊥ gⁿ⁺¹ ≥ 0, the impulse of a step is
//                   h(λ_{n−½} + λ_{n+½})/2. At Courant number 1 the solution is d'Alembert's, up to round-off.
//   redistributed   the ends have no mass (it is given to their neighbours): they follow the neighbours in equilibrium,
//                   free or pressed together. The end cells are a spring that only pushes: a potential, no loss but for
//                   the steps in which it closes and opens.
//   penalty         F = s max(0, −g): a potential too, but the ends penetrate and the force rings.

#include <cstddef>
#include <string>

#include "ricochet/continuum/model.hpp"

namespace ricochet::continuum {

struct Touch {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);  // a wall
  std::string name;
  Treatment treatment = Treatment::multiplier;
  std::size_t a = none, b = none;  // the nodes left and right of the gap
  double gap0 = 0;                 // X_b − X_a
  double stiffness = 0;            // penalty: force for each unit of penetration
  double area = 1;
  int chain_a = -1, chain_b = -1;

  double gap(const double* u) const { return gap0 + (b == none ? 0 : u[b]) - (a == none ? 0 : u[a]); }
  double closing(const double* v) const { return (b == none ? 0 : v[b]) - (a == none ? 0 : v[a]); }  // w
  double compliance(const double* inverse_mass) const {                                              // 1/m
    return (a == none ? 0 : inverse_mass[a]) + (b == none ? 0 : inverse_mass[b]);
  }
};

// What round-off leaves of a gap rate g/h + w of ends that touch: below it there is no contact.
double rate_round_off(const Touch& touch, const double* u, const double* v, double h);

// λ of 0 ≤ λ ⊥ rate + compliance·λ ≥ 0.
inline double impulse(double rate, double compliance, double round_off) {
  return rate < -round_off ? -rate / compliance : 0;
}

struct Bar;

// Ends without mass: displacements of the ends in equilibrium with those of their neighbours, and the force between
// them.
double relax_ends(const Bar& bar, const Touch& touch, double* u);
void take_velocities(const Touch& touch, double* v);  // of those neighbours

}  // namespace ricochet::continuum
