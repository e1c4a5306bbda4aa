#include "ricochet/continuum/integrator.hpp"

#include <algorithm>

#include "ricochet/continuum/avi.hpp"
#include "ricochet/continuum/verlet.hpp"
#include "ricochet/error.hpp"

namespace ricochet::continuum {

const std::vector<Descriptor>& integrator_descriptors() {
  static const std::vector<Descriptor> list{Verlet::descriptor(), Avi::descriptor()};
  return list;
}

void take(std::span<const double>& in, std::span<double> values) {
  if (in.size() < values.size()) throw InputError("a saved state does not fit these bodies");
  std::copy_n(in.begin(), values.size(), values.begin());
  in = in.subspan(values.size());
}

}  // namespace ricochet::continuum
