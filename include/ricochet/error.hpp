#pragma once
// The ways a run can go wrong.

#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>

namespace ricochet {

// Bad input: exit 3. `what()` is complete: "file:line:column: key: what was expected; did you mean …?"
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A file that could not be written: exit 1. `what()` names it and the reason.
struct WriteError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A model that cannot be simulated as asked, found in a room that knows no files: the scenario room adds file and line
// of `key` (a scenario key such as "system.lagrangian" or "integrator.method").
struct ModelError : std::runtime_error {
  ModelError(std::string scenario_key, const std::string& message)
      : std::runtime_error(message), key(std::move(scenario_key)) {}
  std::string key;
};

// A numerical failure: exit 4; results so far are kept.
struct SolverError : std::runtime_error {
  SolverError(const std::string& message, double residual_, int iterations_, std::string advice_)
      : std::runtime_error(message), residual(residual_), iterations(iterations_), advice(std::move(advice_)) {}
  double time = 0;         // filled in by the run loop
  std::int64_t step = -1;  // filled in by the run loop
  double residual;
  int iterations;
  std::string advice;  // what to try
};

// A step was given up because the run is to stop; the state is that before it.
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

}  // namespace ricochet
