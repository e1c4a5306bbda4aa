#include "ricochet/continuum/mesh.hpp"

#include <cmath>

namespace ricochet::continuum {

std::vector<double> cell_lengths(const BarMesh& mesh) {
  const auto n = static_cast<std::size_t>(mesh.cells);
  if (mesh.grading == 1 || n == 1) return std::vector<double>(n, mesh.length / static_cast<double>(n));
  const double s = std::log(mesh.grading) / static_cast<double>(n - 1);  // q = e^s
  const double first = mesh.length * std::expm1(s) / std::expm1(s * static_cast<double>(n));
  std::vector<double> dx(n);
  for (std::size_t i = 0; i < n; ++i) dx[i] = first * std::exp(s * static_cast<double>(i));
  return dx;
}

std::vector<double> node_positions(const BarMesh& mesh) {
  const auto n = static_cast<std::size_t>(mesh.cells);
  std::vector<double> X(n + 1);
  const double s = n > 1 ? std::log(mesh.grading) / static_cast<double>(n - 1) : 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double part = mesh.grading == 1 || n == 1
                            ? static_cast<double>(i) / static_cast<double>(n)
                            : std::expm1(s * static_cast<double>(i)) / std::expm1(s * static_cast<double>(n));
    X[i] = mesh.from + mesh.length * part;
  }
  X[n] = mesh.from + mesh.length;
  return X;
}

}  // namespace ricochet::continuum
