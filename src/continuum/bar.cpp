#include "ricochet/continuum/bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ricochet/error.hpp"
#include "ricochet/numerics/epsilon.hpp"

namespace ricochet::continuum {

namespace {

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

const Part& Bar::part_of(std::size_t cell) const {
  const auto found =
      std::find_if(parts.begin(), parts.end(), [cell](const Part& p) { return cell >= p.first && cell < p.last(); });
  return *found;
}

int Bar::part_named(const std::string& name) const {
  const auto found = std::find_if(parts.begin(), parts.end(), [&](const Part& p) { return p.name == name; });
  return found == parts.end() ? -1 : static_cast<int>(found - parts.begin());
}

std::string place(const Bar& bar, std::size_t cell) {
  const Part& part = bar.part_of(cell);
  return fmt::format("element {} of '{}', X = {:.6g}", cell - part.first + 1, part.name,
                     0.5 * (bar.X[cell] + bar.X[cell + 1]));
}

}  // namespace ricochet::continuum
