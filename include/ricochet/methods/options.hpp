#pragma once
// The choice of a method and its parameters, by name, as scenarios, the command line and Python give them.

#include <map>
#include <string>
#include <vector>

#include "ricochet/descriptor.hpp"

namespace ricochet {

struct IntegratorOptions {
  std::string method;          // required
  std::string discretization;  // "": the method's default
  double step = 0;
  bool backward = false;                          // the adjoint of the method, for a run backwards in time
  bool rest = true;                               // [contact.rest]: contacts whose bouncing ends within a step close
  int most_bounces = 100;                         // of one contact in one step
  std::map<std::string, OptionValue> parameters;  // gamma, degree, impact_energy, tolerance …
};

const std::vector<Descriptor>& method_descriptors();

}  // namespace ricochet
