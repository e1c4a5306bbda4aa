#pragma once
// What a design problem adds to the summary of a run: the solution of [shoot] or [optimize], derivatives, quantities,
// multipliers.

#include <complex>
#include <cstdint>
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
  struct Control {  // what an optimal control problem adds
    double cost = 0;
    double mismatch = 0;        // of the motion integrated again from the one that the solver found, relative
    std::vector<double> times;  // of the impacts, and the end
    Named multipliers;          // of the conditions: dJ/db of φ = b
    std::vector<double> costs;  // of each step of the iteration
    std::vector<std::int64_t> intervals;
    std::vector<std::string> impacts;
    std::vector<std::pair<std::string, double>> candidates;  // of a search: sequence and cost; NaN: not solved
    Named pruned;  // sequences whose continuations were not tried, and what the way to their last impact costs
    std::vector<std::pair<std::int64_t, double>> refinements;  // intervals in all, and the cost
  };
  struct Solution {
    std::string status, message;  // solved | failed | interrupted
    int iterations = 0;
    double residual = 0;
    Named unknowns, guess;
    Named conditions, verified;  // residuals as the solver left them, and in the motion integrated again
    std::vector<Step> history;
    std::optional<Control> control = {};
  };
  std::optional<Solution> solution;
  Named quantities;
  std::vector<std::pair<std::string, Named>> sensitivities;  // of each output by each unknown; NaN: none
  std::string refused;                                       // why there are no sensitivities
  std::vector<std::complex<double>> floquet;
};

}  // namespace ricochet
