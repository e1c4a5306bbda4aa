#include "ricochet/continuum/bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/error.hpp"

namespace ricochet::continuum {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

std::string key_of(const Body& body, const char* key) { return fmt::format("continuum.body.{}.{}", body.name, key); }

void check(const Body& body) {
  const auto positive = [&](double x, const char* key, const char* what) {
    if (!(x > 0) || !std::isfinite(x))
      throw ModelError(key_of(body, key), fmt::format("expected {} above 0, got {}", what, x));
  };
  positive(body.mesh.length, "mesh", "a length");
  positive(body.mesh.grading, "mesh", "a grading");
  positive(body.area, "area", "an area");
  positive(body.material.rho, "material", "a density rho");
  if (body.mesh.cells < 1)
    throw ModelError(key_of(body, "mesh"), fmt::format("expected at least 1 cell, got {}", body.mesh.cells));
  const double k = tangent(body.material.law, 0);
  if (!(k > 0) || !std::isfinite(k))
    throw ModelError(key_of(body, "material"), fmt::format("the stiffness dP/dε at rest is {}, expected above 0", k));
}

const Body& find_body(const Model& model, const std::string& name, const char* key) {
  for (const Body& b : model.bodies)
    if (b.name == name) return b;
  throw ModelError(key, fmt::format("there is no body '{}'", name));
}

// The body on the right of each bonded one, −1 where the end is free.
std::vector<int> bonded_right(const Model& model) {
  const auto index = [&](const std::string& name) {
    return static_cast<int>(&find_body(model, name, "continuum.bond") - model.bodies.data());
  };
  std::vector<int> right(model.bodies.size(), -1), left(model.bodies.size(), -1);
  for (const Bond& bond : model.bonds) {
    int a = index(bond.a), b = index(bond.b);
    if (model.bodies[a].mesh.from > model.bodies[b].mesh.from) std::swap(a, b);
    const BarMesh &p = model.bodies[a].mesh, &q = model.bodies[b].mesh;
    const double end = p.from + p.length, size = std::abs(p.from) + p.length + std::abs(q.from);
    if (a == b || std::abs(end - q.from) > 64 * epsilon * size)
      throw ModelError("continuum.bond", fmt::format("'{}' ends at {} and '{}' begins at {}: bonded bodies must touch",
                                                     model.bodies[a].name, end, model.bodies[b].name, q.from));
    if (right[a] >= 0 || left[b] >= 0)
      throw ModelError("continuum.bond", fmt::format("the ends of '{}' and '{}' are bonded twice", bond.a, bond.b));
    if (model.bodies[a].right_end || model.bodies[b].left_end)
      throw ModelError(
          "continuum.bond",
          fmt::format("the ends of '{}' and '{}' that are bonded are also fixed or moving", bond.a, bond.b));
    right[a] = b;
    left[b] = a;
  }
  return right;
}

}  // namespace

Bar::Bar(const Model& model)
    : start(model.start), gravity(model.gravity), viscosity(model.viscosity), courant(courant_number(model)) {
  if (model.bodies.empty()) throw ModelError("continuum.body", "there is no body");
  for (const Body& body : model.bodies) {
    check(body);
    for (const Body& other : model.bodies)
      if (&other != &body && other.name == body.name) throw ModelError(key_of(body, "name"), "the name is given twice");
  }
  // Layout: chains of bonded bodies one after another.
  const std::vector<int> right = bonded_right(model);
  parts.resize(model.bodies.size());
  std::vector<bool> bonded_left(model.bodies.size(), false);
  for (const int r : right)
    if (r >= 0) bonded_left[r] = true;
  std::size_t at = 0;
  int chain = 0;
  for (std::size_t head = 0; head < parts.size(); ++head) {
    if (bonded_left[head]) continue;
    for (int k = static_cast<int>(head); k >= 0; k = right[k]) {
      const Body& body = model.bodies[k];
      parts[k] = {
          body.name, body.material.law, body.material.rho, body.area, at, static_cast<std::size_t>(body.mesh.cells),
          chain};
      at += parts[k].cells;
    }
    ++at;  // the last node, with an empty cell
    ++chain;
  }
  for (auto* array : {&X, &dx, &inverse_dx, &mass, &u, &v}) array->assign(at, 0.0);

  std::vector<double> momentum(at, 0.0);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const Part& part = parts[k];
    const Body& body = model.bodies[k];
    const std::vector<double> lengths = cell_lengths(body.mesh), nodes = node_positions(body.mesh);
    for (std::size_t i = 0; i <= part.cells; ++i) {
      const std::size_t n = part.first + i;
      const double half =
          0.5 * part.rho * part.area * ((i > 0 ? lengths[i - 1] : 0) + (i < part.cells ? lengths[i] : 0));
      const double displaced = body.displacement ? body.displacement(nodes[i]) : 0,
                   speed = body.velocity ? body.velocity(nodes[i]) : 0;
      if (!std::isfinite(displaced) || !std::isfinite(speed))
        throw ModelError(key_of(body, std::isfinite(displaced) ? "velocity" : "displacement"),
                         fmt::format("no finite value at X = {}", nodes[i]));
      if (mass[n] > 0 && std::abs(u[n] - displaced) > 64 * epsilon * (std::abs(u[n]) + std::abs(displaced)))
        throw ModelError("continuum.bond", fmt::format("at the bond X = {} the displacements differ: {} and {}",
                                                       nodes[i], u[n], displaced));
      X[n] = nodes[i];
      u[n] = displaced;
      mass[n] += half;
      momentum[n] += half * speed;
      if (i < part.cells) dx[n] = lengths[i], inverse_dx[n] = 1 / lengths[i];
    }
  }
  for (std::size_t n = 0; n < at; ++n) v[n] = momentum[n] / mass[n];
  for (const Part& part : parts)
    for (std::size_t c = part.first; !is_linear(part.law) && c < part.last(); ++c)
      if (const double e = (u[c + 1] - u[c]) * inverse_dx[c]; !(1 + e > 0))
        throw ModelError(fmt::format("continuum.body.{}.displacement", part.name),
                         fmt::format("{} is turned inside out at the start: J = {}", place(*this, c), 1 + e));

  add_touches(model);
  inverse_mass.resize(at);
  for (std::size_t n = 0; n < at; ++n) inverse_mass[n] = mass[n] > 0 ? 1 / mass[n] : 0;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const auto hold = [&](const std::optional<Function>& motion, std::size_t node) {
      if (!motion) return;
      const double start = (*motion)(model.start);
      if (!(std::abs(start - u[node]) <= 64 * epsilon * (std::abs(start) + std::abs(u[node]))))
        throw ModelError(key_of(model.bodies[k], "moving"),
                         fmt::format("the displacement of the end is {} at t = {}, but the body begins with {}", start,
                                     model.start, u[node]));
      supports.push_back({node, *motion});
      inverse_mass[node] = 0;
    };
    hold(model.bodies[k].left_end, parts[k].first);
    hold(model.bodies[k].right_end, parts[k].last());
  }
  for (const Touch& touch : touches)
    if (touch.treatment != Treatment::redistributed && !(touch.compliance(inverse_mass.data()) > 0))
      throw ModelError("continuum.contact", fmt::format("both sides of {} have prescribed motions", touch.name));
  choose_step(model);
}

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
  std::vector<bool> taken(nodes(), false);
  for (const ContactPair& pair : model.contacts) {
    Side a = side(pair.a), b = side(pair.b);
    Touch touch;
    touch.name = pair.a + "-" + pair.b;
    touch.treatment = pair.treatment;
    if (a.wall && b.wall) throw ModelError("continuum.contact", touch.name + ": two walls never meet");
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
      if (taken[node] || shared)
        throw ModelError("continuum.contact",
                         fmt::format("{}: the {} end of '{}' is {}", touch.name, is_a ? "right" : "left", part.name,
                                     shared ? "bonded" : "in another contact already"));
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

const Part& Bar::part_of(std::size_t cell) const {
  const auto found =
      std::find_if(parts.begin(), parts.end(), [cell](const Part& p) { return cell >= p.first && cell < p.last(); });
  return *found;
}

int Bar::part_named(const std::string& name) const {
  const auto found = std::find_if(parts.begin(), parts.end(), [&](const Part& p) { return p.name == name; });
  return found == parts.end() ? -1 : static_cast<int>(found - parts.begin());
}

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
  step = courant * stable_step(*this);
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

std::string place(const Bar& bar, std::size_t cell) {
  const Part& part = bar.part_of(cell);
  return fmt::format("element {} of '{}', X = {:.6g}", cell - part.first + 1, part.name,
                     0.5 * (bar.X[cell] + bar.X[cell + 1]));
}

}  // namespace ricochet::continuum
