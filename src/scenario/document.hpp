#pragma once
// A TOML document with its text: where things stand in it, and how an error is worded.
// Parsing is bounded: size, nesting of brackets and length of dotted keys, so that no file can exhaust memory or stack.

#include <toml++/toml.h>

#include <string>
#include <string_view>
#include <vector>

#include "ricochet/error.hpp"

namespace ricochet {

class Document {
 public:
  static constexpr std::size_t max_bytes = 4 << 20;
  static constexpr int max_nesting = 32;  // open brackets and braces
  static constexpr int max_dots = 16;     // in one key

  // Parses; throws InputError. The name stands in front of every message.
  Document(std::string name, std::string text);

  const std::string& name() const { return name_; }
  const std::string& text() const { return text_; }
  toml::table& root() { return root_; }
  const toml::table& root() const { return root_; }

  // "file:line:column", or "--set key=value" for what an override brought in.
  std::string place(const toml::source_region& region) const;
  std::string remedy(const toml::source_region& region) const;
  std::string line_place(const toml::source_region& region) const;  // "file:line"
  // The place of byte `column` (1-based) of the text value that stands at `region`.
  std::string place_in_text(const toml::source_region& region, std::size_t column) const;

  // Throws "place: key: message[; did you mean "nearest"?]".
  [[noreturn]] void fail(const toml::source_region& region, const std::string& key, const std::string& message,
                         const std::string& nearest = {}) const;
  [[noreturn]] static void fail_at(const std::string& place, const std::string& key, const std::string& message,
                                   const std::string& nearest = {});

 private:
  std::string name_, text_;
  toml::table root_;
};

// The keys of a table in the order written.
std::vector<const toml::key*> keys_in_order(const toml::table& table);

// "a number", "text", "a list": what a node is, for messages.
std::string kind_of(const toml::node& node);

}  // namespace ricochet
