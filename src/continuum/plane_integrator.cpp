#include "ricochet/continuum/plane_integrator.hpp"

#include <fmt/format.h>

#include "ricochet/error.hpp"

namespace ricochet::continuum {

PlaneIntegrator::PlaneIntegrator(const Solid& solid, PlaneContacts& contacts, unsigned threads)
    : solid_(solid),
      contacts_(contacts),
      closest_(solid),
      team_(threads),
      u_(solid.u),
      v_(solid.v),
      hold_of_(solid.nodes(), -1),
      forces_(contacts.pairs().size()) {
  for (std::size_t k = 0; k < solid.holds.size(); ++k) hold_of_[solid.holds[k].node] = static_cast<int>(k);
}

void PlaneIntegrator::respond(double h, const double* before) {
  std::vector<NodeContact>& found = contacts_.found();
  response_.solve(
      found, h, before, v_.data(), [&](int node, const std::array<double, 2>& J) { return mobility(node, J); },
      [&](const NodeContact& c) { return by_response(contacts_.pairs()[c.pair].treatment); });
  if (response_.residual > response_limit)
    throw SolverError(
        fmt::format("the impulses of {} contacts did not settle in {} sweeps", found.size(), response_.sweeps),
        response_.residual, response_.sweeps, "try a smaller continuum.courant or less friction");
}

}  // namespace ricochet::continuum
