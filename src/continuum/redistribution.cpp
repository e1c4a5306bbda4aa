// The mass of surfaces that have none (massless_surface.hpp) goes inside.

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "ricochet/continuum/solid.hpp"
#include "ricochet/error.hpp"
#include "ricochet/numerics/epsilon.hpp"

namespace ricochet::continuum {

namespace {

using Vector4 = Eigen::Vector4d;

// 1, x, y and |x|² about the middle of the body, as parts of its size.
struct Moments {
  double cx = 0, cy = 0, scale = 0;
  Vector4 operator()(const double* X) const {
    const double x = (X[0] - cx) / scale, y = (X[1] - cy) / scale;
    return {1, x, y, x * x + y * y};
  }
};

// Factors 1 + p(X) of the masses that give the moments `wanted`, with or without the last. Nodes on a line or a circle
// leave some of them dependent: p is the smallest then. False if these cannot be had, or if a mass would be less than a
// quarter of itself.
bool correct(const Solid& solid, const std::vector<int>& inner, const Moments& phi, const Vector4& wanted,
             bool with_polar, std::vector<double>& mass) {
  Eigen::Matrix4d gram = Eigen::Matrix4d::Zero();
  Vector4 missing = wanted;
  for (const int i : inner) {
    const Vector4 f = phi(&solid.X[2 * i]);
    gram += mass[i] * f * f.transpose();
    missing -= mass[i] * f;
  }
  if (!with_polar) {
    gram.row(3).setZero();
    gram.col(3).setZero();
    missing[3] = 0;
  }
  const double round_off = 64 * epsilon * std::sqrt(static_cast<double>(solid.nodes())) *
                           (1 + (std::abs(phi.cx) + std::abs(phi.cy)) / phi.scale) * wanted[0];
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> modes(gram);
  Vector4 p = Vector4::Zero();
  for (int k = 0; k < 4; ++k) {
    const Vector4 mode = modes.eigenvectors().col(k);
    const double part = mode.dot(missing);
    if (modes.eigenvalues()[k] > round_off)
      p += part / modes.eigenvalues()[k] * mode;
    else if (std::abs(part) > round_off)
      return false;
  }
  const auto factor = [&](int i) { return 1 + p.dot(phi(&solid.X[2 * i])); };
  if (!std::all_of(inner.begin(), inner.end(), [&](int i) { return factor(i) >= 0.25; })) return false;
  for (const int i : inner) mass[i] *= factor(i);
  return true;
}

}  // namespace

void Solid::redistribute(std::size_t body) {
  const SolidPart& part = parts[body];
  std::vector<char> surface(nodes(), 0);
  for (const Segment& s : surfaces[body]) surface[s[0]] = inverse_mass[s[0]] > 0;
  std::vector<int> inner;
  Moments phi;
  double total = 0;
  for (std::size_t i = part.first_node; i < part.last_node; ++i) {
    if (inverse_mass[i] == 0) continue;
    if (!surface[i]) inner.push_back(static_cast<int>(i));
    total += mass[i];
    phi.cx += mass[i] * X[2 * i];
    phi.cy += mass[i] * X[2 * i + 1];
  }
  phi.cx /= total;
  phi.cy /= total;
  for (std::size_t i = part.first_node; i < part.last_node; ++i)
    phi.scale = std::fmax(phi.scale, std::hypot(X[2 * i] - phi.cx, X[2 * i + 1] - phi.cy));
  Vector4 wanted = Vector4::Zero();
  for (std::size_t i = part.first_node; i < part.last_node; ++i)
    if (inverse_mass[i] > 0) wanted += mass[i] * phi(&X[2 * i]);
  // to the inner nodes of a node's elements; a corner that has none, to all
  std::vector<double> next = mass;
  double left = 0;
  for (std::size_t i = part.first_node; i < part.last_node; ++i) {
    if (!surface[i]) continue;
    std::vector<int> takers;
    for (std::size_t k = first_corner[i]; k < first_corner[i + 1]; ++k)
      for (const int j : triangles[corners[k] / 3])
        if (!surface[j] && inverse_mass[j] > 0) takers.push_back(j);
    for (const int j : takers) next[j] += mass[i] / static_cast<double>(takers.size());
    if (takers.empty()) left += mass[i];
    next[i] = 0;
  }
  for (const int i : inner) next[i] *= total / (total - left);
  if (inner.size() < 3 ||
      !(correct(*this, inner, phi, wanted, true, next) || correct(*this, inner, phi, wanted, false, next)))
    throw ModelError("continuum.contact", fmt::format("redistributed: '{}' has too few inner nodes to take the mass of "
                                                      "its surface; take more cells or multiplier",
                                                      part.name));
  for (std::size_t e = part.first_cell; e < part.last_cell; ++e)
    for (std::size_t a = 0; a < 3; ++a) {
      const int i = triangles[e][a];
      corner_mass[3 * e + a] *= next[i] / mass[i];
    }
  mass = next;
  for (std::size_t i = part.first_node; i < part.last_node; ++i)
    if (inverse_mass[i] > 0) inverse_mass[i] = mass[i] > 0 ? 1 / mass[i] : 0;
  for (std::size_t e = part.first_cell; e < part.last_cell; ++e) rest_frequency[e] = frequency(e, {});
}

}  // namespace ricochet::continuum
