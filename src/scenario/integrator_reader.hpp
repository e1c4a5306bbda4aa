#pragma once
// [integrator]: the method, its discretization, the step, and the parameters that their descriptors name.

#include "ricochet/methods/options.hpp"
#include "toml_reader.hpp"

namespace ricochet {

IntegratorOptions read_integrator(TableReader integrator);

// One parameter, checked by its description: kind, range, choices.
OptionValue read_parameter(TableReader& table, const ParameterDoc& parameter);

}  // namespace ricochet
