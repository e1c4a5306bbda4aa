#pragma once
// What descriptors say, in words: for `ricochet methods` and the pages in docs/methods.

#include <string>

#include "ricochet/descriptor.hpp"

namespace ricochet {

std::string describe(const OptionValue& value);
std::string describe(const ParameterDoc& parameter);       // "doc (default 2; at least 1)"
std::string describe_abilities(const Descriptor& method);  // "contacts, forces", or "smooth systems"

}  // namespace ricochet
