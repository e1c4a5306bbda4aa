#include "section_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ricochet {

namespace {

const Purpose plotted{"a section"};
constexpr std::size_t most_quantities = 16;

// The contacts of this name: one, or the instances of a `for`.
std::vector<int> contacts_named(const TableReader& table, const std::string& name, const Model& model) {
  std::vector<int> found;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < model.contacts.size(); ++k) {
    const std::string& contact = model.contacts[k].name;
    if (contact == name || contact.starts_with(name + "[")) found.push_back(static_cast<int>(k));
    names.push_back(contact);
  }
  if (found.empty())
    table.fail("impact", fmt::format("no contact \"{}\"; expected one of them, or true for all", name),
               formula::nearest(name, names));
  return found;
}

}  // namespace

std::vector<Section> read_sections(TableReader output, FormulaReader& formulas, const Model& model) {
  std::vector<Section> sections;
  for (TableReader& table : output.list_of_tables("section")) {
    Section s;
    s.name = table.text("name").value_or(fmt::format("section {}", sections.size() + 1));
    for (const Section& other : sections)
      if (other.name == s.name) table.fail("name", fmt::format("\"{}\" is given twice", s.name));
    const toml::node *crosses = table.find("crosses"), *impact = table.find("impact");
    if (!crosses == !impact)
      table.fail(crosses ? "impact" : "crosses",
                 "expected one of both: crosses = \"formula\", recorded where it passes zero, or impact = true or the "
                 "name of a contact");
    const auto direction = table.choice("direction", {"up", "down", "both"});
    const auto side = table.choice("side", {"before", "after"});
    if (crosses) {
      s.crosses = formulas.build(*crosses, table.key_of("crosses"), plotted);
      if (side) table.fail("side", "before and after belong to an impact");
      if (direction == "down") s.direction = Section::Direction::down;
      if (direction == "both") s.direction = Section::Direction::both;
    } else {
      if (direction) table.fail("direction", "up, down and both belong to a formula that passes zero");
      if (model.contacts.empty()) table.fail("impact", "the system has no contact");
      if (!impact->is_boolean()) s.contacts = contacts_named(table, *table.text("impact"), model);
      if (impact->is_boolean() && !*table.boolean("impact")) table.fail("impact", "expected true or a name");
      s.after = side == "after";
    }
    const toml::node& list = table.require("quantities", "a list of formulas such as [\"x\", \"x'\"]");
    s.quantities = formulas.build_list(list, table.key_of("quantities"), plotted, 1, most_quantities);
    for (std::size_t k = 0; k < s.quantities.size(); ++k) {
      const toml::node& element = *list.as_array()->get(k);
      s.quantity_names.push_back(element.is_string() ? element.as_string()->get() : to_string(s.quantities[k]));
    }
    table.finish();
    sections.push_back(std::move(s));
  }
  return sections;
}

}  // namespace ricochet
