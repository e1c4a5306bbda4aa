#pragma once
// What a name of a Scope stands for; private to the parser.

#include "ricochet/formula/parser.hpp"

namespace ricochet::formula {

struct Scope::Entry {
  enum class Kind : std::uint8_t { name, list, coordinate, coordinate_array, index };
  Kind kind = Kind::name;
  int first = 1;             // index of the first value of a list or array
  std::vector<Expr> values;  // one, unless a list or array
  // What the values depend on, so that a define cannot smuggle t into a formula that must not have it.
  bool uses_time = false, uses_velocity = false, uses_coordinates = false;

  bool is_array() const { return kind == Kind::list || kind == Kind::coordinate_array; }
  bool is_coordinate() const { return kind == Kind::coordinate || kind == Kind::coordinate_array; }
};

}  // namespace ricochet::formula
