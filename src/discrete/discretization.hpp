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
Tableau linear_path(const std::string& name, std::vector<double> b, std::vector<double> c);

Discretization trapezoidal();
Discretization midpoint();
Discretization rectangle();
Discretization galerkin();

}  // namespace ricochet
