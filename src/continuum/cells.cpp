#include "ricochet/continuum/cells.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "ricochet/error.hpp"

namespace ricochet::continuum {

namespace {

// The sign bits of 1 − 2⁻⁵³ + ε, or-ed: set where J = 1 + ε ≤ 0. No branch, so that compilers take several cells at
// once.
class Inversion {
 public:
  void look(double strain) { bits_ |= std::bit_cast<std::uint64_t>(strain + 0x1.fffffffffffffp-1); }
  bool found() const { return bits_ >> 63; }

 private:
  std::uint64_t bits_ = 0;
};

[[noreturn]] void refuse_inversion(const Bar& bar, const Part& part, const double* u) {
  for (std::size_t c = part.first; c < part.last(); ++c)
    if (const double e = (u[c + 1] - u[c]) * bar.inverse_dx[c]; !(e > -0x1.fffffffffffffp-1))
      throw SolverError(
          fmt::format("{} (x = {:.6g}) is turned inside out: J = {:.4g}", place(bar, c), bar.X[c] + u[c], 1 + e), 1 + e,
          -1, "try a smaller continuum.courant, viscosity, or more cells");
  throw SolverError(fmt::format("a strain of '{}' is not a number", part.name), -1, -1,
                    "try a smaller continuum.courant");
}

[[noreturn]] void refuse_step(const Bar& bar, std::size_t cell, double ratio) {
  throw SolverError(fmt::format("{}: the Courant number has grown to {:.4g}, stable up to 1", place(bar, cell), ratio),
                    ratio, -1, fmt::format("try continuum.courant = {:.2g}", 0.9 * bar.courant / ratio));
}

template <class M>
void forces(const Bar& bar, const Part& part, const M& material, const double* __restrict u, double h,
            double* __restrict N) {
  const double *dx = bar.inverse_dx.data(), A = part.area;
  if constexpr (std::is_same_v<M, Linear>) {
    const double EA = A * material.E;
    for (std::size_t c = part.first; c < part.last(); ++c) N[c] = EA * ((u[c + 1] - u[c]) * dx[c]);
  } else {
    // (h c/dx)² of the stiffest cell; round-off and grading, where Gershgorin's bound is wider, are left alone
    const double limit = 1.0201, scale = h * h / part.rho;
    for (std::size_t c = part.first; c < part.last(); ++c) {
      const double e = (u[c + 1] - u[c]) * dx[c];
      N[c] = A * material.stress(e);
      const double ratio = scale * material.tangent(e) * dx[c] * dx[c];
      if (ratio > limit) refuse_step(bar, c, std::sqrt(ratio));
    }
  }
}

}  // namespace

void cell_forces(const Bar& bar, const double* u, double h, double* N) {
  for (const Part& part : bar.parts)
    std::visit([&](const auto& material) { forces(bar, part, material, u, h, N); }, part.law);
}

void refuse_inverted(const Bar& bar, const double* u) {
  for (const Part& part : bar.parts) {
    if (is_linear(part.law)) continue;
    Inversion inversion;
    for (std::size_t c = part.first; c < part.last(); ++c) inversion.look((u[c + 1] - u[c]) * bar.inverse_dx[c]);
    if (inversion.found()) refuse_inversion(bar, part, u);
  }
}

double cell_force(const Part& part, double strain) { return part.area * stress(part.law, strain); }

double viscous_force(const Part& part, const Viscosity& b, double dx, double strain, double rate) {
  const double c = std::sqrt(std::fmax(tangent(part.law, strain), 0.0) / part.rho);
  return part.area * part.rho * dx * (b.linear * c + b.quadratic * dx * std::abs(rate)) * rate;
}

void viscous_forces(const Bar& bar, const double* u, const double* v, double h, double* N, double* q) {
  for (const Part& part : bar.parts)
    for (std::size_t i = part.first; i < part.last(); ++i) {
      const double s = bar.inverse_dx[i], e = (u[i + 1] - u[i]) * s, rate = (v[i + 1] - v[i]) * s;
      if (bar.mass[i] == 0 || bar.mass[i + 1] == 0) continue;  // an end without mass could not balance it
      q[i] = viscous_force(part, bar.viscosity, bar.dx[i], e, rate);
      N[i] += q[i];
      const double c = std::sqrt(std::fmax(tangent(part.law, e), 0.0) / part.rho),
                   xi = bar.viscosity.linear + (c > 0 ? bar.viscosity.quadratic * bar.dx[i] * std::abs(rate) / c : 0),
                   ratio = h * c * s / (std::sqrt(1 + xi * xi) - xi);
      if (ratio > 1.01) refuse_step(bar, i, ratio);
    }
}

}  // namespace ricochet::continuum
