#include "document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace ricochet {

namespace {

// Where a string starting at text[k] (a quote) ends: the index after its closing quote, or the end of the line.
std::size_t skip_string(std::string_view text, std::size_t k) {
  const char quote = text[k];
  const std::string triple(3, quote);
  const bool multiline = text.substr(k, 3) == triple;
  for (k += multiline ? 3 : 1; k < text.size(); ++k) {
    if (quote == '"' && text[k] == '\\') {
      ++k;
    } else if (multiline) {
      if (text.substr(k, 3) == triple) return k + 3;
    } else if (text[k] == quote) {
      return k + 1;
    } else if (text[k] == '\n') {
      return k;
    }
  }
  return text.size();
}

// The TOML parser recurses over brackets and the tree over dotted keys: refuse depth before it begins.
void refuse_depth(std::string_view text, const std::string& name) {
  int line = 1, nesting = 0, dots = 0;
  const auto refuse = [&](const std::string& message) {
    throw InputError(fmt::format("{}:{}:1: {}", name, line, message));
  };
  for (std::size_t k = 0; k < text.size(); ++k) {
    switch (text[k]) {
      case '\n': ++line; [[fallthrough]];
      case '=':
      case ',': dots = 0; break;
      case '#': k = std::min(text.find('\n', k), text.size()) - 1; break;
      case '"':
      case '\'': {
        const std::size_t end = skip_string(text, k);
        line += static_cast<int>(std::count(text.begin() + k, text.begin() + end, '\n'));
        k = end - 1;
        break;
      }
      case '[':
      case '{':
        dots = 0;
        if (++nesting > Document::max_nesting)
          refuse(fmt::format("brackets nested deeper than {} levels", Document::max_nesting));
        break;
      case ']':
      case '}':
        dots = 0;
        nesting = std::max(0, nesting - 1);
        break;
      case '.':
        if (++dots > Document::max_dots) refuse(fmt::format("a key with more than {} dots", Document::max_dots));
        break;
      default: break;
    }
  }
}

std::string with_nearest(const std::string& message, const std::string& nearest) {
  return nearest.empty() ? message : fmt::format("{}; did you mean \"{}\"?", message, nearest);
}

// The byte of line:column, both 1-based; columns count characters, not bytes. npos if there is none.
std::size_t offset_of(std::string_view text, const toml::source_position& at) {
  std::size_t k = 0;
  for (toml::source_index line = 1; line < at.line; ++line) {
    k = text.find('\n', k);
    if (k == std::string_view::npos) return k;
    ++k;
  }
  for (toml::source_index column = 1; column < at.column; ++column) {
    do ++k;
    while (k < text.size() && (static_cast<unsigned char>(text[k]) & 0xC0) == 0x80);
  }
  return k < text.size() ? k : std::string_view::npos;
}

}  // namespace

Document::Document(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {
  if (text_.size() > max_bytes)
    throw InputError(fmt::format("{}: {} bytes; a scenario has at most {} MB", name_, text_.size(), max_bytes >> 20));
  refuse_depth(text_, name_);
  try {
    root_ = toml::parse(std::string_view(text_), std::string_view(name_));
  } catch (const toml::parse_error& error) {
    const std::string_view reason = error.description();
    const bool control = reason.find("control character") != std::string_view::npos,
               encoding = reason.find("utf-8") != std::string_view::npos;
    throw InputError(fmt::format("{}: {}{}", place(error.source()), reason,
                                 control    ? "; is the closing quote missing?"
                                 : encoding ? "; save the file as UTF-8"
                                            : remedy(error.source())));
  }
}

// Of a line that is no TOML: where its value is neither quoted nor a number, a list or a table, a formula was meant.
std::string Document::remedy(const toml::source_region& region) const {
  const std::size_t at = offset_of(text_, region.begin);
  const std::string_view text = text_;
  if (at == std::string_view::npos) return "";
  const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  const std::size_t line = before == std::string_view::npos ? 0 : before + 1;
  const std::string_view written = text.substr(line, text.find('\n', line) - line);
  const std::size_t sign = written.find('=');
  if (sign == std::string_view::npos) return "";
  std::size_t value = written.find_first_not_of(" \t", sign + 1);
  if (value == std::string_view::npos || std::string_view("\"'[{#").find(written[value]) != std::string_view::npos)
    return "";
  const std::string_view name = written.substr(0, written.find_last_not_of(" \t", sign - 1) + 1);
  std::string_view formula = written.substr(value, written.find_last_not_of(" \t\r") + 1 - value);
  for (const std::string_view quote : {"“", "”", "„", "‘", "’", "«", "»"})
    if (formula.starts_with(quote)) return "; quotes are the plain ones, \" or '";
  const std::size_t digits = std::min(formula.find_first_not_of("+-0123456789.eE"), formula.size());
  const std::string_view number = formula.substr(0, digits), rest = formula.substr(digits);
  if (number.find_first_of("0123456789") != std::string_view::npos &&
      rest.find_first_of("*/^()'") == std::string_view::npos) {
    if (rest.starts_with(",")) return "; a number has a point, not a comma";
    return fmt::format("; a number stands alone, without a unit: {} = {}", name, number);
  }
  while (!formula.empty() && (formula.back() == '"' || formula.back() == '\'')) formula.remove_suffix(1);
  return fmt::format("; a text or formula stands in quotes: {} = \"{}\"", name, formula.substr(0, 200));
}

std::string Document::place(const toml::source_region& region) const {
  if (region.path && *region.path != name_) return *region.path;
  const auto& at = region.begin;
  return fmt::format("{}:{}:{}", name_, std::max(at.line, 1u), std::max(at.column, 1u));
}

std::string Document::line_place(const toml::source_region& region) const {
  if (region.path && *region.path != name_) return *region.path;
  return fmt::format("{}:{}", name_, std::max(region.begin.line, 1u));
}

std::string Document::place_in_text(const toml::source_region& region, std::size_t column) const {
  if (region.path && *region.path != name_) return *region.path;
  std::size_t k = offset_of(text_, region.begin);
  if (k == std::string::npos || (text_[k] != '"' && text_[k] != '\'')) return place(region);
  const std::string_view text = text_;
  const bool multiline = text.substr(k, 3) == std::string(3, text[k]);
  toml::source_position at = region.begin;
  const toml::source_index quotes = multiline ? 3 : 1;
  k += quotes;
  at.column += quotes;
  if (multiline && text.substr(k, 2) == "\r\n") ++k;
  if (multiline && text.substr(k, 1) == "\n") {  // the newline after the opening quotes is no part of the value
    ++k;
    ++at.line;
    at.column = 1;
  }
  for (std::size_t i = 1; i < column && k < text.size(); ++i, ++k) {
    if (text[k] == '\\') return place(region);  // an escape: bytes of value and file part ways
    if (text[k] == '\n') {
      ++at.line;
      at.column = 1;
    } else if ((static_cast<unsigned char>(text[k]) & 0xC0) != 0x80) {
      ++at.column;
    }
  }
  return fmt::format("{}:{}:{}", name_, at.line, at.column);
}

void Document::fail(const toml::source_region& region, const std::string& key, const std::string& message,
                    const std::string& nearest) const {
  fail_at(place(region), key, message, nearest);
}

void Document::fail_at(const std::string& place, const std::string& key, const std::string& message,
                       const std::string& nearest) {
  throw InputError(fmt::format("{}: {}: {}", place, key, with_nearest(message, nearest)));
}

std::vector<const toml::key*> keys_in_order(const toml::table& table) {
  std::vector<const toml::key*> keys;
  for (auto&& [key, value] : table) keys.push_back(&key);
  std::stable_sort(keys.begin(), keys.end(),
                   [](const toml::key* a, const toml::key* b) { return a->source().begin < b->source().begin; });
  return keys;
}

std::string kind_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return "a list";
    case toml::node_type::string: return "text";
    case toml::node_type::integer:
    case toml::node_type::floating_point: return "a number";
    case toml::node_type::boolean: return "true or false";
    case toml::node_type::date:
    case toml::node_type::time:
    case toml::node_type::date_time: return "a date or time";
    case toml::node_type::none: break;
  }
  return "nothing";
}

}  // namespace ricochet
