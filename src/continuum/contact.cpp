#include "ricochet/continuum/contact.hpp"

#include <cmath>
#include <limits>

#include "ricochet/continuum/bar.hpp"
#include "ricochet/numerics/find_root.hpp"

namespace ricochet::continuum {

double rate_round_off(const Touch& touch, const double* u, const double* v, double h) {
  double position = std::abs(touch.gap0), velocity = 0;
  for (const std::size_t i : {touch.a, touch.b})
    if (i != Touch::none) position += std::abs(u[i]), velocity += std::abs(v[i]);
  return 8 * std::numeric_limits<double>::epsilon() * (position / h + velocity);
}

// With strains e_a, e_b of the end cells: dx_a e_a + dx_b e_b = g, the gap that unstrained ends would have, and equal
// forces A_a P_a(e_a) = A_b P_b(e_b) = −F. For linear materials F = −g/(dx_a/(A_a E_a) + dx_b/(A_b E_b)).
double relax_ends(const Bar& bar, const Touch& touch, double* u) {
  const bool has_a = touch.a != Touch::none, has_b = touch.b != Touch::none;
  const std::size_t cell_a = touch.a - 1, cell_b = touch.b;  // the end cells; their other nodes are the neighbours
  if (has_a) u[touch.a] = u[touch.a - 1];
  if (has_b) u[touch.b] = u[touch.b + 1];
  const double g = touch.gap(u);
  if (g >= 0) return 0;
  const auto force = [&](std::size_t cell, double e) {
    const Part& part = bar.part_of(cell);
    return part.area * stress(part.law, e);
  };
  double e_a = has_a ? g * bar.inverse_dx[cell_a] : 0, e_b = has_b ? g * bar.inverse_dx[cell_b] : 0;
  if (has_a && has_b) {
    const Part &a = bar.part_of(cell_a), &b = bar.part_of(cell_b);
    if (is_linear(a.law) && is_linear(b.law)) {
      const double soft_a = bar.dx[cell_a] / (a.area * std::get<Linear>(a.law).E),
                   soft_b = bar.dx[cell_b] / (b.area * std::get<Linear>(b.law).E);
      e_a *= soft_a / (soft_a + soft_b);
    } else {
      const auto difference = [&](double e) {
        return force(cell_a, e) - force(cell_b, (g - e * bar.dx[cell_a]) * bar.inverse_dx[cell_b]);
      };
      // neither cell is turned inside out by what is tried
      const double most = 0.999, low = std::fmax(e_a, -most),
                   high = std::fmin(0.0, (g + most * bar.dx[cell_b]) * bar.inverse_dx[cell_a]);
      e_a = low < high ? find_root(difference, low, high, difference(low), difference(high)).x : low;
    }
    e_b = (g - e_a * bar.dx[cell_a]) * bar.inverse_dx[cell_b];
  }
  if (has_a) u[touch.a] += e_a * bar.dx[cell_a];
  if (has_b) u[touch.b] -= e_b * bar.dx[cell_b];
  return has_a ? -force(cell_a, e_a) : -force(cell_b, e_b);
}

void take_velocities(const Touch& touch, double* v) {
  if (touch.a != Touch::none) v[touch.a] = v[touch.a - 1];
  if (touch.b != Touch::none) v[touch.b] = v[touch.b + 1];
}

}  // namespace ricochet::continuum
