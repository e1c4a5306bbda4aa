#pragma once
// The page of a method or discretization in docs/methods: what its descriptor says, then what audits measured.

#include <string>
#include <vector>

#include "ricochet/audit/audit.hpp"
#include "ricochet/descriptor.hpp"

namespace ricochet {

struct MeasuredScenario {
  std::string name, title;
  double step = 0;
  std::vector<Audit> audits;  // one column each
};

// Markdown. The descriptor's part is the beginning of the page and does not depend on any measurement.
std::string descriptor_part(const Descriptor& descriptor, bool method);
std::string method_page(const Descriptor& descriptor, bool method, const std::vector<MeasuredScenario>& measured);

}  // namespace ricochet
