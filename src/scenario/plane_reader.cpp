#include "plane_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "body_reader.hpp"
#include "ricochet/continuum/gmsh.hpp"
#include "ricochet/formula/parser.hpp"

namespace ricochet::continuum {

namespace {

constexpr std::int64_t most_triangles = 4'000'000;

std::int64_t count(const TableReader& table, const toml::node& node, const std::string& name) {
  const std::int64_t n = read_integer(table.document(), node, table.key_of(name));
  if (n < 1 || n > most_triangles)
    table.document().fail(node.source(), table.key_of(name),
                          fmt::format("expected 1 to {} cells, got {}", most_triangles, n));
  return n;
}

void refuse_many(const TableReader& table, double triangles) {
  if (triangles > static_cast<double>(most_triangles))
    table.fail("cells", fmt::format("{:.3g} triangles; a body has {} at most", triangles, most_triangles));
}

BoxShape read_box(TableReader& mesh) {
  BoxShape s;
  if (const toml::node* node = mesh.find("from")) s.from = read_pair(mesh, *node, "from");
  s.size = read_pair(mesh, mesh.require("size", "the sides of the box, two numbers above 0"), "size");
  if (!(s.size[0] > 0) || !(s.size[1] > 0))
    mesh.fail("size", fmt::format("expected sides above 0, got [{}, {}]", s.size[0], s.size[1]));
  const toml::array& cells =
      read_entries(mesh, mesh.require("cells", "the cells along x and y, as in [8, 16]"), "cells", 2);
  for (std::size_t k = 0; k < 2; ++k) s.cells[k] = count(mesh, *cells.get(k), "cells");
  refuse_many(mesh, 2.0 * static_cast<double>(s.cells[0]) * static_cast<double>(s.cells[1]));
  if (const toml::node* node = mesh.find("grading")) s.grading = read_pair(mesh, *node, "grading");
  for (const double g : s.grading)
    if (!(g > 0)) mesh.fail("grading", fmt::format("expected last cell / first cell, numbers above 0, got {}", g));
  return s;
}

DiscShape read_disc(TableReader& mesh) {
  DiscShape s;
  if (const toml::node* node = mesh.find("center")) s.center = read_pair(mesh, *node, "center");
  s.radius = read_number_above_zero(mesh, "radius", "a radius");
  s.cells = count(mesh, mesh.require("cells", "the number of cells along the radius"), "cells");
  refuse_many(mesh, 6.0 * static_cast<double>(s.cells) * static_cast<double>(s.cells));
  return s;
}

RingShape read_ring(TableReader& mesh) {
  RingShape s;
  if (const toml::node* node = mesh.find("center")) s.center = read_pair(mesh, *node, "center");
  s.radius = read_number_above_zero(mesh, "radius", "a radius");
  s.inner = read_number_above_zero(mesh, "inner", "an inner radius");
  if (!(s.inner < s.radius))
    mesh.fail("inner", fmt::format("expected less than the radius {}, got {}", s.radius, s.inner));
  const toml::node& cells = mesh.require("cells", "the cells through the wall, or [through, around]");
  if (cells.is_array()) {
    const toml::array& list = read_entries(mesh, cells, "cells", 2);
    s.cells = count(mesh, *list.get(0), "cells");
    s.around = count(mesh, *list.get(1), "cells");
    if (s.around < 3) mesh.fail("cells", fmt::format("expected at least 3 cells around, got {}", s.around));
  } else {
    s.cells = count(mesh, cells, "cells");
  }
  const double square = M_PI * (s.radius + s.inner) / (s.radius - s.inner) * static_cast<double>(s.cells),
               around = s.around > 0 ? static_cast<double>(s.around) : square;
  refuse_many(mesh, 2 * around * static_cast<double>(s.cells));
  return s;
}

PlaneMesh read_plane_mesh(TableReader mesh) {
  PlaneMesh result;
  if (mesh.find("file")) {
    const std::string word = *mesh.text("file");
    const std::filesystem::path file = std::filesystem::path(mesh.document().name()).parent_path() / word;
    mesh.finish();
    try {
      return read_gmsh(file);
    } catch (const MeshError& error) {
      mesh.fail("file", error.what());
    }
  }
  const std::vector<std::string> kinds{"box", "disc", "ring"};
  mesh.require("kind", fmt::format("one of {}, or file = \"x.msh\"", joined(kinds)));
  const std::string kind = *mesh.choice("kind", kinds);
  if (kind == "box") result = make_mesh(read_box(mesh));
  if (kind == "disc") result = make_mesh(read_disc(mesh));
  if (kind == "ring") result = make_mesh(read_ring(mesh));
  mesh.finish();
  return result;
}

PlaneLaw read_law(TableReader& table) {
  const std::vector<std::string> kinds{"linear", "neo-hookean", "st-venant"};
  table.require("kind", fmt::format("one of {}", joined(kinds)));
  const std::string kind = *table.choice("kind", kinds);
  double lambda = 0, mu = 0;
  if (table.find("E") || table.find("nu")) {
    for (const char* name : {"lambda", "mu"})
      if (table.find(name)) table.fail(name, "E and nu are given already: take them, or lambda and mu");
    const double E = read_number_above_zero(table, "E", "Young's modulus");
    table.require("nu", "Poisson's ratio, above -1 and below 0.5");
    const double nu = *table.number("nu");
    if (!(nu > -1 && nu < 0.5))
      table.fail("nu", fmt::format("expected Poisson's ratio above -1 and below 0.5, got {}", nu));
    lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
    mu = E / (2 * (1 + nu));
  } else {
    table.require("lambda", "a modulus; or E and nu");
    lambda = *table.number("lambda");
    mu = read_number_above_zero(table, "mu", "a modulus");
    if (!(lambda + mu > 0))
      table.fail("lambda",
                 fmt::format("expected lambda + mu above 0, got {}: the body would have no stiffness", lambda + mu));
  }
  if (kind == "linear") return Hooke{lambda, mu};
  if (kind == "st-venant") return StVenant{lambda, mu};
  return NeoHookean{lambda, mu};
}

}  // namespace

std::array<double, 2> read_pair(const TableReader& table, const toml::node& node, const std::string& name) {
  const toml::array& list = read_entries(table, node, name, 2);
  return {read_number(table.document(), *list.get(0), table.key_of(name)),
          read_number(table.document(), *list.get(1), table.key_of(name))};
}

bool lies_in_plane(const TableReader& continuum) {
  TableReader copy = continuum;
  for (TableReader& body : copy.list_of_tables("body")) {
    const auto mesh = body.table("mesh");
    if (!mesh) continue;
    TableReader reader = *mesh;
    if (reader.find("file")) return true;
    const toml::node* kind = reader.find("kind");
    if (kind && kind->is_string()) return *kind->value<std::string>() != "bar";
  }
  return false;
}

PlaneBody read_plane_body(TableReader table, std::set<std::string>& names) {
  PlaneBody body;
  body.name = read_own_name(table, "body", names);
  body.mesh = read_plane_mesh(table.require_table("mesh"));
  TableReader material = table.require_table("material");
  body.rho = read_number_above_zero(material, "rho", "a density");
  body.law = read_law(material);
  material.finish();
  for (const auto& [name, function] : {std::pair{"displacement", &body.displacement}, {"velocity", &body.velocity}})
    if (const toml::node* node = table.find(name)) {
      const Formulas f = read_formulas(table, *node, name, fmt::format("a {}", name), {"X", "Y"}, 2);
      *function = [f](double X, double Y) {
        const double at[2] = {X, Y};
        std::array<double, 2> values;
        f(at, values.data());
        return values;
      };
    }
  std::vector<std::string> edges;
  for (const NamedEdge& e : body.mesh.edges) edges.push_back(e.name);
  const auto condition = [&](const std::string& word, const toml::node& node, const std::string& key,
                             EdgeCondition::Kind kind, PlaneMotion motion) {
    if (std::find(edges.begin(), edges.end(), word) == edges.end())
      table.document().fail(
          node.source(), key,
          fmt::format("\"{}\" is none of the edges {}", word, edges.empty() ? "(the mesh has none)" : joined(edges)),
          formula::nearest(word, edges));
    for (const EdgeCondition& c : body.conditions)
      if (c.edge == word) table.document().fail(node.source(), key, fmt::format("the edge {} is held already", word));
    body.conditions.push_back({word, kind, std::move(motion)});
  };
  for (const auto& [name, kind] : {std::pair{"fixed", EdgeCondition::fixed}, {"sliding", EdgeCondition::sliding}})
    if (const toml::node* node = table.find(name))
      for (const toml::node& word :
           read_list(table.document(), *node, table.key_of(name), "a list of edges, as in [\"bottom\"]"))
        condition(read_text(table.document(), word, table.key_of(name)), word, table.key_of(name), kind, {});
  if (auto moving = table.table("moving"))
    for (const toml::key* key : keys_in_order(moving->table())) {
      const std::string word(key->str());
      const toml::node& node = *moving->find(word);
      const Formulas f = read_formulas(*moving, node, word, "a displacement", {"t"}, 2);
      condition(word, node, moving->key_of(word), EdgeCondition::moving, [f](double t) {
        std::array<double, 2> values;
        f(&t, values.data());
        return values;
      });
    }
  if (table.find("area")) table.fail("area", "bodies in the plane have the thickness 1");
  table.finish();
  return body;
}

PlaneWall read_plane_wall(TableReader table, std::set<std::string>& names) {
  PlaneWall wall;
  wall.name = read_own_name(table, "wall", names);
  wall.circle = table.choice("kind", {"half-plane", "circle"}).value_or("half-plane") == "circle";
  if (wall.circle) {
    wall.at = read_pair(table, table.require("center", "the centre of the circle, two numbers"), "center");
    wall.radius = read_number_above_zero(table, "radius", "a radius");
  } else {
    wall.at = read_pair(table, table.require("at", "a point of the wall, two numbers"), "at");
    wall.normal = read_pair(table, table.require("normal", "a direction into the free side, two numbers"), "normal");
    const double size = std::hypot(wall.normal[0], wall.normal[1]);
    if (!(size > 0)) table.fail("normal", "expected a direction, got [0, 0]");
    for (double& x : wall.normal) x /= size;
  }
  table.finish();
  return wall;
}

}  // namespace ricochet::continuum
