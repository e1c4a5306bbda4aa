// The contacts of a Bar: which ends face each other, and what they refuse.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/continuum/bar.hpp"
#include "ricochet/error.hpp"
#include "ricochet/numerics/epsilon.hpp"

namespace ricochet::continuum {

void Bar::add_touches(const Model& model) {
  struct Side {
    int part = -1;
    const Wall* wall = nullptr;
    double centre = 0;
  };
  const auto side = [&](const std::string& name) {
    Side s;
    s.part = part_named(name);
    if (s.part >= 0)
      s.centre =
          0.5 * (X[parts[s.part].first] + u[parts[s.part].first] + X[parts[s.part].last()] + u[parts[s.part].last()]);
    for (const Wall& wall : model.walls)
      if (wall.name == name) s.wall = &wall;
    if (s.part < 0 && !s.wall)
      throw ModelError("continuum.contact", fmt::format("there is no body or wall '{}'", name));
    return s;
  };
  std::vector<bool> taken(nodes(), false), by_springs(nodes(), true);
  for (const ContactPair& pair : model.contacts) {
    Side a = side(pair.a), b = side(pair.b);
    Touch touch;
    touch.name = pair.a + "-" + pair.b;
    touch.treatment = pair.treatment;
    if (pair.treatment == Treatment::decomposed)
      throw ModelError("continuum.contact", touch.name + ": decomposed is for bodies in the plane; try multiplier");
    if (a.wall && b.wall) throw ModelError("continuum.contact", touch.name + ": two walls never meet");
    for (const ContactPair* other = model.contacts.data(); other != &pair; ++other)
      if (std::minmax(other->a, other->b) == std::minmax(pair.a, pair.b))
        throw ModelError("continuum.contact", touch.name + ": the contact is given twice");
    if (pair.a == pair.b) throw ModelError("continuum.contact", touch.name + ": a bar does not meet itself");
    const bool swap = a.wall ? a.wall->normal < 0 : b.wall ? b.wall->normal > 0 : a.centre > b.centre;
    if (swap) std::swap(a, b);
    double left = 0, right = 0;
    touch.area = std::numeric_limits<double>::infinity();
    if (a.wall) {
      left = a.wall->at;
    } else {
      touch.a = parts[a.part].last();
      left = X[touch.a];
      touch.chain_a = parts[a.part].chain;
      touch.area = std::fmin(touch.area, parts[a.part].area);
    }
    if (b.wall) {
      right = b.wall->at;
    } else {
      touch.b = parts[b.part].first;
      right = X[touch.b];
      touch.chain_b = parts[b.part].chain;
      touch.area = std::fmin(touch.area, parts[b.part].area);
    }
    touch.gap0 = right - left;
    if (touch.chain_a == touch.chain_b) throw ModelError("continuum.contact", touch.name + ": the bodies are bonded");
    touch.stiffness = pair.stiffness * touch.area;
    for (const bool is_a : {true, false}) {
      const std::size_t node = is_a ? touch.a : touch.b;
      if (node == Touch::none) continue;
      const Part& part = parts[is_a ? a.part : b.part];
      const bool shared = is_a ? dx[node] > 0 : node > 0 && dx[node - 1] > 0;
      by_springs[node] = by_springs[node] && pair.treatment == Treatment::penalty;
      if (shared || (taken[node] && !by_springs[node]))
        throw ModelError(
            "continuum.contact",
            fmt::format("{}: the {} end of '{}' is {}", touch.name, is_a ? "right" : "left", part.name,
                        shared ? "bonded" : "in another contact already; only penalty contacts share one"));
      taken[node] = true;
      if (pair.treatment == Treatment::interval && !is_linear(part.law))
        throw ModelError(
            "continuum.contact",
            touch.name + ": interval is exact for linear materials at Courant number 1 alone; try multiplier");
      if (pair.treatment != Treatment::redistributed) continue;
      if (stress(part.law, 0) != 0)
        throw ModelError(
            "continuum.contact",
            fmt::format("{}: ends without mass need a material that is free of stress at rest; '{}' has {}", touch.name,
                        part.name, stress(part.law, 0)));
      const std::size_t neighbour = is_a ? node - 1 : node + 1;
      if (!(mass[neighbour] > 0) || model_prescribes(model, is_a ? a.part : b.part, is_a))
        throw ModelError("continuum.contact",
                         fmt::format("{}: '{}' needs one cell more, or a free end, to take the mass of its end",
                                     touch.name, part.name));
      mass[neighbour] += mass[node];
      mass[node] = 0;
    }
    const double g = touch.gap(u.data()), terms = std::abs(left) + std::abs(right) +
                                                  (touch.a == Touch::none ? 0 : std::abs(u[touch.a])) +
                                                  (touch.b == Touch::none ? 0 : std::abs(u[touch.b]));
    if (g < -64 * epsilon * terms)
      throw ModelError("continuum.contact", fmt::format("{} overlap at the start by {} (at x = {})", touch.name, -g,
                                                        left + (touch.a == Touch::none ? 0 : u[touch.a])));
    touches.push_back(std::move(touch));
  }
}

bool Bar::model_prescribes(const Model& model, int part, bool right_end) {
  return (right_end ? model.bodies[part].right_end : model.bodies[part].left_end).has_value();
}

}  // namespace ricochet::continuum
