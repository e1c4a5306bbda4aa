// The step of a Bar: what is stable, and the Courant number's part of it.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ricochet/continuum/bar.hpp"
#include "ricochet/error.hpp"

namespace ricochet::continuum {

double stable_step(const Bar& bar) {
  std::vector<double> k(bar.nodes(), 0.0), s(bar.nodes(), 0.0);
  for (const Part& part : bar.parts)
    for (std::size_t c = part.first; c < part.last(); ++c)
      k[c] = part.area * tangent(part.law, (bar.u[c + 1] - bar.u[c]) * bar.inverse_dx[c]) * bar.inverse_dx[c];
  for (const Touch& touch : bar.touches)
    if (touch.treatment == Treatment::penalty)
      for (const std::size_t i : {touch.a, touch.b})
        if (i != Touch::none) s[i] += touch.stiffness;
  double largest = 0;
  for (std::size_t i = 0; i < bar.nodes(); ++i)
    largest = std::max(largest, 2 * ((i > 0 ? k[i - 1] : 0) + k[i] + s[i]) * bar.inverse_mass[i]);
  // Damping shortens it: with ξ = b₁ at the shortest wave, h ≤ (2/ω)(√(1 + ξ²) − ξ).
  const double xi = bar.viscosity.linear;
  return 2 / std::sqrt(largest) * (std::sqrt(1 + xi * xi) - xi);
}

void Bar::choose_step(const Model& model) {
  if (!(courant > 0) || !std::isfinite(courant))
    throw ModelError("continuum.courant", fmt::format("expected a Courant number above 0, got {}", courant));
  if (courant > 1)
    throw ModelError("continuum.courant",
                     fmt::format("{} is above the limit of stability, 1 (for avi .3 is the advisable limit)", courant));
  for (const Part& part : parts)
    for (std::size_t c = part.first; c < part.last(); ++c)
      if (!(tangent(part.law, (u[c + 1] - u[c]) * inverse_dx[c]) > 0))
        throw ModelError(fmt::format("continuum.body.{}.displacement", part.name),
                         fmt::format("{} has no stiffness at the start: no wave can run", place(*this, c)));
  stable = stable_step(*this);
  step = courant * stable;
  if (!(step > 0) || !std::isfinite(step))
    throw ModelError("continuum.courant", "there is no stable step: no node can move");
  // A last step of another length would leave the half-step energy without meaning. At Courant number 1 the step stays.
  if (model.scheme == Scheme::verlet && model.duration > 0 && courant < 1)
    step = model.duration / std::ceil(model.duration / step * (1 - 1e-9));
  if (model.scheme == Scheme::avi) {
    step = 0;
    for (const Part& part : parts)
      for (std::size_t c = part.first; c < part.last(); ++c) step = std::max(step, courant * element_step(part, c));
  }
  for (const Touch& touch : touches) {
    if (touch.treatment != Treatment::interval) continue;
    if (model.scheme == Scheme::avi)
      throw ModelError("continuum.contact",
                       touch.name + ": interval needs verlet; avi takes multiplier, redistributed or penalty");
    for (const Part& part : parts) {
      if (part.chain != touch.chain_a && part.chain != touch.chain_b) continue;
      const double c = std::sqrt(tangent(part.law, 0) / part.rho);
      for (std::size_t i = part.first; i < part.last(); ++i)
        if (const double local = step * c * inverse_dx[i]; std::abs(local - 1) > 1e-9)
          throw ModelError(
              "continuum.contact",
              fmt::format(
                  "{}: interval needs Courant number 1 in every element of the bodies in contact; {} has {:.6g}. Set "
                  "continuum.courant = 1 and cells of equal transit time, or take multiplier",
                  touch.name, place(*this, i), local));
    }
  }
}

double Bar::element_step(const Part& part, std::size_t c) const {
  const double xi = viscosity.linear;
  return dx[c] * std::sqrt(part.rho / tangent(part.law, (u[c + 1] - u[c]) * inverse_dx[c])) *
         (std::sqrt(1 + xi * xi) - xi);
}

}  // namespace ricochet::continuum
