#pragma once
// A method is a file: a descriptor and a function that makes it. methods.cpp lists them.

#include <memory>

#include "ricochet/discrete/tableau.hpp"
#include "ricochet/methods/method.hpp"

namespace ricochet {

struct MethodEntry {
  const Descriptor* descriptor;
  // options are complete: every parameter of the method is there
  std::unique_ptr<Method> (*make)(std::shared_ptr<const System>, const Tableau&, const IntegratorOptions&);
};

MethodEntry variational();
MethodEntry variational_collision();
MethodEntry generalized_variational();
MethodEntry nonholonomic_collision();
MethodEntry nonholonomic_symmetric();
MethodEntry direct_midpoint();
MethodEntry direct_endpoint();
MethodEntry newmark();
MethodEntry newmark_imex();
MethodEntry moreau_jean();
MethodEntry reference();

// The parameter that every method with an implicit equation has.
ParameterDoc tolerance_parameter();

}  // namespace ricochet
