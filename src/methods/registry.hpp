#pragma once
// A method is a file: a descriptor and a function of the same name that makes it; and one line in the list below.

#include <memory>

#include "ricochet/discrete/tableau.hpp"
#include "ricochet/methods/method.hpp"

namespace ricochet {

struct MethodEntry {
  const Descriptor* descriptor;
  // options are complete: every parameter of the method is there
  std::unique_ptr<Method> (*make)(std::shared_ptr<const System>, const Tableau&, const IntegratorOptions&);
};

// The list of methods: one line each, in the order that `ricochet methods` shows.
// clang-format off
#define RICOCHET_METHODS(METHOD) \
  METHOD(variational) \
  METHOD(variational_collision) \
  METHOD(generalized_variational) \
  METHOD(nonholonomic_collision) \
  METHOD(nonholonomic_symmetric) \
  METHOD(direct_midpoint) \
  METHOD(direct_endpoint) \
  METHOD(newmark) \
  METHOD(newmark_imex) \
  METHOD(moreau_jean) \
  METHOD(reference)
// clang-format on

#define RICOCHET_DECLARE(name) MethodEntry name();
RICOCHET_METHODS(RICOCHET_DECLARE)
#undef RICOCHET_DECLARE

// The parameter that every method with an implicit equation has.
ParameterDoc tolerance_parameter();

bool has_union(const System& system, int gap);  // is there a max in it?
void refuse_unions(const System& system);       // ModelError, for methods that have none

}  // namespace ricochet
