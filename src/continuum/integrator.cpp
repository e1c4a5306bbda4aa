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

void put(std::vector<double>& out, std::span<const ContactForce> forces, const Balance& b, std::int64_t updates) {
  for (const ContactForce& f : forces)
    for (const double x : {f.force, f.impulse, f.x, f.y, f.closed ? 1.0 : 0.0}) out.push_back(x);
  for (const double x : {b.contact, b.moving, b.viscosity, b.friction, b.support.x, b.support.y, b.support.angular,
                         b.gravity.x, b.gravity.y, b.gravity.angular, static_cast<double>(updates)})
    out.push_back(x);
}

void take(std::span<const double>& in, std::span<ContactForce> forces, Balance& balance, std::int64_t& updates) {
  for (ContactForce& f : forces) {
    double x[5];
    take(in, x);
    f = {x[0], x[1], x[2], x[3], x[4] != 0};
  }
  double x[11];
  take(in, x);
  balance = {x[0], x[1], x[2], x[3], {x[4], x[5], x[6]}, {x[7], x[8], x[9]}};
  updates = static_cast<std::int64_t>(x[10]);
}

}  // namespace ricochet::continuum
