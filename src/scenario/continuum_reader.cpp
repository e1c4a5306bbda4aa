#include "continuum_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "body_reader.hpp"
#include "formula_reader.hpp"
#include "plane_reader.hpp"
#include "ricochet/continuum/integrator.hpp"

namespace ricochet::continuum {

namespace {

const toml::node& single(const TableReader& table, const toml::node& node, const std::string& name) {
  return *read_entries(table, node, name, 1).get(0);
}

Function read_function(const TableReader& table, const toml::node& node, const std::string& name,
                       const std::string& purpose, const std::string& variable) {
  const Formulas f = read_formulas(table, node, name, purpose, {variable}, 1);
  return [f](double at) {
    double value;
    f(&at, &value);
    return value;
  };
}

double required(TableReader& table, const char* name, const std::string& expected) {
  table.require(name, expected);
  return *table.number(name);
}

BarMesh read_mesh(TableReader mesh) {
  BarMesh m;
  mesh.choice("kind", {"bar"});
  m.from = mesh.number("from").value_or(0);
  m.length = read_number_above_zero(mesh, "length", "a length");
  mesh.require("cells", "the number of cells, at least 1");
  m.cells = *mesh.integer("cells");
  if (m.cells < 1 || m.cells > 100'000'000)
    mesh.fail("cells", fmt::format("expected 1 to 100000000 cells, got {}", m.cells));
  m.grading = mesh.number("grading").value_or(1);
  if (!(m.grading > 0))
    mesh.fail("grading", fmt::format("expected last cell / first cell, a number above 0, got {}", m.grading));
  mesh.finish();
  return m;
}

Material read_material(TableReader table) {
  const std::vector<std::string> kinds{"linear", "quadratic", "neo-hookean", "st-venant", "barotropic"};
  table.require("kind", fmt::format("one of {}", joined(kinds)));
  const std::string kind = *table.choice("kind", kinds);
  Material m;
  m.rho = read_number_above_zero(table, "rho", "a density");
  const auto modulus = [&](const char* name) { return required(table, name, "a modulus"); };
  if (kind == "linear") {
    m.law = Linear{modulus("E")};
  } else if (kind == "quadratic") {
    const double E = modulus("E");
    m.law = Quadratic{E, required(table, "b", "the number b of P = E (ε + b ε²)")};
  } else if (kind == "neo-hookean") {
    const double lambda = modulus("lambda");
    m.law = NeoHookean{lambda, modulus("mu")};
  } else if (kind == "st-venant") {
    const double lambda = modulus("lambda");
    m.law = StVenant{lambda, modulus("mu")};
  } else {
    const toml::node& p = table.require("p", "the pressure as a formula of J, as in \"(J^-7 - 1)/7\"");
    const auto graph = std::make_shared<formula::Graph>();
    FormulaReader reader(table.document(), graph);
    const Expr J = graph->symbol(formula::SymbolKind::other, 0, "J");
    reader.scope.add_name("J", J);
    m.law = Barotropic(reader.build(p, table.key_of("p"), {"a pressure", false, false, false, false}), J);
  }
  table.finish();
  if (const double k = tangent(m.law, 0); !(k > 0))
    table.fail("kind", fmt::format("the stiffness dP/dε at rest is {}, expected above 0", k));
  return m;
}

Body read_body(TableReader table, std::set<std::string>& names) {
  Body body;
  body.name = read_own_name(table, "body", names);
  body.mesh = read_mesh(table.require_table("mesh"));
  body.material = read_material(table.require_table("material"));
  body.area = table.number("area").value_or(1);
  if (!(body.area > 0)) table.fail("area", fmt::format("expected an area above 0, got {}", body.area));
  for (const auto& [name, function] : {std::pair{"displacement", &body.displacement}, {"velocity", &body.velocity}})
    if (const toml::node* node = table.find(name))
      *function = read_function(table, *node, name, fmt::format("a {}", name), "X");
  const auto end = [&](const std::string& word, const toml::node& node,
                       const std::string& key) -> std::optional<Function>& {
    if (word != "left" && word != "right")
      table.document().fail(node.source(), key, fmt::format("\"{}\" is none of left, right", word),
                            formula::nearest(word, {"left", "right"}));
    std::optional<Function>& side = word == "left" ? body.left_end : body.right_end;
    if (side) table.document().fail(node.source(), key, fmt::format("the {} end is held already", word));
    return side;
  };
  if (const toml::node* node = table.find("fixed"))
    for (const toml::node& word :
         read_list(table.document(), *node, table.key_of("fixed"), "a list of ends, as in [\"right\"]")) {
      std::optional<Function>& side =
          end(read_text(table.document(), word, table.key_of("fixed")), word, table.key_of("fixed"));
      const double x = &side == &body.left_end ? body.mesh.from : body.mesh.from + body.mesh.length;
      const double held = body.displacement ? body.displacement(x) : 0;
      side = [held](double) { return held; };
    }
  if (auto moving = table.table("moving")) {
    for (const toml::key* key : keys_in_order(moving->table())) {
      const std::string word(key->str());
      const toml::node& node = *moving->find(word);
      end(word, node, moving->key_of(word)) = read_function(*moving, node, word, "a displacement", "t");
    }
  }
  table.finish();
  return body;
}

Wall read_wall(TableReader table, std::set<std::string>& names) {
  Wall wall;
  wall.name = read_own_name(table, "wall", names);
  const auto number = [&](const char* name) {
    return read_number(table.document(), single(table, table.require(name, "a list with one number"), name),
                       table.key_of(name));
  };
  wall.at = number("at");
  wall.normal = number("normal");
  if (wall.normal != 1 && wall.normal != -1)
    table.fail("normal", fmt::format("expected [1] or [-1], got [{}]", wall.normal));
  table.finish();
  return wall;
}

std::pair<std::string, std::string> read_between(TableReader& table, const std::set<std::string>& names) {
  const toml::node& node = table.require("between", "two names, as in [\"rod1\", \"rod2\"]");
  const std::string key = table.key_of("between");
  const toml::array& list = read_list(table.document(), node, key, "two names");
  if (list.size() != 2)
    table.document().fail(node.source(), key, fmt::format("expected two names, got {}", list.size()));
  std::string words[2];
  for (std::size_t k = 0; k < 2; ++k)
    words[k] = read_choice(table.document(), *list.get(k), key, {names.begin(), names.end()});
  return {words[0], words[1]};
}

ContactPair read_contact_pair(TableReader table, const std::set<std::string>& names, bool plane) {
  ContactPair c;
  std::tie(c.a, c.b) = read_between(table, names);
  std::vector<std::string> treatments;
  const std::vector<Treatment> known =
      plane ? std::vector{Treatment::multiplier, Treatment::redistributed, Treatment::decomposed, Treatment::penalty}
            : std::vector{Treatment::multiplier, Treatment::interval, Treatment::redistributed, Treatment::penalty};
  treatments.reserve(known.size());
  for (const Treatment t : known) treatments.emplace_back(name(t));
  const std::string word = table.choice("treatment", treatments).value_or("multiplier");
  for (const Treatment t : known)
    if (word == name(t)) c.treatment = t;
  for (const auto& [name, value, most] :
       {std::tuple{"nodal_restitution", &c.nodal_restitution, 1.0}, {"friction", &c.friction, 1e9}}) {
    if (!plane || !table.find(name)) continue;
    if (c.treatment != Treatment::decomposed)
      table.fail(name, fmt::format("the treatment {} has no {}; decomposed has one", word, name));
    *value = *table.number(name);
    if (!(*value >= 0 && *value <= most)) table.fail(name, fmt::format("expected 0 to {}, got {}", most, *value));
  }
  if (c.treatment == Treatment::penalty) {
    c.stiffness = read_number_above_zero(table, "stiffness", "a stiffness, traction for each unit of penetration");
  } else if (table.find("stiffness")) {
    table.fail("stiffness", fmt::format("the treatment {} has no stiffness; penalty has one", word));
  }
  table.finish();
  return c;
}

Probe read_probe(TableReader table, const std::set<std::string>& names, std::set<std::string>& taken) {
  Probe probe;
  probe.name = read_own_name(table, "probe", taken);
  table.require("kind", "front or interface");
  probe.interface = *table.choice("kind", {"front", "interface"}) == "interface";
  if (probe.interface) {
    std::tie(probe.a, probe.b) = read_between(table, names);
  } else {
    table.require("body", "the name of a body");
    probe.body = *table.choice("body", {names.begin(), names.end()});
  }
  table.finish();
  return probe;
}

}  // namespace

Model read_continuum(TableReader table) {
  Model model;
  std::vector<std::string> schemes;
  for (const Descriptor& d : integrator_descriptors()) schemes.push_back(d.name);
  const std::string scheme = table.choice("integrator", schemes).value_or(schemes.front());
  model.scheme = static_cast<Scheme>(std::find(schemes.begin(), schemes.end(), scheme) - schemes.begin());
  const bool plane = lies_in_plane(table);
  if (plane) model.plane.emplace();
  model.courant = table.number("courant");
  if (model.courant && !(*model.courant > 0))
    table.fail("courant", fmt::format("expected a part of the stable step above 0, got {}", *model.courant));
  if (const toml::node* gravity = table.find("gravity")) {
    if (plane)
      model.plane->gravity = read_pair(table, *gravity, "gravity");
    else
      model.gravity = read_number(table.document(), single(table, *gravity, "gravity"), table.key_of("gravity"));
  }
  if (plane && table.find("threads")) {
    const std::int64_t threads = *table.integer("threads");
    if (threads < 0 || threads > 1024)
      table.fail("threads", fmt::format("expected 0 (all cores) to 1024, got {}", threads));
    model.plane->threads = static_cast<unsigned>(threads);
  }
  for (const char* name : {"viscosity", "bond", "probe"})
    if (plane && table.find(name)) table.fail(name, "this is for bodies on a line; bodies in the plane have none");
  if (auto viscosity = table.table("viscosity")) {
    for (const auto& [name, value] :
         {std::pair{"linear", &model.viscosity.linear}, {"quadratic", &model.viscosity.quadratic}}) {
      *value = viscosity->number(name).value_or(0);
      if (*value < 0) viscosity->fail(name, fmt::format("expected at least 0, got {}", *value));
    }
    viscosity->finish();
  }
  std::set<std::string> bodies, solids;
  if (table.list_of_tables("body").empty()) table.fail("body", "missing; expected at least one [[continuum.body]]");
  for (const TableReader& body : table.list_of_tables("body")) {
    if (plane)
      model.plane->bodies.push_back(read_plane_body(body, bodies));
    else
      model.bodies.push_back(read_body(body, bodies));
  }
  solids = bodies;
  for (const TableReader& wall : table.list_of_tables("wall")) {
    if (plane)
      model.plane->walls.push_back(read_plane_wall(wall, solids));
    else
      model.walls.push_back(read_wall(wall, solids));
  }
  for (const TableReader& contact : table.list_of_tables("contact"))
    model.contacts.push_back(read_contact_pair(contact, solids, plane));
  for (TableReader bond : table.list_of_tables("bond")) {
    Bond b;
    std::tie(b.a, b.b) = read_between(bond, bodies);
    bond.finish();
    model.bonds.push_back(b);
  }
  std::set<std::string> probes;
  for (const TableReader& probe : table.list_of_tables("probe"))
    model.probes.push_back(read_probe(probe, bodies, probes));
  table.finish();
  return model;
}

}  // namespace ricochet::continuum
