#include "system_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ricochet/contact/law.hpp"
#include "ricochet/formula/differentiate.hpp"
#include "ricochet/formula/kinks.hpp"
#include "ricochet/formula/program.hpp"

namespace ricochet {

namespace {

const Purpose parameter{"a parameter", false, false, false};
const Purpose definition{"a define"};
const Purpose lagrangian{"the Lagrangian", true, true, true, false};
const Purpose gap{"a gap", true, false};
const Purpose restitution{"a restitution", false, false, false};
const Purpose friction{"a friction", false, false, false};
const Purpose contact_point{"a contact point", true, false};
const Purpose tangent{"a tangent", true, false};
const Purpose holonomic{"a holonomic constraint", true, false, false, false};
const Purpose nonholonomic{"a nonholonomic constraint", true, true, false, false};
const Purpose force{"a force"};
const Purpose generator{"a generator", true, false, false};

void read_parameters(TableReader& system, FormulaReader& formulas) {
  const auto table = system.table("parameters");
  if (!table) return;
  formulas.in_order = &table->table();
  const auto read_parameter_value = [&](const toml::node& node, const std::string& key) {
    const Expr value = formulas.build(node, key, parameter);
    if (!is_fixed(value)) formulas.evaluate(node, key, parameter);  // says what is wrong
    return value;
  };
  for (const toml::key* written : keys_in_order(table->table())) {
    const std::string name(written->str()), key = table->key_of(name);
    const toml::node& node = *table->table().get(name);
    formulas.check_new_name(name, written->source(), key);
    if (const toml::array* list = node.as_array()) {
      std::vector<Expr> values;
      for (const toml::node& element : *list)
        values.push_back(formulas.variable(fmt::format("parameters.{}[{}]", name, values.size() + 1),
                                           read_parameter_value(element, key)));
      formulas.scope.add_list(name, std::move(values));
    } else {
      formulas.scope.add_name(name, formulas.variable("parameters." + name, read_parameter_value(node, key)));
    }
  }
  formulas.in_order = nullptr;
}

void read_coordinates(TableReader& system, FormulaReader& formulas, Model& model) {
  const Document& document = formulas.document();
  const std::string key = system.key_of("coordinates");
  const std::string expected = R"(a list of names such as ["x", "y"])";
  const toml::node& node = system.require("coordinates", expected);
  for (const toml::node& element : read_list(document, node, key, expected)) {
    formula::Declaration declaration;
    const std::string text = read_text(document, element, key);
    try {
      formulas.scope.purpose = "a range";
      declaration = formula::parse_declaration(text, formulas.scope);
    } catch (const formula::FormulaError& error) {
      Document::fail_at(document.place_in_text(element.source(), error.column), key, error.what(), error.suggestion);
    }
    formulas.check_new_name(declaration.name, element.source(), key);
    const std::int64_t count =
        declaration.is_array ? std::max<std::int64_t>(0, std::int64_t{declaration.last} - declaration.first + 1) : 1;
    CoordinateBlock block{declaration.name, declaration.is_array, declaration.first, model.coordinates.size(),
                          static_cast<std::size_t>(count)};
    if (block.offset + block.count > max_coordinates)
      document.fail(element.source(), key, fmt::format("more than {} coordinates", max_coordinates));
    std::vector<Expr> q;
    for (std::size_t k = 0; k < block.count; ++k) {
      const std::string name =
          block.is_array ? fmt::format("{}[{}]", block.name, block.first + static_cast<int>(k)) : block.name;
      q.push_back(formulas.graph().coordinate(static_cast<std::uint32_t>(model.coordinates.size()), name));
      model.coordinates.push_back(name);
    }
    if (block.is_array)
      formulas.scope.add_coordinate_array(block.name, block.first, std::move(q));
    else
      formulas.scope.add_coordinate(block.name, q.front());
    formulas.blocks.push_back(std::move(block));
  }
  if (model.coordinates.empty()) system.fail("coordinates", "expected at least one coordinate");
  formulas.coordinate_count = model.coordinates.size();
}

void read_definitions(TableReader& system, FormulaReader& formulas) {
  const auto table = system.table("define");
  if (!table) return;
  formulas.in_order = &table->table();
  for (const toml::key* written : keys_in_order(table->table())) {
    const std::string name(written->str()), key = table->key_of(name);
    formulas.check_new_name(name, written->source(), key);
    formulas.scope.add_name(name, formulas.build(*table->table().get(name), key, definition));
  }
  formulas.in_order = nullptr;
}

void read_lagrangian(TableReader& system, FormulaReader& formulas, Model& model) {
  const toml::node* whole = system.find("lagrangian");
  const toml::node* kinetic = system.find("kinetic");
  const toml::node* potential = system.find("potential");
  if (whole && (kinetic || potential))
    system.fail(kinetic ? "kinetic" : "potential",
                "the Lagrangian is given already; give it, or kinetic and potential");
  if (whole) {
    model.lagrangian = formulas.build(*whole, system.key_of("lagrangian"), lagrangian);
  } else if (kinetic) {
    model.lagrangian = formulas.build(*kinetic, system.key_of("kinetic"), lagrangian);
    if (potential)
      model.lagrangian = model.lagrangian - formulas.build(*potential, system.key_of("potential"), lagrangian);
  } else {
    if (potential) system.require("kinetic", "the kinetic energy beside the potential");
    system.require("lagrangian", "a formula (or kinetic and potential)");
  }
}

// The tables [[system.KIND]]: each with a unique name (by default its kind and number) and an optional `for`.
void read_named(
    TableReader& system, FormulaReader& formulas, const std::string& kind,
    const std::function<void(TableReader& table, const std::string& name, const std::string& suffix)>& read) {
  std::set<std::string> names;
  int number = 0;
  for (TableReader& table : system.list_of_tables(kind)) {
    ++number;
    const std::string name = table.text("name").value_or(fmt::format("{} {}", kind, number));
    if (name.empty() || std::any_of(name.begin(), name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
      table.fail("name", "expected a name without control characters");
    formulas.for_each(table, [&](const std::string& suffix) {
      if (!names.insert(name + suffix).second)
        table.fail("name", fmt::format("the name \"{}\" is given twice", name + suffix));
      read(table, name + suffix, suffix);
      table.finish();
    });
  }
}

// The keys that the law's descriptor names; restitution and friction of a law without them would have no effect.
void read_law(TableReader& table, const std::string& table_name, FormulaReader& formulas, Contact& contact) {
  std::vector<std::string> laws;
  for (const LawDescriptor& law : law_descriptors()) laws.push_back(law.name);
  contact.law = table.choice("law", laws).value_or("elastic");
  const LawDescriptor& law = law_descriptor(law_named(contact.law));
  const auto find = [&](const std::string& key) {
    const toml::node* node = table.find(key);
    const auto known = std::find_if(law.keys.begin(), law.keys.end(), [&](const LawKey& k) { return k.name == key; });
    if (known == law.keys.end() && node) table.fail(key, fmt::format("the law {} has no {}", law.name, key));
    if (known != law.keys.end() && known->required && !node)
      table.require(key, fmt::format("a number, because the law is {}", law.name));
    return node;
  };
  if (const toml::node* node = find("restitution")) {
    if (formulas.scope.knows("speed"))
      table.fail("restitution", "speed is the approach speed here, but it is already another name");
    formulas.scope.add_name("speed", formulas.graph().symbol(formula::SymbolKind::other, 0, "speed"));
    contact.restitution = formulas.build(*node, table.key_of("restitution"), restitution);
    if (contact.restitution.is_constant() && !(contact.restitution.value() >= 0 && contact.restitution.value() <= 1))
      table.fail("restitution", "expected a value from 0 to 1");
    if (is_fixed(contact.restitution))
      contact.restitution = formulas.variable("contact." + table_name + ".restitution", contact.restitution);
  }
  if (const toml::node* node = find("friction")) {
    contact.friction = formulas.build(*node, table.key_of("friction"), friction);
    if (!is_fixed(contact.friction)) table.fail("friction", "expected a number or a formula of the parameters");
    if (!(formula::fixed_value(contact.friction) >= 0)) table.fail("friction", "expected a value of at least 0");
    contact.friction = formulas.variable("contact." + table_name + ".friction", contact.friction);
  } else if (contact.law == "plastic") {
    contact.friction = formulas.graph().constant(1);
  }
}

// With any law: they also make `speed` a length in time, whatever the gap measures.
void read_tangents(TableReader& table, FormulaReader& formulas, Contact& contact) {
  const toml::node* point = table.find("point");
  const toml::node* rows = table.find("tangent");
  if (point && rows) table.fail("tangent", "the tangents follow from point already; give one of the two");
  if (law_descriptor(law_named(contact.law)).needs_frame && !point && !rows)
    table.fail("law", fmt::format("the law {} needs point or tangent: what slips, and which way", contact.law));
  if (point) contact.point = formulas.build_list(*point, table.key_of("point"), contact_point, 2, 3);
  if (!rows) return;
  const std::string expected = "a list of 1 or 2 rows, each with one entry for each coordinate";
  const toml::array& list = read_list(formulas.document(), *rows, table.key_of("tangent"), expected);
  if (list.empty() || list.size() > 2)
    table.fail("tangent", fmt::format("expected {}, got {} rows", expected, list.size()));
  for (const toml::node& row : list)
    contact.tangent.push_back(formulas.build_vector(row, table.key_of("tangent"), tangent));
}

void read_contacts(TableReader& system, FormulaReader& formulas, Model& model) {
  read_named(system, formulas, "contact", [&](TableReader& table, const std::string& name, const std::string& suffix) {
    Contact contact{.name = name, .gap = {}};
    const toml::node& node = table.require("gap", "a formula, >= 0 where the system may be");
    contact.gap = formulas.build(node, table.key_of("gap"), gap);
    try {
      formula::split_kinks(contact.gap);
    } catch (const formula::KinkError& error) {
      table.fail("gap", error.what());
    }
    // `speed` is a name of the restitution alone.
    const formula::Scope outer = formulas.scope;
    read_law(table, name.substr(0, name.size() - suffix.size()), formulas, contact);
    formulas.scope = outer;
    read_tangents(table, formulas, contact);
    model.contacts.push_back(std::move(contact));
  });
}

// Linear: no derivative by a velocity depends on a velocity.
void check_linear(TableReader& table, Expr equation) {
  const auto velocities = [](Expr f) {
    std::vector<Expr> found;
    for (const std::uint32_t id : formula::dependencies({f})) {
      const formula::Node& node = (*f.graph)[id];
      if (node.op == formula::Op::symbol && f.graph->symbol_of(node).kind == formula::SymbolKind::velocity)
        found.push_back({f.graph, id});
    }
    return found;
  };
  const std::vector<Expr> v = velocities(equation);
  if (v.empty()) table.fail("equation", "expected an equation linear in velocities; it has none");
  for (const Expr& derivative : formula::gradient(equation, v))
    if (!velocities(derivative).empty()) table.fail("equation", "expected an equation linear in velocities");
}

void read_constraints(TableReader& system, FormulaReader& formulas, Model& model) {
  const auto equation = [&](TableReader& table, const Purpose& purpose) {
    return formulas.build(table.require("equation", "a formula, = 0"), table.key_of("equation"), purpose);
  };
  read_named(system, formulas, "holonomic", [&](TableReader& table, const std::string& name, const std::string&) {
    model.holonomic.push_back({name, equation(table, holonomic)});
  });
  read_named(system, formulas, "nonholonomic", [&](TableReader& table, const std::string& name, const std::string&) {
    model.nonholonomic.push_back({name, equation(table, nonholonomic)});
    check_linear(table, model.nonholonomic.back().equation);
  });
}

}  // namespace

void read_system(TableReader system, FormulaReader& formulas, Model& model,
                 const std::function<void()>& declare_controls) {
  read_parameters(system, formulas);
  read_coordinates(system, formulas, model);
  declare_controls();
  read_definitions(system, formulas);
  read_lagrangian(system, formulas, model);
  read_contacts(system, formulas, model);
  read_constraints(system, formulas, model);
  read_named(system, formulas, "force", [&](TableReader& table, const std::string& name, const std::string&) {
    const toml::node& components = table.require("components", "one formula for each coordinate");
    model.forces.push_back({name, formulas.build_vector(components, table.key_of("components"), force)});
  });
  read_named(system, formulas, "symmetry", [&](TableReader& table, const std::string& name, const std::string&) {
    const toml::node& node = table.require("generator", "one formula for each coordinate");
    model.symmetries.push_back({name, formulas.build_vector(node, table.key_of("generator"), generator)});
  });
  system.finish();
}

}  // namespace ricochet
