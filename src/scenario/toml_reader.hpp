#pragma once
// Typed, strict reading of one TOML table: every getter remembers the key it was asked for, and finish() refuses what
// nobody asked for, with the nearest spelling. Errors name place and full key.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "document.hpp"

namespace ricochet {

class TableReader {
 public:
  TableReader(const Document& document, const toml::table& table, std::string key);

  const Document& document() const { return *document_; }
  const std::string& key() const { return key_; }
  std::string key_of(const std::string& name) const { return key_.empty() ? name : key_ + "." + name; }
  const toml::source_region& source() const { return table_->source(); }
  const toml::table& table() const { return *table_; }

  // Null if the key is not there. `expected` words the error of require.
  const toml::node* find(const std::string& name);
  const toml::node& require(const std::string& name, const std::string& expected);

  std::optional<std::string> text(const std::string& name);
  std::optional<double> number(const std::string& name);
  std::optional<std::int64_t> integer(const std::string& name);
  std::optional<bool> boolean(const std::string& name);
  std::optional<std::string> choice(const std::string& name, const std::vector<std::string>& choices);
  std::optional<TableReader> table(const std::string& name);
  TableReader require_table(const std::string& name);
  std::vector<TableReader> list_of_tables(const std::string& name);  // [[name]]; empty if not there

  [[noreturn]] void fail(const std::string& name, const std::string& message, const std::string& nearest = {}) const;
  void finish(const std::vector<std::string>& also_known = {}) const;  // refuses keys that were never asked for

 private:
  const Document* document_;
  const toml::table* table_;
  std::string key_;
  std::set<std::string> asked_;
};

// The value of one node, or an error that names its key.
std::string read_text(const Document& document, const toml::node& node, const std::string& key);
double read_number(const Document& document, const toml::node& node, const std::string& key);  // finite
std::int64_t read_integer(const Document& document, const toml::node& node, const std::string& key);
const toml::array& read_list(const Document& document, const toml::node& node, const std::string& key,
                             const std::string& expected = "a list");
const toml::table& read_table(const Document& document, const toml::node& node, const std::string& key);
// The word if it is one of the choices.
std::string read_choice(const Document& document, const toml::node& node, const std::string& key,
                        const std::vector<std::string>& choices);

std::string joined(const std::vector<std::string>& words, const std::string& separator = ", ");

}  // namespace ricochet
