#pragma once
// A discretization is a file: a descriptor and a function from its parameters to a tableau. discretizations.cpp lists
// them.

#include <map>
#include <string>

#include "ricochet/discrete/tableau.hpp"

namespace ricochet {

using Parameters = std::map<std::string, OptionValue>;

struct Discretization {
  Descriptor descriptor;
  Tableau (*make)(const Parameters&);
};

// One unknown velocity, quadrature (b, c).
Tableau linear_path(const std::string& name, std::vector<double> b, const std::vector<double>& c);

// The list of discretizations: one line each.
// clang-format off
#define RICOCHET_DISCRETIZATIONS(RULE) \
  RULE(trapezoidal) \
  RULE(midpoint) \
  RULE(rectangle) \
  RULE(galerkin)
// clang-format on

#define RICOCHET_DECLARE(name) Discretization name();
RICOCHET_DISCRETIZATIONS(RICOCHET_DECLARE)
#undef RICOCHET_DECLARE

}  // namespace ricochet
