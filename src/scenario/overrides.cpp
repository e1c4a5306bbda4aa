#include "overrides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "ricochet/formula/parser.hpp"
#include "toml_reader.hpp"

namespace ricochet {

namespace {

constexpr std::size_t max_key_depth = 32;

// Places of what an override brings in. The line is a huge one: new parameters come after those of the file.
toml::source_region region_of(const std::string& place) {
  toml::source_region region;
  region.begin = region.end = {std::numeric_limits<toml::source_index>::max(), 1};
  region.path = std::make_shared<const std::string>(place);
  return region;
}

// The value as a table {value = …}: TOML if it parses as one value, else text.
toml::table parse_value(const std::string& value, const std::string& place) {
  try {
    Document document(place, "value = " + value);
    if (document.root().size() == 1 && document.root().contains("value")) return std::move(document.root());
  } catch (const InputError&) {
  }
  std::string quoted = "value = \"";
  for (const unsigned char c : value) {
    if (c == '"' || c == '\\' || c < 0x20 || c == 0x7f)
      quoted += fmt::format("\\u{:04x}", c);
    else
      quoted += static_cast<char>(c);
  }
  return std::move(Document(place, quoted + "\"").root());
}

// The element of a list that a key segment means.
toml::node& element_of(toml::array& list, const std::string& segment, const std::string& key,
                       const std::string& place) {
  std::vector<std::string> names;
  for (toml::node& element : list) {
    const toml::table* table = element.as_table();
    const toml::node* name = table ? table->get("name") : nullptr;
    if (!name || !name->is_string()) continue;
    names.push_back(name->as_string()->get());
    if (names.back() == segment) return element;
  }
  const bool digits = !segment.empty() && segment.size() < 9 &&
                      std::all_of(segment.begin(), segment.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (digits) {
    const std::size_t number = std::stoul(segment);
    if (number >= 1 && number <= list.size()) return *list.get(number - 1);
    Document::fail_at(place, key, fmt::format("the list has {} elements, numbered from 1", list.size()));
  }
  Document::fail_at(place, key,
                    names.empty() ? fmt::format("the list has no element named \"{}\"", segment)
                                  : fmt::format("no element named \"{}\"; there are {}", segment, joined(names)),
                    formula::nearest(segment, names));
}

}  // namespace

std::vector<std::string> split_key(const std::string& key) {
  std::vector<std::string> segments;
  std::size_t k = 0;
  while (true) {
    std::string segment;
    if (k < key.size() && (key[k] == '"' || key[k] == '\'')) {
      const std::size_t end = key.find(key[k], k + 1);
      if (end == std::string::npos) return {};
      segment = key.substr(k + 1, end - k - 1);
      k = end + 1;
    } else {
      const std::size_t end = std::min(key.find('.', k), key.size());
      segment = key.substr(k, end - k);
      k = end;
      if (segment.empty()) return {};
    }
    segments.push_back(segment);
    if (k == key.size()) return segments;
    if (key[k] != '.') return {};
    ++k;
  }
}

void apply_override(Document& document, const std::string& assignment) {
  const std::string place = "--set " + assignment;
  // The key ends at the first = outside quotes.
  std::size_t equals = 0;
  for (char quote = 0; equals < assignment.size() && (quote || assignment[equals] != '='); ++equals) {
    const char c = assignment[equals];
    if (quote ? c == quote : c == '"' || c == '\'') quote = quote ? 0 : c;
  }
  const std::string key = assignment.substr(0, equals);
  const std::vector<std::string> segments = split_key(key);
  if (equals >= assignment.size() || segments.empty() || segments.size() > max_key_depth)
    throw InputError(fmt::format("{}: expected key=value, as in --set integrator.step=0.01", place));
  toml::table parsed = parse_value(assignment.substr(equals + 1), place);
  toml::node& value = *parsed.get("value");

  toml::node* node = &document.root();
  for (std::size_t k = 0; k < segments.size(); ++k) {
    const std::string& segment = segments[k];
    const bool last = k + 1 == segments.size();
    if (toml::table* table = node->as_table()) {
      const toml::key new_key(segment, region_of(place));
      if (last) {
        table->insert_or_assign(new_key, std::move(value));  // NOLINT(bugprone-use-after-move): the last round
      } else {
        node = table->get(segment);
        if (!node) {  // an empty table that carries the place of the override
          toml::table made = std::move(*parse_value("{}", place).get("value")->as_table());
          node = &table->insert(new_key, std::move(made)).first->second;
        }
      }
    } else if (toml::array* list = node->as_array()) {
      node = &element_of(*list, segment, key, place);
      if (last) {
        const std::size_t index = static_cast<std::size_t>(
            std::find_if(list->begin(), list->end(), [&](const toml::node& e) { return &e == node; }) - list->begin());
        list->replace(list->cbegin() + static_cast<std::ptrdiff_t>(index), std::move(value));
      }
    } else {
      Document::fail_at(place, key, fmt::format("\"{}\" goes into {}, which has no keys", segment, kind_of(*node)));
    }
  }
}

}  // namespace ricochet
