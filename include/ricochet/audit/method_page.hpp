#pragma once
// The page of a method, a discretization or an integrator of bodies in docs/methods: what its descriptor says, then
// what was measured.

#include <cstdint>
#include <string>
#include <vector>

#include "ricochet/audit/audit.hpp"
#include "ricochet/descriptor.hpp"

namespace ricochet {

enum class PageKind { method, discretization, bodies };  // bodies: an integrator of continua

struct MeasuredScenario {
  std::string name, title;
  double step = 0;
  std::vector<Audit> audits;  // one column each
};

// A run of bodies: what changed, and what of it no work or impulse explains.
struct MeasuredBodies {
  std::string scenario, label;  // label: how it was run
  std::int64_t updates = 0;     // of elements
  double energy_range = 0;      // relative
  double energy_defect = 0;     // |final − initial − works|, relative
  double momentum_defect = 0;   // |final − initial − impulses|
};

// Markdown. The descriptor's part is the beginning of the page and does not depend on any measurement.
std::string descriptor_part(const Descriptor& descriptor, PageKind kind);
std::string method_page(const Descriptor& descriptor, PageKind kind, const std::vector<MeasuredScenario>& measured);
std::string bodies_page(const Descriptor& descriptor, const std::vector<MeasuredBodies>& measured);

}  // namespace ricochet
