#pragma once
// What a part of the house (method, discretization, law …) says of itself: feeds the scenario reader, --help,
// `ricochet methods` and the docs.

#include <string>
#include <variant>
#include <vector>

namespace ricochet {

using OptionValue = std::variant<bool, double, std::string>;

// A parameter of a method or discretization.
struct ParameterDoc {
  std::string name;
  OptionValue default_value;
  std::string doc;
  std::vector<std::string> choices{};  // for a text
  double min = -1e308, max = 1e308;    // for a number
  bool integer = false;
};

// What a method or discretization says of itself.
struct Descriptor {
  std::string name, doc;                 // one line
  std::string order;                     // "2", "2 degree", …
  std::string preserves, not_preserved;  // exactly kept; not kept
  std::vector<ParameterDoc> parameters{};
  bool contacts = false, holonomic = false, nonholonomic = false, forces = false, degenerate = false;
  bool derivative = false;                     // its step has one, where the motion has
  bool backward = false;                       // has an exact adjoint: forward then backward returns to the start
  bool lasting = false;                        // has lasting contact, its modes in the state
  std::vector<std::string> counters{};         // what it counts: fields of summary.json
  std::vector<std::string> discretizations{};  // a method's: those it takes, default first
  std::vector<std::string> laws{"elastic"};    // a method's: contact laws that it takes; empty: all
};

}  // namespace ricochet
