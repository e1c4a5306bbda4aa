#include "formula_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ricochet/formula/program.hpp"

namespace ricochet {

using formula::FormulaError;

FormulaReader::FormulaReader(const Document& document, std::shared_ptr<formula::Graph> graph)
    : scope(graph), document_(&document), graph_(std::move(graph)) {}

void FormulaReader::fail_in_text(const toml::node& node, const std::string& key, const FormulaError& error) const {
  const std::string place = document_->place_in_text(node.source(), error.column);
  if (in_order && node.is_string()) {  // is the word there a name that comes later?
    const std::string& text = node.as_string()->get();
    const std::size_t begin = std::min(error.column - 1, text.size());
    std::size_t end = begin;
    while (end < text.size() && formula::Scope::is_identifier(text.substr(begin, end - begin + 1))) ++end;
    const std::string word = text.substr(begin, end - begin);
    if (in_order->contains(word) && !scope.knows(word))
      Document::fail_at(place, key,
                        fmt::format("'{}' stands below or is this one itself; a formula here uses those above", word));
  }
  Document::fail_at(place, key, error.what(), error.suggestion);
}

void FormulaReader::spend(const toml::node& node, const std::string& key) {
  if (++built_ > max_formulas)
    document_->fail(node.source(), key, fmt::format("too large: more than {} formulas in the scenario", max_formulas));
}

Expr FormulaReader::build(const toml::node& node, const std::string& key, const Purpose& purpose) {
  spend(node, key);
  if (node.is_number()) return graph_->constant(read_number(*document_, node, key));
  if (!node.is_string())
    document_->fail(node.source(), key, fmt::format("expected a number or a formula, got {}", kind_of(node)));
  scope.allow_coordinates = purpose.coordinates;
  scope.allow_velocity = purpose.velocities;
  scope.allow_time = purpose.time;
  scope.purpose = purpose.name;
  scope.visit_limit = std::clamp<std::size_t>(max_terms / built_, 200, formula::max_visits);
  try {
    auto parsed = parsed_.find(&node);
    if (parsed == parsed_.end()) parsed = parsed_.emplace(&node, formula::Formula(node.as_string()->get())).first;
    const Expr f = parsed->second.build(scope);
    if (!purpose.kinks && has_kinks(f))
      document_->fail(node.source(), key,
                      fmt::format("abs, min and max are not allowed in {}, which must be smooth", purpose.name));
    return f;
  } catch (const FormulaError& error) {
    fail_in_text(node, key, error);
  }
}

double FormulaReader::evaluate(const toml::node& node, const std::string& key, const Purpose& purpose) {
  const Expr f = build(node, key, purpose);
  if (!is_fixed(f)) document_->fail(node.source(), key, fmt::format("{} must be a constant", purpose.name));
  return formula::fixed_value(f);
}

Expr FormulaReader::variable(const std::string& name, Expr value) {
  const double number = formula::fixed_value(value);
  const auto [same, is_new] = places_.try_emplace(name, variables.size());
  if (is_new)
    variables.push_back({name, number, value.is_constant()});
  else if (Variable& first = variables[same->second]; first.value != number)  // of the instances of a `for`
    first.constant = false;
  if (kept == nullptr) return value;
  if (kept->all) return value + graph_->parameter(name, 0);
  const auto found = kept->guesses.find(name);
  return found == kept->guesses.end() ? value : graph_->parameter(name, found->second.value_or(number));
}

std::vector<Expr> FormulaReader::build_list(const toml::node& node, const std::string& key, const Purpose& purpose,
                                            std::size_t min_count, std::size_t max_count) {
  const std::string wanted =
      min_count == max_count ? fmt::format("{}", min_count) : fmt::format("{} to {}", min_count, max_count);
  const toml::array& list = read_list(*document_, node, key, fmt::format("a list of {} formulas", wanted));
  if (list.size() < min_count || list.size() > max_count)
    document_->fail(node.source(), key, fmt::format("expected {} entries, got {}", wanted, list.size()));
  std::vector<Expr> entries;
  for (const toml::node& element : list) entries.push_back(build(element, key, purpose));
  return entries;
}

std::vector<Expr> FormulaReader::build_vector(const toml::node& node, const std::string& key, const Purpose& purpose) {
  if (node.is_array()) {
    const std::size_t count = node.as_array()->size();
    if (count != coordinate_count)
      document_->fail(node.source(), key,
                      fmt::format("expected {} entries, one for each coordinate, got {}", coordinate_count, count));
    return build_list(node, key, purpose, count, count);
  }
  if (!node.is_table())
    document_->fail(node.source(), key,
                    fmt::format("expected a list in coordinate order or a table by name, got {}", kind_of(node)));
  std::vector<Expr> entries(coordinate_count);
  const toml::table& table = *node.as_table();
  for (const toml::key* name : keys_in_order(table)) {
    const std::string written(name->str());
    build_entry(written, *name, *table.get(written), key + "." + written, purpose, entries);
  }
  built_ += coordinate_count / 8;
  spend(node, key);
  const Expr zero = graph_->constant(0);
  for (Expr& entry : entries)
    if (!entry) entry = zero;
  return entries;
}

void FormulaReader::build_entry(const std::string& name, const toml::key& written, const toml::node& node,
                                const std::string& key, const Purpose& purpose, std::vector<Expr>& entries) {
  const std::size_t bracket = name.find('[');
  const std::string base = name.substr(0, bracket);
  const auto block =
      std::find_if(blocks.begin(), blocks.end(), [&](const CoordinateBlock& b) { return b.name == base; });
  if (block == blocks.end()) {
    std::vector<std::string> names;
    for (const CoordinateBlock& b : blocks) names.push_back(b.name);
    document_->fail(written.source(), key, "no coordinate of this name", formula::nearest(base, names));
  }
  const auto assign = [&](std::size_t k, Expr f) {
    if (entries[k]) document_->fail(written.source(), key, "given twice");
    entries[k] = f;
  };
  if (bracket != std::string::npos) {  // one element
    int index = 0;
    try {
      if (!block->is_array || name.back() != ']') throw FormulaError("expected an array element such as x[1]", 1);
      scope.allow_coordinates = scope.allow_velocity = scope.allow_time = false;
      scope.purpose = "an index";
      index = build_integer(formula::Formula(name.substr(bracket + 1, name.size() - bracket - 2)), scope);
    } catch (const FormulaError& error) {
      document_->fail(written.source(), key, error.what(), error.suggestion);
    }
    const std::int64_t k = static_cast<std::int64_t>(index) - block->first;
    if (k < 0 || k >= static_cast<std::int64_t>(block->count))
      document_->fail(written.source(), key,
                      fmt::format("index {} is outside {}..{}", index, block->first,
                                  block->first + static_cast<int>(block->count) - 1));
    assign(block->offset + static_cast<std::size_t>(k), build(node, key, purpose));
  } else if (!block->is_array) {
    assign(block->offset, build(node, key, purpose));
  } else if (const toml::array* list = node.as_array()) {
    if (list->size() != block->count)
      document_->fail(node.source(), key,
                      fmt::format("expected {} entries, one for each element, got {}", block->count, list->size()));
    for (std::size_t k = 0; k < block->count; ++k) assign(block->offset + k, build(*list->get(k), key, purpose));
  } else {
    const bool indexed = node.is_string();
    if (indexed && scope.knows("i"))
      document_->fail(node.source(), key, "i runs over the array here, but i is already another name");
    for (std::size_t k = 0; k < block->count; ++k) {
      if (indexed) scope.set_index("i", block->first + static_cast<int>(k));
      assign(block->offset + k, build(node, key, purpose));
    }
    if (indexed) scope.remove_index("i");
  }
}

void FormulaReader::for_each(TableReader& table, const std::function<void(const std::string& suffix)>& body) {
  const toml::node* node = table.find("for");
  if (!node) return body("");
  const std::string key = table.key_of("for");
  const std::string text = read_text(*document_, *node, key);
  try {
    const formula::ForHeader header(text);
    for (const std::string& index : header.indices()) {
      check_new_name(index, node->source(), key);
      if (std::count(header.indices().begin(), header.indices().end(), index) > 1)
        document_->fail(node->source(), key, fmt::format("index {} is given twice", index));
    }
    scope.allow_coordinates = scope.allow_velocity = scope.allow_time = false;
    scope.purpose = "a range";
    for (const std::vector<int>& values : header.expand(scope)) {
      spend(*node, key);
      for (std::size_t k = 0; k < values.size(); ++k) scope.set_index(header.indices()[k], values[k]);
      body(fmt::format("[{}]", fmt::join(values, ",")));
    }
    for (const std::string& index : header.indices()) scope.remove_index(index);
  } catch (const FormulaError& error) {
    fail_in_text(*node, key, error);
  }
}

void FormulaReader::check_new_name(const std::string& name, const toml::source_region& region,
                                   const std::string& key) const {
  if (!formula::Scope::is_identifier(name))
    document_->fail(region, key,
                    fmt::format("\"{}\" is no name: expected letters, digits and _, not starting with a digit", name));
  if (formula::Scope::is_reserved(name)) document_->fail(region, key, fmt::format("\"{}\" is reserved", name));
  if (scope.knows(name)) document_->fail(region, key, fmt::format("the name \"{}\" is given twice", name));
}

}  // namespace ricochet
