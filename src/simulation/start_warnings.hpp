#pragma once
// What a start says of the run that is probably not meant, though every step of it can be computed: a kinetic energy
// that is none, an angle of more than a turn, and a step that the fastest small oscillation at the start does not take.
//
// With ω its frequency the rectangle and the trapezoidal rule (Störmer and Verlet) are stable for hω < 2; a period has
// 2π/(hω) steps, and with fewer than 8 of them no method of this house gives more than its rough shape (the trapezoidal
// rule is 2.6 % too fast at 8).

#include <string>
#include <vector>

#include "ricochet/mechanics/system.hpp"
#include "ricochet/methods/options.hpp"

namespace ricochet {

std::vector<std::string> start_warnings(const System& system, const Descriptor& method,
                                        const IntegratorOptions& options, const std::vector<double>& q,
                                        const std::vector<double>& v, double t);

}  // namespace ricochet
