#pragma once
// A method on a System as a Stepper: checks that the method can do what the model asks, and that the start is
// admissible.

#include <memory>
#include <vector>

#include "ricochet/mechanics/model.hpp"
#include "ricochet/methods/method.hpp"
#include "ricochet/methods/options.hpp"
#include "ricochet/simulation/stepper.hpp"

namespace ricochet {

struct InitialState {
  double t = 0;
  std::vector<double> position;
  std::vector<double> velocity;  // or, if momentum_given, the momentum
  bool momentum_given = false;
  bool project = false;  // move position and velocity onto the constraints
};

// Throws ModelError, whose key is a scenario key ("integrator.method", "system.lagrangian", "initial.position" …).
// Warnings (a declared symmetry that is none) are appended to `warnings`, or dropped.
std::unique_ptr<Stepper> make_stepper(const Model& model, const IntegratorOptions& options, const InitialState& initial,
                                      std::vector<std::string>& warnings);
inline std::unique_ptr<Stepper> make_stepper(const Model& model, const IntegratorOptions& options,
                                             const InitialState& initial) {
  std::vector<std::string> dropped;
  return make_stepper(model, options, initial, dropped);
}

// The state of a start that is on the constraints and admissible, or a ModelError as above.
State start_state(const System& system, const Descriptor& method, const InitialState& initial, double step);

// A method of one's own on a system. The start is checked as above; `step` is that of the run.
std::unique_ptr<Stepper> make_stepper(std::shared_ptr<const System> system, std::unique_ptr<Method> method,
                                      const InitialState& initial, double step);

}  // namespace ricochet
