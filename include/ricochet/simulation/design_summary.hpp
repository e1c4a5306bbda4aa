#pragma once
// What a design problem adds to the summary of a run: the solution of [shoot], derivatives, quantities, multipliers.

#include <complex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ricochet {

struct DesignSummary {
  using Named = std::vector<std::pair<std::string, double>>;
  struct Step {  // of the iteration
    double residual = 0, damping = 1, share = 1;
    std::vector<double> unknowns;
  };
  struct Solution {
    std::string status, message;  // solved | failed | interrupted
    int iterations = 0;
    double residual = 0;
    Named unknowns, guess;
    Named conditions, verified;  // residuals as the solver left them, and in the motion integrated again
    std::vector<Step> history;
  };
  std::optional<Solution> solution;
  Named quantities;
  std::vector<std::pair<std::string, Named>> sensitivities;  // of each output by each unknown; NaN: none
  std::string refused;                                       // why there are no sensitivities
  std::vector<std::complex<double>> floquet;
};

}  // namespace ricochet
