#pragma once
// The choice of a method and its parameters, by name, as scenarios, the command line and Python give them.

#include <map>
#include <string>
#include <variant>
#include <vector>

namespace ricochet {

using OptionValue = std::variant<bool, double, std::string>;

struct IntegratorOptions {
  std::string method;          // required
  std::string discretization;  // "": the method's default
  double step = 0;
  bool backward = false;                          // the adjoint of the method, for a run backwards in time
  std::map<std::string, OptionValue> parameters;  // gamma, degree, impact_energy, tolerance …
};

// A parameter of a method or discretization: feeds the scenario reader, --help, `ricochet methods` and the docs.
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
  bool backward = false;                       // has an exact adjoint: forward then backward returns to the start
  std::vector<std::string> counters{};         // what it counts: fields of summary.json
  std::vector<std::string> discretizations{};  // a method's: those it takes, default first
};

const std::vector<Descriptor>& method_descriptors();
const std::vector<Descriptor>& discretization_descriptors();

}  // namespace ricochet
