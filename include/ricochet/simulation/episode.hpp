#pragma once
// Contact of bodies lasts. An episode is one line of the ledger: `time` is its begin, the impulse that of all of it,
// the energies those before and after it, the obtained restitution that of the centres of mass. Short pauses belong to
// it.

#include <cstdint>

#include "ricochet/contact/impact.hpp"

namespace ricochet {

struct Episode : Impact {
  std::int64_t step = 0;  // in which it began
  double end_time = 0, largest_force = 0;
};

}  // namespace ricochet
