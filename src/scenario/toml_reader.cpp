#include "toml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ricochet/formula/parser.hpp"

namespace ricochet {

namespace {

// What others call a key, and the table in which a key stands.
struct KeyHint {
  std::string_view written, meant;
};
constexpr KeyHint other_names[] = {{"dt", "step"},        {"h", "step"},
                                   {"time_step", "step"}, {"timestep", "step"},
                                   {"t_end", "duration"}, {"tmax", "duration"},
                                   {"t_max", "duration"}, {"time", "duration"},
                                   {"solver", "method"},  {"variables", "coordinates"},
                                   {"q0", "position"},    {"x0", "position"},
                                   {"v0", "velocity"},    {"distance", "gap"},
                                   {"e", "restitution"},  {"mu", "friction"},
                                   {"simulation", "run"}, {"initial_conditions", "initial"}};
constexpr KeyHint homes[] = {{"coordinates", "[system]"},
                             {"lagrangian", "[system]"},
                             {"kinetic", "[system]"},
                             {"potential", "[system]"},
                             {"parameters", "[system.parameters]"},
                             {"define", "[system.define]"},
                             {"contacts", "[[system.contact]]"},
                             {"force", "[[system.force]]"},
                             {"forces", "[[system.force]]"},
                             {"constraint", "[[system.holonomic]] or [[system.nonholonomic]]"},
                             {"gap", "[[system.contact]]"},
                             {"restitution", "[[system.contact]]"},
                             {"position", "[initial]"},
                             {"velocity", "[initial]"},
                             {"momentum", "[initial]"},
                             {"method", "[integrator]"},
                             {"step", "[integrator]"},
                             {"discretization", "[integrator]"},
                             {"duration", "[run]"},
                             {"every", "[output]"},
                             {"shape", "[[view.shape]]"}};

std::string meant_key(std::string_view written, const std::vector<std::string>& known) {
  for (const KeyHint& hint : other_names)
    if (hint.written == written && std::find(known.begin(), known.end(), hint.meant) != known.end())
      return std::string(hint.meant);
  return formula::nearest(written, known);
}

}  // namespace

TableReader::TableReader(const Document& document, const toml::table& table, std::string key)
    : document_(&document), table_(&table), key_(std::move(key)) {}

const toml::node* TableReader::find(const std::string& name) {
  asked_.insert(name);
  return table_->get(name);
}

const toml::node& TableReader::require(const std::string& name, const std::string& expected) {
  if (const toml::node* node = find(name)) return *node;
  // A misspelt key is the likely cause: point at it rather than at the gap.
  for (const toml::key* key : keys_in_order(*table_)) {
    const std::string written(key->str());
    if (!asked_.contains(written) && meant_key(written, {name}) == name)
      document_->fail(key->source(), key_of(written), "unknown key", name);
  }
  document_->fail(source(), key_of(name), fmt::format("missing; expected {}", expected));
}

std::optional<std::string> TableReader::text(const std::string& name) {
  const toml::node* node = find(name);
  return node ? std::optional(read_text(*document_, *node, key_of(name))) : std::nullopt;
}

std::optional<double> TableReader::number(const std::string& name) {
  const toml::node* node = find(name);
  return node ? std::optional(read_number(*document_, *node, key_of(name))) : std::nullopt;
}

std::optional<std::int64_t> TableReader::integer(const std::string& name) {
  const toml::node* node = find(name);
  return node ? std::optional(read_integer(*document_, *node, key_of(name))) : std::nullopt;
}

std::optional<bool> TableReader::boolean(const std::string& name) {
  const toml::node* node = find(name);
  if (!node) return std::nullopt;
  if (!node->is_boolean()) fail(name, fmt::format("expected true or false, got {}", kind_of(*node)));
  return node->as_boolean()->get();
}

std::optional<std::string> TableReader::choice(const std::string& name, const std::vector<std::string>& choices) {
  const toml::node* node = find(name);
  return node ? std::optional(read_choice(*document_, *node, key_of(name), choices)) : std::nullopt;
}

std::optional<TableReader> TableReader::table(const std::string& name) {
  const toml::node* node = find(name);
  if (!node) return std::nullopt;
  return TableReader(*document_, read_table(*document_, *node, key_of(name)), key_of(name));
}

TableReader TableReader::require_table(const std::string& name) {
  const toml::node& node = require(name, fmt::format("a table [{}]", key_of(name)));
  return TableReader(*document_, read_table(*document_, node, key_of(name)), key_of(name));
}

std::vector<TableReader> TableReader::list_of_tables(const std::string& name) {
  std::vector<TableReader> readers;
  const toml::node* node = find(name);
  if (!node) return readers;
  const std::string expected = fmt::format("a list of tables, each [[{}]]", key_of(name));
  for (const toml::node& element : read_list(*document_, *node, key_of(name), expected)) {
    if (!element.is_table())
      document_->fail(element.source(), key_of(name), fmt::format("expected {}, got {}", expected, kind_of(element)));
    readers.emplace_back(*document_, *element.as_table(), key_of(name));
  }
  return readers;
}

void TableReader::fail(const std::string& name, const std::string& message, const std::string& nearest) const {
  const toml::node* node = table_->get(name);
  document_->fail(node ? node->source() : source(), key_of(name), message, nearest);
}

void TableReader::finish(const std::vector<std::string>& also_known) const {
  std::vector<std::string> known(asked_.begin(), asked_.end());
  known.insert(known.end(), also_known.begin(), also_known.end());
  for (const toml::key* key : keys_in_order(*table_)) {
    const std::string written(key->str());
    if (asked_.contains(written)) continue;
    const auto home =
        std::find_if(std::begin(homes), std::end(homes), [&](const KeyHint& h) { return h.written == written; });
    document_->fail(key->source(), key_of(written),
                    home != std::end(homes) ? fmt::format("unknown key here; it belongs to {}", home->meant)
                                            : fmt::format("unknown key; known here: {}", joined(known)),
                    home != std::end(homes) ? "" : meant_key(written, known));
  }
}

std::string read_text(const Document& document, const toml::node& node, const std::string& key) {
  if (!node.is_string()) document.fail(node.source(), key, fmt::format("expected text, got {}", kind_of(node)));
  return node.as_string()->get();
}

double read_number(const Document& document, const toml::node& node, const std::string& key) {
  if (!node.is_number()) document.fail(node.source(), key, fmt::format("expected a number, got {}", kind_of(node)));
  const double value =
      node.is_integer() ? static_cast<double>(node.as_integer()->get()) : node.as_floating_point()->get();
  if (!std::isfinite(value)) document.fail(node.source(), key, "expected a finite number");
  return value;
}

std::int64_t read_integer(const Document& document, const toml::node& node, const std::string& key) {
  const double value = node.is_number() ? read_number(document, node, key) : 0;
  if (!node.is_number() || value != std::floor(value))
    document.fail(
        node.source(), key,
        fmt::format("expected a whole number, got {}", node.is_number() ? fmt::format("{}", value) : kind_of(node)));
  constexpr std::int64_t most = std::int64_t{1} << 53;  // above, numbers are not told apart
  if (std::fabs(value) > static_cast<double>(most) || (node.is_integer() && std::abs(node.as_integer()->get()) > most))
    document.fail(
        node.source(), key,
        fmt::format("expected a whole number from -2^53 to 2^53 = {}, got {}", most,
                    node.is_integer() ? fmt::format("{}", node.as_integer()->get()) : fmt::format("{}", value)));
  return static_cast<std::int64_t>(value);
}

const toml::array& read_list(const Document& document, const toml::node& node, const std::string& key,
                             const std::string& expected) {
  if (!node.is_array()) document.fail(node.source(), key, fmt::format("expected {}, got {}", expected, kind_of(node)));
  return *node.as_array();
}

const toml::table& read_table(const Document& document, const toml::node& node, const std::string& key) {
  if (!node.is_table()) document.fail(node.source(), key, fmt::format("expected a table, got {}", kind_of(node)));
  return *node.as_table();
}

std::string read_choice(const Document& document, const toml::node& node, const std::string& key,
                        const std::vector<std::string>& choices) {
  const std::string word = read_text(document, node, key);
  if (std::find(choices.begin(), choices.end(), word) == choices.end())
    document.fail(node.source(), key, fmt::format("\"{}\" is none of {}", word, joined(choices)),
                  formula::nearest(word, choices));
  return word;
}

std::string joined(const std::vector<std::string>& words, const std::string& separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

}  // namespace ricochet
