#pragma once
// A method on a System whose controls follow a schedule: parameters of the graph that are constant in each interval of
// a given grid. Controls, and series of numbers given at the grid points (costates), are running scalars of the run.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ricochet/simulation/method_stepper.hpp"

namespace ricochet {

struct Schedule {
  std::vector<double> times;                                            // N + 1 grid points
  std::vector<std::pair<std::string, std::vector<double>>> controls{};  // parameter and its N values
  std::vector<std::pair<std::string, std::vector<double>>> series{};    // name and N + 1 values
};

// Throws ModelError as make_stepper does. The run's settings must have the schedule's times.
std::unique_ptr<Stepper> make_scheduled_stepper(const Model& model, const IntegratorOptions& options,
                                                const InitialState& initial, const Schedule& schedule,
                                                std::vector<std::string>& warnings);

}  // namespace ricochet
