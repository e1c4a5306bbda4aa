#pragma once
// Scenarios and runs of the tests of this room.

#include <string>

#include "ricochet/scenario/scenario.hpp"
#include "simulation/toy_stepper.hpp"

namespace ricochet {

inline std::size_t count(const std::string& text, const std::string& word) {
  std::size_t n = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

// A ball that falls from height 1 and moves to the right; the first impact is at sqrt(2/g), then one every twice that.
inline std::string ball_text(const std::string& title, const std::string& duration, const std::string& view) {
  return "title = '''" + title + R"('''
[system]
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 - g*y"
parameters = { g = 9.81 }
[[system.contact]]
name = "floor"
gap = "y"
[[system.symmetry]]
name = "horizontal momentum"
generator = ["1", "0"]
[initial]
position = [0.0, 1.0]
velocity = [0.5, 0.0]
[integrator]
method = "variational-collision"
discretization = "trapezoidal"
step = 0.01
[run]
duration = )" +
         duration + "\n" + view;
}

inline const std::string ball_view = R"([[view.shape]]
kind = "circle"
at = ["x", "y + 0.05"]
radius = 0.05
label = "ball"
[[view.shape]]
kind = "trail"
at = ["x", "y + 0.05"]
[[view.shape]]
kind = "plane"
at = ["0", "0"]
normal = ["0", "1"]
)";

// Runs it into a directory and returns the scenario.
inline Scenario run_ball(const std::filesystem::path& directory, const std::string& title, const std::string& duration,
                         const std::string& view = ball_view) {
  Scenario scenario = read_scenario_text(ball_text(title, duration, view), "ball.toml");
  std::vector<std::string> warnings;
  run(*make_stepper(scenario, warnings), scenario.run, describe(scenario), directory);
  return scenario;
}

}  // namespace ricochet
