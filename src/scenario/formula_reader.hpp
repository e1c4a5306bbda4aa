#pragma once
// Formulas of a document: parsed at their place, built under the names declared so far, and refused what their purpose
// does not allow.

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "ricochet/formula/parser.hpp"
#include "ricochet/scenario/kept_names.hpp"
#include "toml_reader.hpp"

namespace ricochet {

using formula::Expr;

// What a formula is for, and what it may use.
struct Purpose {
  std::string name;  // "a gap": for messages
  bool coordinates = true, velocities = true, time = true, kinks = true;
};

// Coordinates as declared: "x" or the array x[first..].
struct CoordinateBlock {
  std::string name;
  bool is_array = false;
  int first = 0;
  std::size_t offset = 0, count = 1;  // in the list of all coordinates
};

// What may be unknown in a design problem, by its name there (parameters.g, contact.floor.restitution, velocity.x).
struct Variable {
  std::string name;
  double value = 0;
  bool constant = true;  // a number in the file, not a formula of others
};

class FormulaReader {
 public:
  // Reading is bounded: so many formulas (instances of `for` and vector entries together), and the more there are, the
  // fewer terms the next may expand to. The sum over k of max_terms/k grows as a logarithm.
  static constexpr std::size_t max_formulas = 1'000'000;
  static constexpr std::size_t max_terms = 50'000'000;

  FormulaReader(const Document& document, std::shared_ptr<formula::Graph> graph);

  const Document& document() const { return *document_; }
  formula::Graph& graph() { return *graph_; }

  formula::Scope scope;
  std::vector<CoordinateBlock> blocks;
  std::size_t coordinate_count = 0;
  std::vector<Variable> variables;  // in the order read
  const KeptNames* kept = nullptr;  // those that stay symbols, if any
  // Remembers the variable; its value, or the symbol that stands for it.
  Expr variable(const std::string& name, Expr value);
  const toml::table* in_order = nullptr;  // set while a table is read whose names may only use those above them

  // A number or formula. The text is parsed once, however often it is built.
  Expr build(const toml::node& node, const std::string& key, const Purpose& purpose);
  double evaluate(const toml::node& node, const std::string& key, const Purpose& purpose);  // a finite constant
  // A list of `min_count` to `max_count` formulas.
  std::vector<Expr> build_list(const toml::node& node, const std::string& key, const Purpose& purpose,
                               std::size_t min_count, std::size_t max_count);
  // One entry for each coordinate: a list in order, or a table by name with missing entries 0. In a table, an array's
  // formula may use i, a list gives the elements of an array, and "x[i+1]" names one element.
  std::vector<Expr> build_vector(const toml::node& node, const std::string& key, const Purpose& purpose);

  // The body once for each combination of the table's `for`, with the indices set, and the suffix of the name: "[1]" or
  // "[1,2]". Without `for`: once, with "".
  void for_each(TableReader& table, const std::function<void(const std::string& suffix)>& body);

  // Refuses a name that cannot be given: no identifier, reserved, or known already.
  void check_new_name(const std::string& name, const toml::source_region& region, const std::string& key) const;

 private:
  void spend(const toml::node& node, const std::string& key);
  [[noreturn]] void fail_in_text(const toml::node& node, const std::string& key,
                                 const formula::FormulaError& error) const;
  void build_entry(const std::string& name, const toml::key& written, const toml::node& node, const std::string& key,
                   const Purpose& purpose, std::vector<Expr>& entries);

  const Document* document_;
  std::shared_ptr<formula::Graph> graph_;
  std::unordered_map<const toml::node*, formula::Formula> parsed_;
  std::unordered_map<std::string, std::size_t> places_;  // of the variables
  std::size_t built_ = 0;
};

}  // namespace ricochet
