#include "ricochet/continuum/cell_forces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "ricochet/error.hpp"

namespace ricochet::continuum {

namespace {

template <class M>
bool force(const Solid& solid, const M& material, std::size_t e, const double* __restrict u, double* __restrict f) {
  const CellShape& s = solid.shapes[e];
  const Gradient H = solid.gradient(e, u), P = stress(material, H);
  double* out = f + 6 * e;
  out[2] = -s.area * (P.xx * s.g1x + P.xy * s.g1y);
  out[3] = -s.area * (P.yx * s.g1x + P.yy * s.g1y);
  out[4] = -s.area * (P.xx * s.g2x + P.xy * s.g2y);
  out[5] = -s.area * (P.yx * s.g2x + P.yy * s.g2y);
  out[0] = -out[2] - out[4];
  out[1] = -out[3] - out[5];
  return std::is_same_v<M, Hooke> || H.trace() + H.det() > -1;
}

template <class M>
bool forces(const Solid& solid, const M& material, std::size_t first, std::size_t last, const double* __restrict u,
            double* __restrict f) {
  bool well = true;
  for (std::size_t e = first; e < last; ++e) well = force(solid, material, e, u, f) && well;
  return well;
}

double cell_energy(const Solid& solid, const PlaneLaw& law, std::size_t e, const double* u, const double* before) {
  const Hooke* linear = std::get_if<Hooke>(&law);
  const Gradient H = solid.gradient(e, u), G = solid.gradient(e, before);
  return solid.shapes[e].area * (linear ? 0.5 * energy(*linear, H, G) : 0.5 * (energy(law, H) + energy(law, G)));
}

}  // namespace

bool corner_forces(const Solid& solid, Team& team, const double* u, double* f) {
  std::atomic<bool> well = true;
  team.for_each(solid.cells(), cell_grain, [&](std::size_t first, std::size_t last) {
    for (const SolidPart& part : solid.parts) {
      const std::size_t a = std::max(first, part.first_cell), b = std::min(last, part.last_cell);
      if (a >= b) continue;
      if (!std::visit([&](const auto& law) { return forces(solid, law, a, b, u, f); }, part.law)) well = false;
    }
  });
  return well;
}

bool corner_forces(const Solid& solid, Team& team, std::span<const std::size_t> cells, const double* u, double* f) {
  std::atomic<bool> well = true;
  team.for_each(cells.size(), cell_grain, [&](std::size_t first, std::size_t last) {
    auto part = solid.parts.begin();
    for (std::size_t k = first; k < last;) {
      while (cells[k] >= part->last_cell) ++part;
      std::visit(
          [&](const auto& law) {
            for (; k < last && cells[k] < part->last_cell; ++k)
              if (!force(solid, law, cells[k], u, f)) well = false;
          },
          part->law);
    }
  });
  return well;
}

void refuse_tangled(const Solid& solid, const double* u) {
  for (std::size_t e = 0; e < solid.cells(); ++e) {
    const Gradient H = solid.gradient(e, u);
    if (const double J = 1 + H.trace() + H.det(); !is_linear(solid.part_of(e).law) && !(J > 0))
      throw SolverError(fmt::format("{} is turned inside out: J = {:.4g}", place(solid, e, u), J), J, -1,
                        "try a smaller continuum.courant, smaller speeds, or a stiffer material");
  }
  throw SolverError("a strain is not a number", -1, -1, "try a smaller continuum.courant");
}

void refuse_unstable(const Solid& solid, Team& team, const double* u, double h) {
  // 2 % above the limit: round-off, and a step that was chosen at it
  const double limit = 4 * 1.04 / (h * h);
  std::atomic<std::size_t> worst = std::numeric_limits<std::size_t>::max();
  team.for_each(solid.cells(), cell_grain, [&](std::size_t first, std::size_t last) {
    for (const SolidPart& part : solid.parts) {
      if (is_linear(part.law)) continue;
      const double stiffness = lambda_of(part.law) + 2 * mu_of(part.law);
      for (std::size_t e = std::max(first, part.first_cell); e < std::min(last, part.last_cell); ++e) {
        const Gradient H = solid.gradient(e, u);
        // strains up to 1/10 add less than 8(λ + 2μ)|e|: seen at a glance
        const Green g(H);
        const double square = g.xx * g.xx + 2 * g.xy * g.xy + g.yy * g.yy, rest = solid.rest_frequency[e],
                     room = limit - rest;
        if (square <= 0.01 && room > 0 && 64 * square * rest * rest <= room * room) continue;
        // ω² ≤ ω₀² + added·s, and ω₀² ≥ (λ + 2μ)s by the motion along the largest gradient of the shape
        if (solid.rest_frequency[e] * (1 + stiffening(part.law, H) / stiffness) <= limit) continue;
        if (solid.frequency(e, H) <= limit) continue;
        std::size_t seen = worst;
        while (e < seen && !worst.compare_exchange_weak(seen, e)) {
        }
      }
    }
  });
  const std::size_t e = worst;
  if (e >= solid.cells()) return;
  const double ratio = 0.5 * h * std::sqrt(solid.frequency(e, solid.gradient(e, u)));
  throw SolverError(
      fmt::format("{}: the Courant number has grown to {:.4g}, stable up to 1", place(solid, e, u), ratio), ratio, -1,
      fmt::format("try continuum.courant = {:.2g}", 0.9 * solid.courant / ratio));
}

double elastic_energy(const Solid& solid, std::size_t cell, const double* u, const double* before) {
  return cell_energy(solid, solid.part_of(cell).law, cell, u, before);
}

double elastic_energy(const Solid& solid, const double* u, const double* before) {
  double total = 0;
  for (const SolidPart& part : solid.parts) {
    double sum = 0;
    for (std::size_t e = part.first_cell; e < part.last_cell; ++e) sum += cell_energy(solid, part.law, e, u, before);
    total += sum;
  }
  return total;
}

}  // namespace ricochet::continuum
