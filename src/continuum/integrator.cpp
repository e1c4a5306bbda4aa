#include "ricochet/continuum/integrator.hpp"

#include <algorithm>

#include "ricochet/error.hpp"

namespace ricochet::continuum {

void take(std::span<const double>& in, std::span<double> values) {
  if (in.size() < values.size()) throw InputError("a saved state does not fit these bodies");
  std::copy_n(in.begin(), values.size(), values.begin());
  in = in.subspan(values.size());
}

}  // namespace ricochet::continuum
