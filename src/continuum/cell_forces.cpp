#include "ricochet/continuum/cell_forces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>

#include "ricochet/error.hpp"

namespace ricochet::continuum {

namespace {

// Blocks of at most 4096 elements, whose corners are less than 2¹⁶; eight or a multiple of them, so that threads have
// the same work. Few elements are one.
std::size_t blocks_of(std::size_t cells) { return cells < 2048 ? 1 : 8 * ((cells + 8 * 4096 - 1) / (8 * 4096)); }

constexpr std::size_t cell_grain = 2048;  // elements that are worth a thread

// Adds to the sums of the corners. False if an element that must not be is turned inside out.
template <bool upright, class M>
bool forces(const Solid& solid, const M& material, std::size_t first, std::size_t last,
            const std::uint16_t* __restrict corner, const double* __restrict u, double* __restrict sum) {
  bool well = true;
  const CellShape* shape = solid.shapes.data();
  for (std::size_t e = first; e < last; ++e, corner += 3) {
    const CellShape& s = shape[e];
    const Gradient H = solid.gradient(e, u), P = stress(material, H);
    const double x1 = s.area * (P.xx * s.g1x + P.xy * s.g1y), y1 = s.area * (P.yx * s.g1x + P.yy * s.g1y),
                 x2 = s.area * (P.xx * s.g2x + P.xy * s.g2y), y2 = s.area * (P.yx * s.g2x + P.yy * s.g2y);
    double *a = sum + 2 * corner[0], *b = sum + 2 * corner[1], *c = sum + 2 * corner[2];
    a[0] += x1 + x2;
    a[1] += y1 + y2;
    b[0] -= x1;
    b[1] -= y1;
    c[0] -= x2;
    c[1] -= y2;
    if constexpr (upright) well &= H.trace() + H.det() > -1;
  }
  return well;
}

double cell_energy(const Solid& solid, const PlaneLaw& law, std::size_t e, const double* u, const double* before) {
  const Hooke* linear = std::get_if<Hooke>(&law);
  const Gradient H = solid.gradient(e, u), G = solid.gradient(e, before);
  return solid.shapes[e].area * (linear ? 0.5 * energy(*linear, H, G) : 0.5 * (energy(law, H) + energy(law, G)));
}

}  // namespace

NodeForces::NodeForces(const Solid& solid)
    : NodeForces(solid, [&] {
        std::vector<std::uint32_t> all(solid.cells());
        std::iota(all.begin(), all.end(), 0u);
        return all;
      }()) {}

NodeForces::NodeForces(const Solid& solid, const std::vector<std::uint32_t>& cells)
    : cells_(cells.size()), corners_(3 * cells.size()) {
  constexpr auto none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> place(solid.nodes(), none), here(solid.nodes(), none);
  std::uint32_t next = 0;
  std::vector<int> touched;
  auto part = solid.parts.begin();
  const std::size_t count = blocks_of(cells.size());
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const std::size_t e = cells[k];
    const bool opens = k == cells.size() * blocks_.size() / count;
    if (opens) {
      blocks_.push_back({runs_.size(), next});
      for (const int i : touched) here[i] = none;
      touched.clear();
    }
    if (opens || e >= part->last_cell || e != runs_.back().last) {
      while (e >= part->last_cell) ++part;
      runs_.push_back({&*part, e, e, 3 * k});
    }
    ++runs_.back().last;
    for (std::size_t a = 0; a < 3; ++a) {
      const int i = solid.triangles[e][a];
      if (here[i] == none) {
        here[i] = next++;
        touched.push_back(i);
        if (place[i] == none)
          place[i] = here[i];
        else
          shared_.push_back({here[i], place[i]});
      }
      corners_[3 * k + a] = static_cast<std::uint16_t>(here[i] - blocks_.back().place);
    }
  }
  blocks_.push_back({runs_.size(), next});
  sum_.resize(2 * std::size_t{next});
  for (std::size_t i = 0; i < solid.nodes(); ++i)
    if (place[i] != none) nodes_.push_back(static_cast<int>(i)), place_.push_back(place[i]);
}

bool NodeForces::find(const Solid& solid, Team& team, const double* u) {
  std::atomic<bool> well = true;
  team.for_each(blocks_.size() - 1, 1, [&](std::size_t from, std::size_t to) {
    for (std::size_t b = from; b < to; ++b) {
      double* sum = sum_.data() + 2 * blocks_[b].place;
      std::fill(sum, sum_.data() + 2 * blocks_[b + 1].place, 0.0);
      for (std::size_t r = blocks_[b].run; r < blocks_[b + 1].run; ++r) {
        const Run& run = runs_[r];
        const auto add = [&](const auto& law) {
          const auto of = run.part->upright ? forces<true, std::decay_t<decltype(law)>>
                                            : forces<false, std::decay_t<decltype(law)>>;
          return of(solid, law, run.first, run.last, &corners_[run.corner], u, sum);
        };
        if (!std::visit(add, run.part->law)) well = false;
      }
    }
  });
  for (const Shared& s : shared_)
    for (std::uint32_t d = 0; d < 2; ++d) sum_[2 * s.place + d] += sum_[2 * s.slot + d];
  return well;
}

bool tangled(const Solid& solid, Team& team, const double* u) {
  std::atomic<bool> well = true;
  team.for_each(solid.cells(), cell_grain, [&](std::size_t first, std::size_t last) {
    bool here = true;
    for (const SolidPart& part : solid.parts) {
      if (!part.upright) continue;
      for (std::size_t e = std::max(first, part.first_cell); e < std::min(last, part.last_cell); ++e) {
        const Gradient H = solid.gradient(e, u);
        here &= H.trace() + H.det() > -1;
      }
    }
    if (!here) well = false;
  });
  return !well;
}

void refuse_tangled(const Solid& solid, const double* u) {
  for (std::size_t e = 0; e < solid.cells(); ++e) {
    const Gradient H = solid.gradient(e, u);
    // as in the forces: J that is 0 but for round-off is found here too
    if (const double j = H.trace() + H.det(), J = 1 + j; solid.part_of(e).upright && !(j > -1))
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
