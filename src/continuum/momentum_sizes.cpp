#include "ricochet/continuum/momentum_sizes.hpp"

#include <cmath>

#include "ricochet/continuum/bar.hpp"
#include "ricochet/continuum/solid.hpp"

namespace ricochet::continuum {

namespace {

// Bonded bodies share a node, but not in the fields.
std::vector<double> sizes_of(const Bar& bar, std::span<const double> x, std::span<const double> v) {
  double sum = 0;
  std::size_t node = 0;
  for (const Part& part : bar.parts) {
    for (std::size_t c = part.first; c < part.last(); ++c, ++node) {
      const double mass = part.rho * part.area * bar.dx[c], stretch = x[node + 1] - x[node] - bar.dx[c],
                   W = part.area * bar.dx[c] * energy(part.law, stretch / bar.dx[c]);
      sum += 0.5 * mass * (std::abs(v[node]) + std::abs(v[node + 1])) + std::sqrt(2 * mass * std::abs(W));
    }
    ++node;
  }
  return {sum};
}

std::vector<double> sizes_of(const Solid& solid, std::span<const double> x, std::span<const double> v) {
  std::vector<double> u(x.size()), sum(3, 0.0);
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = x[i] - solid.X[i];
  for (const SolidPart& part : solid.parts)
    for (std::size_t e = part.first_cell; e < part.last_cell; ++e) {
      double mass = 0, arm = 0;
      for (std::size_t a = 0; a < 3; ++a) {
        const double m = solid.corner_mass[3 * e + a];
        const auto i = static_cast<std::size_t>(solid.triangles[e][a]);
        const double p[2] = {m * std::abs(v[2 * i]), m * std::abs(v[2 * i + 1])};
        sum[0] += p[0];
        sum[1] += p[1];
        sum[2] += std::abs(x[2 * i]) * p[1] + std::abs(x[2 * i + 1]) * p[0];
        mass += m;
        arm = std::fmax(arm, std::hypot(x[2 * i], x[2 * i + 1]));
      }
      const double W = solid.shapes[e].area * energy(part.law, solid.gradient(e, u.data())),
                   stored = std::sqrt(2 * mass * std::abs(W));
      sum[0] += stored;
      sum[1] += stored;
      sum[2] += arm * stored;
    }
  return sum;
}

}  // namespace

MomentumSizes::MomentumSizes(const Model& model) {
  if (model.plane)
    solid_ = std::make_unique<Solid>(model);
  else
    bar_ = std::make_unique<Bar>(model);
}

MomentumSizes::~MomentumSizes() = default;

std::vector<double> MomentumSizes::of(std::span<const double> x, std::span<const double> v) const {
  return solid_ ? sizes_of(*solid_, x, v) : sizes_of(*bar_, x, v);
}

}  // namespace ricochet::continuum
