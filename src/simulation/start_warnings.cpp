#include "start_warnings.hpp"

#include <fmt/format.h>

#include <numbers>

#include "ricochet/mechanics/small_oscillations.hpp"

namespace ricochet {

namespace {

constexpr double fewest_steps = 8;  // of a period

}  // namespace

std::vector<std::string> start_warnings(const System& system, const Descriptor& method,
                                        const IntegratorOptions& options, const std::vector<double>& q,
                                        const std::vector<double>& v, double t) {
  std::vector<std::string> warnings;
  const SmallOscillations modes = small_oscillations(system, q, v, t);
  if (!modes.negative.empty())
    warnings.push_back(
        fmt::format("the mass matrix is not positive definite at the start: the kinetic energy is negative in the "
                    "direction of {}; is a sign of system.lagrangian wrong?",
                    modes.negative));
  if (method.discretizations.empty() || modes.fastest == 0) return warnings;  // the reference chooses its own steps
  const std::string& rule = options.discretization.empty() ? method.discretizations.front() : options.discretization;
  const double angle = options.step * modes.fastest, period = 2 * std::numbers::pi / modes.fastest;
  if (angle > 2 && (rule == "trapezoidal" || rule == "rectangle"))
    warnings.push_back(fmt::format(
        "the step {} is beyond the limit of stability 2/ω = {:.3g} of the fastest oscillation at the start; "
        "integrator.step = {:.2g} has {} steps a period",
        options.step, 2 / modes.fastest, period / 20, 20));
  else if (angle * fewest_steps > 2 * std::numbers::pi)
    warnings.push_back(
        fmt::format("the step {} has only {:.2g} steps in a period of the fastest oscillation at the start ({:.3g}); "
                    "integrator.step = {:.2g} has {}",
                    options.step, period / options.step, period, period / 20, 20));
  return warnings;
}

}  // namespace ricochet
