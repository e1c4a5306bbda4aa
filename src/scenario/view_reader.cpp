#include "view_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ricochet {

namespace {

// A key whose value is formulas: how many it may have. One may stand without a list.
struct VectorKey {
  std::string name;
  std::vector<std::size_t> counts;
  bool required = true;
};

struct ShapeKind {
  std::string name;
  std::vector<VectorKey> keys;
};

const std::vector<ShapeKind>& shape_kinds() {
  const VectorKey at{"at", {2, 3}}, from{"from", {2, 3}}, to{"to", {2, 3}}, radius{"radius", {1}},
      angle{"angle", {1}, false};
  static const std::vector<ShapeKind> kinds{
      {"point", {at}},
      {"circle", {at, radius}},
      {"ellipse", {at, {"radii", {2}}, angle}},
      {"polygon", {{"at", {2, 3}, false}, angle}},
      {"segment", {from, to}},
      {"spring", {from, to}},
      {"plane", {at, {"normal", {2, 3}}}},
      {"sphere", {at, radius}},
      {"cylinder", {from, to, radius}},
      {"box", {at, {"size", {2, 3}}, {"rotation", {1, 3, 4, 9}, false}}},
      {"trail", {at, {"length", {1}, false}}},
  };
  return kinds;
}

const Purpose drawn{"a view"};
const Purpose corner{"a corner", false, false, false};

std::vector<Expr> read_formulas(TableReader& table, FormulaReader& formulas, const VectorKey& wanted,
                                const toml::node& node) {
  const std::string key = table.key_of(wanted.name);
  const bool one = wanted.counts.front() == 1;
  if (one && !node.is_array()) return {formulas.build(node, key, drawn)};
  const toml::array& list = read_list(formulas.document(), node, key, "a list of formulas");
  if (std::find(wanted.counts.begin(), wanted.counts.end(), list.size()) == wanted.counts.end())
    table.fail(wanted.name, fmt::format("expected {} entries, got {}", fmt::join(wanted.counts, " or "), list.size()));
  return formulas.build_list(node, key, drawn, list.size(), list.size());
}

std::vector<std::vector<double>> read_points(TableReader& table, FormulaReader& formulas) {
  const std::string key = table.key_of("points"), expected = "a list of corners such as [[0,0],[1,0],[0,1]]";
  std::vector<std::vector<double>> points;
  const toml::array& list = read_list(formulas.document(), table.require("points", expected), key, expected);
  if (list.size() < 2) table.fail("points", "expected at least 2 corners");
  for (const toml::node& node : list) {
    std::vector<double> point;
    for (const Expr& x : formulas.build_list(node, key, corner, 2, 3)) point.push_back(x.value());
    if (!points.empty() && point.size() != points.front().size())
      formulas.document().fail(node.source(), key, "expected corners of one dimension, all 2 or all 3 numbers");
    points.push_back(std::move(point));
  }
  return points;
}

// Colours go into the report's page: letters, digits and the signs of CSS colours only.
void check_color(const TableReader& table, const std::string& color) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("#(),.% ").find(c) != std::string_view::npos;
  };
  if (color.empty() || color.size() > 64 || !std::all_of(color.begin(), color.end(), allowed))
    table.fail("color", "expected a colour such as \"steelblue\" or \"#4682b4\"");
}

Shape read_shape(TableReader& table, FormulaReader& formulas) {
  std::vector<std::string> names;
  for (const ShapeKind& kind : shape_kinds()) names.push_back(kind.name);
  table.require("kind", fmt::format("one of {}", joined(names)));
  Shape shape;
  shape.kind = *table.choice("kind", names);
  const ShapeKind& kind = *std::find_if(shape_kinds().begin(), shape_kinds().end(),
                                        [&](const ShapeKind& k) { return k.name == shape.kind; });
  for (const VectorKey& key : kind.keys) {
    const toml::node* node = table.find(key.name);
    if (!node && key.required) node = &table.require(key.name, fmt::format("formulas, because kind is {}", shape.kind));
    if (node) shape.formulas[key.name] = read_formulas(table, formulas, key, *node);
  }
  const auto from = shape.formulas.find("from");
  if (from != shape.formulas.end() && from->second.size() != shape.formulas.at("to").size())
    table.fail("to", "from and to have different dimensions");
  if (shape.kind == "polygon") shape.points = read_points(table, formulas);
  if (shape.kind == "spring") {
    const std::int64_t coils = table.integer("coils").value_or(shape.coils);
    if (coils < 1 || coils > 1000) table.fail("coils", "expected 1 to 1000 coils");
    shape.coils = static_cast<int>(coils);
  }
  if (const auto color = table.text("color")) check_color(table, shape.color = *color);
  shape.label = table.text("label").value_or("");
  return shape;
}

}  // namespace

std::vector<Shape> read_view(TableReader view, FormulaReader& formulas) {
  std::vector<Shape> shapes;
  for (TableReader& table : view.list_of_tables("shape"))
    formulas.for_each(table, [&](const std::string&) {
      shapes.push_back(read_shape(table, formulas));
      table.finish();
    });
  view.finish();
  return shapes;
}

}  // namespace ricochet
