#pragma once
// The syntax tree of a formula, private to the parser.
//
// All nodes of one text live in a deque beside the text, so destroying a tree is never recursive. Chains such as
// a+b-c are one node with many parts: the depth of a tree is the nesting of its text and not its length.

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/formula/expr.hpp"

namespace ricochet::formula {

struct Syntax {
  enum class Kind : std::uint8_t {
    number,
    name,     // x, x'
    element,  // x[part], x[part]'
    call,     // op(parts)
    chain,    // parts joined from the left by + - or by * /
    negate,
    power,
    range,  // name in part..part
    sum,    // ranges, then the body
  };
  struct Part {
    const Syntax* node;
    char op = 0;             // before this part, in a chain
    std::size_t column = 0;  // of op
  };
  Kind kind = Kind::number;
  Op op = Op::constant;  // of a call
  bool dotted = false;   // followed by '
  std::size_t column = 1;
  double number = 0;
  std::string_view name{};  // in the text of the tree
  std::vector<Part> parts{};
};

struct SyntaxTree {
  std::string text;
  std::deque<Syntax> nodes;
};

// The functions of the language; nullptr if there is none of this name.
const Op* find_function(std::string_view name);
std::vector<std::string> function_names();

using SyntaxPtr = std::shared_ptr<const Syntax>;  // shares its whole tree

SyntaxPtr parse_formula(std::string_view text);
SyntaxPtr parse_ranges(std::string_view text);              // a sum without body
SyntaxPtr parse_declaration_syntax(std::string_view text);  // a name or a range

}  // namespace ricochet::formula
