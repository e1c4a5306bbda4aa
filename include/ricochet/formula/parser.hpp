#pragma once
// The formula language of scenarios: text -> syntax tree -> expressions of a graph.
//
// A text is parsed once (syntax errors) and built any number of times under a Scope (names, indices), so that a
// `for` table or a `sum` instantiates the same tree with other index values.

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/formula/expr.hpp"

namespace ricochet::formula {

// What is wrong with a formula, where (column, 1-based, in bytes), and the nearest known name if one is near.
// what() is the message alone: "unknown name 'tehta'"; column and suggestion are for the reader of the file to add.
struct FormulaError : std::runtime_error {
  FormulaError(const std::string& message, std::size_t at, std::string nearest = {});
  std::size_t column;
  std::string suggestion;
};

// Refused, so that no text can exhaust stack, memory or patience.
inline constexpr std::size_t max_text = 1'000'000;       // bytes in a formula
inline constexpr int max_depth = 200;                    // nested parentheses, signs and exponents
inline constexpr int max_ranges = 16;                    // in one sum or for
inline constexpr std::size_t max_visits = 5'000'000;     // syntax nodes visited in one build
inline constexpr std::size_t max_instances = 1'000'000;  // of a for, or elements of an array

// The names a formula may use. Coordinates may be arrays: "x" with bounds first..last, elements named "x[3]".
// Adding a name that is no identifier, reserved or taken is an error of the caller (std::invalid_argument).
class Scope {
 public:
  explicit Scope(std::shared_ptr<Graph> graph);

  void add_name(const std::string& name, Expr value);                // parameter, define, control, speed …
  void add_list(const std::string& name, std::vector<Expr> values);  // list parameter, m[1] is the first
  void add_coordinate(const std::string& name, Expr q);              // q and q'
  void add_coordinate_array(const std::string& name, int first, std::vector<Expr> q);
  void set_index(const std::string& name, int value);  // loop variable; set again for the next value
  void remove_index(const std::string& name);
  bool allow_time = true;                // t may be used
  bool allow_velocity = true;            // x' may be used
  bool allow_coordinates = true;         // x may be used
  std::size_t visit_limit = max_visits;  // of one build
  std::string purpose;                   // "a parameter", "a gap", …: for messages when one of these is refused

  bool knows(const std::string& name) const;         // any kind
  static bool is_reserved(const std::string& name);  // t, pi, sum, in and function names
  static bool is_identifier(const std::string& name);
  std::vector<std::string> names() const;  // everything that may be written, for suggestions

 private:
  friend class Builder;
  struct Entry;
  void add(const std::string& name, Entry entry);
  std::shared_ptr<Graph> graph_;
  std::map<std::string, std::shared_ptr<Entry>> entries_;
};

struct Syntax;  // the tree; private to the parser
class Formula {
 public:
  explicit Formula(std::string_view text);  // throws FormulaError
  Expr build(const Scope& scope) const;     // throws FormulaError (unknown name, index out of range, too large)
  const std::string& text() const { return text_; }

 private:
  friend int build_integer(const Formula& formula, const Scope& scope);
  std::string text_;
  std::shared_ptr<const Syntax> root_;
};

// "i in 1..n-1, j in i+1..n": the header of a for.
class ForHeader {
 public:
  explicit ForHeader(std::string_view text);
  std::vector<std::vector<int>> expand(const Scope& scope) const;  // the index values, at most max_instances
  const std::vector<std::string>& indices() const { return indices_; }

 private:
  std::vector<std::string> indices_;
  std::shared_ptr<const Syntax> ranges_;
};

// A coordinate declaration: "x" or "x[1..n]".
struct Declaration {
  std::string name;
  bool is_array = false;
  int first = 0, last = 0;
};
Declaration parse_declaration(std::string_view text, const Scope& scope);

// An integer-valued formula of parameters (range bounds, indices).
int build_integer(const Formula& formula, const Scope& scope);

// The nearest of the candidates to a misspelt word, "" if none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace ricochet::formula
