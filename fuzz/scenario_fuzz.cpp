// Mutated scenarios, good and bad: each gives a Scenario or an InputError, and a Scenario gives a stepper or an
// InputError. A line of the input that starts with "--set " is an override.

#include <filesystem>
#include <fstream>
#include <sstream>

#include "../tests/scenario/bad_scenarios.hpp"
#include "driver.hpp"
#include "ricochet/scenario/scenario.hpp"

namespace {

std::vector<std::string> corpus() {
  std::vector<std::string> texts;
  const auto gallery = std::filesystem::path(RICOCHET_FUZZ_DIRECTORY).parent_path() / "scenarios";
  for (const auto& entry : std::filesystem::directory_iterator(gallery)) {
    if (entry.path().extension() != ".toml") continue;
    if (entry.path().stem().string().starts_with("soft-")) continue;  // a digit more is a hundred times the triangles
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    texts.push_back(text.str());
  }
  texts.emplace_back(R"([continuum]
gravity = [0.0, -1.0]
[[continuum.body]]
name = "a"
mesh = { kind = "disc", center = [0.0, 1.0], radius = 1.0, cells = 2 }
material = { kind = "neo-hookean", rho = 1.0, lambda = 1.0, mu = 1.0 }
velocity = ["0.1*Y", "-X"]
[[continuum.body]]
name = "b"
mesh = { kind = "box", from = [2.0, 0.0], size = [1.0, 1.0], cells = [2, 1] }
material = { kind = "linear", rho = 1.0, E = 1.0, nu = 0.3 }
fixed = ["right"]
[[continuum.wall]]
name = "floor"
at = [0.0, 0.0]
normal = [0.0, 1.0]
[[continuum.contact]]
between = ["a", "b"]
treatment = "decomposed"
friction = 0.3
[[continuum.contact]]
between = ["a", "floor"]
[run]
duration = 1.0
)");
  std::sort(texts.begin(), texts.end());  // the same input for a number on every machine
  for (const ricochet::test::BadScenario& bad : ricochet::test::bad_scenarios())
    if (bad.text.size() < 1000 && !bad.name.starts_with("huge"))  // those are tests already, and slow
      texts.push_back(ricochet::test::scenario_with(bad.line, bad.text));
  texts.push_back(
      ricochet::test::scenario_with(0, "--set system.parameters.m=2*g\n--set system.force.drag.name=\"x\""));
  return texts;
}

void target(const std::string& input) {
  std::string text, line;
  std::vector<std::string> overrides;
  for (std::istringstream in(input); std::getline(in, line);) {
    if (line.starts_with("--set "))
      overrides.push_back(line.substr(6));
    else
      text += line + "\n";
  }
  try {
    const ricochet::Scenario scenario = ricochet::read_scenario_text(text, "fuzz.toml", overrides);
    std::vector<std::string> warnings;
    if (scenario.model.coordinates.size() <= 64) ricochet::make_stepper(scenario, warnings);
  } catch (const ricochet::InputError&) {
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> dictionary{"[system]",
                                            "[[system.contact]]",
                                            "[[system.force]]",
                                            "[[view.shape]]",
                                            "[initial]",
                                            "[run]",
                                            "[expect]",
                                            "for = \"i in 1..n\"",
                                            "\n",
                                            "=",
                                            "\"",
                                            "'",
                                            "'''",
                                            "\"\"\"",
                                            "[",
                                            "]",
                                            "{",
                                            "}",
                                            "nan",
                                            "-inf",
                                            "1e308",
                                            "1e-320",
                                            "99999999",
                                            "0",
                                            "-1",
                                            "true",
                                            "1979-05-27",
                                            "x[i]'",
                                            "abs(",
                                            "sum(i in 1..9, ",
                                            "min(x, y)",
                                            "^-1",
                                            "\\u0000",
                                            "\xc3\xa9",
                                            "\xff",
                                            "a.b.c.d",
                                            "--set ",
                                            "\n--set initial.position=",
                                            "#",
                                            "restitution = \"speed\""};
  return ricochet::fuzz::run(argc, argv, corpus(), dictionary, target);
}
