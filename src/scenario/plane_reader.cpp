#include "plane_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "formula_reader.hpp"
#include "ricochet/continuum/gmsh.hpp"

namespace ricochet::continuum {

namespace {

constexpr std::int64_t most_triangles = 4'000'000;

const toml::array& two(const TableReader& table, const toml::node& node, const std::string& name) {
  const std::string key = table.key_of(name);
  const toml::array& list = read_list(table.document(), node, key, "a list with two entries, one for x and one for y");
  if (list.size() != 2)
    table.document().fail(node.source(), key,
                          fmt::format("expected 2 entries: bodies lie in the plane; got {}", list.size()));
  return list;
}

double above_zero(TableReader& table, const char* name, const std::string& what) {
  table.require(name, what + ", a number above 0");
  const double x = *table.number(name);
  if (!(x > 0)) table.fail(name, fmt::format("expected {} above 0, got {}", what, x));
  return x;
}

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
  const toml::array& cells = two(mesh, mesh.require("cells", "the cells along x and y, as in [8, 16]"), "cells");
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
  s.radius = above_zero(mesh, "radius", "a radius");
  s.cells = count(mesh, mesh.require("cells", "the number of cells along the radius"), "cells");
  refuse_many(mesh, 6.0 * static_cast<double>(s.cells) * static_cast<double>(s.cells));
  return s;
}

RingShape read_ring(TableReader& mesh) {
  RingShape s;
  if (const toml::node* node = mesh.find("center")) s.center = read_pair(mesh, *node, "center");
  s.radius = above_zero(mesh, "radius", "a radius");
  s.inner = above_zero(mesh, "inner", "an inner radius");
  if (!(s.inner < s.radius))
    mesh.fail("inner", fmt::format("expected less than the radius {}, got {}", s.radius, s.inner));
  const toml::node& cells = mesh.require("cells", "the cells through the wall, or [through, around]");
  if (cells.is_array()) {
    const toml::array& list = two(mesh, cells, "cells");
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
    const double E = above_zero(table, "E", "Young's modulus");
    table.require("nu", "Poisson's ratio, above -1 and below 0.5");
    const double nu = *table.number("nu");
    if (!(nu > -1 && nu < 0.5))
      table.fail("nu", fmt::format("expected Poisson's ratio above -1 and below 0.5, got {}", nu));
    lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
    mu = E / (2 * (1 + nu));
  } else {
    table.require("lambda", "a modulus; or E and nu");
    lambda = *table.number("lambda");
    mu = above_zero(table, "mu", "a modulus");
    if (!(lambda + mu > 0))
      table.fail("lambda",
                 fmt::format("expected lambda + mu above 0, got {}: the body would have no stiffness", lambda + mu));
  }
  if (kind == "linear") return Hooke{lambda, mu};
  if (kind == "st-venant") return StVenant{lambda, mu};
  return NeoHookean{lambda, mu};
}

// Two formulas of the given variables.
std::function<std::array<double, 2>(const double*)> formulas(const TableReader& table, const toml::node& node,
                                                             const std::string& name, const std::string& purpose,
                                                             const std::vector<std::string>& variables) {
  const auto graph = std::make_shared<formula::Graph>();
  FormulaReader reader(table.document(), graph);
  std::vector<Expr> symbols;
  const bool time = variables.front() == "t";
  for (std::size_t k = 0; k < variables.size(); ++k) {
    symbols.push_back(time ? graph->time()
                           : graph->symbol(formula::SymbolKind::other, static_cast<int>(k), variables[k]));
    if (!time) reader.scope.add_name(variables[k], symbols.back());
  }
  std::vector<Expr> entries;
  for (const toml::node& entry : two(table, node, name))
    entries.push_back(reader.build(entry, table.key_of(name), {purpose, false, false, time, true}));
  struct Compiled {
    formula::Program program;
    formula::Evaluator<double> evaluator;
  };
  const auto compiled = std::make_shared<Compiled>();
  compiled->program = formula::Program(entries, symbols);
  compiled->evaluator = formula::Evaluator<double>(compiled->program);
  return [compiled, n = variables.size()](const double* at) {
    std::copy_n(at, n, compiled->evaluator.inputs());
    compiled->evaluator.run();
    return std::array<double, 2>{compiled->evaluator.output(0), compiled->evaluator.output(1)};
  };
}

}  // namespace

std::array<double, 2> read_pair(const TableReader& table, const toml::node& node, const std::string& name) {
  const toml::array& list = two(table, node, name);
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
  table.require("name", "the name of the body");
  body.name = *table.text("name");
  if (!names.insert(body.name).second) table.fail("name", fmt::format("the name \"{}\" is given twice", body.name));
  body.mesh = read_plane_mesh(table.require_table("mesh"));
  TableReader material = table.require_table("material");
  body.rho = above_zero(material, "rho", "the density");
  body.law = read_law(material);
  material.finish();
  for (const auto& [name, function] : {std::pair{"displacement", &body.displacement}, {"velocity", &body.velocity}})
    if (const toml::node* node = table.find(name)) {
      const auto f = formulas(table, *node, name, fmt::format("a {}", name), {"X", "Y"});
      *function = [f](double X, double Y) {
        const double at[2] = {X, Y};
        return f(at);
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
      const auto f = formulas(*moving, node, word, "a displacement", {"t"});
      condition(word, node, moving->key_of(word), EdgeCondition::moving, [f](double t) { return f(&t); });
    }
  if (table.find("area")) table.fail("area", "bodies in the plane have the thickness 1");
  table.finish();
  return body;
}

PlaneWall read_plane_wall(TableReader table, std::set<std::string>& names) {
  PlaneWall wall;
  table.require("name", "the name of the wall");
  wall.name = *table.text("name");
  if (!names.insert(wall.name).second) table.fail("name", fmt::format("the name \"{}\" is given twice", wall.name));
  wall.circle = table.choice("kind", {"half-plane", "circle"}).value_or("half-plane") == "circle";
  if (wall.circle) {
    wall.at = read_pair(table, table.require("center", "the centre of the circle, two numbers"), "center");
    wall.radius = above_zero(table, "radius", "a radius");
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
