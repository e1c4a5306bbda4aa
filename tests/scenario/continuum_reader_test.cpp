#include "../src/scenario/continuum_reader.hpp"

#include <gtest/gtest.h>

#include "ricochet/continuum/bar.hpp"
#include "ricochet/scenario/scenario.hpp"

namespace ricochet::continuum_reader_test {
namespace {

const std::string two_rods = R"toml(title = "Rods"
[continuum]
courant = 0.5
gravity = [-0.1]
viscosity = { linear = 0.06, quadratic = 1.2 }
[[continuum.body]]
name = "a"
mesh = { kind = "bar", from = 0.0, length = 1.0, cells = 10, grading = 2.0 }
material = { kind = "quadratic", rho = 2.0, E = 3.0, b = -1.0 }
area = 0.5
velocity = ["0.1*X"]
displacement = ["0.01*X^2"]
moving = { left = ["0.1*max(0, t)"] }
[[continuum.body]]
name = "b"
mesh = { from = 2.0, length = 1.0, cells = 5 }
material = { kind = "barotropic", rho = 1.0, p = "(J^-7 - 1)/7" }
fixed = ["right"]
[[continuum.wall]]
name = "wall"
at = [4.0]
normal = [-1.0]
[[continuum.contact]]
between = ["a", "b"]
treatment = "penalty"
stiffness = 100.0
[[continuum.probe]]
name = "front"
kind = "front"
body = "b"
[run]
start = 0.0
duration = 1.0
[expect]
status = "completed"
probes.front.speed = { min = 0.0 }
probes.front.residuals.maxwell = { max = 1.0 }
contacts.a-b.impulse = { min = 0.0 }
momentum."linear x".initial = { min = -1.0 }
element_updates = { min = 1 }
)toml";

// The text with the first `old` replaced.
std::string with(const std::string& old, const std::string& text) {
  std::string s = two_rods;
  const std::size_t at = s.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return s.replace(at, old.size(), text);
}

std::string refusal(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    const Scenario s = read_scenario_text(text, "s.toml", overrides);
    std::vector<std::string> warnings;
    make_stepper(s, warnings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ContinuumReader, ReadsEverything) {
  const Scenario s = read_scenario_text(two_rods, "s.toml");
  ASSERT_TRUE(s.continuum);
  const continuum::Model& m = *s.continuum;
  EXPECT_EQ(m.courant, 0.5);
  EXPECT_EQ(m.gravity, -0.1);
  EXPECT_EQ(m.viscosity.quadratic, 1.2);
  ASSERT_EQ(m.bodies.size(), 2u);
  EXPECT_EQ(m.bodies[0].mesh.grading, 2);
  EXPECT_EQ(m.bodies[0].area, 0.5);
  EXPECT_EQ(std::get<continuum::Quadratic>(m.bodies[0].material.law).b, -1);
  EXPECT_DOUBLE_EQ(m.bodies[0].velocity(3), 0.3);
  EXPECT_DOUBLE_EQ(m.bodies[0].displacement(2), 0.04);
  EXPECT_DOUBLE_EQ((*m.bodies[0].left_end)(2), 0.2);
  EXPECT_EQ((*m.bodies[0].left_end)(-1), 0);
  EXPECT_EQ((*m.bodies[1].right_end)(7), 0);
  EXPECT_NEAR(continuum::stress(m.bodies[1].material.law, -0.5), -127.0 / 7, 1e-12);
  EXPECT_EQ(m.contacts[0].stiffness, 100);
  EXPECT_EQ(m.walls[0].at, 4);
  EXPECT_EQ(s.integrator.method, "verlet");
  EXPECT_EQ(s.run.step, s.integrator.step);
  EXPECT_EQ(s.expect.size(), 6u);
  EXPECT_EQ(refusal(two_rods), "");
}

// Whole steps fill the duration; with another Courant number there are others.
TEST(ContinuumReader, TheStepComesFromTheMesh) {
  const Scenario s = read_scenario_text(two_rods, "s.toml"),
                 half = read_scenario_text(two_rods, "s.toml", {"continuum.courant=0.25"});
  EXPECT_NEAR(half.run.step, s.run.step / 2, 0.02 * s.run.step);
  const double steps = 1 / s.run.step;
  EXPECT_NEAR(steps, std::round(steps), 1e-9);
}

TEST(ContinuumReader, ErrorsNameLineKeyAndReason) {
  const struct {
    std::string old, text, message;
  } cases[] = {
      {"courant = 0.5", "courant = 1.5", "s.toml:3:11: continuum.courant: 1.5 is above the limit of stability"},
      {"courant = 0.5", "courrant = 0.5", "s.toml:3:1: continuum.courrant: unknown key"},
      {"gravity = [-0.1]", "gravity = [0, 1]", "s.toml:4:11: continuum.gravity: expected 1 entry"},
      {"length = 1.0", "length = 0.0", "s.toml:8:45: continuum.body.mesh.length: expected a length above 0, got 0"},
      {"material = { kind = \"quadratic\", rho = 2.0, E = 3.0, b = -1.0 }\n", "",
       "s.toml:6:1: continuum.body.material: missing"},
      {"kind = \"quadratic\"", "kind = \"quadradic\"", "did you mean \"quadratic\"?"},
      {"E = 3.0, ", "", "continuum.body.material.E: missing"},
      {"rho = 2.0", "rho = -2.0", "expected a density above 0, got -2"},
      {"\"0.1*X\"", "\"0.1*Y\"", "s.toml:11:18: continuum.body.velocity: unknown name 'Y'"},
      {"(J^-7 - 1)/7", "J^2", "the stiffness dP/dε at rest is -2, expected above 0"},
      {"fixed = [\"right\"]", "fixed = [\"rigth\"]",
       "s.toml:18:10: continuum.body.fixed: \"rigth\" is none of left, right; did you mean \"right\"?"},
      {"between = [\"a\", \"b\"]", "between = [\"a\", \"c\"]",
       "continuum.contact.between: \"c\" is none of a, b, wall"},
      {"\"penalty\"", "\"penality\"", "did you mean \"penalty\"?"},
      {"stiffness = 100.0\n", "", "continuum.contact.stiffness: missing"},
      {"\"penalty\"", "\"multiplier\"", "the treatment multiplier has no stiffness"},
      {"normal = [-1.0]", "normal = [-2.0]", "continuum.wall.normal: expected [1] or [-1], got [-2]"},
      {"from = 2.0", "from = 0.5", "continuum.contact: a-b overlap at the start by"},
      {"name = \"b\"", "name = \"a\"", "the name \"a\" is given twice"},
      {"body = \"b\"", "body = \"wall\"", "continuum.probe.body: \"wall\" is none of a, b"},
      {"\"0.1*max(0, t)\"", "\"0.3 + t\"", "the displacement of the end is 0.3 at t = 0"},
      {"[run]", "[system]\ncoordinates = [\"x\"]\n[run]", "[system] has no meaning beside [continuum]"},
      {"probes.front.speed", "probes.front.spede",
       "s.toml:36:14: expect.probes.front.spede: summary.json has no such field"},
      {"contacts.a-b", "contacts.b-a", "s.toml:38:10: expect.contacts.b-a: summary.json has no such field; it has a-b"},
  };
  for (const auto& c : cases) {
    const std::string message = refusal(with(c.old, c.text));
    EXPECT_NE(message.find(c.message), std::string::npos) << message << "\n  wanted: " << c.message;
  }
}

}  // namespace
}  // namespace ricochet::continuum_reader_test
